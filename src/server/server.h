// SPDX-License-Identifier: Apache-2.0
// The HTTP server: sockets, TLS, signatures, limits, metrics. Hides Asio and its threads: one event
// loop a core, each with its own listener. What answers the API is given to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "base/clock.h"
#include "base/expected.h"
#include "server/http.h"
#include "server/keys.h"
#include "storage/store.h"

namespace kw::server {

// The API behind the server. Every method may be called from any thread; see api/api.h.
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::span<const api::OperationInfo> Operations() const = 0;
  [[nodiscard]] virtual const api::OperationInfo* Find(std::string_view target) const = 0;
  // What one request of an operation does.
  [[nodiscard]] virtual api::Access AccessOf(const api::OperationInfo& operation,
                                             std::string_view body) const = 0;
  virtual void Handle(const api::Request& request, std::function<void(api::Reply)> reply) = 0;
  [[nodiscard]] virtual api::Reply RenderError(const Error& error) const = 0;
  // Further lines of /metrics.
  [[nodiscard]] virtual std::string Metrics() const { return {}; }
  // What the store behind it has to show on the page of metrics.
  [[nodiscard]] virtual std::vector<storage::Gauge> StoreGauges() const { return {}; }
};

enum class Regions : std::uint8_t {
  kShared,    // every caller sees one set of tables
  kSeparate,  // one for each account and region that requests are signed for
};

// What happens where the address is not a loopback one and there are no keys.
enum class OpenAccess : std::uint8_t { kRefuse, kAllow };

struct TlsFiles {
  std::string certificate;  // PEM, the chain
  std::string key;          // PEM
};

struct ServerTimeouts {
  std::chrono::milliseconds idle{std::chrono::minutes(5)};  // between requests of a connection
  std::chrono::milliseconds head{std::chrono::seconds(15)};
  std::chrono::milliseconds transfer{std::chrono::seconds(30)};  // of a body, and its bytes at …
  std::size_t bytes_per_ms_min = 256;
  // Instead of `transfer` for a large answer, while others wait for the room it takes.
  std::chrono::milliseconds pressed{std::chrono::seconds(5)};
  std::chrono::milliseconds held{std::chrono::seconds(60)};  // by the limits below; then 503
  std::chrono::milliseconds linger{std::chrono::seconds(2)};
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8000;  // 0: any free one
  unsigned threads = 0;       // 0: one a core
  unsigned pool_threads = 4;  // for calls that wait for the disk
  KeyRing keys{};
  OpenAccess open_access = OpenAccess::kRefuse;
  Regions regions = Regions::kShared;
  std::vector<std::string> allow_hosts{};
  std::vector<std::string> allow_origins{};
  std::optional<TlsFiles> tls{};
  HttpLimits limits{};
  ServerTimeouts timeouts{};
  std::size_t connections_max = 10'000;
  // All large bodies: half of it for requests, half for answers.
  std::size_t large_bytes_max = std::size_t{256} << 20;
  std::size_t writes_max = 2048;  // in flight; below the store's queue, which blocks when full
  bool log_requests = false;
};

// One sentence for the user that says what to do.
struct StartError {
  std::string message;
};

class Server {
 public:
  // Listens and serves. `backend` and `clock` must outlive the server.
  static Expected<std::unique_ptr<Server>, StartError> Start(ServerOptions options,
                                                             Backend& backend, const Clock& clock);
  // Stops without grace; waits for calls of the backend that are under way.
  ~Server();

  [[nodiscard]] std::uint16_t port() const;

  // Takes no new connections or requests and lets those under way finish. False: they did not
  // within `grace`, and their connections were cut.
  bool Stop(std::chrono::milliseconds grace);

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::server
