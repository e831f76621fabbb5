// SPDX-License-Identifier: Apache-2.0
#include "server/http.h"

#include <llhttp.h>

#include <algorithm>
#include <cstring>

namespace kw::server {
namespace {

constexpr std::size_t kHeadersMax = 128;
// What framing may add to a chunked body: sizes, extensions and line ends.
constexpr std::size_t kChunkOverheadMax = std::size_t{1} << 20;

// A span of the message by place, since the message may move.
struct Place {
  std::size_t begin = 0;
  std::size_t end = 0;
};
struct HeaderPlace {
  Place name;
  Place value;
};

void LowerInPlace(char* text, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] = static_cast<char>(text[i] | 0x20);
  }
}

HttpMethod MethodOf(std::uint8_t method) {
  switch (method) {
    case HTTP_GET: return HttpMethod::kGet;
    case HTTP_HEAD: return HttpMethod::kHead;
    case HTTP_POST: return HttpMethod::kPost;
    case HTTP_OPTIONS: return HttpMethod::kOptions;
    default: return HttpMethod::kOther;  // llhttp knows some fifty
  }
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view TrimEnd(std::string_view value) {
  return value.substr(0, value.find_last_not_of(" \t") + 1);
}

// Clients that take the server for a proxy send "http://host/path" (RFC 9112, 3.2.2). Leaves the
// path and query; gives the authority, if there is one.
std::string_view TakeAuthority(std::string_view& target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!EqualIgnoringCase(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::string_view authority = target.substr(0, target.find_first_of("/?"));
    target.remove_prefix(authority.size());
    return authority;
  }
  return {};
}

// Two of these in one request would let two readers see two requests.
bool MustBeSingle(std::string_view name) {
  return name == "host" || name == "authorization" || name == "content-type" ||
         name == "x-amz-target" || name == "x-amz-date" || name == "origin";
}

}  // namespace

std::optional<std::string_view> HttpRequest::Find(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (header.name == name) return header.value;
  }
  return std::nullopt;
}

struct HttpParser::Impl {
  llhttp_t parser{};
  HttpLimits limits;
  char* base = nullptr;  // of the message, during Parse
  std::size_t parsed = 0;
  State state = State::kHead;
  Failure failure;
  bool wants_continue = false;
  bool chunked = false;
  std::size_t head_end = 0;
  Place url;
  Place body;
  std::vector<HeaderPlace> headers;
  HttpRequest request;

  static Impl& Of(llhttp_t* parser) { return *static_cast<Impl*>(parser->data); }

  int Fail(int status, std::string_view reason) {
    failure = {.status = status, .reason = reason};
    return HPE_USER;
  }

  // Joins a piece to a place; pieces of one thing are neighbours, but for folded headers.
  int Extend(Place& place, const char* at, std::size_t length) {
    const auto begin = static_cast<std::size_t>(at - base);
    if (place.end == 0) {
      place = {.begin = begin, .end = begin + length};
      return HPE_OK;
    }
    if (place.end != begin && length > 0) return Fail(400, "Folded headers are not accepted");
    place.end += length;
    return HPE_OK;
  }

  int OnUrl(const char* at, std::size_t length) { return Extend(url, at, length); }

  int OnHeaderName(const char* at, std::size_t length) {
    if (state != State::kHead) return Fail(400, "Trailers are not accepted");
    if (headers.empty() || headers.back().value.end != 0) {
      if (headers.size() == kHeadersMax) return Fail(431, "Too many headers");
      headers.emplace_back();
    }
    LowerInPlace(base + (at - base), length);
    return Extend(headers.back().name, at, length);
  }

  int OnHeaderValue(const char* at, std::size_t length) {
    if (state != State::kHead || headers.empty()) return Fail(400, "Trailers are not accepted");
    return Extend(headers.back().value, at, length);
  }

  // An empty value has no data callback that tells its place.
  int OnHeaderValueComplete() {
    if (state != State::kHead || headers.empty()) return Fail(400, "Trailers are not accepted");
    HeaderPlace& header = headers.back();
    if (header.value.end == 0) header.value = {.begin = header.name.end, .end = header.name.end};
    return HPE_OK;
  }

