// SPDX-License-Identifier: Apache-2.0
// What the server shows to people: one page that needs nothing from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace kw::server {

// `origin` is what the reader's browser asked, "http://localhost:8000"; it is escaped here.
std::string RenderHomePage(std::string_view origin);

// The Content-Security-Policy that goes with the page: its one style sheet and nothing else.
const std::string& HomePagePolicy();

}  // namespace kw::server
