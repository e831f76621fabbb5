// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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

}  // namespace

Connection::Connection(Loop& loop, tcp::socket socket)
    : loop_(loop), socket_(std::move(socket)), parser_(loop.shared.options.limits) {
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
    if (error) return Close();
    phase_ = Phase::kReading;
    Advance();
  });
}

void Connection::CheckDeadline(SteadyTime now) {
  if (now < deadline_) return;
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
  if (phase_ == Phase::kHeldBody || phase_ == Phase::kHeldCall) {
    std::erase(loop_.held_bodies, this);
    std::erase(loop_.held_calls, this);
    loop_.metrics.waiting.Add(-1);
  }
  phase_ = Phase::kClosed;
  deadline_ = SteadyTime::max();
  std::error_code ignored;
  socket_.close(ignored);
  loop_.large_bytes_left += reserved_;
  loop_.metrics.large_bytes.Add(-reserved_);
  reserved_ = 0;
  if (pending_ == 0) loop_.Bury(*this);
}

// ---- reading ----

void Connection::ResizeInput(std::size_t capacity) {
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
  const std::size_t kept = input_.end - input_.begin;
  if (kept > 0) std::memcpy(bytes.get(), input_.bytes.get() + input_.begin, kept);
  input_ = {.bytes = std::move(bytes), .capacity = capacity, .begin = 0, .end = kept};
}

// Makes place behind what was read. False: the loop's large bytes are used up, wait.
bool Connection::MakeRoom() {
  if (input_.bytes == nullptr) ResizeInput(kInputBytes);
  if (body_begun_ && reserved_ == 0) {
    const std::size_t whole = parser_.MessageBytesMax();
    if (whole > kSmallBytes) {
      const auto wanted = static_cast<std::int64_t>(whole);
      const std::int64_t left = loop_.large_bytes_left;
      // A message larger than the whole share may come alone.
      const bool alone = loop_.metrics.large_bytes.value() == 0;
      if (left < wanted && !alone) return false;
      reserved_ = wanted;
      loop_.large_bytes_left -= wanted;
      loop_.metrics.large_bytes.Add(wanted);
    }
    const std::size_t first = std::min(whole, std::size_t{1} << 20);
    if (first > input_.capacity - input_.begin) ResizeInput(std::max(first, kInputBytes));
  }
  if (input_.end < input_.capacity) return true;
  const std::size_t used = input_.end - input_.begin;
  if (input_.begin > 0 && used <= input_.capacity / 2) {
    std::memmove(input_.bytes.get(), input_.bytes.get() + input_.begin, used);
    input_.begin = 0;
    input_.end = used;
  } else {
    const std::size_t doubled = std::max(kInputBytes, 2 * used);
    ResizeInput(reserved_ > 0 ? std::min(doubled, parser_.MessageBytesMax()) : doubled);
  }
  return true;
}

void Connection::Read() {
  if (!MakeRoom()) {
    phase_ = Phase::kHeldBody;
    deadline_ = SteadyTime::max();
    loop_.held_bodies.push_back(this);
    loop_.metrics.waiting.Add();
    return;
  }
  phase_ = Phase::kReading;
  std::size_t room = input_.capacity - input_.end;
  // A large message's buffer takes nothing of the next one.
  if (reserved_ > 0) {
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
  Decision decision = loop_.service.Decide(request);
  if (decision.refused) loop_.metrics.malformed.Add();
  if (const auto* answer = std::get_if<Answer>(&decision.what)) {
    return Respond(*answer, decision.headers);
  }
  call_ = std::move(std::get<ApiCall>(decision.what));
  call_headers_ = std::move(decision.headers);
  call_started_ = loop_.now;
  deadline_ = SteadyTime::max();
  if (StartCall()) return;
  phase_ = Phase::kHeldCall;
  loop_.held_calls.push_back(this);
  loop_.metrics.waiting.Add();
}

bool Connection::Resume() {
  if (phase_ == Phase::kHeldCall) {
    if (!StartCall()) return false;
    Advance();
    return true;
  }
  Check(phase_ == Phase::kHeldBody, "only what was held back is resumed");
  if (!MakeRoom()) return false;
  deadline_ = TransferDeadline(parser_.MessageBytesMax());
  Read();
  return true;
}

// False: too much is under way.
bool Connection::StartCall() {
  const auto access = call_.operation != nullptr ? call_.operation->access : api::Access::kRead;
  call_weight_ = 0;
  switch (access) {
    case api::Access::kRead:
      // Answers may be large.
      if (loop_.large_bytes_left <= 0) return false;
      break;
    case api::Access::kWrite:
      call_weight_ = call_.operation->name.starts_with("Batch") ? kBatchWeight : 1;
      if (loop_.writes_left <= 0) return false;
      break;
    case api::Access::kControl: break;
  }
  loop_.writes_left -= call_weight_;
  loop_.metrics.calls_started.Add();
  phase_ = Phase::kCalling;
  ++pending_;
  if (access == api::Access::kControl) {
    CallOnPool();
  } else {
    CallHere();
  }
  return true;
}

api::Reply Connection::InternalError(const std::exception& thrown) const {
  Log(LogLevel::kError, "exception",
      {{"target", call_.target}, {"what", std::string_view(thrown.what())}});
  return loop_.shared.backend.RenderError(
      {.code = ErrorCode::kInternalServerError, .message = "Internal server error", .detail = {}});
}

void Connection::CallHere() {
  call_.call.wait = storage::Wait::kMemoryOnly;
  call_.call.inline_if_idle = loop_.shared.connections.load(std::memory_order_relaxed) == 1;
  in_handle_ = true;
  answered_ = false;
  try {
    loop_.shared.backend.Handle(
        {.target = call_.target, .body = parser_.request().body, .call = call_.call},
        [this](api::Reply reply) { OnReply(std::move(reply)); });
  } catch (const std::exception& thrown) {
    reply_ = InternalError(thrown);
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
    try {
      loop_.shared.backend.Handle(
          {.target = call_.target, .body = parser_.request().body, .call = call_.call},
          [this](api::Reply reply) {
            reply_ = std::move(reply);
            if (pool_gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) loop_.Deliver(*this);
          });
    } catch (const std::exception& thrown) {
      reply_ = InternalError(thrown);
      pool_gate_.store(1, std::memory_order_relaxed);
    }
    if (pool_gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) loop_.Deliver(*this);
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
  loop_.writes_left += call_weight_;
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
  if (!loop_.held_calls.empty()) loop_.ResumeHeld();
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
  head_ += loop_.rng.RequestId();
  head_ += "\r\nx-amz-crc32: ";
  AppendNumber(head_, Crc32(body_));
  head_ += "\r\n";
  head_ += further_headers;
  head_ += "\r\n";
  if (head_only_) body_.clear();
  if (body_.size() > kSmallBytes) {
    const auto bytes = static_cast<std::int64_t>(body_.size());
    reserved_ += bytes;
    loop_.large_bytes_left -= bytes;
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
  const std::int64_t freed = std::exchange(reserved_, 0);
  if (freed > 0) {
    loop_.large_bytes_left += freed;
    loop_.metrics.large_bytes.Add(-freed);
  }
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
  if (freed > 0) loop_.ResumeHeld();
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