  // Why not, if so. Another coding would have to be undone (RFC 9112, 6.1); HTTP/1.0 knows none.
  std::string_view CheckTransferEncoding() const {
    int codings = 0;
    for (const HeaderPlace& header : headers) {
      if (Text(header.name) != "transfer-encoding") continue;
      if (++codings > 1 || !EqualIgnoringCase(TrimEnd(Text(header.value)), "chunked")) {
        return "No transfer encoding but chunked is accepted";
      }
    }
    if (codings > 0 && IsOldVersion()) return "HTTP/1.0 has no transfer encodings";
    return {};
  }

  // Of before HTTP/1.1.
  bool IsOldVersion() const {
    return parser.http_major < 1 || (parser.http_major == 1 && parser.http_minor == 0);
  }

  int OnHeadersComplete() {
    state = State::kBody;
    chunked = (parser.flags & F_CHUNKED) != 0;
    if (parser.method == HTTP_CONNECT || parser.method == HTTP_PRI) {
      return Fail(405, "This method is not served");
    }
    if (const std::string_view refused = CheckTransferEncoding(); !refused.empty()) {
      return Fail(400, refused);
    }
    // An offer to change the protocol (h2c, websocket) is declined by answering in HTTP/1.1.
    parser.upgrade = 0;
    if (!chunked && parser.content_length > limits.body_bytes) {
      return Fail(413, "The request body is too long");
    }
    return HPE_OK;
  }

  int OnBody(const char* at, std::size_t length) {
    if (body.end == 0) {
      const auto begin = static_cast<std::size_t>(at - base);
      body = {.begin = begin, .end = begin};
    }
    if (body.end - body.begin + length > limits.body_bytes) {
      return Fail(413, "The request body is too long");
    }
    // Behind a chunk's size line the data moves down to its predecessor.
    if (base + body.end != at) std::memmove(base + body.end, at, length);
    body.end += length;
    return HPE_OK;
  }

  std::string_view Text(const Place& place) const {
    return {base + place.begin, place.end - place.begin};
  }

  std::optional<Failure> BuildRequest() {
    request.method = MethodOf(parser.method);
    request.keep_alive = llhttp_should_keep_alive(&parser) != 0;
    std::string_view target = Text(url);
    const std::string_view authority = TakeAuthority(target);
    const std::size_t question = target.find('?');
    request.path = target.substr(0, question);
    if (request.path.empty()) request.path = "/";  // "http://host?query"
    request.query = question == target.npos ? std::string_view() : target.substr(question + 1);
    request.body = Text(body);
    request.headers.clear();
    for (const HeaderPlace& place : headers) {
      HttpHeader header{.name = Text(place.name), .value = Text(place.value)};
      header.value = TrimEnd(header.value);
      if (MustBeSingle(header.name) && request.Find(header.name)) {
        return Failure{.status = 400, .reason = "A header that must be single was sent twice"};
      }
      request.headers.push_back(header);
    }
    const auto host = request.Find("host");
    if (!host && !IsOldVersion()) {
      return Failure{.status = 400, .reason = "The Host header is missing"};
    }
    if (host && !authority.empty() && !EqualIgnoringCase(*host, authority)) {
      return Failure{.status = 400, .reason = "The Host header and the target differ"};
    }
    return std::nullopt;
  }

  void NoteExpectation() {
    if (IsOldVersion()) return;  // RFC 9110, 10.1.1
    for (const HeaderPlace& header : headers) {
      if (Text(header.name) != "expect") continue;
      const std::string_view value = Text(header.value);
      wants_continue = value.starts_with("100-");
    }
  }

