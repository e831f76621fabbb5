// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/bytes.h"

namespace kw::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Operations that show how they were called.
class FakeBackend final : public Backend {
 public:
  ~FakeBackend() override {
    for (std::thread& thread : threads_) thread.join();
  }

  std::span<const api::OperationInfo> Operations() const override { return kOperations; }

  const api::OperationInfo* Find(std::string_view target) const override {
    for (const api::OperationInfo& operation : kOperations) {
      if (target == "T." + std::string(operation.name)) return &operation;
      if (target == "/studio/v1/echo" && operation.name == "Echo") return &operation;
    }
    return nullptr;
  }

  std::string Metrics() const override { return "fake_total 1\n"; }
  api::Access AccessOf(const api::OperationInfo& operation, std::string_view body) const override {
    return operation.name == "Write" && body == "a read" ? api::Access::kRead : operation.access;
  }

  void Handle(const api::Request& request, std::function<void(api::Reply)> reply) override {
    const api::OperationInfo* operation = Find(request.target);
    if (operation == nullptr) return reply(RenderError({ErrorCode::kUnknownOperation, "", {}}));
    const bool may_block = request.call.wait == storage::Wait::kMayBlock;
    if (operation->name == "Echo") return reply({.body = std::string(request.body)});
    if (operation->name == "Caller") {
      const bool any = request.call.arns == engine::ArnScope::kAny;
      return reply({.body = request.call.account + " " + request.call.region +
                            (any ? ", any ARN" : ", own ARNs")});
    }
    if (operation->name == "Host") return reply({.body = request.call.host});
    if (operation->name == "Control") return reply({.body = may_block ? "blocking" : "inline"});
    if (operation->name == "Disk") {
      if (!may_block) return reply({.body = {}, .would_block = true});
      return reply({.body = "from disk"});
    }
    if (operation->name == "Idle") {
      return reply({.body = request.call.inline_if_idle ? "alone" : "with others"});
    }
    if (operation->name == "Large") return reply({.body = std::string(8 << 20, 'x')});
    if (operation->name == "Throw") throw std::bad_alloc();
    if (operation->name == "ReplyAndThrow") {
      reply({.body = "replied"});
      throw std::bad_alloc();
    }
    if (operation->name == "Write") {
      const std::lock_guard lock(mutex_);
      threads_.emplace_back([reply] { reply({.body = "written"}); });
      return;
    }
    // Hold: answered by Release.
    {
      const std::lock_guard lock(mutex_);
      held_.push_back(std::move(reply));
      changed_.notify_all();
    }
    if (operation->name.starts_with("HoldAndThrow")) throw std::bad_alloc();
  }

  std::vector<storage::Gauge> StoreGauges() const override {
    return {{.name = "queued_updates", .help = "Waiting.", .value = 3}};
  }

  api::Reply RenderError(const Error& error) const override {
    return {.status = error.code == ErrorCode::kInternalServerError  ? 500
                      : error.code == ErrorCode::kServiceUnavailable ? 503
                                                                     : 400,
            .body = "error " + std::to_string(static_cast<int>(error.code)) + " " + error.message};
  }

  void AwaitHeld(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() >= count; });
  }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }
  void Release() {
    std::vector<std::function<void(api::Reply)>> replies;
    {
      const std::lock_guard lock(mutex_);
      replies.swap(held_);
    }
    for (const auto& reply : replies) reply({.body = "released"});
  }

 private:
  static constexpr std::array<api::OperationInfo, 13> kOperations = {{
      {"Caller", api::Access::kRead},
      {"Control", api::Access::kControl},
      {"Disk", api::Access::kRead},
      {"Echo", api::Access::kRead},
      {"Hold", api::Access::kWrite},
      {"HoldAndThrow", api::Access::kWrite},
      {"HoldAndThrowOnPool", api::Access::kControl},
      {"Host", api::Access::kRead},
      {"Idle", api::Access::kRead},
      {"Large", api::Access::kRead},
      {"ReplyAndThrow", api::Access::kWrite},
      {"Throw", api::Access::kRead},
      {"Write", api::Access::kWrite},
  }};
  std::mutex mutex_;  // guards held_ and threads_
  std::condition_variable changed_;
  std::vector<std::function<void(api::Reply)>> held_;
  std::vector<std::thread> threads_;
};

