// SPDX-License-Identifier: Apache-2.0
// The files of the studio's web page, inside the program. Hides where they lie; tools/web builds
// and compresses them, and writes the definitions.
#pragma once

#include <span>
#include <string_view>

namespace kw::studio {

struct Asset {
  std::string_view path;  // "/assets/index-3f2a.js"; the page itself is "/"
  std::string_view content_type;
  std::string_view etag;  // with its quotes
  std::string_view identity;
  std::string_view gzip;    // empty where it saves nothing
  std::string_view brotli;  // likewise
};

// Sorted by path.
std::span<const Asset> Assets();
// Null: there is none at that path.
const Asset* FindAsset(std::string_view path);

}  // namespace kw::studio