  static const llhttp_settings_t& Settings() {
    static const llhttp_settings_t settings = [] {
      llhttp_settings_t made;
      llhttp_settings_init(&made);
      made.on_url = [](llhttp_t* p, const char* at, size_t n) { return Of(p).OnUrl(at, n); };
      made.on_header_field = [](llhttp_t* p, const char* at, size_t n) {
        return Of(p).OnHeaderName(at, n);
      };
      made.on_header_value = [](llhttp_t* p, const char* at, size_t n) {
        return Of(p).OnHeaderValue(at, n);
      };
      made.on_header_value_complete = [](llhttp_t* p) { return Of(p).OnHeaderValueComplete(); };
      made.on_headers_complete = [](llhttp_t* p) { return Of(p).OnHeadersComplete(); };
      made.on_body = [](llhttp_t* p, const char* at, size_t n) { return Of(p).OnBody(at, n); };
      made.on_message_complete = [](llhttp_t* p) {
        Of(p).state = State::kComplete;
        return static_cast<int>(HPE_PAUSED);
      };
      return made;
    }();
    return settings;
  }
};

HttpParser::HttpParser(const HttpLimits& limits) : impl_(std::make_unique<Impl>()) {
  impl_->limits = limits;
  llhttp_init(&impl_->parser, HTTP_REQUEST, &Impl::Settings());
  impl_->parser.data = impl_.get();
}

HttpParser::~HttpParser() = default;

void HttpParser::Reset() {
  Impl& impl = *impl_;
  llhttp_reset(&impl.parser);
  impl.parsed = 0;
  impl.state = State::kHead;
  impl.failure = {};
  impl.wants_continue = false;
  impl.chunked = false;
  impl.head_end = 0;
  impl.url = {};
  impl.body = {};
  impl.headers.clear();
}

HttpParser::State HttpParser::Parse(std::span<char> message) {
  Impl& impl = *impl_;
  if (impl.state == State::kComplete || impl.state == State::kFailed) return impl.state;
  impl.base = message.data();
  const bool was_head = impl.state == State::kHead;
  const char* begin = message.data() + impl.parsed;
  const llhttp_errno_t error = llhttp_execute(&impl.parser, begin, message.size() - impl.parsed);
  const char* stopped =
      error == HPE_OK ? message.data() + message.size() : llhttp_get_error_pos(&impl.parser);
  if (stopped != nullptr) impl.parsed = static_cast<std::size_t>(stopped - message.data());

  if (impl.state == State::kComplete && error == HPE_PAUSED) {
    if (const auto failure = impl.BuildRequest()) {
      impl.failure = *failure;
      impl.state = State::kFailed;
    }
  } else if (error != HPE_OK) {
    if (impl.failure.reason.empty()) {
      impl.failure = {.status = 400, .reason = "The request is not well-formed HTTP"};
    }
    impl.state = State::kFailed;
  } else if (impl.state == State::kHead && message.size() > impl.limits.head_bytes) {
    impl.failure = {.status = 431, .reason = "The request's headers are too long"};
    impl.state = State::kFailed;
  } else if (impl.state == State::kBody) {
    if (was_head) {
      // The head ends inside this message: its whole length is a bound good enough.
      impl.head_end = message.size();
      impl.NoteExpectation();
    }
    if (impl.chunked && impl.parsed >= MessageBytesMax()) {
      impl.failure = {.status = 413, .reason = "The request body is too long"};
      impl.state = State::kFailed;
    }
  }
  return impl.state;
}

std::size_t HttpParser::MessageBytesMax() const {
  const Impl& impl = *impl_;
  if (impl.chunked) return impl.head_end + impl.limits.body_bytes + kChunkOverheadMax;
  // llhttp counts content_length down as the body comes.
  return impl.parsed + static_cast<std::size_t>(impl.parser.content_length);
}

bool HttpParser::LengthIsKnown() const { return !impl_->chunked; }
bool HttpParser::WantsContinue() const { return impl_->wants_continue; }
const HttpRequest& HttpParser::request() const { return impl_->request; }
std::size_t HttpParser::consumed() const { return impl_->parsed; }
HttpParser::Failure HttpParser::failure() const { return impl_->failure; }

}  // namespace kw::server