struct Response {
  int status = 0;
  std::string head;  // up to the blank line
  std::string body;

  std::string Header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == head.npos) return "(absent)";
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

// A blocking client that sends exactly what it is told to.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer = 0) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (receive_buffer > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server has hung up
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void FinishSending() { ::shutdown(socket_, SHUT_WR); }

  // Status 0: the connection ended first.
  Response Receive(bool without_body = false) {
    Response response;
    std::size_t end = 0;
    while ((end = input_.find("\r\n\r\n")) == input_.npos) {
      if (!More()) return response;
    }
    response.head = input_.substr(0, end + 2);
    response.status = std::stoi(response.head.substr(9, 3));
    input_.erase(0, end + 4);
    if (response.status == 100) return response;
    const std::size_t length = without_body ? 0 : std::stoul(response.Header("Content-Length"));
    while (input_.size() < length) {
      if (!More()) return response;
    }
    response.body = input_.substr(0, length);
    input_.erase(0, length);
    return response;
  }

  Response Ask(std::string_view request) {
    Send(request);
    return Receive();
  }

  bool Ended() { return input_.empty() && !More(); }

 private:
  bool More() {
    std::array<char, 65536> piece;
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
    if (got <= 0) return false;
    input_.append(piece.data(), static_cast<std::size_t>(got));
    return true;
  }

  int socket_;
  std::string input_;
};

std::string Post(std::string_view operation, std::string_view body, std::string_view headers = "") {
  return "POST / HTTP/1.1\r\nHost: localhost:8000\r\nContent-Type: application/x-amz-json-1.0\r\n"
         "X-Amz-Target: T." +
         std::string(operation) + "\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string PostInChunks(std::string_view operation) {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "X-Amz-Target: T." +
         std::string(operation) + "\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string Get(std::string_view path, std::string_view headers = "") {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost:8000\r\n" +
         std::string(headers) + "\r\n";
}

class ServerTest : public testing::Test {
 protected:
  void Start(ServerOptions options = {}) {
    options.port = 0;
    if (options.threads == 0) options.threads = 2;
    auto started = Server::Start(std::move(options), backend_, clock_);
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }
  std::uint16_t port() const { return server_->port(); }

  // Of the metrics page; asks until `line` is there, or until it is not.
  void AwaitMetric(std::string_view line, bool wanted = true) {
    Client client(port());
    while ((client.Ask(Get("/metrics")).body.find(std::string(line) + "\n") != std::string::npos) !=
           wanted) {
    }
  }
  // A client that asks for more than it reads, so that its answer takes the room of answers.
  std::unique_ptr<Client> TakeRoomOfAnswers() {
    auto slow = std::make_unique<Client>(port(), 4096);
    slow->Send(Post("Large", "") + Post("Large", "") + Post("Large", ""));
    AwaitMetric(kNoLargeBytes, false);
    return slow;
  }
  static constexpr std::string_view kNoLargeBytes = "keywright_large_body_bytes 0";

  FakeBackend backend_;
  SystemClock clock_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, AnswersInTheServicesForm) {
  Start();
  Client client(port());
  const Response response = client.Ask(Post("Echo", R"({"a": 1})"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"a": 1})");
  // observed: facts/api.md, replies carry x-amzn-RequestId and x-amz-crc32
  EXPECT_EQ(response.Header("Content-Type"), "application/x-amz-json-1.0");
  EXPECT_EQ(response.Header("x-amz-crc32"), std::to_string(Crc32(R"({"a": 1})")));
  EXPECT_EQ(response.Header("x-amzn-RequestId").size(), 52U);
  EXPECT_EQ(response.Header("Connection"), "keep-alive");
  EXPECT_THAT(response.Header("Date"), HasSubstr(" GMT"));
}

