// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "modeller/plan/asked.h"
#include "modeller/plan/counters.h"
#include "modeller/plan/key_walk.h"
#include "modeller/plan/keys.h"

namespace kw::modeller {
namespace {

// Above every text that a key goes on with: no key holds the last code point.
constexpr std::string_view kHighest = "\xF4\x8F\xBF\xBF";

// The code point before; none before U+0000.
std::optional<std::uint32_t> CodePointBefore(std::uint32_t c) {
  if (c == 0) return std::nullopt;
  return c == 0xE000 ? 0xD7FF : c - 1;
}

void AppendUtf8(std::uint32_t c, std::string& out) {
  const auto byte = [&](std::uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

// A text below `text` with nothing between them that a key holds; nothing below the empty text.
std::optional<std::string> TextBefore(std::string_view text) {
  if (text.empty()) return std::nullopt;
  auto start = text.size() - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  std::uint32_t c = static_cast<unsigned char>(text[start]);
  if (c >= 0xF0) {
    c &= 0x07;
  } else if (c >= 0xE0) {
    c &= 0x0F;
  } else if (c >= 0xC0) {
    c &= 0x1F;
  }
  for (auto i = start + 1; i < text.size(); ++i) {
    c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  std::string before(text.substr(0, start));
  const auto last = CodePointBefore(c);
  if (!last) return before;
  AppendUtf8(*last, before);
  return before.append(kHighest);
}

// Renders the keys of one question's requests from its values.
class CallMaker {
 public:
  CallMaker(const Entity& entity, FilledKey key, KnownValues known)
      : entity_(entity), key_(std::move(key)), known_(std::move(known)) {
    row_.resize(entity.attributes.size());
    for (const auto& [attribute, term] : known_) {
      if (term.exact) row_[attribute] = *term.exact;
    }
  }

  using Values = std::vector<std::pair<std::string, AttributeValue>>;

  // The values of the partition's attributes, one set for each partition to be read.
  std::vector<Values> Partitions();
  // Nothing if a value does not fit: then no row has it.
  std::optional<Values> SortEqual(std::size_t count);
  // Nothing if no key can lie there.
  std::optional<QueryCall::Tail> Tail(const Plan::Access& access);

 private:
  std::optional<std::vector<std::string>> Texts(const FilledPart& part, std::size_t count);
  std::vector<std::string> FieldTexts(const TemplateField& field);
  std::vector<std::string> ShardsOf(const FilledPart& part);
  std::optional<AttributeValue> Typed(const FilledPart& part);
  bool SetSteps(const FilledPart& part, const TemplateField& field, const Interval& interval,
                const std::string& before, bool goes_on, QueryCall::Tail& tail);
  void SetText(const TextSpan& span, const std::string& before,
               const std::optional<char>& delimiter, bool goes_on, QueryCall::Tail& tail);

  const Entity& entity_;
  FilledKey key_;
  KnownValues known_;
  Row row_;
};

// A field's texts: one, or one for each bucket of a span. None if the value has no text.
std::vector<std::string> CallMaker::FieldTexts(const TemplateField& field) {
  const auto& attribute = entity_.attributes[field.attribute];
  const auto& term = known_.at(field.attribute);
  if (term.exact) {
    auto text = FormatValue(attribute, field, *term.exact);
    return text ? std::vector{std::move(*text)} : std::vector<std::string>();
  }
  const auto& interval = std::get<Interval>(*term.span);
  std::vector<std::string> texts;
  // Bounded: a range of more buckets than this is no question to be asked by key.
  constexpr std::size_t kBucketsMax = 10'000;
  for (auto steps = *interval.low; steps <= *interval.high && texts.size() < kBucketsMax;) {
    texts.push_back(FormatSteps(attribute, field, steps));
    const auto around = BucketInterval(attribute, field.bucket(), ValueOf(attribute, steps));
    steps = *around->high + 1;
  }
  return texts;
}

std::vector<std::string> CallMaker::ShardsOf(const FilledPart& part) {
  if (!part.shards) return {""};
  const auto known = [&](AttributeId id) {
    return !std::holds_alternative<std::monostate>(row_[id]);
  };
  const auto& shards = *part.shards;
  if (shards.by ? known(*shards.by) : std::ranges::all_of(entity_.identity, known)) {
    return {ShardSuffix(ShardOf(entity_, shards, row_))};
  }
  std::vector<std::string> suffixes;
  for (std::int64_t shard = 0; shard < shards.count; ++shard)
    suffixes.push_back(ShardSuffix(shard));
  return suffixes;
}

// The texts of the first `count` parts of a template.
std::optional<std::vector<std::string>> CallMaker::Texts(const FilledPart& part,
                                                         std::size_t count) {
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> ends;
    if (const auto* literal = std::get_if<std::string>(&part.text.parts[i])) {
      ends.push_back(*literal);
    } else {
      ends = FieldTexts(std::get<TemplateField>(part.text.parts[i]));
    }
    std::vector<std::string> longer;
    for (const auto& text : texts) {
      for (const auto& end : ends) longer.push_back(text + end);
    }
    texts = std::move(longer);
  }
  if (texts.empty()) return std::nullopt;
  return texts;
}

std::optional<AttributeValue> CallMaker::Typed(const FilledPart& part) {
  const auto id = std::get<TemplateField>(part.text.parts.front()).attribute;
  // No row's value is finer than the attribute's steps.
  const auto steps = StepsOf(entity_.attributes[id], row_[id]);
  if (steps && !steps->exact) return std::nullopt;
  return ToAttributeValue(entity_.attributes[id], row_[id]);
}

std::vector<CallMaker::Values> CallMaker::Partitions() {
  std::vector<Values> partitions{{}};
  for (const auto& part : key_.partition) {
    std::vector<AttributeValue> values;
    if (part.typed()) {
      auto value = Typed(part);
      if (!value) return {};
      values.push_back(std::move(*value));
    } else {
      const auto texts = Texts(part, part.text.parts.size());
      if (!texts) return {};
      const auto suffixes = ShardsOf(part);
      for (const auto& text : *texts) {
        for (const auto& suffix : suffixes) values.emplace_back(text + suffix);
      }
    }
    std::vector<Values> longer;
    for (const auto& partition : partitions) {
      for (const auto& value : values) {
        longer.push_back(partition);
        longer.back().emplace_back(part.name, value);
      }
    }
    partitions = std::move(longer);
  }
  return partitions;
}

std::optional<CallMaker::Values> CallMaker::SortEqual(std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& part = key_.sort[i];
    if (part.typed()) {
      auto value = Typed(part);
      if (!value) return std::nullopt;
      values.emplace_back(part.name, std::move(*value));
      continue;
    }
    const auto texts = Texts(part, part.text.parts.size());
    if (!texts) return std::nullopt;
    values.emplace_back(part.name, texts->front());
  }
  return values;
}

bool CallMaker::SetSteps(const FilledPart& part, const TemplateField& field,
                         const Interval& interval, const std::string& before, bool goes_on,
                         QueryCall::Tail& tail) {
  const auto& attribute = entity_.attributes[field.attribute];
  if (part.typed()) {
    const auto typed = [&](const std::optional<std::int64_t>& steps) {
      return steps ? ToAttributeValue(attribute, ValueOf(attribute, *steps)) : std::nullopt;
    };
    tail.low = typed(interval.low);
    tail.high = typed(interval.high);
    return true;
  }
  // What a padded number cannot hold is in no key.
  if (const auto* padded = std::get_if<PaddedFormat>(&field.format)) {
    const auto held = HeldBy(attribute, *padded);
    if ((interval.low && *interval.low > *held.high) ||
        (interval.high && *interval.high < *held.low)) {
      return false;
    }
  }
  const auto& low = field.descending ? interval.high : interval.low;
  const auto& high = field.descending ? interval.low : interval.high;
  if (low || !before.empty()) {
    tail.low = low ? before + FormatSteps(attribute, field, *low) : before;
  }
  std::string last = before;
  if (high) last += FormatSteps(attribute, field, *high);
  if (!high || goes_on) last += kHighest;
  tail.high = std::move(last);
  return true;
}

void CallMaker::SetText(const TextSpan& span, const std::string& before,
                        const std::optional<char>& delimiter, bool goes_on, QueryCall::Tail& tail) {
  // Behind the delimiter: values are free of it, so every text of `value` lies below.
  const auto behind = [&](const std::string& value) {
    return delimiter ? value + static_cast<char>(*delimiter + 1) : value + kHighest.data();
  };
  if (span.low) {
    if (span.low_inclusive) {
      tail.low = before + *span.low;
    } else {
      tail.low = before + (goes_on ? behind(*span.low) : *span.low + std::string(1, '\0'));
    }
  } else if (!before.empty()) {
    tail.low = before;
  }
  if (!span.high) {
    if (!before.empty()) tail.high = before + std::string(kHighest);
    return;
  }
  if (span.high_inclusive) {
    tail.high = before + (goes_on ? behind(*span.high) : *span.high);
  } else if (goes_on) {
    tail.high = before + *span.high;
  } else if (const auto last = TextBefore(*span.high)) {
    tail.high = before + *last;
  } else {
    tail.high = before;
  }
}

std::optional<QueryCall::Tail> CallMaker::Tail(const Plan::Access& access) {
  const auto& part = key_.sort[access.sort_equal];
  QueryCall::Tail tail{.attribute = part.name, .low = {}, .high = {}, .prefix = {}};
  const auto texts = Texts(part, access.tail_fixed);
  if (!texts) return std::nullopt;
  const auto& before = texts->front();
  if (!access.tail_range) {
    tail.prefix = before;
    return tail;
  }
  const auto& field = std::get<TemplateField>(part.text.parts[access.tail_fixed]);
  const bool goes_on = access.tail_fixed + 1 < part.text.parts.size();
  const auto& span = *known_.at(field.attribute).span;
  if (const auto* prefix = std::get_if<TextPrefix>(&span)) {
    if (!(before + prefix->text).empty()) tail.prefix = before + prefix->text;
    return tail;
  }
  if (const auto* interval = std::get_if<Interval>(&span)) {
    if (!SetSteps(part, field, *interval, before, goes_on, tail)) return std::nullopt;
  } else {
    std::optional<char> delimiter;
    if (goes_on) {
      if (const auto* next = std::get_if<std::string>(&part.text.parts[access.tail_fixed + 1])) {
        delimiter = next->front();
      }
    }
    SetText(std::get<TextSpan>(span), before, delimiter, goes_on, tail);
  }
  return tail;
}

// The base key as an item of its attributes.
std::optional<Item> KeyFor(CallMaker& maker, std::size_t sort_parts) {
  const auto partitions = maker.Partitions();
  const auto sort = maker.SortEqual(sort_parts);
  if (partitions.size() != 1 || !sort) return std::nullopt;
  Item key;
  for (const auto& [name, value] : partitions.front()) key.Set(name, value);
  for (const auto& [name, value] : *sort) key.Set(name, value);
  return key;
}

// What a child's values say of the parent on whose item a counter stands.
KnownValues ParentValues(const Plan& plan, const Placement& parent, const CounterPath& path,
                         const KnownValues& child) {
  KnownValues known;
  for (const auto& place : CountersOn(plan, parent)) {
    if (place.counter->name != path.attribute) continue;
    const auto& by =
        plan.model().entity(place.counter->child).references[place.counter->reference].by;
    const auto& identity = plan.model().entity(parent.entity).identity;
    for (std::size_t i = 0; i < by.size(); ++i) known[identity[i]] = child.at(by[i]);
  }
  return known;
}

bool IsEmptyText(const AttributeValue& value) {
  const auto* text = value.As<std::string>();
  return text != nullptr && text->empty();
}

// DynamoDB refuses a condition that no key can meet; there are no rows to ask for.
bool CanHold(const QueryCall& call) {
  const auto filled = [](const auto& values) {
    return std::ranges::none_of(values,
                                [](const auto& value) { return IsEmptyText(value.second); });
  };
  if (!filled(call.partition) || !filled(call.sort_equal)) return false;
  if (!call.tail || !call.tail->low || !call.tail->high) return true;
  const auto* low = call.tail->low->As<std::string>();
  const auto* high = call.tail->high->As<std::string>();
  return low == nullptr || high == nullptr || *low <= *high;
}

}  // namespace

std::vector<Call> Plan::CallsOf(std::size_t question, const Bindings& bindings) const {
  const auto& asked = model_->questions()[question];
  const auto& access = accesses_[question];
  const auto* path = answers_[question].found();
  Check(path != nullptr && !std::holds_alternative<ScanPath>(*path),
        "the question has a key's path");
  const auto& placement = placements_[access.placement];
  const auto& entity = model_->entity(placement.entity);
  const auto* select = std::get_if<Select>(&asked.asks);
  std::optional<KnownValues> known;
  if (select == nullptr) {
    const auto& collection = std::get<Collection>(asked.asks);
    const auto member =
        std::ranges::find(collection.members, placement.entity, &Collection::Member::entity);
    known = Bind(collection, *member, bindings);
  } else {
    known = Bind(model_->entity(select->entity), *select, bindings);
    if (known && std::holds_alternative<CounterPath>(*path)) {
      known = ParentValues(*this, placement, std::get<CounterPath>(*path), *known);
    }
  }
  if (!known) return {};
  const auto& table = design_->tables[placement.table];
  const auto index = access.get ? std::nullopt : access.index;
  CallMaker maker(entity, *FillKey(entity, placement, modeller::KeyOf(table, index)),
                  std::move(*known));
  const bool consistent = asked.consistency == Consistency::kStrong;
  if (access.get) {
    auto key = KeyFor(maker, table.key.sort.size());
    if (!key || std::ranges::any_of(key->entries(),
                                    [](const auto& entry) { return IsEmptyText(entry.second); })) {
      return {};
    }
    return {GetCall{.table = placement.table, .key = std::move(*key), .consistent = consistent}};
  }

  QueryCall call{.table = placement.table,
                 .index = std::get<QueryPath>(*path).index,
                 .partition = {},
                 .sort_equal = {},
                 .tail = {},
                 .forward = access.forward,
                 .limit = {},
                 .consistent = consistent};
  auto equal = maker.SortEqual(access.sort_equal);
  if (!equal) return {};
  call.sort_equal = std::move(*equal);
  if (access.tail) {
    call.tail = maker.Tail(access);
    if (!call.tail) return {};
    if (!call.tail->low && !call.tail->high && !call.tail->prefix) call.tail.reset();
  } else if (access.literal_bytes > 0) {
    const auto& sort = modeller::KeyOf(table, index).sort.front().name;
    const auto& text = placement.keys.at(sort).text;
    call.tail = QueryCall::Tail{
        .attribute = sort,
        .low = {},
        .high = {},
        .prefix = std::string(text.literal_prefix().substr(0, access.literal_bytes))};
  }
  if (access.limit) call.limit = select->limit.value_or(1);
  std::vector<Call> calls;
  for (auto& partition : maker.Partitions()) {
    call.partition = std::move(partition);
    if (CanHold(call)) calls.emplace_back(call);
  }
  if (!access.forward) std::ranges::reverse(calls);
  return calls;
}

std::optional<GetCall> Plan::FollowGuard(std::size_t question, const Item& guard) const {
  const auto* path = answers_[question].found();
  const auto* guarded = path != nullptr ? std::get_if<GuardPath>(path) : nullptr;
  if (guarded == nullptr || !guarded->follows) return std::nullopt;
  const auto entity_id = placements_[accesses_[question].placement].entity;
  const auto& entity = model_->entity(entity_id);
  const auto& row = *std::ranges::find(placements_, entity_id, &Placement::entity);
  KnownValues known;
  for (const auto id : entity.identity) {
    const auto& attribute = entity.attributes[id];
    const auto* value = guard.Find(attribute.name);
    if (value == nullptr) return std::nullopt;
    known[id].exact = FromAttributeValue(attribute, *value);
  }
  const auto& key = design_->tables[row.table].key;
  CallMaker maker(entity, *FillKey(entity, row, key), std::move(known));
  auto found = KeyFor(maker, key.sort.size());
  if (!found) return std::nullopt;
  return GetCall{.table = row.table,
                 .key = std::move(*found),
                 .consistent = model_->questions()[question].consistency == Consistency::kStrong};
}

}  // namespace kw::modeller
