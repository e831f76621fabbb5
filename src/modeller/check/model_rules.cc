// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/limits.h"
#include "expr/reserved_words.h"
#include "modeller/check/rules.h"

namespace kw::modeller {
namespace {

template <class Look>
void ForEachAttribute(const Model& model, Look look) {
  for (EntityId id = 0; id < model.entities().size(); ++id) {
    for (AttributeId a = 0; a < model.entity(id).attributes.size(); ++a) {
      look(model.entity(id), model.entity(id).attributes[a], id, a);
    }
  }
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The texts that the model shows of an attribute.
std::vector<std::string> Shown(const Attribute& attribute) {
  std::vector<std::string> texts;
  const auto add = [&](const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) texts.push_back(*text);
  };
  if (attribute.example) add(*attribute.example);
  for (const Value& value : attribute.values) add(value);
  return texts;
}

// 23/06/2026, 06-23-2026, Jun 23 2026, 2026-06-23 14:00: a time, but none that sorts as it runs.
bool LooksLikeOtherTime(const std::string& text) {
  if (ParseTimestamp(text) || ParseDate(text)) return false;
  const auto digits = std::ranges::count_if(text, IsDigit);
  const auto marks = std::ranges::count_if(text, [](char c) { return c == '/' || c == ':'; });
  const bool dashed = text.size() >= 10 && text[2] == '-' && text[5] == '-';
  return (digits >= 6 && marks >= 2) || (digits >= 8 && dashed) ||
         (digits >= 12 && text.find(':') != text.npos);
}

// v10.0, 1.2.3.
bool LooksLikeVersion(std::string_view text) {
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  bool dot = false;
  bool last_digit = false;
  for (const char c : text) {
    if (c == '.') {
      if (!last_digit) return false;
      dot = true;
    } else if (!IsDigit(c)) {
      return false;
    }
    last_digit = IsDigit(c);
  }
  return dot && last_digit;
}

bool IsOrderedBy(const Model& model, EntityId entity, AttributeId attribute) {
  return std::ranges::any_of(model.questions(), [&](const Question& question) {
    const auto* select = std::get_if<Select>(&question.asks);
    if (select == nullptr || select->entity != entity) return false;
    const bool ordered = std::ranges::any_of(
        select->order, [&](const Order& order) { return order.attribute == attribute; });
    return ordered || (select->range && select->range->attribute == attribute);
  });
}

}  // namespace

void LookAtTimes(const Subject& subject, Findings& findings) {
  ForEachAttribute(
      subject.model, [&](const Entity& entity, const Attribute& attribute, EntityId, AttributeId) {
        for (const std::string& text : Shown(attribute)) {
          if (attribute.type != FieldType::kString || !LooksLikeOtherTime(text)) continue;
          findings.push_back(
              {.at = attribute.at,
               .message = fmt::format("{}.{} holds a time that does not sort as time runs.",
                                      entity.name, attribute.name),
               .example = fmt::format("'{}' stands among others by its first characters", text),
               .fix = "Write type: timestamp, and store 2026-06-23T14:00:00Z: ISO-8601, in UTC."});
          break;
        }
      });
}

void LookAtVersions(const Subject& subject, Findings& findings) {
  ForEachAttribute(subject.model, [&](const Entity& entity, const Attribute& attribute, EntityId id,
                                      AttributeId a) {
    const auto texts = Shown(attribute);
    if (attribute.type != FieldType::kString || !std::ranges::any_of(texts, LooksLikeVersion)) {
      return;
    }
    const bool in_identity = std::ranges::find(entity.identity, a) != entity.identity.end();
    if (!in_identity && !IsOrderedBy(subject.model, id, a)) return;
    findings.push_back(
        {.at = attribute.at,
         .message = fmt::format("{}.{} is a version in a key: text puts v10.0 before v2.0.",
                                entity.name, attribute.name),
         .example = "'v10.0' < 'v2.0'",
         .fix = "Keep the version as integers, and pad each of them in the key: v0010.0000."});
  });
}

void LookAtRanks(const Subject& subject, Findings& findings) {
  ForEachAttribute(
      subject.model, [&](const Entity& entity, const Attribute& attribute, EntityId, AttributeId) {
        std::string name = attribute.name;
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const bool rank = name == "rank" || name == "ranking" || name == "place" ||
                          name.ends_with("_rank") || attribute.name.ends_with("Rank");
        if (!rank || attribute.type != FieldType::kInteger) return;
        findings.push_back(
            {.at = attribute.at,
             .message = fmt::format("{}.{} is stored: whoever overtakes one row changes all below.",
                                    entity.name, attribute.name),
             .example = "one new first place: every other item is written again",
             .fix = "Store what it is ranked by, sort an index by that, and count while reading."});
      });
}

void LookAtReservedWords(const Subject& subject, Findings& findings) {
  ForEachAttribute(
      subject.model, [&](const Entity& entity, const Attribute& attribute, EntityId, AttributeId) {
        if (!IsReservedWord(attribute.name)) return;
        findings.push_back(
            {.at = attribute.at,
             .message =
                 fmt::format("{}.{} is a reserved word of DynamoDB.", entity.name, attribute.name),
             .example = fmt::format("UpdateExpression: SET {} = :v is refused", attribute.name),
             .fix = fmt::format("Write #{0} in expressions, with ExpressionAttributeNames "
                                "{{\"#{0}\": \"{0}\"}}.",
                                attribute.name)});
      });
}

void LookAtItemSizes(const Subject& subject, Findings& findings) {
  constexpr std::int64_t kNear = limits::kItemBytesMax / 4 * 3;
  for (EntityId id = 0; id < subject.model.entities().size(); ++id) {
    const std::int64_t bytes = RowSize(subject.model, id).value();
    if (bytes < kNear) continue;
    findings.push_back(
        {.at = subject.model.entity(id).at,
         .message = fmt::format("{} is {} bytes on average; an item may have {}.",
                                subject.model.entity(id).name, bytes, limits::kItemBytesMax),
         .example = "a row a little larger than the others is refused",
         .fix =
             "Put the large part elsewhere and its address here, or cut it into several items."});
  }
}

void LookAtChangeSizes(const Subject& subject, Findings& findings) {
  for (const Change& change : subject.model.changes()) {
    std::int64_t rows = 0;
    for (const Statement& statement : change.statements) rows += statement.times;
    if (rows <= static_cast<std::int64_t>(limits::kTransactionActionsMax)) continue;
    findings.push_back(
        {.at = change.at,
         .message = fmt::format("{} writes {} rows; a transaction has at most {}.", change.name,
                                rows, limits::kTransactionActionsMax),
         .example = fmt::format("the {}st row is in another transaction",
                                limits::kTransactionActionsMax + 1),
         .fix = "Write the rows in several changes, the one that makes them visible last."});
  }
}

}  // namespace kw::modeller