TEST_F(ServerTest, OneConnectionServesManyRequests) {
  Start();
  Client client(port());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.Ask(Post("Echo", std::to_string(i))).body, std::to_string(i));
  }
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  Start();
  Client client(port());
  std::string all;
  for (int i = 0; i < 200; ++i) {
    all += i % 3 == 0   ? Post("Write", "")
           : i % 3 == 1 ? Post("Disk", "")
                        : Post("Echo", std::to_string(i));
  }
  client.Send(all);
  for (int i = 0; i < 200; ++i) {
    const std::string expected = i % 3 == 0   ? "written"
                                 : i % 3 == 1 ? "from disk"
                                              : std::to_string(i);
    ASSERT_EQ(client.Receive().body, expected) << i;
  }
}

TEST_F(ServerTest, RequestsInPieces) {
  Start();
  Client client(port());
  const std::string request = Post("Echo", "hello");
  for (const char& c : request) client.Send({&c, 1});
  EXPECT_EQ(client.Receive().body, "hello");
}

TEST_F(ServerTest, ChunkedBodies) {
  Start();
  Client client(port());
  client.Send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Amz-Target: "
      "T.Echo\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  std::string expected;
  for (int i = 0; i < 50; ++i) {
    client.Send("3e8\r\n" + std::string(1000, static_cast<char>('a' + i % 26)) + "\r\n");
    expected += std::string(1000, static_cast<char>('a' + i % 26));
  }
  client.Send("0\r\n\r\n" + Post("Echo", "next"));
  EXPECT_EQ(client.Receive().body, expected);
  EXPECT_EQ(client.Receive().body, "next");
}

TEST_F(ServerTest, LargeBodies) {
  Start({.large_bytes_max = 40 << 20});
  const std::string body(std::size_t{16} << 20, 'b');
  std::vector<std::thread> clients;
  // More than the budget at once: the later ones wait.
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back([&] {
      Client client(port());
      EXPECT_EQ(client.Ask(Post("Echo", body)).body.size(), body.size());
      EXPECT_EQ(client.Ask(Post("Echo", "small")).body, "small");
    });
  }
  for (std::thread& client : clients) client.join();
}

TEST_F(ServerTest, ABodyAsLargeAsTheLimitIsServed) {
  Start({.threads = 1, .large_bytes_max = 2 << 20});
  Client client(port());
  const std::string body(4 << 20, 'b');
  EXPECT_EQ(client.Ask(Post("Echo", body)).body.size(), body.size());
  EXPECT_EQ(client.Ask(Post("Echo", "small")).body, "small");
}

TEST_F(ServerTest, SmallChunkedBodiesWaitForNoRoom) {
  Start({.threads = 1, .large_bytes_max = 2 << 20});
  Client large(port());
  const std::string body(1 << 20, 'b');
  const std::string request = Post("Echo", body);
  large.Send(request.substr(0, request.size() - 1));
  AwaitMetric(kNoLargeBytes, false);
  Client chunked(port());
  chunked.Send(PostInChunks("Echo") + "3\r\nhel\r\n");
  AwaitMetric("keywright_connections 3");
  chunked.Send("2\r\nlo\r\n0\r\n\r\n");
  EXPECT_EQ(chunked.Receive().body, "hello");
  // A large one does wait, and then comes.
  chunked.Send(PostInChunks("Echo") + "80000\r\n" + std::string(0x80000, 'c') + "\r\n");
  AwaitMetric("keywright_requests_waiting 1");
  large.Send(request.substr(request.size() - 1));
  EXPECT_EQ(large.Receive().body.size(), body.size());
  chunked.Send("0\r\n\r\n");
  EXPECT_EQ(chunked.Receive().body.size(), 0x80000U);
}

TEST_F(ServerTest, WritesPassReadsThatWait) {
  Start(
      {.threads = 1, .timeouts = {.transfer = 10min}, .large_bytes_max = 2 << 20, .writes_max = 1});
  auto slow = TakeRoomOfAnswers();
  Client first(port());
  first.Send(Post("Hold", ""));
  backend_.AwaitHeld(1);
  Client reader(port());
  reader.Send(Post("Echo", "read"));
  AwaitMetric("keywright_requests_waiting 1");
  Client writer(port());
  writer.Send(Post("Write", ""));
  AwaitMetric("keywright_requests_waiting 2");
  backend_.Release();
  EXPECT_EQ(writer.Receive().body, "written");
  AwaitMetric("keywright_requests_waiting 1");
  slow.reset();
  EXPECT_EQ(reader.Receive().body, "read");
}

