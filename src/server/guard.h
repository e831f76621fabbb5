// SPDX-License-Identifier: Apache-2.0
// Keeps web pages of other sites away from the data: which Host, Origin and Content-Type a request
// may carry. A page may make a browser send requests to this server (also under a name of the
// page's own choice, by DNS rebinding); it cannot choose these headers freely.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http.h"

namespace kw::server {

struct GuardOptions {
  std::vector<std::string> allow_hosts;    // names without a port; "*" allows all
  std::vector<std::string> allow_origins;  // "https://studio.example"; "*" allows all
  bool tls = false;                        // decides the scheme of the server's own origin
};

class Guard {
 public:
  explicit Guard(GuardOptions options);

  struct Refusal {
    int status;
    std::string message;  // says which option would allow it
  };

  // Of every request. Hosts: loopback names, any IP address (a rebound name is none), allow_hosts.
  [[nodiscard]] std::optional<Refusal> CheckHost(const HttpRequest& request) const;
  // Of every request. Origins, where there is one: the server's own, allow_origins.
  [[nodiscard]] std::optional<Refusal> CheckOrigin(const HttpRequest& request) const;
  // Of a POST: a type that a browser does not send to a foreign site unasked.
  [[nodiscard]] static std::optional<Refusal> CheckContentType(const HttpRequest& request);

 private:
  [[nodiscard]] bool AllowsHost(std::string_view host) const;
  [[nodiscard]] bool AllowsOrigin(std::string_view origin, std::string_view host) const;
  GuardOptions options_;
};

}  // namespace kw::server
