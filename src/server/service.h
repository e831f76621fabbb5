// SPDX-License-Identifier: Apache-2.0
// What the server answers: which requests are the API's, who may make them, and everything that is
// answered without it. Knows HTTP requests, no sockets.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "server/guard.h"
#include "server/server.h"
#include "server/sigv4.h"

namespace kw::server {

// An answer that needs no call.
struct Answer {
  int status = 200;
  std::string_view content_type;
  std::string body;
};

struct ApiCall {
  const api::OperationInfo* operation = nullptr;  // null: unknown, which the backend answers
  std::string_view target;
  engine::CallContext call;
};

struct Decision {
  std::variant<Answer, ApiCall> what;
  std::string headers;   // further header lines of the reply, each with its line end
  bool refused = false;  // before it reached the API
};

inline constexpr std::string_view kApiContentType = "application/x-amz-json-1.0";

// One for each thread.
class Service {
 public:
  // Everything must outlive the service. `metrics` makes the page of the counters.
  Service(const ServerOptions& options, const Backend& backend, const Clock& clock,
          std::function<std::string()> metrics);

  // `peer` is the client's IP address.
  Decision Decide(const HttpRequest& request, std::string_view peer);

  // The service's form for a request that is no valid HTTP.
  [[nodiscard]] static Answer Malformed(int status, std::string_view reason);

 private:
  Decision DecidePost(const HttpRequest& request, std::string_view peer);
  Decision DecideGet(const HttpRequest& request) const;
  Result<Caller> Identify(const HttpRequest& request);
  [[nodiscard]] Decision Refuse(int status, const Error& error) const;

  const ServerOptions& options_;
  const Backend& backend_;
  std::function<std::string()> metrics_;
  Guard guard_;
  SigV4Verifier verifier_;
};

}  // namespace kw::server
