// SPDX-License-Identifier: Apache-2.0
#include "server/guard.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kw::server {
namespace {

constexpr std::size_t kQuotedMax = 200;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return lower;
}

// "[::1]:8000" and "localhost:8000" without the port and the brackets.
std::string_view NameOfHost(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == host.npos ? host : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

std::string_view HostOf(const HttpRequest& request) {
  return request.Find("host").value_or("localhost");  // HTTP/1.0 has none
}

bool IsAddress(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> address;
  return inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

bool Contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& entry) { return entry == "*" || entry == wanted; });
}

}  // namespace

Guard::Guard(GuardOptions options) : options_(std::move(options)) {
  for (std::string& host : options_.allow_hosts) host = Lower(host);
  for (std::string& origin : options_.allow_origins) origin = Lower(origin);
}

bool Guard::AllowsHost(std::string_view host) const {
  if (host == "localhost:8000" || host == "127.0.0.1:8000") return true;  // nearly every request
  const std::string name = Lower(NameOfHost(host));
  return name == "localhost" || name.ends_with(".localhost") || IsAddress(name) ||
         Contains(options_.allow_hosts, name);
}

bool Guard::AllowsOrigin(std::string_view origin, std::string_view host) const {
  const std::string sent = Lower(origin);
  return sent == fmt::format("{}://{}", options_.tls ? "https" : "http", Lower(host)) ||
         Contains(options_.allow_origins, sent);
}

std::optional<Guard::Refusal> Guard::CheckHost(const HttpRequest& request) const {
  const std::string_view host = HostOf(request);
  if (!AllowsHost(host)) {
    return Refusal{
        .status = 403,
        .message = fmt::format("The host '{}' is not one of this server's names. Start it "
                               "with --allow-host {} if it should be.",
                               host.substr(0, kQuotedMax), NameOfHost(host).substr(0, kQuotedMax))};
  }
  return std::nullopt;
}

std::optional<Guard::Refusal> Guard::CheckOrigin(const HttpRequest& request) const {
  const std::optional<std::string_view> origin = request.Find("origin");
  if (origin && !AllowsOrigin(*origin, HostOf(request))) {
    return Refusal{.status = 403,
                   .message = fmt::format("Pages of '{0}' may not use this server. Start it with "
                                          "--allow-origin {0} if they should.",
                                          origin->substr(0, kQuotedMax))};
  }
  return std::nullopt;
}

std::optional<Guard::Refusal> Guard::CheckContentType(const HttpRequest& request) {
  constexpr std::array<std::string_view, 3> kAccepted = {
      "application/x-amz-json-1.0", "application/x-amz-json-1.1", "application/json"};
  const std::string_view sent = request.Find("content-type").value_or(std::string_view());
  if (sent == kAccepted.front()) return std::nullopt;
  std::string_view type = sent.substr(0, sent.find(';'));
  type = type.substr(0, type.find_last_not_of(' ') + 1);
  if (std::find(kAccepted.begin(), kAccepted.end(), Lower(type)) != kAccepted.end()) {
    return std::nullopt;
  }
  return Refusal{
      .status = 415,
      .message = fmt::format("Send 'Content-Type: application/x-amz-json-1.0', not '{}'.",
                             sent.substr(0, kQuotedMax))};
}

}  // namespace kw::server
