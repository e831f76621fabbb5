// SPDX-License-Identifier: Apache-2.0
// Which keys answer which questions, with exact requests, and why others do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "modeller/plan/plan.h"
#include "modeller/plan/plan_test_support.h"

namespace kw::modeller {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

const std::string kHighest = "\xF4\x8F\xBF\xBF";

// One entity, its question `q`, one table whose members the test gives.
Planned One(const std::string& sql, const std::string& key, const std::string& indexes,
            const std::string& texts, const std::string& options = "") {
  return {R"(
model: one
entities:
  Event:
    identity: [id]
    count: 1000
    attributes:
      id:     {type: string}
      kind:   {type: string, values: [open, shut]}
      name:   {type: string}
      note:   {type: string, optional: 0.5}
      level:  {type: integer, min: 0, max: 999}
      delta:  {type: integer, min: -9, max: 9}
      at:     {type: timestamp}
questions:
  q: {sql: ")" +
              sql + "\"" + options + "}\n",
          "design: one\ntables:\n  Events:\n    key: " + key + "\n    indexes: " + indexes +
              "\n    entities:\n      Event: " + texts + "\n"};
}

// The requests for it, through an index `byX: {partition: p, sort: s}` beside a base key by id.
std::string Indexed(const std::string& sql, const std::string& partition, const std::string& sort,
                    const Bindings& bindings, const std::string& options = "") {
  const auto planned = One(sql, "{partition: pk}", "{byX: {partition: p, sort: s}}",
                           "{pk: \"E#{id}\", p: " + partition + ", s: " + sort + "}", options);
  return planned.faults.empty() ? planned.Calls("q", bindings) : planned.faults;
}

TEST(PathTest, RangesAreClosedInsideTheirPrefix) {
  const auto at = [](const std::string& condition, const std::string& sort,
                     const Bindings& bindings) {
    return Indexed("SELECT * FROM Event WHERE kind = :kind AND " + condition, "\"K#{kind}\"", sort,
                   bindings);
  };
  const std::string head = "query Events.byX p=K#open s";
  Bindings bindings{
      {"kind", "open"s}, {"a", Number::FromInteger(5)}, {"b", Number::FromInteger(70)}};
  EXPECT_EQ(at("level >= :a", "\"L#{level:03}\"", bindings), head + ">=L#005<=L#" + kHighest);
  EXPECT_EQ(at("level > :a", "\"L#{level:03}\"", bindings), head + ">=L#006<=L#" + kHighest);
  EXPECT_EQ(at("level <= :a", "\"L#{level:03}\"", bindings), head + ">=L#<=L#005");
  EXPECT_EQ(at("level < :a", "\"L#{level:03}\"", bindings), head + ">=L#<=L#004");
  EXPECT_EQ(at("level BETWEEN :a AND :b", "\"L#{level:03}\"", bindings), head + ">=L#005<=L#070");
  EXPECT_EQ(at("level BETWEEN :a AND :b", "\"L#{level:03:desc}\"", bindings),
            head + ">=L#929<=L#994");
  EXPECT_EQ(at("level BETWEEN :a AND :b", "\"L#{level:03}#{id}\"", bindings),
            head + ">=L#005<=L#070" + kHighest);
  // Nothing lies between, or beyond what the key can hold.
  EXPECT_EQ(at("level BETWEEN :b AND :a", "\"L#{level:03}\"", bindings), "");
  bindings["a"] = Number::FromInteger(1000);
  EXPECT_EQ(at("level >= :a", "\"L#{level:03}\"", bindings), "");
  EXPECT_EQ(at("level <= :a", "\"L#{level:03}\"", bindings), head + ">=L#<=L#999");
  bindings["a"] = Number::Parse("4.5").value();
  EXPECT_EQ(at("level >= :a", "\"L#{level:03}\"", bindings), head + ">=L#005<=L#" + kHighest);
  EXPECT_EQ(at("level <= :a", "\"L#{level:03}\"", bindings), head + ">=L#<=L#004");
  bindings["a"] = Number::FromInteger(-3);
  EXPECT_EQ(at("delta >= :a", "\"D#{delta:02}\"", bindings), head + ">=D#06<=D#" + kHighest);
}

TEST(PathTest, RangesOfText) {
  const auto at = [](const std::string& condition, const std::string& sort) {
    return Indexed("SELECT * FROM Event WHERE kind = :kind AND " + condition, "\"K#{kind}\"", sort,
                   {{"kind", "open"s}, {"a", "ab"s}, {"b", "b"s}});
  };
  const std::string head = "query Events.byX p=K#open s";
  EXPECT_EQ(at("name BETWEEN :a AND :b", "\"N#{name}\""), head + ">=N#ab<=N#b");
  EXPECT_EQ(at("name > :a", "\"N#{name}\""), head + ">=N#ab"s + '\0' + "<=N#" + kHighest);
  EXPECT_EQ(at("name < :b", "\"N#{name}\""), head + ">=N#<=N#a" + kHighest);
  EXPECT_EQ(at("name > :a", "\"N#{name}#{id}\""), head + ">=N#ab$<=N#" + kHighest);
  EXPECT_EQ(at("name <= :b", "\"N#{name}#{id}\""), head + ">=N#<=N#b$");
  EXPECT_EQ(at("name < :b", "\"N#{name}#{id}\""), head + ">=N#<=N#b");
  EXPECT_EQ(at("name LIKE 'ab%'", "\"N#{name}\""), head + "^N#ab");
  EXPECT_EQ(at("name LIKE 'ab%'", "\"{name}#{id}\""), head + "^ab");
}

TEST(PathTest, NativeKeysKeepTheirType) {
  const auto at = [](const std::string& condition, const Bindings& bindings) {
    const auto planned =
        One("SELECT * FROM Event WHERE kind = :kind AND name = :name AND " + condition,
            "{partition: {attribute: id}}", "{byX: {partition: [kind, name], sort: [level, at]}}",
            "{}");
    EXPECT_EQ(planned.faults, "");
    return planned.Calls("q", bindings);
  };
  Bindings bindings{{"kind", "open"s},
                    {"name", "n"s},
                    {"a", Number::FromInteger(5)},
                    {"t", Time("2026-01-02T03:04:05Z")}};
  const std::string head = "query Events.byX kind=open name=n";
  EXPECT_EQ(at("level > :a ORDER BY level DESC, at DESC LIMIT 3", bindings),
            head + " level>=6 backward limit 3");
  EXPECT_EQ(at("level <= :a", bindings), head + " level<=5");
  EXPECT_EQ(at("level = :a AND at < :t", bindings), head + " level=5 at<=2026-01-02T03:04:04Z");
  EXPECT_EQ(at("level = :a ORDER BY at DESC", bindings), head + " level=5 backward");
  EXPECT_THAT(at("at < :t", bindings), HasSubstr("`at` would be left to a filter"));
  EXPECT_THAT(at("level < :a ORDER BY at", bindings), HasSubstr("its order is not the question's"));
}

TEST(PathTest, BucketsAreWholePartitions) {
  const auto at = [](const std::string& condition, const std::string& partition,
                     const Bindings& bindings) {
    return Indexed("SELECT * FROM Event WHERE " + condition, partition, "\"{at}\"", bindings);
  };
  EXPECT_EQ(at("hour(at) = :h ORDER BY at", "\"{at:hour}\"", {{"h", "2026-06-23T14"s}}),
            "query Events.byX p=2026-06-23T14");
  EXPECT_EQ(at("month(at) = :m", "\"{at:month}\"", {{"m", "2026-02"s}}),
            "query Events.byX p=2026-02");
  // A finer question is a range inside its partition.
  EXPECT_EQ(at("date(at) = :d", "\"{at:month}\"", {{"d", "2026-02-28"s}}),
            "query Events.byX p=2026-02 s>=2026-02-28T00:00:00Z<=2026-02-28T23:59:59Z");
  EXPECT_EQ(at("hour(at) = :h AND date(at) = :d", "\"{at:date}\"",
               {{"h", "2026-06-23T14"s}, {"d", "2026-06-23"s}}),
            "query Events.byX p=2026-06-23 s>=2026-06-23T14:00:00Z<=2026-06-23T14:59:59Z");
  // A wider one is several.
  EXPECT_EQ(at("at BETWEEN :a AND :b", "\"{at:date}\"",
               {{"a", Time("2026-02-28T12:00:00Z")}, {"b", Time("2026-03-01T01:00:00Z")}}),
            "query Events.byX p=2026-02-28 s>=2026-02-28T12:00:00Z<=2026-03-01T01:00:00Z\n"
            "query Events.byX p=2026-03-01 s>=2026-02-28T12:00:00Z<=2026-03-01T01:00:00Z");
  EXPECT_THAT(at("at >= :a", "\"{at:date}\"", {{"a", Time("2026-02-28T12:00:00Z")}}),
              HasSubstr("`{at:date}` needs one `at`"));
  EXPECT_EQ(at("hour(at) = :h", "\"{at:hour}\"", {{"h", "yesterday"s}}), "");
}

TEST(PathTest, ShardsAreAskedOneByOne) {
  const auto planned = One("SELECT * FROM Event WHERE kind = :kind ORDER BY at LIMIT 5",
                           "{partition: pk}", "{byX: {partition: p, sort: s}}",
                           "{pk: \"E#{id}\", p: {text: \"K#{kind}\", shards: 3}, s: \"{at}\"}");
  ASSERT_EQ(planned.faults, "");
  EXPECT_EQ(planned.Calls("q", {{"kind", "open"s}}),
            "query Events.byX p=K#open#0 limit 5\nquery Events.byX p=K#open#1 limit 5\n"
            "query Events.byX p=K#open#2 limit 5");
  const auto& query = std::get<QueryPath>(*planned.plan->answers()[0].found());
  EXPECT_EQ(query.partitions, 3);
  EXPECT_FALSE(query.ordered);
  // Rows spread over all shards, each always to the same.
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto id = std::to_string(i);
    const auto row = planned.RowOf(
        "Event", {{"id", id.c_str()}, {"kind", "open"}, {"at", "2026-01-02T03:04:05Z"}});
    const auto item = planned.plan->ItemsOf(0, row).front().item;
    EXPECT_EQ(planned.plan->ItemsOf(0, row).front().item, item);
    seen.insert(Plain(*item.Find("p")));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"K#open#0", "K#open#1", "K#open#2"}));
}