TEST_F(ServerTest, WhoReadsSlowlyHasLessTimeWhileOthersWait) {
  Start({.threads = 1,
         .timeouts = {.transfer = 10min, .bytes_per_ms_min = 1 << 20, .pressed = 20ms},
         .large_bytes_max = 2 << 20});
  const auto slow = TakeRoomOfAnswers();
  EXPECT_EQ(Client(port()).Ask(Post("Echo", "served")).body, "served");
}

TEST_F(ServerTest, NobodyWaitsForEver) {
  Start({.threads = 1, .timeouts = {.transfer = 10min, .held = 20ms}, .large_bytes_max = 2 << 20});
  const auto slow = TakeRoomOfAnswers();
  Client large(port());
  large.Send(Post("Echo", std::string(1 << 20, 'b')).substr(0, 1 << 20));
  Client reader(port());
  Client body(port());
  for (Client* client : {&reader, &body}) {
    const Response response =
        client->Ask(Post("Echo", client == &body ? std::string(1 << 20, 'b') : "x"));
    EXPECT_EQ(response.status, 503);
    EXPECT_THAT(response.body, HasSubstr("The server is busy."));
    EXPECT_EQ(response.Header("Connection"), "close");
  }
  EXPECT_EQ(Client(port()).Ask(Post("Write", "")).body, "written");
}

TEST_F(ServerTest, TooLargeBodiesAreRefusedAndTheAnswerArrives) {
  Start({.limits = {.head_bytes = 32 << 10, .body_bytes = 1 << 20}});
  Client client(port());
  const Response response = client.Ask(Post("Echo", std::string(2 << 20, 'x')));
  EXPECT_EQ(response.status, 413);
  EXPECT_EQ(response.Header("Connection"), "close");
}

