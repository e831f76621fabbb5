// SPDX-License-Identifier: Apache-2.0
#include "data/metering.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

constexpr ByteCount kKb{1024};

HalfUnits Units(std::int64_t whole) { return HalfUnits(2 * whole); }

// aws-doc: "Read and write capacity modes".
TEST(ReadUnits, AreRoundedUpToFourKilobytes) {
  EXPECT_EQ(ReadUnits(ByteCount(0), ReadMode::kEventual), HalfUnits(1));
  EXPECT_EQ(ReadUnits(ByteCount(0), ReadMode::kStrong), Units(1));
  EXPECT_EQ(ReadUnits(ByteCount(4096), ReadMode::kStrong), Units(1));
  EXPECT_EQ(ReadUnits(ByteCount(4097), ReadMode::kStrong), Units(2));
  EXPECT_EQ(ReadUnits(ByteCount(4097), ReadMode::kEventual), Units(1));
  EXPECT_EQ(ReadUnits(ByteCount(4097), ReadMode::kTransactional), Units(4));
  // A query over 200 items of 2 KB.
  EXPECT_EQ(ReadUnits(kKb * 400, ReadMode::kStrong), Units(100));
  EXPECT_EQ(ReadUnits(kKb * 400, ReadMode::kEventual), Units(50));
}

TEST(WriteUnits, AreRoundedUpToOneKilobyte) {
  EXPECT_EQ(WriteUnits(ByteCount(0), WriteMode::kStandard), Units(1));
  EXPECT_EQ(WriteUnits(kKb, WriteMode::kStandard), Units(1));
  EXPECT_EQ(WriteUnits(ByteCount(1025), WriteMode::kStandard), Units(2));
  EXPECT_EQ(WriteUnits(ByteCount(1025), WriteMode::kTransactional), Units(4));
}

// aws-doc: "Using Global Secondary Indexes", provisioned throughput considerations.
TEST(IndexWriteUnits, FollowTheChangeOfTheEntry) {
  const ByteCount small(100);
  const ByteCount large(1500);
  EXPECT_EQ(IndexWriteUnits({}), Units(0));
  EXPECT_EQ(IndexWriteUnits({.before = std::nullopt, .after = large}), Units(2));
  EXPECT_EQ(IndexWriteUnits({.before = large, .after = std::nullopt}), Units(2));
  EXPECT_EQ(IndexWriteUnits({.before = small, .after = small}), Units(0));
  EXPECT_EQ(IndexWriteUnits({.before = small, .after = small, .view_changed = true}), Units(1));
  EXPECT_EQ(IndexWriteUnits({.before = large, .after = small, .view_changed = true}), Units(2));
  EXPECT_EQ(IndexWriteUnits({.before = large, .after = small, .key_changed = true}), Units(3));
}

// A ticket of 1 KB whose status changes, two ways.
TEST(WorkedCase, StatusInAKeyOrInAnIndex) {
  const HalfUnits in_sort_key = WriteUnits(kKb, WriteMode::kTransactional) * 2;
  EXPECT_EQ(in_sort_key, Units(4));
  Capacity in_index;
  in_index.table_write = WriteUnits(kKb, WriteMode::kStandard);
  in_index.global["by-status"].write =
      IndexWriteUnits({.before = kKb, .after = kKb, .key_changed = true, .view_changed = true});
  EXPECT_EQ(in_index.write_total(), Units(3));
}

TEST(Capacity, AddsUpByStructure) {
  Capacity a;
  a.table_read = HalfUnits(1);
  a.local["l"] = {.read = HalfUnits(2), .write = HalfUnits(0)};
  Capacity b;
  b.table_read = HalfUnits(4);
  b.table_write = HalfUnits(8);
  b.local["l"] = {.read = HalfUnits(16), .write = HalfUnits(32)};
  b.global["g"] = {.read = HalfUnits(64), .write = HalfUnits(128)};
  a += b;
  EXPECT_EQ(a.read_total(), HalfUnits(1 + 2 + 4 + 16 + 64));
  EXPECT_EQ(a.write_total(), HalfUnits(8 + 32 + 128));
  EXPECT_EQ(a.local["l"], (Capacity::Index{HalfUnits(18), HalfUnits(32)}));
}

}  // namespace
}  // namespace kw
