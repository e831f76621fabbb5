// SPDX-License-Identifier: Apache-2.0
#include "server/loop.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"

namespace kw::server {
namespace {

constexpr std::chrono::milliseconds kTickMax{1000};
constexpr std::chrono::milliseconds kTickMin{5};
constexpr int kBacklog = 1024;

thread_local const Loop* current_loop = nullptr;

// Fine enough for the shortest timeout.
std::chrono::milliseconds TickLength(const ServerTimeouts& timeouts) {
  const auto shortest = std::min({timeouts.idle, timeouts.head, timeouts.transfer, timeouts.pressed,
                                  timeouts.held, timeouts.linger});
  return std::clamp(shortest / 4, kTickMin, kTickMax);
}

// A loop's part of what all may have.
Share ShareOf(std::size_t all, unsigned threads) {
  return {.most = std::max<std::int64_t>(1, static_cast<std::int64_t>(all / threads))};
}

std::error_code LastError() { return {errno, std::system_category()}; }

}  // namespace

std::string Shared::RenderMetricsPage() const {
  std::vector<const LoopMetrics*> counters;
  for (const auto& loop : loops) counters.push_back(&loop->metrics);
  std::vector<std::string_view> names;
  for (const api::OperationInfo& operation : operations) names.push_back(operation.name);
  return RenderMetrics(counters, names, backend.StoreGauges()) + backend.Metrics();
}

Loop::Loop(Shared& the_shared)
    : shared(the_shared),
      metrics(the_shared.operations.size()),
      service(the_shared.options, the_shared.backend, the_shared.clock,
              [this] { return shared.RenderMetricsPage(); }),
      rng(Rng::FromSystem()),
      request_bytes(ShareOf(the_shared.options.large_bytes_max / 2, the_shared.options.threads)),
      answer_bytes(ShareOf(the_shared.options.large_bytes_max / 2, the_shared.options.threads)),
      writes(ShareOf(the_shared.options.writes_max, the_shared.options.threads)),
      now(std::chrono::steady_clock::now()),
      work_(asio::make_work_guard(io)),
      tick_(io),
      tick_length_(TickLength(the_shared.options.timeouts)) {}

Loop::~Loop() {
  if (thread_.joinable()) thread_.join();
}

std::error_code Loop::Listen(const tcp::endpoint& endpoint, Bind bind) {
  auto acceptor = std::make_unique<tcp::acceptor>(io);
  std::error_code error;
  acceptor->open(endpoint.protocol(), error);
  if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (error) return error;
  const auto share_port = [&] {
    const int on = 1;
    return setsockopt(acceptor->native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
  };
  // Set after the bind, the option still lets later sockets of this user join, but the bind itself
  // was refused if anybody was there before.
  if (bind == Bind::kJoin && !share_port()) return LastError();
  acceptor->bind(endpoint, error);
  if (error) return error;
  if (bind == Bind::kExclusive && !share_port()) return LastError();
  acceptor->listen(kBacklog, error);
  if (error) return error;
  acceptors_.push_back(std::move(acceptor));
  return {};
}

std::uint16_t Loop::port() const { return acceptors_.front()->local_endpoint().port(); }

void Loop::Run() {
  for (const auto& acceptor : acceptors_) Accept(*acceptor);
  Tick();
  thread_ = std::thread([this] { Main(); });
}

void Loop::Main() {
  current_loop = this;
  // Calls of the backend catch what libraries throw. Anything else that comes this far has left a
  // connection half done: ending the process is safer than serving on.
  io.run();
  const std::lock_guard lock(shared.running_mutex);
  --shared.loops_running;
  shared.running_changed.notify_all();
}

bool Loop::IsCurrent() const { return current_loop == this; }

void Loop::Accept(tcp::acceptor& acceptor) {
  acceptor.async_accept(io, [this, &acceptor](const std::error_code& error, tcp::socket socket) {
    if (error == asio::error::operation_aborted || stopping_) return;
    now = std::chrono::steady_clock::now();
    if (!error) OnAccept(std::move(socket));
    const int reason = error.value();
    const bool exhausted =
        reason == EMFILE || reason == ENFILE || reason == ENOMEM || reason == ENOBUFS;
    if (exhausted) {
      Log(LogLevel::kError, "cannot accept", {{"why", std::string_view(error.message())}});
      paused_.push_back(&acceptor);
    } else {
      Accept(acceptor);
    }
  });
}

void Loop::OnAccept(tcp::socket socket) {
  if (shared.connections.load(std::memory_order_relaxed) >= shared.options.connections_max) {
    metrics.connections_refused.Add();
    return;
  }
  std::error_code error;
  socket.set_option(tcp::no_delay(true), error);
  socket.non_blocking(true, error);
  if (error) return;
  shared.connections.fetch_add(1, std::memory_order_relaxed);
  metrics.connections_accepted.Add();
  auto connection = std::make_unique<Connection>(*this, std::move(socket));
  connection->place = connections_.size();
  connections_.push_back(std::move(connection));
  connections_.back()->Start();
}

void Loop::Bury(Connection& connection) {
  const std::size_t place = connection.place;
  if (buried_.empty()) asio::post(io, [this] { buried_.clear(); });
  buried_.push_back(std::move(connections_[place]));
  if (place + 1 != connections_.size()) {
    connections_[place] = std::move(connections_.back());
    connections_[place]->place = place;
  }
  connections_.pop_back();
  shared.connections.fetch_sub(1, std::memory_order_relaxed);
  metrics.connections_closed.Add();
  EndIfIdle();
}

void Loop::Tick() {
  tick_.expires_after(tick_length_);
  tick_.async_wait([this](const std::error_code& error) {
    // A tick that was due already is not cancelled by EndIfIdle any more.
    if (error || Ended()) return;
    now = std::chrono::steady_clock::now();
    // Backwards: a connection that goes is replaced by one already seen. No other may go meanwhile,
    // so that nothing is resumed.
    resuming_ = true;
    for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->CheckDeadline(now);
    resuming_ = false;
    for (tcp::acceptor* acceptor : std::exchange(paused_, {})) Accept(*acceptor);
    ResumeHeld();
    Tick();
  });
}

void Loop::Deliver(Connection& connection) {
  bool first = false;
  {
    const std::lock_guard lock(mailbox_mutex_);
    first = mailbox_.empty();
    mailbox_.push_back(&connection);
  }
  // One wake-up for all replies of a commit.
  if (first) asio::post(io, [this] { DrainMailbox(); });
}

void Loop::DrainMailbox() {
  {
    const std::lock_guard lock(mailbox_mutex_);
    delivered_.swap(mailbox_);
  }
  now = std::chrono::steady_clock::now();
  for (Connection* connection : delivered_) connection->OnReplyDelivered();
  delivered_.clear();
}

void Loop::ResumeHeld() {
  if (resuming_) return;
  resuming_ = true;
  for (std::list<Connection*>* held : {&held_reads, &held_writes, &held_bodies}) {
    while (!held->empty() && held->front()->Resume()) {
    }
  }
  resuming_ = false;
}

void Loop::UpdateDate(SteadyTime at) {
  if (at < date_until_) return;
  const TimePoint time = shared.clock.Now();
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  date_until_ = at + std::chrono::seconds(1) - (time - second);
  date_line = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S GMT}\r\n",
                          fmt::gmtime(std::chrono::system_clock::to_time_t(second)));
}

void Loop::StopGently() {
  asio::post(io, [this] {
    stopping_ = true;
    std::error_code ignored;
    for (const auto& acceptor : acceptors_) acceptor->close(ignored);
    for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->StopGently();
    EndIfIdle();
  });
}

void Loop::StopNow() {
  asio::post(io, [this] {
    for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->Close();
  });
}

void Loop::EndIfIdle() {
  if (!Ended()) return;
  tick_.cancel();
  work_.reset();
}

}  // namespace kw::server