TEST_F(ServerTest, ExpectContinue) {
  Start();
  Client client(port());
  const std::string body(100'000, 'x');
  const std::string request = Post("Echo", body, "Expect: 100-continue\r\n");
  const std::size_t head = request.find("\r\n\r\n") + 4;
  client.Send(request.substr(0, head));
  EXPECT_EQ(client.Receive().status, 100);
  client.Send(request.substr(head));
  EXPECT_EQ(client.Receive().body, body);
}

TEST_F(ServerTest, GarbageIsRefused) {
  Start();
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x00\xa5\x01"), std::string("\r\n\r\nhello world\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(40'000, 'x')}) {
    Client client(port());
    const Response response = client.Ask(garbage);
    EXPECT_GE(response.status, 400) << garbage.substr(0, 40);
    EXPECT_EQ(response.Header("Connection"), "close");
    client.FinishSending();
    EXPECT_TRUE(client.Ended());
  }
  EXPECT_EQ(Client(port()).Ask(Post("Echo", "alive")).body, "alive");
}

TEST_F(ServerTest, TruncatedRequestsChangeNothing) {
  Start();
  {
    Client client(port());
    const std::string request = Post("Hold", "never complete");
    client.Send(request.substr(0, request.size() - 1));
    client.FinishSending();
    EXPECT_TRUE(client.Ended());
  }
  EXPECT_EQ(backend_.held(), 0U);
}

TEST_F(ServerTest, TargetsWithAHost) {
  Start();
  Client client(port());
  EXPECT_EQ(
      client.Ask("GET http://localhost:8000/healthz HTTP/1.1\r\nHost: localhost:8000\r\n\r\n").body,
      "ok\n");
}

TEST_F(ServerTest, FurtherMetrics) {
  Start();
  EXPECT_THAT(Client(port()).Ask(Get("/metrics")).body, HasSubstr("\nfake_total 1\n"));
}

TEST_F(ServerTest, OldClients) {
  Start();
  Client unasked(port());
  // RFC 9110, 10.1.1: an expectation of HTTP/1.0 is ignored.
  unasked.Send(
      "POST / HTTP/1.0\r\nContent-Type: application/json\r\nX-Amz-Target: T.Echo\r\n"
      "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  AwaitMetric("keywright_connections 2");
  unasked.Send("hello");
  EXPECT_EQ(unasked.Receive().status, 200);
  Client client(port());
  const Response response = client.Ask("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Header("Connection"), "close");
  EXPECT_TRUE(client.Ended());
}

TEST_F(ServerTest, WhereCallsRun) {
  Start();
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Control", "")).body, "blocking");
  EXPECT_EQ(client.Ask(Post("Disk", "")).body, "from disk");
  EXPECT_EQ(client.Ask(Post("Idle", "")).body, "alone");
  Client other(port());
  EXPECT_EQ(other.Ask(Post("Idle", "")).body, "with others");
}

TEST_F(ServerTest, ExceptionsOfLibrariesEndNothing) {
  Start();
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Throw", "")).status, 500);
  EXPECT_EQ(client.Ask(Post("Echo", "still here")).body, "still here");
}

TEST_F(ServerTest, AnExceptionAnswersForNobodyElse) {
  Start();
  Client client(port());
  for (const std::string_view operation : {"HoldAndThrow", "HoldAndThrowOnPool"}) {
    client.Send(Post(operation, ""));
    backend_.AwaitHeld(1);
    AwaitMetric("keywright_calls_in_flight 1");
    backend_.Release();
    EXPECT_EQ(client.Receive().body, "released") << operation;
    AwaitMetric("keywright_calls_in_flight 0");
  }
  EXPECT_EQ(client.Ask(Post("ReplyAndThrow", "")).body, "replied");
  EXPECT_EQ(client.Ask(Post("Echo", "still here")).body, "still here");
}

TEST_F(ServerTest, UnknownOperations) {
  Start();
  Client client(port());
  EXPECT_THAT(
      client.Ask(Post("Nothing", "")).body,
      StartsWith("error " + std::to_string(static_cast<int>(ErrorCode::kUnknownOperation))));
}

TEST_F(ServerTest, WritesOverTheLimitWait) {
  Start({.threads = 1, .writes_max = 2});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<Client>(port()));
    clients.back()->Send(Post("Hold", ""));
  }
  backend_.AwaitHeld(2);
  // Reads pass those that wait, and prove that the loop has seen them.
  Client reader(port());
  EXPECT_EQ(reader.Ask(Post("Echo", "free")).body, "free");
  EXPECT_EQ(backend_.held(), 2U);
  // So does a request that reads, of an operation that may write.
  EXPECT_EQ(reader.Ask(Post("Write", "a read")).body, "written");
  EXPECT_THAT(reader.Ask(Get("/metrics")).body, HasSubstr("keywright_requests_waiting 3\n"));
  backend_.Release();
  backend_.AwaitHeld(2);
  backend_.Release();
  backend_.AwaitHeld(1);
  backend_.Release();
  for (const auto& client : clients) EXPECT_EQ(client->Receive().body, "released");
}

TEST_F(ServerTest, RequestsThatWaitGoWithTheirClients) {
  Start({.threads = 1, .timeouts = {.linger = 40ms}, .writes_max = 1});  // looks every 10 ms
  Client first(port());
  first.Send(Post("Hold", ""));
  backend_.AwaitHeld(1);
  auto gone = std::make_unique<Client>(port());
  gone->Send(Post("Hold", ""));
  AwaitMetric("keywright_requests_waiting 1");
  Client next(port());
  next.Send(Post("Write", ""));
  AwaitMetric("keywright_requests_waiting 2");
  gone.reset();
  AwaitMetric("keywright_requests_waiting 1");
  backend_.Release();
  EXPECT_EQ(first.Receive().body, "released");
  EXPECT_EQ(next.Receive().body, "written");
  EXPECT_EQ(backend_.held(), 0U);  // what it asked for was not done
}

TEST_F(ServerTest, SlowHeadsAndBodiesAndIdleConnectionsAreShed) {
  Start({.timeouts = {.idle = 40ms, .head = 40ms, .transfer = 40ms, .linger = 40ms}});
  Client idle(port());
  Client head(port());
  head.Send("POST / HTTP/1.1\r\nHost:");
  Client body(port());
  body.Send(Post("Echo", "hello").substr(0, Post("Echo", "hello").size() - 2));
  EXPECT_TRUE(idle.Ended());
  EXPECT_TRUE(head.Ended());
  EXPECT_TRUE(body.Ended());
  EXPECT_THAT(Client(port()).Ask(Get("/metrics")).body,
              HasSubstr("keywright_connections_shed_total 2\n"));
}

TEST_F(ServerTest, SlowReadersAreShed) {
  Start({.timeouts = {.idle = 10s,
                      .head = 10s,
                      .transfer = 20ms,
                      .bytes_per_ms_min = 1 << 20,
                      .linger = 20ms}});
  Client slow(port(), 4096);
  slow.Send(Post("Large", "") + Post("Large", "") + Post("Large", ""));
  // Until it is shed its answer counts; then nothing is held for it. The other loop counts the
  // connection first and lets go of its answer next: look again until it has done both.
  Client watch(port());
  std::string page;
  for (int look = 0; look < 20000; ++look) {
    page = watch.Ask(Get("/metrics")).body;
    if (page.find("keywright_connections_shed_total 1\n") != page.npos &&
        page.find("keywright_large_body_bytes 0\n") != page.npos) {
      break;
    }
  }
  EXPECT_THAT(page, HasSubstr("keywright_connections_shed_total 1\n"));
  EXPECT_THAT(page, HasSubstr("keywright_large_body_bytes 0\n"));
}

TEST_F(ServerTest, ConnectionsOverTheLimitAreClosed) {
  Start({.connections_max = 1});
  Client first(port());
  EXPECT_EQ(first.Ask(Post("Echo", "x")).body, "x");
  Client second(port());
  EXPECT_TRUE(second.Ended());
  EXPECT_EQ(first.Ask(Post("Echo", "y")).body, "y");
}

TEST_F(ServerTest, PagesOfOtherSitesAreKeptOut) {
  Start({.allow_origins = {"https://studio.example"}});
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Echo", "x", "Origin: http://evil.example\r\n")).status, 403);
  EXPECT_EQ(client.Ask("GET / HTTP/1.1\r\nHost: rebound.example:8000\r\n\r\n").status, 403);
  // A page that may use the server may read why this name is refused.
  const Response refused =
      client.Ask("GET / HTTP/1.1\r\nHost: db.example\r\nOrigin: https://studio.example\r\n\r\n");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.Header("Access-Control-Allow-Origin"), "https://studio.example");
  EXPECT_EQ(client
                .Ask("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                     "X-Amz-Target: T.Echo\r\nContent-Length: 1\r\n\r\nx")
                .status,
            415);
  const std::string preflight =
      "OPTIONS / HTTP/1.1\r\nHost: localhost:8000\r\nAccess-Control-Request-Method: "
      "POST\r\nOrigin: ";
  EXPECT_EQ(
      client.Ask(preflight + "http://evil.example\r\n\r\n").Header("Access-Control-Allow-Origin"),
      "(absent)");
  const Response allowed = client.Ask(preflight + "https://studio.example\r\n\r\n");
  EXPECT_EQ(allowed.status, 200);
  EXPECT_EQ(allowed.Header("Access-Control-Allow-Origin"), "https://studio.example");
  EXPECT_THAT(allowed.Header("Access-Control-Allow-Headers"), HasSubstr("x-amz-target"));
  const Response reply = client.Ask(Post("Echo", "x", "Origin: https://studio.example\r\n"));
  EXPECT_EQ(reply.body, "x");
  EXPECT_EQ(reply.Header("Access-Control-Allow-Origin"), "https://studio.example");
}

TEST_F(ServerTest, HealthAndHomePage) {
  Start();
  Client client(port());
  // assumed: what GET / of a regional endpoint answers
  EXPECT_EQ(client.Ask(Get("/")).body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(client.Ask(Get("/healthz")).body, "ok\n");
  EXPECT_EQ(client.Ask(Get("/nothing")).status, 404);
  EXPECT_EQ(client.Ask("PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
  const Response page = client.Ask(Get("/", "Accept: text/html,*/*\r\n"));
  EXPECT_THAT(page.body, StartsWith("<!doctype html>"));
  EXPECT_THAT(page.Header("Content-Security-Policy"), StartsWith("default-src 'self';"));
  EXPECT_THAT(page.body, Not(HasSubstr("<style")));
  // Every screen has an address, and each of them is the page.
  const Response screen = client.Ask(Get("/studio/tables/Game", "Accept: text/html\r\n"));
  EXPECT_EQ(screen.body, page.body);
  EXPECT_EQ(client.Ask(Get("/studio/tables/Game")).status, 404);
  const std::string known = "Accept: text/html\r\nIf-None-Match: " + page.Header("ETag") + "\r\n";
  const Response unchanged = client.Ask(Get("/", known));
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.body, "");
  client.Send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.Receive(true).Header("Content-Length"), "42");
  EXPECT_EQ(client.Ask(Get("/healthz")).body, "ok\n");
}

TEST_F(ServerTest, FilesOfThePageAreCompressedAndKept) {
  Start();
  Client client(port());
  const std::string page = client.Ask(Get("/", "Accept: text/html\r\n")).body;
  const std::size_t at = page.find("/assets/index-");
  ASSERT_NE(at, page.npos);
  const std::string script = page.substr(at, page.find('"', at) - at);
  const Response plain = client.Ask(Get(script));
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.Header("Content-Encoding"), "(absent)");
  EXPECT_THAT(plain.Header("Cache-Control"), HasSubstr("immutable"));
  EXPECT_EQ(plain.Header("X-Content-Type-Options"), "nosniff");
  const Response brotli = client.Ask(Get(script, "Accept-Encoding: gzip, deflate, br\r\n"));
  EXPECT_EQ(brotli.Header("Content-Encoding"), "br");
  EXPECT_LT(brotli.body.size(), plain.body.size() / 2);
  EXPECT_EQ(client.Ask(Get(script, "Accept-Encoding: gzip\r\n")).Header("Content-Encoding"),
            "gzip");
  EXPECT_EQ(client.Ask(Get("/assets/nothing.js")).status, 404);
}

TEST_F(ServerTest, TheStudiosCallsGoByTheirPath) {
  Start();
  Client client(port());
  const auto ask = [&client](const std::string& path) {
    return client.Ask("POST " + path +
                      " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                      "X-Amz-Target: T.Echo\r\nContent-Length: 2\r\n\r\n{}");
  };
  EXPECT_EQ(ask("/studio/v1/echo").body, "{}");
  EXPECT_EQ(ask("/studio/v1/nothing").status, 400);
  EXPECT_EQ(ask("/studio/echo").status, 404);
}

TEST_F(ServerTest, Metrics) {
  Start();
  Client client(port());
  client.Ask(Post("Echo", "x"));
  client.Ask(Post("Echo", "x"));
  client.Ask(Post("Nothing", "x"));
  const std::string page = client.Ask(Get("/metrics")).body;
  EXPECT_THAT(page,
              HasSubstr("keywright_requests_total{operation=\"Echo\",result=\"success\"} 2\n"));
  EXPECT_THAT(
      page,
      HasSubstr("keywright_requests_total{operation=\"unknown\",result=\"client_error\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("keywright_request_seconds_count{operation=\"Echo\"} 2\n"));
  EXPECT_THAT(page, HasSubstr("# TYPE keywright_store_queued_updates gauge\n"
                              "keywright_store_queued_updates 3\n"));
  EXPECT_THAT(page,
              HasSubstr("keywright_request_seconds_bucket{operation=\"Echo\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(page, HasSubstr("keywright_connections 1\n"));
  EXPECT_THAT(page, HasSubstr("keywright_calls_in_flight 0\n"));
}

TEST_F(ServerTest, KeysAreDemanded) {
  Start({.keys = {{"AKID", {.secret = "s"}}}});
  Client client(port());
  const auto code = [](ErrorCode error) {
    return "error " + std::to_string(static_cast<int>(error)) + " ";
  };
  EXPECT_THAT(client.Ask(Post("Echo", "x")).body,
              StartsWith(code(ErrorCode::kMissingAuthenticationToken)));
  EXPECT_THAT(client
                  .Ask(Post("Echo", "x",
                            "X-Amz-Date: 20150830T123600Z\r\nAuthorization: AWS4-HMAC-SHA256 "
                            "Credential=AKID/20150830/us-east-1/dynamodb/aws4_request, "
                            "SignedHeaders=host;x-amz-target, Signature=00\r\n"))
                  .body,
              StartsWith(code(ErrorCode::kInvalidSignature)));
}

constexpr std::string_view kSignedForIreland =
    "Authorization: AWS4-HMAC-SHA256 "
    "Credential=123456789012/20150830/eu-west-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=00\r\n";

TEST_F(ServerTest, EverybodySharesOneSetOfTables) {
  Start();
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Caller", "", kSignedForIreland)).body,
            "000000000000 us-east-1, any ARN");
}

TEST_F(ServerTest, SeparateRegionsFollowTheSignature) {
  Start({.regions = Regions::kSeparate});
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Caller", "", kSignedForIreland)).body,
            "123456789012 eu-west-1, own ARNs");
  EXPECT_EQ(client.Ask(Post("Caller", "")).body, "000000000000 us-east-1, own ARNs");
}

TEST_F(ServerTest, CallsCarryTheNameOfTheServer) {
  Start();
  Client client(port());
  EXPECT_EQ(client.Ask(Post("Host", "")).body, "localhost:8000");
}

TEST_F(ServerTest, ASecondServerOnThePortIsRefused) {
  Start();
  const auto second = Server::Start({.port = port()}, backend_, clock_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "Another program is listening on 127.0.0.1 port " +
                                        std::to_string(port()) +
                                        ". Stop it, or choose another port with --port.");
}

TEST_F(ServerTest, StartErrorsSayWhatToDo) {
  const auto message = [&](ServerOptions options) {
    options.port = 0;
    const auto started = Server::Start(std::move(options), backend_, clock_);
    return started ? "started" : started.error().message;
  };
  EXPECT_THAT(message({.address = "0.0.0.0"}), HasSubstr("--unsafe-no-auth"));
  EXPECT_EQ(message({.address = "0.0.0.0", .open_access = OpenAccess::kAllow}), "started");
  EXPECT_EQ(message({.address = "0.0.0.0", .keys = {{"AKID", {.secret = "s"}}}}), "started");
  EXPECT_THAT(message({.address = "somewhere"}), HasSubstr("is no IP address"));
  EXPECT_THAT(message({.address = "203.0.113.1", .open_access = OpenAccess::kAllow}),
              HasSubstr("is no address of this machine"));
  EXPECT_THAT(
      message({.tls = TlsFiles{.certificate = "/nonexistent.pem", .key = "/nonexistent.pem"}}),
      HasSubstr("--tls-cert"));
}

TEST_F(ServerTest, StopsWhenWhatIsUnderWayIsDone) {
  Start();
  Client idle(port());
  idle.Ask(Post("Echo", "x"));
  Client busy(port());
  busy.Send(Post("Hold", ""));
  backend_.AwaitHeld(1);
  bool finished = false;
  std::thread stopper([&] { finished = server_->Stop(20s); });
  EXPECT_TRUE(idle.Ended());
  backend_.Release();
  const Response response = busy.Receive();
  EXPECT_EQ(response.body, "released");
  EXPECT_EQ(response.Header("Connection"), "close");
  busy.FinishSending();
  EXPECT_TRUE(busy.Ended());
  stopper.join();
  EXPECT_TRUE(finished);
}

TEST_F(ServerTest, StopsWithoutThoseThatDoNotFinish) {
  Start();
  Client busy(port());
  busy.Send(Post("Hold", ""));
  backend_.AwaitHeld(1);
  EXPECT_FALSE(server_->Stop(10ms));
  EXPECT_TRUE(busy.Ended());
  backend_.Release();
  server_.reset();
}

}  // namespace
}  // namespace kw::server
