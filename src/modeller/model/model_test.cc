// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace kw::modeller {
namespace {

std::string ReadExample(const std::string& name) {
  std::ifstream in(std::string(KW_EXAMPLES) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ExamplesTest, AllRead) {
  for (const char* name : {"leaderboard", "shop", "tenants", "tickets"}) {
    const std::string file = std::string(name) + ".kw.yaml";
    const auto model = Model::Parse(ReadExample(file));
    ASSERT_TRUE(model) << Describe(model.error(), file);
    EXPECT_EQ(model->name(), name);
  }
}

}  // namespace
}  // namespace kw::modeller
