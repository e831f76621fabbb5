// SPDX-License-Identifier: Apache-2.0
#include "server/http.h"

#include <gtest/gtest.h>

#include <string>

namespace kw::server {
namespace {

using State = HttpParser::State;

constexpr std::string_view kPost =
    "POST /?a=b HTTP/1.1\r\nHost: localhost:8000\r\nX-Amz-Target: T.Op\r\nEmpty:\r\n"
    "Padded: \t some value \t\r\nContent-Length: 5\r\n\r\nhello";

State ParseWhole(HttpParser& parser, std::string& message) { return parser.Parse(message); }

void ExpectPost(const HttpParser& parser) {
  const HttpRequest& request = parser.request();
  EXPECT_EQ(request.method, HttpMethod::kPost);
  EXPECT_EQ(request.path, "/");
  EXPECT_EQ(request.query, "a=b");
  EXPECT_EQ(request.Find("host"), "localhost:8000");
  EXPECT_EQ(request.Find("x-amz-target"), "T.Op");
  EXPECT_EQ(request.Find("empty"), "");
  EXPECT_EQ(request.Find("padded"), "some value");
  EXPECT_EQ(request.Find("absent"), std::nullopt);
  EXPECT_EQ(request.body, "hello");
  EXPECT_TRUE(request.keep_alive);
}

TEST(HttpParser, WholeRequest) {
  HttpParser parser({});
  std::string message(kPost);
  ASSERT_EQ(ParseWhole(parser, message), State::kComplete);
  EXPECT_EQ(parser.consumed(), kPost.size());
  ExpectPost(parser);
}

TEST(HttpParser, ByteByByteInABufferThatMoves) {
  HttpParser parser({});
  for (std::size_t length = 1; length < kPost.size(); ++length) {
    std::string message(kPost.substr(0, length));  // another place each time
    ASSERT_NE(parser.Parse(message), State::kComplete) << length;
    ASSERT_NE(parser.Parse(message), State::kFailed) << parser.failure().reason;
  }
}

TEST(HttpParser, EverySplitInTwo) {
  for (std::size_t length = 1; length < kPost.size(); ++length) {
    HttpParser parser({});
    std::string message(kPost);
    ASSERT_NE(parser.Parse({message.data(), length}), State::kComplete);
    std::string moved = message;
    ASSERT_EQ(parser.Parse(moved), State::kComplete) << length;
    ExpectPost(parser);
  }
}

TEST(HttpParser, PipelinedRequestsStandApart) {
  std::string both = std::string(kPost) + std::string(kPost);
  HttpParser parser({});
  ASSERT_EQ(ParseWhole(parser, both), State::kComplete);
  EXPECT_EQ(parser.consumed(), kPost.size());
  parser.Reset();
  ASSERT_EQ(parser.Parse({both.data() + kPost.size(), kPost.size()}), State::kComplete);
  ExpectPost(parser);
}

TEST(HttpParser, ChunksAreJoined) {
  const std::string_view kChunked =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nhel\r\n1;x=y\r\nl\r\n00001\r\no\r\n0\r\n\r\n";
  for (std::size_t length = 1; length <= kChunked.size(); ++length) {
    HttpParser parser({});
    std::string message(kChunked);
    parser.Parse({message.data(), length});
    ASSERT_EQ(parser.Parse(message), State::kComplete) << length << parser.failure().reason;
    EXPECT_EQ(parser.request().body, "hello");
    EXPECT_EQ(parser.consumed(), kChunked.size());
  }
}

TEST(HttpParser, KeepAlive) {
  const struct {
    std::string_view head;
    bool keep_alive;
  } kCases[] = {
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false},
      {"GET / HTTP/1.0\r\n\r\n", false},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true},
      {"\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", true},
      // The JVM's client offers HTTP/2 this way.
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
       "h2c\r\nHTTP2-Settings: "
       "AA\r\n\r\n",
       true},
  };
  for (const auto& test : kCases) {
    HttpParser parser({});
    std::string message(test.head);
    ASSERT_EQ(ParseWhole(parser, message), State::kComplete)
        << test.head << parser.failure().reason;
    EXPECT_EQ(parser.request().keep_alive, test.keep_alive) << test.head;
    EXPECT_EQ(parser.consumed(), message.size()) << test.head;
  }
}

TEST(HttpParser, Refusals) {
  const struct {
    std::string message;
    int status;
  } kCases[] = {
      {"\x16\x03\x01\x02", 400},
      {"hello\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nauthorization: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
       "0\r\n\r\n",
       400},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" +
           std::string(101, 'x'),
       413},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n",
       400},
      {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(2000, 'x'), 431},
      {"GET / HTTP/1.1\r\n" +
           [] {
             std::string many;
             for (int i = 0; i < 200; ++i) many += "A: b\r\n";
             return many;
           }(),
       431},
  };
  for (const auto& test : kCases) {
    HttpParser parser({.head_bytes = 1000, .body_bytes = 100});
    std::string message = test.message;
    ASSERT_EQ(ParseWhole(parser, message), State::kFailed) << test.message;
    EXPECT_EQ(parser.failure().status, test.status) << test.message;
    EXPECT_FALSE(parser.failure().reason.empty());
  }
}

TEST(HttpParser, Targets) {
  const struct {
    std::string_view target;
    std::string_view path;
    std::string_view query;
  } kCases[] = {
      {"/", "/", ""},
      {"/a?b?c", "/a", "b?c"},
      {"http://h:80", "/", ""},
      {"HTTP://H:80/a?b", "/a", "b"},
      {"https://h:80?b=/c", "/", "b=/c"},
  };
  for (const auto& test : kCases) {
    HttpParser parser({});
    std::string message = "GET " + std::string(test.target) + " HTTP/1.1\r\nHost: h:80\r\n\r\n";
    ASSERT_EQ(ParseWhole(parser, message), State::kComplete) << test.target;
    EXPECT_EQ(parser.request().path, test.path) << test.target;
    EXPECT_EQ(parser.request().query, test.query) << test.target;
  }
}

TEST(HttpParser, TransferEncodingIsReadInAnyCase) {
  HttpParser parser({});
  std::string message =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED \r\n\r\n2\r\nhi\r\n0\r\n\r\n";
  ASSERT_EQ(ParseWhole(parser, message), State::kComplete) << parser.failure().reason;
  EXPECT_EQ(parser.request().body, "hi");
}

TEST(HttpParser, BodiesAnnounceTheirLength) {
  HttpParser parser({});
  std::string message =
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\nab";
  ASSERT_EQ(ParseWhole(parser, message), State::kBody);
  EXPECT_TRUE(parser.WantsContinue());
  EXPECT_EQ(parser.MessageBytesMax(), message.size() + 998);
}

}  // namespace
}  // namespace kw::server
