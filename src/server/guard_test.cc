// SPDX-License-Identifier: Apache-2.0
#include "server/guard.h"

#include <gtest/gtest.h>

namespace kw::server {
namespace {

HttpRequest From(std::string_view host, std::optional<std::string_view> origin = std::nullopt) {
  HttpRequest request;
  request.headers.push_back({.name = "host", .value = host});
  if (origin) request.headers.push_back({.name = "origin", .value = *origin});
  return request;
}

TEST(Guard, Hosts) {
  const Guard guard({.allow_hosts = {"DB.example.com"}, .allow_origins = {}});
  for (const std::string_view host :
       {"localhost:8000", "localhost", "LOCALHOST:1", "db.localhost:8000", "127.0.0.1:8000",
        "127.9.9.9", "[::1]:8000", "[::1]", "192.168.1.7:8000", "db.example.com:8000",
        "db.EXAMPLE.com"}) {
    EXPECT_FALSE(guard.CheckHost(From(host))) << host;
  }
  for (const std::string_view host :
       {"", "evil.example", "evil.example:8000", "localhost.evil.example", "notlocalhost",
        "127.0.0.1.evil.example", "[::1", "[evil]:8000", "db.example.com.", "1.2.3"}) {
    EXPECT_TRUE(guard.CheckHost(From(host))) << host;
  }
}

TEST(Guard, Origins) {
  const Guard guard({.allow_hosts = {}, .allow_origins = {"https://studio.example"}});
  EXPECT_FALSE(guard.CheckOrigin(From("localhost:8000", "http://localhost:8000")));
  EXPECT_FALSE(guard.CheckOrigin(From("localhost:8000", "https://studio.example")));
  for (const std::string_view origin : {"null", "http://localhost:3000", "https://localhost:8000",
                                        "http://localhost", "http://evil.example", ""}) {
    EXPECT_TRUE(guard.CheckOrigin(From("localhost:8000", origin))) << origin;
  }
  const Guard any({.allow_hosts = {"*"}, .allow_origins = {"*"}});
  EXPECT_FALSE(any.CheckOrigin(From("evil.example", "http://evil.example:1")));
  const Guard tls({.allow_hosts = {}, .allow_origins = {}, .tls = true});
  EXPECT_FALSE(tls.CheckOrigin(From("localhost:8000", "https://localhost:8000")));
  EXPECT_TRUE(tls.CheckOrigin(From("localhost:8000", "http://localhost:8000")));
}

TEST(Guard, RefusalsSayWhatWouldHelp) {
  const Guard guard({.allow_hosts = {}, .allow_origins = {}});
  EXPECT_EQ(
      guard.CheckHost(From("db.example:80"))->message,
      "The host 'db.example:80' is not one of this server's names. Start it with --allow-host "
      "db.example if it should be.");
  EXPECT_EQ(guard.CheckOrigin(From("localhost", "http://a.example"))->message,
            "Pages of 'http://a.example' may not use this server. Start it with --allow-origin "
            "http://a.example if they should.");
}

TEST(Guard, ContentTypes) {
  const auto check = [](std::string_view type) {
    HttpRequest request;
    request.headers.push_back({.name = "content-type", .value = type});
    return Guard::CheckContentType(request).has_value();
  };
  for (const std::string_view type :
       {"application/x-amz-json-1.0", "application/x-amz-json-1.1", "application/json",
        "application/x-amz-json-1.0; charset=UTF-8", "Application/JSON ;charset=utf-8"}) {
    EXPECT_FALSE(check(type)) << type;
  }
  // What a browser sends to a foreign site without asking it first.
  for (const std::string_view type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
        "text/plain; application/json", "application/jsonx"}) {
    EXPECT_TRUE(check(type)) << type;
  }
  EXPECT_TRUE(Guard::CheckContentType(HttpRequest{}));
}

}  // namespace
}  // namespace kw::server
