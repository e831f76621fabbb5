// SPDX-License-Identifier: Apache-2.0
#include "server/page.h"

#include <fmt/format.h>

#include "studio/assets.h"

namespace kw::server {
namespace {

// Nothing from elsewhere, no inline script or style, no frame around it.
constexpr std::string_view kPolicy =
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const studio::Asset* Find(const HttpRequest& request) {
  const bool wants_page = request.Find("accept").value_or(std::string_view()).find("text/html") !=
                          std::string_view::npos;
  if (request.path == "/" || request.path == "/studio" || request.path.starts_with("/studio/")) {
    return wants_page ? studio::FindAsset("/") : nullptr;
  }
  return studio::FindAsset(request.path);
}

// Whether the list names the coding and does not refuse it.
bool Accepts(const HttpRequest& request, std::string_view coding) {
  const std::string_view list = request.Find("accept-encoding").value_or(std::string_view());
  const std::size_t at = list.find(coding);
  return at != list.npos && !list.substr(at + coding.size()).starts_with(";q=0");
}

}  // namespace

std::optional<PageAnswer> AnswerPage(const HttpRequest& request) {
  const studio::Asset* asset = Find(request);
  if (asset == nullptr) return std::nullopt;
  PageAnswer answer{.content_type = asset->content_type, .body = {}, .headers = {}};
  // Files are named after their content; the page, which names them, is asked for anew.
  const bool is_page = asset->path == "/";
  answer.headers = fmt::format(
      "ETag: {}\r\nCache-Control: {}\r\nVary: Accept, Accept-Encoding\r\n"
      "X-Content-Type-Options: nosniff\r\n",
      asset->etag, is_page ? "no-cache" : "public, max-age=31536000, immutable");
  if (is_page) {
    answer.headers += fmt::format(
        "Content-Security-Policy: {}\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n",
        kPolicy);
  }
  if (request.Find("if-none-match") == asset->etag) {
    answer.status = 304;
    return answer;
  }
  if (!asset->brotli.empty() && Accepts(request, "br")) {
    answer.headers += "Content-Encoding: br\r\n";
    answer.body = asset->brotli;
  } else if (!asset->gzip.empty() && Accepts(request, "gzip")) {
    answer.headers += "Content-Encoding: gzip\r\n";
    answer.body = asset->gzip;
  } else {
    answer.body = asset->identity;
  }
  return answer;
}

}  // namespace kw::server
