// SPDX-License-Identifier: Apache-2.0
// A client that sends at a fixed rate, whether or not answers have come: latency counts from the
// moment a request was due, so that a stalled server cannot slow the question down. Usage:
// paced_client PORT CONNECTIONS RATE SECONDS REQUESTS; prints sent, answered, p50 and p99 in µs.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::exit(3);
}

// Each request: its length, a newline, its bytes.
std::vector<std::string> ReadRequests(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> requests;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_end = text.find('\n', at);
    const std::size_t length = std::stoul(text.substr(at, line_end - at));
    requests.push_back(text.substr(line_end + 1, length));
    at = line_end + 1 + length;
  }
  if (requests.empty()) Die("no requests");
  return requests;
}

// One request at a time; those that fall due meanwhile wait in the common queue.
struct Connection {
  int socket = -1;
  bool busy = false;
  Clock::time_point due;
  std::string received;
};

int Connect(std::uint16_t port) {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    Die("connect");
  const int on = 1;
  setsockopt(socket_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket_fd;
}

// Whether `text` holds a whole response with a Content-Length.
bool Complete(const std::string& text) {
  const std::size_t head_end = text.find("\r\n\r\n");
  if (head_end == std::string::npos) return false;
  std::string head = text.substr(0, head_end);
  std::transform(head.begin(), head.end(), head.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const std::size_t field = head.find("content-length:");
  if (field == std::string::npos) return false;
  return text.size() >= head_end + 4 + std::strtoul(head.c_str() + field + 15, nullptr, 10);
}

class PacedClient {
 public:
  PacedClient(std::uint16_t port, std::size_t connections, std::vector<std::string> requests)
      : requests_(std::move(requests)), connections_(connections), poll_(epoll_create1(0)) {
    for (std::size_t i = 0; i < connections; ++i) {
      connections_[i].socket = Connect(port);
      epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
      if (epoll_ctl(poll_, EPOLL_CTL_ADD, connections_[i].socket, &event) != 0) Die("epoll_ctl");
      idle_.push_back(i);
    }
  }

  void Run(double rate, double seconds) {
    const auto start = Clock::now();
    const auto end = start + std::chrono::duration<double>(seconds);
    const auto step =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate));
    auto next = start;
    while (Clock::now() < end) {
      for (const auto now = Clock::now(); next <= now; next += step) waiting_.push_back(next);
      while (!waiting_.empty() && !idle_.empty()) Send();
      Receive();
    }
    // What never came is as late as the end of the run.
    for (const Connection& connection : connections_) {
      if (connection.busy) late_.push_back(connection.due);
    }
    late_.insert(late_.end(), waiting_.begin(), waiting_.end());
    const std::size_t answered = latencies_.size();
    for (const auto due : late_) latencies_.push_back(Clock::now() - due);
    Print(answered);
  }

 private:
  void Send() {
    Connection& connection = connections_[idle_.back()];
    idle_.pop_back();
    connection.due = waiting_.front();
    waiting_.pop_front();
    connection.busy = true;
    const std::string& request = requests_[sent_++ % requests_.size()];
    if (write(connection.socket, request.data(), request.size()) !=
        static_cast<ssize_t>(request.size()))
      Die("write");
  }

  void Receive() {
    epoll_event events[64];
    const int count = epoll_wait(poll_, events, 64, 0);
    for (int i = 0; i < count; ++i) {
      Connection& connection = connections_[events[i].data.u64];
      char bytes[16384];
      const ssize_t size = read(connection.socket, bytes, sizeof bytes);
      if (size <= 0) Die("read");
      connection.received.append(bytes, static_cast<std::size_t>(size));
      if (!Complete(connection.received)) continue;
      connection.received.clear();
      connection.busy = false;
      latencies_.push_back(Clock::now() - connection.due);
      idle_.push_back(events[i].data.u64);
    }
  }

  void Print(std::size_t answered) {
    std::sort(latencies_.begin(), latencies_.end());
    const auto at = [&](double share) {
      const auto index =
          static_cast<std::size_t>(share * static_cast<double>(latencies_.size() - 1));
      return std::chrono::duration<double, std::micro>(latencies_[index]).count();
    };
    std::printf("%zu %zu %.0f %.0f\n", sent_, answered, at(0.5), at(0.99));
  }

  std::vector<std::string> requests_;
  std::vector<Connection> connections_;
  int poll_;
  std::vector<std::size_t> idle_;
  std::deque<Clock::time_point> waiting_;
  std::vector<Clock::time_point> late_;
  std::vector<Clock::duration> latencies_;
  std::size_t sent_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) Die("usage: paced_client PORT CONNECTIONS RATE SECONDS REQUESTS");
  PacedClient client(static_cast<std::uint16_t>(std::atoi(argv[1])),
                     std::strtoul(argv[2], nullptr, 10), ReadRequests(argv[5]));
  client.Run(std::atof(argv[3]), std::atof(argv[4]));
}
