// SPDX-License-Identifier: Apache-2.0
// One event loop: its thread, listeners, connections and counters. Internal to this module.
#pragma once

#include <array>
#include <asio.hpp>
#include <asio/ssl.hpp>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "server/metrics.h"
#include "server/service.h"

namespace kw::server {

using asio::ip::tcp;
using SteadyTime = std::chrono::steady_clock::time_point;

class Connection;
class Loop;

enum class Bind : std::uint8_t { kExclusive, kJoin };

// What the loops share. Immutable while they run, but for the atomics.
struct Shared {
  Shared(ServerOptions given, Backend& the_backend, const Clock& the_clock)
      : options(std::move(given)),
        backend(the_backend),
        clock(the_clock),
        operations(the_backend.Operations()) {}

  ServerOptions options;
  Backend& backend;
  const Clock& clock;
  std::span<const api::OperationInfo> operations;
  std::unique_ptr<asio::ssl::context> tls;
  std::unique_ptr<asio::thread_pool> pool;
  std::vector<std::unique_ptr<Loop>> loops;
  std::atomic<std::size_t> connections{0};
  std::atomic<bool> stopping{false};
  std::mutex running_mutex;  // guards loops_running
  std::condition_variable running_changed;
  std::size_t loops_running = 0;

  [[nodiscard]] std::string RenderMetricsPage() const;
};

// How much of something a loop may have under way. What is begun may overdraw it; then nothing new
// begins.
struct Share {
  std::int64_t most;
  std::int64_t taken = 0;

  [[nodiscard]] bool Spent() const { return taken >= most; }
  // What is larger than the whole share may come alone.
  [[nodiscard]] bool Fits(std::int64_t n) const { return taken == 0 || taken + n <= most; }
};

class Loop {
 public:
  explicit Loop(Shared& shared);
  ~Loop();

  // Before Run. An exclusive bind fails where anybody listens, and lets the loops after it join.
  std::error_code Listen(const tcp::endpoint& endpoint, Bind bind);
  [[nodiscard]] std::uint16_t port() const;  // of the first listener
  void Run();                                // starts the thread

  // From any thread.
  void StopGently();
  void StopNow();
  void Deliver(Connection& connection);  // its reply has come

  // From the loop's thread.
  [[nodiscard]] bool IsCurrent() const;
  void Bury(Connection& connection);  // closed, and nothing of it is under way
  void ResumeHeld();
  void UpdateDate(SteadyTime now);
  void NoteShed() { metrics.connections_shed.Add(); }

  Shared& shared;
  asio::io_context io{1};
  LoopMetrics metrics;
  Service service;
  Rng rng;

  // Of large requests and of large answers. A call may wait for the room of answers while it holds
  // that of its request, so that the two must not be one.
  Share request_bytes;
  Share answer_bytes;
  Share writes;
  // What waits for a share, each kind behind its own first one.
  std::list<Connection*> held_bodies;
  std::list<Connection*> held_reads;
  std::list<Connection*> held_writes;

  SteadyTime now;         // of the last event
  std::string date_line;  // "Date: …\r\n", of this second

 private:
  void Accept(tcp::acceptor& acceptor);
  void OnAccept(tcp::socket socket);
  void Tick();
  void DrainMailbox();
  [[nodiscard]] bool Ended() const { return stopping_ && connections_.empty(); }
  void EndIfIdle();
  void Main();

  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::vector<std::unique_ptr<tcp::acceptor>> acceptors_;
  std::vector<tcp::acceptor*> paused_;  // out of file descriptors, perhaps
  asio::steady_timer tick_;
  std::chrono::milliseconds tick_length_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::unique_ptr<Connection>> buried_;
  bool resuming_ = false;
  bool stopping_ = false;
  SteadyTime date_until_;
  std::mutex mailbox_mutex_;  // guards mailbox_
  std::vector<Connection*> mailbox_;
  std::vector<Connection*> delivered_;
  std::thread thread_;
};

// One client. Everything runs on its loop's thread but the backend's replies.
class Connection {
 public:
  Connection(Loop& loop, tcp::socket socket);
  ~Connection();

  void Start();
  // The deadline passed, or the server stops.
  void CheckDeadline(SteadyTime now);
  void StopGently();
  void Close();

  void OnReplyDelivered();
  // Goes on with what was held back; false if it still has to wait.
  bool Resume();

  std::size_t place = 0;  // in the loop's list

 private:
  enum class Phase : std::uint8_t {
    kHandshake,
    kReading,
    kHeldBody,
    kHeldCall,
    kCalling,
    kWriting,
    kDraining,
    kClosed,
  };
  struct Input {
    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
    std::size_t begin = 0;  // of the message that is being read
    std::size_t end = 0;
  };

  // An asynchronous step ended. True: the connection is closed, leave.
  bool Ended();
  void Advance();
  void Read();
  void OnRead(const std::error_code& error, std::size_t bytes);
  bool TakeRequestBytes();
  void MakeRoom();
  void ResizeInput(std::size_t capacity);
  void SendContinue();

  void Hold(std::list<Connection*>& queue, Phase phase);
  void Unhold();
  void GiveUpHeld();
  [[nodiscard]] bool PeerHasGone();
  void Release();

  void Serve();
  [[nodiscard]] bool MayStartCall() const;
  void StartCall();
  template <typename F>
  std::optional<api::Reply> Handle(F on_reply);
  void CallHere();
  void CallOnPool();
  void OnReply(api::Reply reply);
  [[nodiscard]] api::Reply InternalError(const std::exception& thrown) const;
  void FinishCall();

  void Respond(const Answer& answer, std::string_view further_headers);
  void RespondBody(int status, std::string_view content_type, std::string body,
                   std::string_view further_headers);
  void Fail(const HttpParser::Failure& failure);
  void RefusePlainHttp();
  void Write();
  void OnWritten();
  void Drain();
  [[nodiscard]] SteadyTime TransferDeadline(std::size_t bytes) const;

  Loop& loop_;
  tcp::socket socket_;
  std::string peer_;  // the client's address, where policies may ask for it
  std::unique_ptr<asio::ssl::stream<tcp::socket&>> tls_;
  Phase phase_ = Phase::kReading;
  SteadyTime deadline_ = SteadyTime::max();
  int pending_ = 0;  // asynchronous steps and calls under way
  bool keep_alive_ = true;
  bool head_only_ = false;
  bool message_begun_ = false;
  bool body_begun_ = false;

  Input input_;
  HttpParser parser_;
  std::int64_t request_bytes_ = 0;  // taken of the loop's share
  std::int64_t answer_bytes_ = 0;
  std::list<Connection*>* held_in_ = nullptr;
  std::list<Connection*>::iterator held_at_;

  ApiCall call_;
  api::Access call_access_ = api::Access::kRead;
  std::string call_headers_;
  std::int64_t call_weight_ = 0;  // taken of the loop's writes
  SteadyTime call_started_;
  bool in_handle_ = false;
  bool answered_ = false;
  std::atomic<int> pool_gate_{0};  // the reply, and the return of Handle
  api::Reply reply_;

  std::string head_;
  std::string body_;
};

}  // namespace kw::server
