// SPDX-License-Identifier: Apache-2.0
// What browsers get: the studio's files, with the headers that keep them safe and cached.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"

namespace kw::server {

struct PageAnswer {
  int status = 200;  // 304 if the reader has it already
  std::string_view content_type;
  std::string body;
  std::string headers;  // each line with its end
};

// The file at the request's path, or the page itself at every path of a screen, if the reader wants
// HTML. Nothing: the path is none of these.
std::optional<PageAnswer> AnswerPage(const HttpRequest& request);

}  // namespace kw::server
