// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 requests out of bytes. Hides llhttp. Knows no sockets: the caller keeps the bytes of one
// message together in a buffer and may move it between calls; chunked bodies are joined in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kw::server {

enum class HttpMethod : std::uint8_t { kGet, kHead, kPost, kOptions, kOther };

struct HttpHeader {
  std::string_view name;  // lower case
  std::string_view value;
};

// A whole request; valid while its message stays where it is.
struct HttpRequest {
  HttpMethod method = HttpMethod::kOther;
  std::string_view path;   // without the query
  std::string_view query;  // behind the question mark
  std::vector<HttpHeader> headers;
  std::string_view body;
  bool keep_alive = false;

  // The first header of that name (lower case).
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name) const;
};

struct HttpLimits {
  std::size_t head_bytes = std::size_t{32} << 10;
  // A BatchWriteItem may carry 16 MB of items; their JSON is longer than they are.
  std::size_t body_bytes = std::size_t{24} << 20;
};

class HttpParser {
 public:
  enum class State : std::uint8_t { kHead, kBody, kComplete, kFailed };

  struct Failure {
    int status = 400;
    std::string_view reason;
  };

  explicit HttpParser(const HttpLimits& limits);
  ~HttpParser();
  HttpParser(HttpParser&&) = delete;

  // Reads on from where the last call stopped. `message` holds the message from its first byte on.
  State Parse(std::span<char> message);
  // Forgets the message: the next call begins another one.
  void Reset();

  // While kBody: the whole length that the message may reach, head included, and whether the
  // client waits for leave to send its body.
  [[nodiscard]] std::size_t MessageBytesMax() const;
  [[nodiscard]] bool LengthIsKnown() const;  // else it is chunked
  [[nodiscard]] bool WantsContinue() const;

  // After kComplete.
  [[nodiscard]] const HttpRequest& request() const;
  [[nodiscard]] std::size_t consumed() const;  // bytes of the message; the next one begins there

  // After kFailed.
  [[nodiscard]] Failure failure() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::server
