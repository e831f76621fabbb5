// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>

#include "base/bytes.h"
#include "base/check.h"
#include "base/log.h"
#include "server/loop.h"

namespace kw::server {
namespace {

constexpr std::size_t kInputBytes = std::size_t{4} << 10;
// A buffer that grew above this shrinks again after its message.
constexpr std::size_t kKeptBytes = std::size_t{16} << 10;
// Above this a message's buffer, or an answer, counts against the loop's large bytes.
constexpr std::size_t kSmallBytes = std::size_t{64} << 10;
constexpr std::size_t kDrainedBytes = std::size_t{16} << 10;
// A batch is up to 25 updates in the store's queue.
constexpr std::int64_t kBatchWeight = 25;
// So many pipelined answers in a row before other connections have their turn.
constexpr int kTurnMax = 32;
constexpr std::chrono::seconds kSlow{1};

std::string_view ReasonOf(int status) {
  switch (status) {
    case 200: return "OK";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Request Entity Too Large";
    case 415: return "Unsupported Media Type";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Unknown";
  }
}

void AppendNumber(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

// Empty if the client has gone already.
std::string PeerOf(const tcp::socket& socket) {
  std::error_code gone;
  const tcp::endpoint peer = socket.remote_endpoint(gone);
  if (gone) return {};
  const asio::ip::address address = peer.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

}  // namespace

Connection::Connection(Loop& loop, tcp::socket socket)
    : loop_(loop), socket_(std::move(socket)), parser_(loop.shared.options.limits) {
  // Only policies ask who the client is.
  if (!loop.shared.options.keys.empty()) peer_ = PeerOf(socket_);
  if (loop.shared.tls) {
    tls_ = std::make_unique<asio::ssl::stream<tcp::socket&>>(socket_, *loop.shared.tls);
  }
}

Connection::~Connection() = default;

SteadyTime Connection::TransferDeadline(std::size_t bytes) const {
  const ServerTimeouts& timeouts = loop_.shared.options.timeouts;
  return loop_.now + timeouts.transfer +
         std::chrono::milliseconds(bytes / timeouts.bytes_per_ms_min);
}

bool Connection::Ended() {
  --pending_;
  if (phase_ != Phase::kClosed) return false;
  if (pending_ == 0) loop_.Bury(*this);
  return true;
}

void Connection::Start() {
  if (!tls_) return Advance();
  phase_ = Phase::kHandshake;
  deadline_ = loop_.now + loop_.shared.options.timeouts.head;
  ++pending_;
  tls_->async_handshake(asio::ssl::stream_base::server, [this](const std::error_code& error) {
    loop_.now = std::chrono::steady_clock::now();
    if (Ended()) return;
    if (error && ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST &&
        error.category() == asio::error::get_ssl_category()) {
      return RefusePlainHttp();
    }
    if (error) return Close();
    phase_ = Phase::kReading;
    Advance();
  });
}

// Whoever forgot the s of https gets an answer that it can read.
void Connection::RefusePlainHttp() {
  tls_.reset();
  Fail({.status = 400, .reason = "This port speaks HTTPS: begin the endpoint with https://."});
}

void Connection::CheckDeadline(SteadyTime now) {
  SteadyTime deadline = deadline_;
  if (answer_bytes_ > 0 && !loop_.held_reads.empty()) {
    const ServerTimeouts& timeouts = loop_.shared.options.timeouts;
    deadline -= timeouts.transfer - std::min(timeouts.transfer, timeouts.pressed);
  }
  if (held_in_ != nullptr && PeerHasGone()) return Close();
  if (now < deadline) return;
  if (held_in_ != nullptr) return GiveUpHeld();
  if (phase_ != Phase::kDraining && (message_begun_ || phase_ != Phase::kReading)) loop_.NoteShed();
  Close();
}

void Connection::StopGently() {
  keep_alive_ = false;
  const bool idle = phase_ == Phase::kReading && !message_begun_;
  if (idle || phase_ == Phase::kHandshake) Close();
}

void Connection::Close() {
  if (phase_ == Phase::kClosed) return;
  if (held_in_ != nullptr) Unhold();
  phase_ = Phase::kClosed;
  deadline_ = SteadyTime::max();
  std::error_code ignored;
  socket_.close(ignored);
  Release();
  if (pending_ == 0) loop_.Bury(*this);
}

// ---- waiting for a share of the loop's limits ----

void Connection::Hold(std::list<Connection*>& queue, Phase phase) {
  phase_ = phase;
  deadline_ = loop_.now + loop_.shared.options.timeouts.held;
  held_in_ = &queue;
  held_at_ = queue.insert(queue.end(), this);
  loop_.metrics.waiting.Add();
}

void Connection::Unhold() {
  std::exchange(held_in_, nullptr)->erase(held_at_);
  loop_.metrics.waiting.Add(-1);
}

bool Connection::Resume() {
  const bool has_call = phase_ == Phase::kHeldCall;
  Check(has_call || phase_ == Phase::kHeldBody, "only what was held back is resumed");
  if (has_call ? !MayStartCall() : !TakeRequestBytes()) return false;
  if (PeerHasGone()) {
    Close();
    return true;
  }
  Unhold();
  if (has_call) {
    StartCall();
    Advance();
  } else {
    deadline_ = TransferDeadline(parser_.MessageBytesMax());
    Read();
  }
  return true;
}

// Nothing is read from a client while its request is held back, so that this has to be asked. A
// client that only ended its own direction counts as gone, too: which of the two it was shows when
// one writes to it.
bool Connection::PeerHasGone() {
  pollfd ask{.fd = socket_.native_handle(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&ask, 1, 0) > 0;
}

// The client has most likely stopped waiting, but it may ask again.
void Connection::GiveUpHeld() {
  const bool has_call = phase_ == Phase::kHeldCall;
  Unhold();
  loop_.NoteShed();
  keep_alive_ = false;
  api::Reply reply = loop_.shared.backend.RenderError(
      {.code = ErrorCode::kServiceUnavailable, .message = "The server is busy.", .detail = {}});
  RespondBody(reply.status, kApiContentType, std::move(reply.body),
              has_call ? std::string_view(call_headers_) : std::string_view());
}

void Connection::Release() {
  loop_.request_bytes.taken -= request_bytes_;
  loop_.answer_bytes.taken -= answer_bytes_;
  loop_.metrics.large_bytes.Add(-(request_bytes_ + answer_bytes_));
  request_bytes_ = answer_bytes_ = 0;
}

// ---- reading ----

void Connection::ResizeInput(std::size_t capacity) {
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
  const std::size_t kept = input_.end - input_.begin;
  if (kept > 0) std::memcpy(bytes.get(), input_.bytes.get() + input_.begin, kept);
  input_ = {.bytes = std::move(bytes), .capacity = capacity, .begin = 0, .end = kept};
}

// Sets aside the whole of a large message. False: the loop's share is used up, wait.
bool Connection::TakeRequestBytes() {
  if (!body_begun_ || request_bytes_ > 0) return true;
  const std::size_t whole = parser_.MessageBytesMax();
  // A chunked message may become as long as any, but most stay small.
  const bool large =
      parser_.LengthIsKnown() ? whole > kSmallBytes : input_.end - input_.begin >= kSmallBytes;
  if (!large) return true;
  const auto wanted = static_cast<std::int64_t>(whole);
  if (!loop_.request_bytes.Fits(wanted)) return false;
  request_bytes_ = wanted;
  loop_.request_bytes.taken += wanted;
  loop_.metrics.large_bytes.Add(wanted);
  return true;
}

// Makes place behind what was read.
void Connection::MakeRoom() {
  if (input_.bytes == nullptr) ResizeInput(kInputBytes);
  if (body_begun_ && (request_bytes_ > 0 || parser_.LengthIsKnown())) {
    const std::size_t first = std::min(parser_.MessageBytesMax(), std::size_t{1} << 20);
    if (first > input_.capacity - input_.begin) ResizeInput(std::max(first, kInputBytes));
  }
  if (input_.end < input_.capacity) return;
  const std::size_t used = input_.end - input_.begin;
  if (input_.begin > 0 && used <= input_.capacity / 2) {
    std::memmove(input_.bytes.get(), input_.bytes.get() + input_.begin, used);
    input_.begin = 0;
    input_.end = used;
  } else {
    const std::size_t doubled = std::max(kInputBytes, 2 * used);
    ResizeInput(request_bytes_ > 0 ? std::min(doubled, parser_.MessageBytesMax()) : doubled);
  }
}

void Connection::Read() {
  if (!TakeRequestBytes()) return Hold(loop_.held_bodies, Phase::kHeldBody);
  MakeRoom();
  phase_ = Phase::kReading;
  std::size_t room = input_.capacity - input_.end;
  // A large message's buffer takes nothing of the next one.
  if (request_bytes_ > 0) {
    room = std::min(room, parser_.MessageBytesMax() - (input_.end - input_.begin));
  }
  const auto buffer = asio::buffer(input_.bytes.get() + input_.end, room);
  const auto handler = [this](const std::error_code& error, std::size_t bytes) {
    OnRead(error, bytes);
  };
  ++pending_;
  if (tls_) {
    tls_->async_read_some(buffer, handler);
  } else {
    socket_.async_read_some(buffer, handler);
  }
}

void Connection::OnRead(const std::error_code& error, std::size_t bytes) {
  loop_.now = std::chrono::steady_clock::now();
  if (Ended()) return;
  if (error) return Close();
  loop_.metrics.bytes_read.Add(static_cast<std::int64_t>(bytes));
  input_.end += bytes;
  Advance();
}

// Goes on until it has to wait for something.
void Connection::Advance() {
  for (int turn = 0; phase_ == Phase::kReading; ++turn) {
    if (turn == kTurnMax) {
      ++pending_;
      asio::post(loop_.io, [this] {
        if (!Ended()) Advance();
      });
      return;
    }
    if (input_.begin == input_.end) {
      if (!keep_alive_) return Close();
      input_.begin = input_.end = 0;
      deadline_ = loop_.now + loop_.shared.options.timeouts.idle;
      return Read();
    }
    if (!message_begun_) {
      message_begun_ = true;
      deadline_ = loop_.now + loop_.shared.options.timeouts.head;
    }
    const auto state =
        parser_.Parse({input_.bytes.get() + input_.begin, input_.end - input_.begin});
    switch (state) {
      case HttpParser::State::kHead: return Read();
      case HttpParser::State::kBody:
        if (!body_begun_) {
          body_begun_ = true;
          deadline_ = TransferDeadline(parser_.MessageBytesMax());
          if (parser_.WantsContinue()) return SendContinue();
        }
        return Read();
      case HttpParser::State::kComplete: Serve(); break;
      case HttpParser::State::kFailed: return Fail(parser_.failure());
    }
  }
}

void Connection::SendContinue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  phase_ = Phase::kWriting;
  const auto handler = [this](const std::error_code& error, std::size_t) {
    if (Ended()) return;
    if (error) return Close();
    Read();
  };
  ++pending_;
  if (tls_) {
    asio::async_write(*tls_, asio::buffer(kContinue), handler);
  } else {
    asio::async_write(socket_, asio::buffer(kContinue), handler);
  }
}

// ---- answering ----

void Connection::Serve() {
  const HttpRequest& request = parser_.request();
  if (!request.keep_alive) keep_alive_ = false;
  head_only_ = request.method == HttpMethod::kHead;
  Decision decision = loop_.service.Decide(request, peer_);
  if (decision.refused) loop_.metrics.malformed.Add();
  if (const auto* answer = std::get_if<Answer>(&decision.what)) {
    return Respond(*answer, decision.headers);
  }
  call_ = std::move(std::get<ApiCall>(decision.what));
  call_headers_ = std::move(decision.headers);
  call_started_ = loop_.now;
  call_access_ = call_.operation != nullptr
                     ? loop_.shared.backend.AccessOf(*call_.operation, request.body)
                     : api::Access::kRead;
  if (MayStartCall()) return StartCall();
  Hold(call_access_ == api::Access::kWrite ? loop_.held_writes : loop_.held_reads,
       Phase::kHeldCall);
}

bool Connection::MayStartCall() const {
  switch (call_access_) {
    case api::Access::kRead: return !loop_.answer_bytes.Spent();  // its answer may be large
    case api::Access::kWrite: return !loop_.writes.Spent();
    case api::Access::kControl: break;
  }
  return true;
}

void Connection::StartCall() {
  call_weight_ = 0;
  if (call_access_ == api::Access::kWrite) {
    call_weight_ = call_.operation->name.starts_with("Batch") ? kBatchWeight : 1;
  }
  loop_.writes.taken += call_weight_;
  deadline_ = SteadyTime::max();
  loop_.metrics.calls_started.Add();
  phase_ = Phase::kCalling;
  ++pending_;
  if (call_access_ == api::Access::kControl) {
    CallOnPool();
  } else {
    CallHere();
  }
}

api::Reply Connection::InternalError(const std::exception& thrown) const {
  Log(LogLevel::kError, "exception",
      {{"target", call_.target}, {"what", std::string_view(thrown.what())}});
  return loop_.shared.backend.RenderError(
      {.code = ErrorCode::kInternalServerError, .message = "Internal server error", .detail = {}});
}

// Hands the call to the backend. A reply comes back if the backend threw and nobody has the reply
// function any more; who has it (the store, of a write that it queued before) will call it.
template <typename F>
std::optional<api::Reply> Connection::Handle(F on_reply) {
  const auto replied = std::make_shared<std::atomic<bool>>(false);
  try {
    loop_.shared.backend.Handle(
        {.target = call_.target, .body = parser_.request().body, .call = call_.call},
        [on_reply, replied](api::Reply reply) {
          if (!replied->exchange(true)) on_reply(std::move(reply));
        });
  } catch (const std::exception& thrown) {
    api::Reply reply = InternalError(thrown);
    if (replied.use_count() == 1 && !replied->exchange(true)) return reply;
  }
  return std::nullopt;
}

void Connection::CallHere() {
  call_.call.wait = storage::Wait::kMemoryOnly;
  call_.call.inline_if_idle = loop_.shared.connections.load(std::memory_order_relaxed) == 1;
  in_handle_ = true;
  answered_ = false;
  if (auto failed = Handle([this](api::Reply reply) { OnReply(std::move(reply)); })) {
    reply_ = std::move(*failed);
    answered_ = true;
  }
  in_handle_ = false;
  if (answered_) FinishCall();
}

void Connection::CallOnPool() {
  loop_.metrics.calls_on_pool.Add();
  call_.call.wait = storage::Wait::kMayBlock;
  call_.call.inline_if_idle = false;
  // The request's bytes stay until Handle has returned *and* the reply is there.
  pool_gate_.store(2, std::memory_order_relaxed);
  asio::post(*loop_.shared.pool, [this] {
    const auto pass_gate = [this] {
      if (pool_gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) loop_.Deliver(*this);
    };
    const auto on_reply = [this, pass_gate](api::Reply reply) {
      reply_ = std::move(reply);
      pass_gate();
    };
    if (auto failed = Handle(on_reply)) on_reply(std::move(*failed));
    pass_gate();
  });
}

void Connection::OnReply(api::Reply reply) {
  reply_ = std::move(reply);
  if (loop_.IsCurrent() && in_handle_) {
    answered_ = true;
  } else {
    loop_.Deliver(*this);
  }
}

void Connection::OnReplyDelivered() {
  FinishCall();
  Advance();
}

void Connection::FinishCall() {
  if (reply_.would_block && phase_ != Phase::kClosed) {
    reply_ = {};
    return CallOnPool();
  }
  loop_.writes.taken -= call_weight_;
  loop_.metrics.calls_finished.Add();
  if (Ended()) return loop_.ResumeHeld();

  loop_.now = std::chrono::steady_clock::now();
  const auto latency =
      std::chrono::duration_cast<std::chrono::microseconds>(loop_.now - call_started_);
  const auto operations = loop_.shared.operations;
  const std::size_t operation = call_.operation == nullptr
                                    ? operations.size()
                                    : static_cast<std::size_t>(call_.operation - operations.data());
  loop_.metrics.Record(operation, reply_.status, latency);
  const bool slow = latency >= kSlow;
  if (slow || reply_.status >= 500 || loop_.shared.options.log_requests) {
    const std::string_view name = call_.operation == nullptr ? "unknown" : call_.operation->name;
    Log(reply_.status >= 500 ? LogLevel::kError
        : slow               ? LogLevel::kWarn
                             : LogLevel::kInfo,
        slow ? "slow request" : "request",
        {{"operation", name},
         {"status", std::int64_t{reply_.status}},
         {"micros", std::int64_t{latency.count()}},
         {"bytes_in", static_cast<std::int64_t>(parser_.request().body.size())},
         {"bytes_out", static_cast<std::int64_t>(reply_.body.size())}});
  }
  RespondBody(reply_.status, kApiContentType, std::move(reply_.body), call_headers_);
  loop_.ResumeHeld();
}

void Connection::Respond(const Answer& answer, std::string_view further_headers) {
  RespondBody(answer.status, answer.content_type, answer.body, further_headers);
}

void Connection::RespondBody(int status, std::string_view content_type, std::string body,
                             std::string_view further_headers) {
  body_ = std::move(body);
  if (loop_.shared.stopping.load(std::memory_order_relaxed)) keep_alive_ = false;
  loop_.UpdateDate(loop_.now);
  head_.clear();
  head_ += "HTTP/1.1 ";
  AppendNumber(head_, static_cast<std::uint64_t>(status));
  head_ += ' ';
  head_ += ReasonOf(status);
  head_ += "\r\nServer: Keywright\r\n";
  head_ += loop_.date_line;
  head_ += "Content-Type: ";
  head_ += content_type;
  head_ += "\r\nContent-Length: ";
  AppendNumber(head_, body_.size());
  head_ += keep_alive_ ? "\r\nConnection: keep-alive\r\nx-amzn-RequestId: "
                       : "\r\nConnection: close\r\nx-amzn-RequestId: ";
  loop_.rng.AppendRequestId(head_);
  head_ += "\r\nx-amz-crc32: ";
  AppendNumber(head_, Crc32(body_));
  head_ += "\r\n";
  head_ += further_headers;
  head_ += "\r\n";
  if (head_only_) body_.clear();
  if (body_.size() > kSmallBytes) {
    const auto bytes = static_cast<std::int64_t>(body_.size());
    answer_bytes_ = bytes;
    loop_.answer_bytes.taken += bytes;
    loop_.metrics.large_bytes.Add(bytes);
  }
  Write();
}

void Connection::Fail(const HttpParser::Failure& failure) {
  loop_.metrics.malformed.Add();
  keep_alive_ = false;
  Respond(Service::Malformed(failure.status, failure.reason), {});
}

void Connection::Write() {
  phase_ = Phase::kWriting;
  const std::size_t whole = head_.size() + body_.size();
  std::size_t sent = 0;
  if (!tls_) {
    std::error_code error;
    const std::array<asio::const_buffer, 2> both = {asio::buffer(head_), asio::buffer(body_)};
    sent = socket_.write_some(both, error);
    if (error && error != asio::error::would_block && error != asio::error::try_again)
      return Close();
    if (error) sent = 0;
    if (sent == whole) return OnWritten();
  }
  deadline_ = TransferDeadline(whole);
  const std::size_t of_head = std::min(sent, head_.size());
  const std::array<asio::const_buffer, 2> rest = {asio::buffer(head_) + of_head,
                                                  asio::buffer(body_) + (sent - of_head)};
  const auto handler = [this](const std::error_code& error, std::size_t) {
    loop_.now = std::chrono::steady_clock::now();
    if (Ended()) return;
    if (error) return Close();
    OnWritten();
    Advance();
  };
  ++pending_;
  if (tls_) {
    asio::async_write(*tls_, rest, handler);
  } else {
    asio::async_write(socket_, rest, handler);
  }
}

void Connection::OnWritten() {
  loop_.metrics.bytes_written.Add(static_cast<std::int64_t>(head_.size() + body_.size()));
  if (body_.capacity() > kInputBytes) {
    body_ = std::string();
  }
  const bool large = request_bytes_ > 0 || answer_bytes_ > 0;
  Release();
  if (!keep_alive_) {
    Drain();
  } else {
    input_.begin += parser_.consumed();
    if (input_.capacity > kKeptBytes) ResizeInput(std::max(kInputBytes, input_.end - input_.begin));
    parser_.Reset();
    message_begun_ = false;
    body_begun_ = false;
    head_only_ = false;
    phase_ = Phase::kReading;
  }
  if (large) loop_.ResumeHeld();
}

// Says goodbye and reads what is still coming: closing at once would reset the connection, and the
// client might never see the answer.
void Connection::Drain() {
  if (phase_ != Phase::kDraining) {
    phase_ = Phase::kDraining;
    deadline_ = loop_.now + loop_.shared.options.timeouts.linger;
    if (tls_) {
      ++pending_;
      tls_->async_shutdown([this](const std::error_code&) {
        if (!Ended()) Close();
      });
      return;
    }
    std::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    ResizeInput(std::max(kDrainedBytes, input_.end - input_.begin));
  }
  ++pending_;
  socket_.async_read_some(asio::buffer(input_.bytes.get(), input_.capacity),
                          [this](const std::error_code& error, std::size_t) {
                            if (Ended()) return;
                            if (error) return Close();
                            Drain();
                          });
}

}  // namespace kw::server