TEST(PathTest, SparseIndexesNeedTheirLiteral) {
  const auto at = [](const std::string& condition) {
    return Indexed("SELECT * FROM Event WHERE " + condition,
                   "{text: OPEN, when: \"kind = 'open'\"}", "\"{at}\"", {{"kind", "open"s}});
  };
  EXPECT_EQ(at("kind = 'open' ORDER BY at LIMIT 5"), "query Events.byX p=OPEN limit 5");
  EXPECT_THAT(at("kind = 'shut'"), HasSubstr("holds only rows of one `kind`"));
  EXPECT_THAT(at("kind = :kind"), HasSubstr("holds only rows of one `kind`"));
}

TEST(PathTest, SaysWhyThereIsNoPath) {
  const auto at = [](const std::string& sql, const std::string& sort,
                     const std::string& options = "") {
    return Indexed(sql, "\"K#{kind}\"", sort, {}, options);
  };
  EXPECT_THAT(at("SELECT * FROM Event WHERE name = :n", "\"{at}\""),
              HasSubstr("its partition `E#{id}` needs one `id`, which the question does not give"));
  EXPECT_THAT(at("SELECT * FROM Event WHERE kind = :k AND name = :n", "\"{at}\""),
              HasSubstr("`name` would be left to a filter"));
  EXPECT_THAT(at("SELECT * FROM Event WHERE kind = :k ORDER BY level", "\"{level}\""),
              HasSubstr("its order is not the question's"));
  EXPECT_THAT(at("SELECT * FROM Event WHERE kind = :k AND level > 3", "\"{level}\""),
              HasSubstr("`level` would be left to a filter"));
  EXPECT_THAT(at("SELECT * FROM Event WHERE kind = :k", "\"{note}\""),
              HasSubstr("rows without `note` are not in it"));
  EXPECT_THAT(at("SELECT * FROM Event WHERE kind = :k", "\"{at}\"", ", consistency: strong"),
              HasSubstr("A strong read cannot be asked"));
  const auto narrow =
      One("SELECT id, name FROM Event WHERE kind = :k", "{partition: pk}",
          "{byX: {partition: p, project: keys}}", "{pk: \"E#{id}\", p: \"K#{kind}\"}");
  EXPECT_THAT(narrow.Calls("q", {}), HasSubstr("does not hold `id`"));
}

