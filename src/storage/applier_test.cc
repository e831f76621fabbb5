// SPDX-License-Identifier: Apache-2.0
#include "storage/applier.h"

#include <gtest/gtest.h>

#include <new>

#include "storage/store_test_support.h"

namespace kw::storage {
namespace {

void FailToApply(UpdateBatch& /*batch*/) { throw std::bad_alloc(); }

std::unique_ptr<Update> AnyUpdate() {
  return std::make_unique<LambdaUpdate>(
      std::vector<RowKey>{}, [](SeenViews) { return Mutation(); }, [](const auto&) {});
}

// A caller might catch the exception, and every later write would wait for this turn's end.
TEST(ApplierDeathTest, AnExceptionEndsTheProcessWhoeversThreadItIs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(Applier({.queue_max = 1, .batch_max = 1}, FailToApply)
                   .Submit(AnyUpdate(), /*inline_if_idle=*/true),
               "terminate");
  EXPECT_DEATH(Applier({.queue_max = 1, .batch_max = 1}, FailToApply).BetweenBatches([] {
    throw std::bad_alloc();
  }),
               "terminate");
}

}  // namespace
}  // namespace kw::storage
