// SPDX-License-Identifier: Apache-2.0
#include "modeller/design/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "data/limits.h"
#include "modeller/plan/asked.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kSubsetAttributesMax = 5;  // whose subsets are tried: 31 of them

bool Contains(const auto& values, const auto& value) {
  return std::ranges::find(values, value) != values.end();
}

bool IsNumber(const Attribute& attribute) {
  return attribute.type == FieldType::kInteger || attribute.type == FieldType::kDecimal;
}
bool IsBounded(const Attribute& attribute) { return attribute.min && attribute.max; }

std::vector<Order> OrderOf(const Select& select) {
  const auto* aggregate = std::get_if<Aggregate>(&select.columns);
  if (aggregate == nullptr || !aggregate->attribute) return select.order;
  switch (aggregate->kind) {
    case AggregateKind::kMin: return {{.attribute = *aggregate->attribute, .descending = false}};
    case AggregateKind::kMax: return {{.attribute = *aggregate->attribute, .descending = true}};
    case AggregateKind::kCount:
    case AggregateKind::kSum: break;
  }
  return select.order;
}

}  // namespace

std::string UpperSnake(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const bool starts = i > 0 && upper && !(name[i - 1] >= 'A' && name[i - 1] <= 'Z');
    if (starts && text.back() != '_') text.push_back('_');
    const bool plain = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    text.push_back(!plain ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return text;
}

// A reference's target lends its name, so that children stand with their parent.
std::string PartitionPrefix(const Model& model, EntityId id,
                            const std::vector<AttributeId>& attributes) {
  EntityId named = id;
  auto ids = attributes;
  for (std::size_t depth = 0; depth < model.entities().size(); ++depth) {
    const auto& references = model.entity(named).references;
    const auto found = std::ranges::find(references, ids, &Reference::by);
    if (found == references.end() || found->to == named) break;
    named = found->to;
    ids = model.entity(named).identity;
  }
  const auto& entity = model.entity(named);
  if (ids.empty() || ids == entity.identity) return UpperSnake(entity.name);
  auto text = UpperSnake(entity.attributes[ids.front()].name);
  if (text.ends_with("_ID")) text.resize(text.size() - 3);
  return text;
}

std::vector<AttributeId> ShownBy(const Entity& entity, const Select& select) {
  if (const auto* some = std::get_if<std::vector<AttributeId>>(&select.columns)) return *some;
  if (const auto* aggregate = std::get_if<Aggregate>(&select.columns)) {
    return aggregate->attribute ? std::vector{*aggregate->attribute} : std::vector<AttributeId>();
  }
  std::vector<AttributeId> all(entity.attributes.size());
  for (AttributeId id = 0; id < all.size(); ++id) all[id] = id;
  return all;
}

std::optional<Served> Serves(const Entity& entity, const FilledKey& key, const Select& select,
                             Consistency consistency, bool base) {
  if (!base && consistency == Consistency::kStrong) return std::nullopt;
  KeyWalk walk(entity, key, TermsOf(entity, select));
  if (walk.Match()) return std::nullopt;
  const bool aggregates = std::holds_alternative<Aggregate>(select.columns);
  const auto order = OrderOf(select);
  const auto forward = walk.DirectionFor(order);
  Served served{.get = base && walk.whole_key() && walk.partitions() == 1,
                .partitions = walk.partitions(),
                .limit = select.limit};
  if (!forward && !served.get && !aggregates) return std::nullopt;
  if (aggregates && !order.empty() && forward) served.limit = 1;
  return served;
}

std::string KeyOptions::PrefixOf(const std::vector<AttributeId>& attributes) const {
  return PartitionPrefix(model_, id_, attributes);
}

std::string KeyOptions::FieldText(const Field& field) const {
  const auto& attribute = entity_.attributes[field.attribute];
  std::string text = "{" + attribute.name;
  switch (field.bucket) {
    case Bucket::kHour: text += ":hour"; break;
    case Bucket::kDate: text += ":date"; break;
    case Bucket::kMonth: text += ":month"; break;
    case Bucket::kNone: break;
  }
  if (field.ordered && IsNumber(attribute)) text += ":" + PaddingFor(attribute);
  if (field.inverted) text += ":desc";
  return text + "}";
}

FilledPart KeyOptions::Text(std::string name, const std::string& text) const {
  auto parsed = Template::Parse(text, entity_, entity_.at);
  Check(parsed.has_value(), "templates that are made here can be read");
  return {.name = std::move(name),
          .type = KeyType::kString,
          .native = false,
          .text = std::move(*parsed),
          .when = {},
          .shards = {}};
}

std::optional<FilledPart> KeyOptions::Native(const Field& field) const {
  const auto& attribute = entity_.attributes[field.attribute];
  const auto type = KeyTypeOf(attribute);
  if (!type || field.bucket != Bucket::kNone) return std::nullopt;
  auto part = Text(attribute.name, "{" + attribute.name + "}");
  part.type = *type;
  part.native = true;
  return part;
}

std::string KeyOptions::Joined(std::string text, const std::vector<Field>& fields) const {
  for (const auto& field : fields) text += (text.empty() ? "" : "#") + FieldText(field);
  return text;
}

std::vector<KeyOption> KeyOptions::BaseKeys(const std::vector<AttributeId>& together) const {
  std::vector<KeyOption> options;
  const auto& identity = entity_.identity;
  const auto count = std::min(identity.size(), kSubsetAttributesMax);
  const auto fields_of = [&](const std::vector<AttributeId>& ids) {
    std::vector<Field> fields;
    for (const auto id : ids) {
      const auto& attribute = entity_.attributes[id];
      fields.push_back({.attribute = id, .ordered = IsNumber(attribute) && IsBounded(attribute)});
    }
    return fields;
  };
  const auto add = [&](const std::vector<AttributeId>& partition,
                       const std::vector<AttributeId>& rest) {
    KeyOption option{.key = {}, .partition = partition, .partition_text = {}};
    const auto own = UpperSnake(entity_.name);
    if (style_ == KeyStyle::kNative && partition.size() == 1 && rest.size() <= 1) {
      auto hash = Native({.attribute = partition.front()});
      auto sort = rest.empty() ? std::nullopt : Native({.attribute = rest.front()});
      if (hash && (rest.empty() || sort)) {
        option.key.partition.push_back(std::move(*hash));
        if (sort) option.key.sort.push_back(std::move(*sort));
        options.push_back(std::move(option));
        return;
      }
    }
    std::vector<Field> plain;
    for (const auto id : partition) plain.push_back({.attribute = id});
    const auto prefix = together.empty() ? own : PrefixOf(together);
    option.partition_text = Joined(prefix, plain);
    option.key.partition.push_back(Text("pk", option.partition_text));
    option.key.sort.push_back(Text("sk", Joined(own, fields_of(rest))));
    options.push_back(std::move(option));
  };
  for (std::size_t chosen = (std::size_t{1} << count) - 1; chosen > 0; --chosen) {
    std::vector<AttributeId> partition;
    std::vector<AttributeId> rest;
    for (std::size_t i = 0; i < identity.size(); ++i) {
      const bool in = i >= count || (chosen >> i & 1U) != 0;
      (in ? partition : rest).push_back(identity[i]);
    }
    if (!together.empty()) {
      if (!std::ranges::is_permutation(partition, together)) continue;
      partition = together;
    }
    std::ranges::sort(rest);
    std::size_t orders = 0;
    do {
      add(partition, rest);
    } while (std::ranges::next_permutation(rest).found && ++orders < 24);
  }
  return options;
}

std::optional<KeyOption> KeyOptions::IndexKey(const std::vector<Field>& partition,
                                              const std::vector<Field>& sort,
                                              const std::optional<When>& when) const {
  KeyOption option;
  for (const auto& field : partition) option.partition.push_back(field.attribute);
  if (style_ == KeyStyle::kNative && !when && !partition.empty() &&
      partition.size() <= limits::kIndexPartitionAttributesMax &&
      sort.size() <= limits::kIndexSortAttributesMax) {
    FilledKey key;
    bool whole = true;
    for (const auto& field : partition) {
      if (auto part = Native(field)) key.partition.push_back(std::move(*part));
    }
    for (const auto& field : sort) {
      auto part = field.inverted ? std::nullopt : Native(field);
      if (part) key.sort.push_back(std::move(*part));
    }
    whole = key.partition.size() == partition.size() && key.sort.size() == sort.size();
    if (whole) {
      option.key = std::move(key);
      return option;
    }
  }
  // Text; a number without bounds has no width to be padded to and stands alone.
  const bool alone = !sort.empty() && std::ranges::any_of(sort, [&](const Field& field) {
    const auto& attribute = entity_.attributes[field.attribute];
    return field.ordered && IsNumber(attribute) && !IsBounded(attribute);
  });
  const auto own = UpperSnake(entity_.name);
  auto prefix =
      when ? fmt::format("{}#{}", own, ValueText(entity_.attributes[when->attribute], when->equals))
           : PrefixOf(option.partition);
  if (alone && prefix != own && !when) prefix = own + "_" + prefix;
  option.partition_text = Joined(prefix, partition);
  auto part = Text("pk1", option.partition_text);
  part.when = when;
  option.key.partition.push_back(std::move(part));
  if (alone) {
    if (sort.size() != 1 || sort.front().inverted) return std::nullopt;
    auto native = Native(sort.front());
    if (!native) return std::nullopt;
    option.key.sort.push_back(std::move(*native));
  } else {
    option.key.sort.push_back(Text("sk1", Joined(own, sort)));
  }
  return option;
}

std::vector<KeyOption> KeyOptions::IndexKeys(const Select& select) const {
  std::vector<Field> equal;
  std::vector<const Equality*> literals;
  for (const auto& equality : select.equalities) {
    const Field field{.attribute = equality.attribute, .bucket = equality.bucket};
    const bool twice = std::ranges::any_of(
        equal, [&](const Field& other) { return other.attribute == field.attribute; });
    if (twice) continue;
    equal.push_back(field);
    if (equality.bucket == Bucket::kNone && std::holds_alternative<Value>(equality.value)) {
      literals.push_back(&equality);
    }
  }
  // What the rows of one Query are sorted by: the range first, then the order.
  std::vector<Field> tail;
  const auto add_tail = [&](AttributeId id, Bucket bucket, bool inverted) {
    const auto is_exact = [&](const Field& field) {
      return field.attribute == id && field.bucket == Bucket::kNone;
    };
    if (std::ranges::any_of(equal, is_exact)) return;
    if (std::ranges::any_of(tail, [&](const Field& f) { return f.attribute == id; })) return;
    tail.push_back({.attribute = id, .bucket = bucket, .ordered = true, .inverted = inverted});
  };
  const auto order = OrderOf(select);
  const bool descending = !order.empty() && order.front().descending;
  if (select.range) add_tail(select.range->attribute, Bucket::kNone, false);
  for (const auto& by : order) {
    const bool against = by.descending != descending;
    const bool invertible = IsNumber(entity_.attributes[by.attribute]) ||
                            entity_.attributes[by.attribute].type == FieldType::kTimestamp ||
                            entity_.attributes[by.attribute].type == FieldType::kDate;
    if (against && !invertible) return {};
    add_tail(by.attribute, Bucket::kNone, against);
  }
  for (const auto& field : equal) {
    // A bucket that a sort key must cut: the time itself stands there.
    if (field.bucket != Bucket::kNone) add_tail(field.attribute, Bucket::kNone, false);
  }

  std::vector<KeyOption> options;
  const auto add = [&](const std::vector<Field>& partition, const std::vector<Field>& rest,
                       const std::optional<When>& when) {
    auto sort = rest;
    sort.insert(sort.end(), tail.begin(), tail.end());
    auto option = IndexKey(partition, sort, when);
    if (!option) return;
    if (!Serves(entity_, option->key, select, Consistency::kEventual, false)) return;
    options.push_back(std::move(*option));
  };
  const auto subsets = [&](const std::vector<Field>& fields, const std::optional<When>& when) {
    const auto count = std::min(fields.size(), kSubsetAttributesMax);
    for (std::size_t chosen = std::size_t{1} << count; chosen-- > 0;) {
      std::vector<Field> partition;
      std::vector<Field> rest;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        const bool in = i >= count || (chosen >> i & 1U) != 0;
        if (!in && fields[i].bucket != Bucket::kNone) continue;
        (in ? partition : rest).push_back(fields[i]);
      }
      // All rows in one partition only where nothing else can tell them apart.
      if (partition.empty() && !when && !fields.empty() &&
          std::ranges::any_of(fields, [](const Field& f) { return f.bucket == Bucket::kNone; })) {
        continue;
      }
      add(partition, rest, when);
    }
  };
  subsets(equal, std::nullopt);
  for (const auto* literal : literals) {
    std::vector<Field> others;
    for (const auto& field : equal) {
      if (field.attribute != literal->attribute) others.push_back(field);
    }
    subsets(others,
            When{.attribute = literal->attribute, .equals = std::get<Value>(literal->value)});
  }
  return options;
}

KeyOption KeyOptions::CollectionKey(const std::vector<AttributeId>& by) const {
  KeyOption option{.key = {}, .partition = by, .partition_text = {}};
  std::vector<Field> fields;
  for (const auto id : by) fields.push_back({.attribute = id});
  option.partition_text = Joined(PrefixOf(by), fields);
  option.key.partition.push_back(Text("pk1", option.partition_text));
  option.key.sort.push_back(Text("sk1", UpperSnake(entity_.name)));
  return option;
}

FilledKey KeyOptions::GuardKey(AttributeId unique) const {
  FilledKey key;
  const auto text =
      Joined(UpperSnake(entity_.name) + "_" + UpperSnake(entity_.attributes[unique].name),
             {{.attribute = unique}});
  key.partition.push_back(Text("pk", text));
  key.sort.push_back(Text("sk", text));
  return key;
}

}  // namespace kw::modeller