TEST(PathTest, AggregatesAreCountedOrTheFirstRow) {
  const auto at = [](const std::string& columns, const std::string& sort) {
    return Indexed("SELECT " + columns + " FROM Event WHERE kind = :k", "\"K#{kind}\"", sort,
                   {{"k", "open"s}});
  };
  EXPECT_EQ(at("COUNT(*)", "\"{at}\""), "query Events.byX p=K#open");
  EXPECT_EQ(at("MIN(level)", "\"{level:03}\""), "query Events.byX p=K#open limit 1");
  EXPECT_EQ(at("MAX(level)", "\"{level:03}\""), "query Events.byX p=K#open backward limit 1");
  EXPECT_EQ(at("MAX(level)", "\"{at}\""), "query Events.byX p=K#open");
  EXPECT_EQ(at("SUM(level)", "\"{at}\""), "query Events.byX p=K#open");
}

TEST(PathTest, LocalIndexesMayBeReadStrongly) {
  const auto planned =
      One("SELECT * FROM Event WHERE kind = :k ORDER BY level DESC", "{partition: pk, sort: sk}",
          "{byLevel: {partition: pk, sort: {attribute: level}, local: true}}",
          "{pk: \"K#{kind}\", sk: \"{id}\"}", ", consistency: strong");
  ASSERT_EQ(planned.faults, "");
  EXPECT_EQ(planned.Calls("q", {{"k", "open"s}}), "query Events.byLevel pk=K#open backward strong");
}

