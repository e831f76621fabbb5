// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "server/loop.h"

namespace kw::server {
namespace {

auto Refuse(std::string message) { return Unexpected(StartError{std::move(message)}); }

Expected<asio::ip::address, StartError> ParseAddress(const std::string& text) {
  std::error_code error;
  const asio::ip::address address =
      asio::ip::make_address(text == "localhost" ? "127.0.0.1" : text, error);
  if (!error) return address;
  return Refuse(
      fmt::format("'{}' is no IP address: give --address an address of this machine, such as "
                  "127.0.0.1, or 0.0.0.0 for all of them.",
                  text));
}

Expected<std::unique_ptr<asio::ssl::context>, StartError> LoadTls(const TlsFiles& files) {
  auto tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  std::error_code error;
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                       asio::ssl::context::no_tlsv1_1,
                   error);
  if (!error) tls->use_certificate_chain_file(files.certificate, error);
  if (error) {
    return Refuse(fmt::format("Cannot use the certificate {}: {}. --tls-cert takes a PEM file.",
                              files.certificate, error.message()));
  }
  tls->use_private_key_file(files.key, asio::ssl::context::pem, error);
  if (error) {
    return Refuse(
        fmt::format("Cannot use the key {}: {}. --tls-key takes the PEM file of the "
                    "certificate's private key.",
                    files.key, error.message()));
  }
  return tls;
}

std::string ListenMessage(const tcp::endpoint& endpoint, const std::error_code& error) {
  const std::string at = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port());
  switch (error.value()) {
    case EADDRINUSE:
      return fmt::format(
          "Another program is listening on {}. Stop it, or choose another port with --port.", at);
    case EACCES:
      return fmt::format("This user may not listen on {}. Choose a port above 1023 with --port.",
                         at);
    case EADDRNOTAVAIL:
      return fmt::format("{} is no address of this machine. Choose another one with --address.",
                         endpoint.address().to_string());
    default: break;
  }
  return fmt::format("Cannot listen on {}: {}.", at, error.message());
}

// Every loop listens; the first bind is exclusive.
Expected<std::uint16_t, StartError> ListenAll(Shared& shared, asio::ip::address address,
                                              std::uint16_t port) {
  Bind bind = Bind::kExclusive;
  for (const auto& loop : shared.loops) {
    const tcp::endpoint endpoint(address, port);
    if (const std::error_code error = loop->Listen(endpoint, bind)) {
      return Refuse(ListenMessage(endpoint, error));
    }
    if (port == 0) port = loop->port();
    bind = Bind::kJoin;
  }
  return port;
}

}  // namespace

struct Server::Impl {
  explicit Impl(ServerOptions options, Backend& backend, const Clock& clock)
      : shared(std::move(options), backend, clock) {}

  Shared shared;
  std::uint16_t port = 0;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Expected<std::unique_ptr<Server>, StartError> Server::Start(ServerOptions options, Backend& backend,
                                                            const Clock& clock) {
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  TRY_ASSIGN(const asio::ip::address address, ParseAddress(options.address));
  if (!address.is_loopback() && options.keys.empty() &&
      options.open_access == OpenAccess::kRefuse) {
    return Refuse(
        fmt::format("Without keys everybody who reaches {} could read and change the data. Give "
                    "--keys FILE, or "
                    "say --unsafe-no-auth if the network keeps everybody else out.",
                    options.address));
  }
  auto impl = std::make_unique<Impl>(std::move(options), backend, clock);
  Shared& shared = impl->shared;
  if (shared.options.tls) {
    TRY_ASSIGN(shared.tls, LoadTls(*shared.options.tls));
  }
  for (unsigned i = 0; i < shared.options.threads; ++i) {
    shared.loops.push_back(std::make_unique<Loop>(shared));
  }
  TRY_ASSIGN(impl->port, ListenAll(shared, address, shared.options.port));
  if (address == asio::ip::address_v4::loopback()) {
    // "localhost" is ::1 for some clients. Where there is no IPv6, or somebody has that port, the
    // address that was asked for is enough.
    [[maybe_unused]] const auto also =
        ListenAll(shared, asio::ip::address_v6::loopback(), impl->port);
  }
  shared.pool = std::make_unique<asio::thread_pool>(shared.options.pool_threads);
  shared.loops_running = shared.loops.size();
  for (const auto& loop : shared.loops) loop->Run();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
  Stop(std::chrono::milliseconds(0));
  Shared& shared = impl_->shared;
  std::unique_lock lock(shared.running_mutex);
  shared.running_changed.wait(lock, [&] { return shared.loops_running == 0; });
  lock.unlock();
  shared.pool->join();
}

std::uint16_t Server::port() const { return impl_->port; }

bool Server::Stop(std::chrono::milliseconds grace) {
  Shared& shared = impl_->shared;
  const auto ended = [&] { return shared.loops_running == 0; };
  if (!shared.stopping.exchange(true)) {
    for (const auto& loop : shared.loops) loop->StopGently();
  }
  std::unique_lock lock(shared.running_mutex);
  if (shared.running_changed.wait_for(lock, grace, ended)) return true;
  lock.unlock();
  for (const auto& loop : shared.loops) loop->StopNow();
  return false;
}

}  // namespace kw::server
