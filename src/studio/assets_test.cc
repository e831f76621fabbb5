// SPDX-License-Identifier: Apache-2.0
#include "studio/assets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw::studio {
namespace {

TEST(Assets, ThePageAndItsFilesAreThere) {
  EXPECT_TRUE(std::ranges::is_sorted(Assets(), {}, &Asset::path));
  const Asset* page = FindAsset("/");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(page->identity.starts_with("<!doctype html>"));
  EXPECT_EQ(FindAsset("/assets/nothing.js"), nullptr);
  std::size_t referred = 0;
  for (const Asset& asset : Assets()) {
    EXPECT_EQ(FindAsset(asset.path), &asset);
    EXPECT_FALSE(asset.identity.empty()) << asset.path;
    EXPECT_TRUE(asset.etag.starts_with('"') && asset.etag.ends_with('"')) << asset.path;
    EXPECT_LT(asset.brotli.size(), asset.identity.size());
    EXPECT_TRUE(asset.gzip.empty() || asset.gzip.starts_with("\x1f\x8b")) << asset.path;
    referred += page->identity.find(asset.path) != page->identity.npos && asset.path != "/";
  }
  EXPECT_GE(referred, 2U);  // at least its script and its style
}

// What the content security policy would block must not be in the page.
TEST(Assets, ThePageHasNoInlineScriptOrStyle) {
  const std::string_view page = FindAsset("/")->identity;
  EXPECT_EQ(page.find("<style"), page.npos);
  EXPECT_EQ(page.find("<script>"), page.npos);
  EXPECT_EQ(page.find("//"), page.npos) << "no other host";
}

}  // namespace
}  // namespace kw::studio