// Two entities in one partition.
std::string Overloaded(const std::string& user_sort, const std::string& group_sort,
                       const std::string& question) {
  const Planned planned(
      R"(
model: two
entities:
  Team: {identity: [team], count: 10, attributes: {team: {type: string}}}
  User: {identity: [team, user], references: {team: Team}, per: {Team: {average: 3}}, attributes: {user: {type: string}}}
  UserGroup: {identity: [team, group], references: {team: Team}, per: {Team: {average: 3}}, attributes: {group: {type: string}}}
questions:
  users: {sql: "SELECT * FROM User WHERE team = :team"}
  all: {collection: [User, UserGroup], by: team}
)",
      "design: two\ntables:\n  Teams:\n    key: {partition: pk, sort: sk}\n    entities:\n"
      "      Team: {pk: \"T#{team}\", sk: TEAM}\n      User: {pk: \"T#{team}\", sk: " +
          user_sort + "}\n      UserGroup: {pk: \"T#{team}\", sk: " + group_sort + "}\n");
  return planned.faults.empty() ? planned.Calls(question, {{"team", "a"s}}) : planned.faults;
}

TEST(PathTest, CollidingPrefixesAreNoPath) {
  EXPECT_EQ(Overloaded("\"USER#{user}\"", "\"USERGROUP#{group}\"", "users"),
            "query Teams pk=T#a sk^USER#");
  EXPECT_THAT(Overloaded("\"USER{user}\"", "\"USERGROUP#{group}\"", "users"),
              HasSubstr("An item of UserGroup may have the key of one of User."));
}

TEST(PathTest, CollectionsShareAPrefix) {
  EXPECT_EQ(Overloaded("\"USER#{user}\"", "\"USERGROUP#{group}\"", "all"),
            "query Teams pk=T#a sk^USER");
  EXPECT_THAT(Overloaded("\"USER#{user}\"", "\"GROUP#{group}\"", "all"),
              HasSubstr("would also hold rows of Team"));
}

TEST(CompileTest, RefusesKeysThatDoNotHold) {
  const auto faults = [](const std::string& key, const std::string& indexes,
                         const std::string& texts) {
    return One("SELECT * FROM Event WHERE id = :id", key, indexes, texts).faults;
  };
  EXPECT_THAT(faults("{partition: pk}", "{}", "{}"),
              HasSubstr("nothing for the key attribute `pk`"));
  EXPECT_THAT(faults("{partition: pk}", "{}", "{pk: \"{name}\"}"),
              HasSubstr("differ in `id` alone would share a key"));
  EXPECT_THAT(faults("{partition: pk}", "{}", "{pk: \"{id}#{note}\"}"),
              HasSubstr("`note` may be absent"));
  EXPECT_THAT(faults("{partition: pk}", "{}", "{pk: {text: \"{id}\", when: \"kind = 'open'\"}}"),
              HasSubstr("cannot depend on a condition"));
  EXPECT_THAT(faults("{partition: name}", "{}", "{name: \"{id}\"}"),
              HasSubstr("is also an attribute of Event"));
  EXPECT_THAT(faults("{partition: [id, name]}", "{}", "{}"), HasSubstr("too many attributes"));
  EXPECT_THAT(faults("{partition: pk}", "{loc: {partition: other, sort: s, local: true}}",
                     "{pk: \"{id}\"}"),
              HasSubstr("A local index has the table's partition"));
  std::string many = "{";
  for (int i = 0; i < 21; ++i)
    many += "ix" + std::to_string(i) + ": {partition: {attribute: name}}, ";
  EXPECT_THAT(faults("{partition: pk}", many + "}", "{pk: \"{id}\"}"),
              HasSubstr("21 global indexes"));
  EXPECT_THAT(faults("{partition: pk}", "{i: {partition: {attribute: name}}}", "{pk: \"{id}\"}"),
              HasSubstr("cannot name an index"));
}

}  // namespace
}  // namespace kw::modeller
