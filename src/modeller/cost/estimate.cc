// SPDX-License-Identifier: Apache-2.0
#include "modeller/cost/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "data/limits.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kRowsUnknown = 1000;
constexpr std::int64_t kRangeShare = 10;      // one in ten rows lies in a range of unknown ends
constexpr std::int64_t kPrefixShare = 100;    // and one in a hundred has a prefix
constexpr std::int64_t kMicroHalf = 500'000;  // of one half-unit, in millionths of a unit

std::int64_t Narrow(Int128 value) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return static_cast<std::int64_t>(std::min(value, kMost));
}
std::int64_t CeilDiv(Int128 value, Int128 by) { return Narrow((value + by - 1) / by); }

MicroUnits Micro(HalfUnits units) { return MicroUnits(units.value() * kMicroHalf); }
MicroUnits Scaled(MicroUnits units, PartsPerMillion share) {
  return MicroUnits(Narrow(Int128{units.value()} * share.value() / kMillion));
}

std::int64_t DigitsOf(std::int64_t number) { return std::ssize(std::to_string(number)); }

// Characters of a field in a text, in millionths.
std::int64_t FieldBytes(const Attribute& attribute, const TemplateField& field) {
  if (const auto* padded = std::get_if<PaddedFormat>(&field.format)) {
    return padded->width * kMillion;
  }
  switch (field.bucket()) {
    case Bucket::kHour: return 13 * kMillion;
    case Bucket::kDate: return 10 * kMillion;
    case Bucket::kMonth: return 7 * kMillion;
    case Bucket::kNone: break;
  }
  switch (attribute.type) {
    case FieldType::kInteger:
    case FieldType::kDecimal:  // two digits a byte, and one for the length
      return std::max<std::int64_t>(kMillion, (AverageValueSize(attribute) - kMillion) * 2);
    case FieldType::kBoolean: return 5 * kMillion;
    case FieldType::kBinary: return AverageValueSize(attribute) * 2;
    case FieldType::kString:
    case FieldType::kTimestamp:
    case FieldType::kDate:
    case FieldType::kList:
    case FieldType::kMap: break;
  }
  return AverageValueSize(attribute);
}

// Name and value of a key attribute that an item has beside the row's own.
std::int64_t PartBytes(const Entity& entity, const FilledPart& part) {
  std::int64_t bytes = std::ssize(part.name) * kMillion;
  if (part.typed()) {
    const auto& field = std::get<TemplateField>(part.text.parts.front());
    return bytes + AverageValueSize(entity.attributes[field.attribute]);
  }
  for (const auto& piece : part.text.parts) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      bytes += std::ssize(*literal) * kMillion;
    } else {
      const auto& field = std::get<TemplateField>(piece);
      bytes += FieldBytes(entity.attributes[field.attribute], field);
    }
  }
  if (part.shards) bytes += (1 + DigitsOf(part.shards->count - 1)) * kMillion;
  return bytes;
}

template <class Visit>
void EachPart(const FilledKey& key, Visit visit) {
  for (const auto& part : key.partition) visit(part);
  for (const auto& part : key.sort) visit(part);
}
template <class Visit>
void EachField(const FilledKey& key, Visit visit) {
  EachPart(key, [&](const FilledPart& part) {
    for (const auto& piece : part.text.parts) {
      if (const auto* field = std::get_if<TemplateField>(&piece)) visit(*field);
    }
  });
}

bool Contains(const auto& values, const auto& value) {
  return std::ranges::find(values, value) != values.end();
}

std::int64_t AttributeBytes(const Attribute& attribute) {
  return Narrow(Int128{AverageValueSize(attribute) + std::ssize(attribute.name) * kMillion} *
                attribute.present.value() / kMillion);
}

PartsPerMillion ShareOf(const Attribute& attribute, const Value& value) {
  const auto found = std::ranges::find(attribute.values, value);
  if (found != attribute.values.end() && !attribute.shares.empty()) {
    return attribute.shares[static_cast<std::size_t>(found - attribute.values.begin())];
  }
  if (attribute.distinct) {
    return PartsPerMillion(kMillion / std::max<std::int64_t>(1, *attribute.distinct));
  }
  return PartsPerMillion(attribute.type == FieldType::kBoolean ? kMillion / 2 : kMillion / 10);
}

// The attributes that a statement gives new values.
std::vector<AttributeId> SetBy(const Entity& entity, const Statement& statement) {
  std::vector<AttributeId> set;
  if (statement.kind == StatementKind::kUpsert && statement.sets.empty()) {
    for (AttributeId id = 0; id < entity.attributes.size(); ++id) {
      if (!Contains(entity.identity, id)) set.push_back(id);
    }
    return set;
  }
  for (const auto& assignment : statement.sets) set.push_back(assignment.attribute);
  return set;
}

bool Touches(const FilledKey& key, const std::vector<AttributeId>& set) {
  bool touches = false;
  EachField(key, [&](const TemplateField& field) { touches |= Contains(set, field.attribute); });
  return touches;
}
const When* WhenOf(const FilledKey& key) {
  const When* when = nullptr;
  EachPart(key, [&](const FilledPart& part) {
    if (part.when) when = &*part.when;
  });
  return when;
}

}  // namespace

std::int64_t Estimator::RowsOf(EntityId entity) {
  const auto& described = model_.entity(entity);
  if (described.rows > 0) return described.rows;
  Assume(fmt::format("{} has {} rows: no count is said.", described.name, kRowsUnknown));
  return kRowsUnknown;
}

ByteCount Estimator::ItemBytes(const ItemShape& item) const {
  const auto& entity = model_.entity(item.entity);
  Int128 bytes = 0;
  for (const auto id : item.attributes) bytes += AttributeBytes(entity.attributes[id]);
  std::set<std::string_view> counted;
  const auto add = [&](const FilledKey& key, PartsPerMillion presence) {
    EachPart(key, [&](const FilledPart& part) {
      if (part.native || !counted.insert(part.name).second) return;
      bytes += Int128{PartBytes(entity, part)} * presence.value() / kMillion;
    });
  };
  add(item.base, PartsPerMillion(kMillion));
  for (const auto& entry : item.entries) {
    add(entry.key, Presence(item.entity, entry.key, Of::kAll));
  }
  for (const auto& counter : item.counters) bytes += (std::ssize(counter) + 4) * kMillion;
  const ByteCount computed(CeilDiv(bytes, kMillion));
  // A size that the model says is the stored item's, with whatever keys it has.
  const bool whole = item.attributes.size() == entity.attributes.size();
  return whole && entity.size ? std::max(computed, *entity.size) : computed;
}

ByteCount Estimator::EntryBytes(const ItemShape& item, const EntryShape& entry) const {
  if (entry.all) return ItemBytes(item);
  const auto& entity = model_.entity(item.entity);
  Int128 bytes = 0;
  std::set<std::string_view> counted;
  for (const auto* key : {&item.base, &entry.key}) {
    EachPart(*key, [&](const FilledPart& part) {
      if (counted.insert(part.name).second) bytes += PartBytes(entity, part);
    });
  }
  for (const auto id : entry.shown) {
    const auto& attribute = entity.attributes[id];
    if (counted.insert(attribute.name).second) bytes += AttributeBytes(attribute);
  }
  return ByteCount(CeilDiv(bytes, kMillion));
}

PartsPerMillion Estimator::Presence(EntityId entity_id, const FilledKey& key, Of of) const {
  const auto& entity = model_.entity(entity_id);
  Int128 share = kMillion;
  std::set<AttributeId> seen;
  EachField(key, [&](const TemplateField& field) {
    if (!seen.insert(field.attribute).second) return;
    share = share * entity.attributes[field.attribute].present.value() / kMillion;
  });
  if (const auto* when = WhenOf(key)) {
    const auto& attribute = entity.attributes[when->attribute];
    const bool born = of == Of::kInserted && attribute.is_mutable && !attribute.values.empty();
    if (born) {
      if (!(attribute.values.front() == when->equals)) share = 0;
    } else {
      share = share * ShareOf(attribute, when->equals).value() / kMillion;
    }
  }
  return PartsPerMillion(Narrow(share));
}

std::int64_t Estimator::DistinctOf(EntityId entity_id, AttributeId id) {
  const auto& entity = model_.entity(entity_id);
  const auto& attribute = entity.attributes[id];
  const auto rows = RowsOf(entity_id);
  if (attribute.distinct) return std::clamp<std::int64_t>(*attribute.distinct, 1, rows);
  if (entity.identity.size() == 1 && entity.identity.front() == id) return rows;
  for (const auto& reference : entity.references) {
    if (reference.by.size() == 1 && reference.by.front() == id) {
      return std::min(rows, RowsOf(reference.to));
    }
  }
  if (attribute.type == FieldType::kBoolean) return std::min<std::int64_t>(rows, 2);
  if (attribute.type == FieldType::kInteger && attribute.min && attribute.max) {
    const auto low = StepsOf(attribute, *attribute.min)->count;
    const auto high = StepsOf(attribute, *attribute.max)->count;
    return std::clamp<std::int64_t>(Narrow(Int128{high} - low + 1), 1, rows);
  }
  if (!Contains(entity.identity, id)) {
    Assume(fmt::format("Every row of {} has a `{}` of its own: no number of values is said.",
                       entity.name, attribute.name));
  }
  return rows;
}

PartsPerMillion Estimator::HottestShare(EntityId entity_id, const FilledKey& key) {
  const auto& entity = model_.entity(entity_id);
  Int128 share = kMillion;
  std::set<AttributeId> fields;
  std::int64_t shards = 1;
  for (const auto& part : key.partition) {
    if (part.shards) shards *= part.shards->count;
    for (const auto& piece : part.text.parts) {
      const auto* field = std::get_if<TemplateField>(&piece);
      // All that happens now falls into one bucket of time.
      if (field != nullptr && field->bucket() == Bucket::kNone) fields.insert(field->attribute);
    }
  }
  for (const auto id : fields) {
    const auto& attribute = entity.attributes[id];
    if (!attribute.shares.empty()) {
      share = share * std::ranges::max(attribute.shares).value() / kMillion;
    } else {
      share /= std::max<std::int64_t>(1, DistinctOf(entity_id, id));
    }
  }
  return PartsPerMillion(Narrow(share / shards));
}

// Insertions in seconds, of all changes together.
std::optional<Ratio> Estimator::InsertRate(EntityId entity) const {
  Int128 micro = 0;  // millionths a second
  for (const auto& change : model_.changes()) {
    if (!change.rate) continue;
    for (const auto& statement : change.statements) {
      if (statement.entity != entity || statement.kind != StatementKind::kInsert) continue;
      micro += Int128{change.rate->count} * statement.times * kMillion / change.rate->per;
    }
  }
  if (micro == 0) return std::nullopt;
  return Ratio{.count = Narrow(micro), .per = kMillion};
}

MicroRows Estimator::Matching(EntityId entity_id, const std::vector<Equality>& equalities) {
  const auto& entity = model_.entity(entity_id);
  const Int128 all = Int128{RowsOf(entity_id)} * kMillion;
  std::set<AttributeId> exact;
  for (const auto& equality : equalities) {
    if (equality.bucket == Bucket::kNone) exact.insert(equality.attribute);
  }
  const auto told = [&](const std::vector<AttributeId>& ids) {
    return !ids.empty() && std::ranges::all_of(ids, [&](auto id) { return exact.contains(id); });
  };
  if (told(entity.identity)) return MicroRows(kMillion);
  Int128 rows = all;
  std::set<AttributeId> done;
  // A reference by several attributes says more than each of them alone.
  std::vector<const Reference*> references;
  for (const auto& reference : entity.references) {
    if (told(reference.by)) references.push_back(&reference);
  }
  std::ranges::stable_sort(references, std::greater(),
                           [](const Reference* r) { return r->by.size(); });
  for (const auto* reference : references) {
    if (std::ranges::any_of(reference->by, [&](auto id) { return done.contains(id); })) continue;
    rows /= RowsOf(reference->to);
    done.insert(reference->by.begin(), reference->by.end());
  }
  for (const auto& equality : equalities) {
    if (done.contains(equality.attribute)) continue;
    const auto& attribute = entity.attributes[equality.attribute];
    if (equality.bucket != Bucket::kNone) {
      const std::int64_t seconds = equality.bucket == Bucket::kHour   ? 3600
                                   : equality.bucket == Bucket::kDate ? 86'400
                                                                      : kSecondsOfMonth;
      const auto rate = InsertRate(entity_id);
      if (rate) {
        const Int128 fresh = Int128{rate->count} * seconds;  // rows, in millionths
        rows = std::min(rows, fresh * (rows / std::max<Int128>(1, all / kMillion)) / kMillion);
        rows = std::max<Int128>(rows, 0);
      } else {
        Assume(fmt::format("The rows of {} are of one year: no insertions are said.", entity.name));
        rows = rows * seconds / (12 * kSecondsOfMonth);
      }
      continue;
    }
    if (const auto* literal = std::get_if<Value>(&equality.value)) {
      rows = rows * ShareOf(attribute, *literal).value() / kMillion;
    } else {
      rows /= DistinctOf(entity_id, equality.attribute);
    }
  }
  return MicroRows(Narrow(rows));
}

MicroRows Estimator::RowsFor(const Select& select) {
  auto rows = Matching(select.entity, select.equalities);
  if (!select.range) return rows;
  const auto& entity = model_.entity(select.entity);
  const bool prefix = std::holds_alternative<Prefix>(select.range->bounds);
  const auto share = prefix ? kPrefixShare : kRangeShare;
  Assume(fmt::format("A {} of `{}` holds one in {} rows of {}.", prefix ? "prefix" : "range",
                     entity.attributes[select.range->attribute].name, share, entity.name));
  return MicroRows(rows.value() / share);
}

MicroRows Estimator::RowsFor(const Collection::Member& member) {
  std::vector<Equality> equalities;
  for (const auto id : member.by) {
    equalities.push_back({.attribute = id, .bucket = Bucket::kNone, .value = Parameter{}});
  }
  return Matching(member.entity, equalities);
}

ReadEstimate Estimator::Query(MicroRows rows, ByteCount size, std::int64_t partitions,
                              std::optional<std::int64_t> limit, Consistency consistency) {
  const auto mode = consistency == Consistency::kStrong ? ReadMode::kStrong : ReadMode::kEventual;
  auto each = CeilDiv(rows.value(), Int128{partitions} * kMillion);
  if (limit) each = std::min(each, *limit);
  const auto bill = BillRead({.items = each, .size = size, .kind = ReadKind::kQuery, .mode = mode});
  return {.units = Micro(bill.units) * partitions,
          .rows = MicroRows(Narrow(Int128{each} * partitions * kMillion))};
}

ReadEstimate Estimator::Get(ByteCount size, Consistency consistency) {
  const auto mode = consistency == Consistency::kStrong ? ReadMode::kStrong : ReadMode::kEventual;
  return {.units = Micro(ReadUnits(size, mode)), .rows = MicroRows(kMillion)};
}

WriteEstimate Estimator::Write(const Statement& statement, const ItemShape& item) const {
  const auto& entity = model_.entity(item.entity);
  const auto units = Micro(WriteUnits(ItemBytes(item), WriteMode::kStandard));
  const auto set = SetBy(entity, statement);
  const bool comes = statement.kind == StatementKind::kInsert;
  const bool goes = statement.kind == StatementKind::kDelete;
  const bool moves = !comes && !goes && Touches(item.base, set);
  const bool changes =
      std::ranges::any_of(set, [&](AttributeId id) { return Contains(item.attributes, id); });
  WriteEstimate estimate{.steps = moves ? 2 : 1, .table = {}, .entries = {}};
  // A copy or guard that shows nothing of the change is left alone.
  if (!comes && !goes && !moves && !changes && item.role != Placement::Role::kRow) {
    estimate.steps = 0;
  }
  const auto there = Presence(item.entity, item.base, Of::kAll);
  estimate.table = Scaled(units * estimate.steps, there);
  for (const auto& entry : item.entries) {
    const auto one = Micro(WriteUnits(EntryBytes(item, entry), WriteMode::kStandard));
    const auto* when = WhenOf(entry.key);
    const auto share = Presence(item.entity, entry.key, comes ? Of::kInserted : Of::kAll);
    const bool switches = when != nullptr && Contains(set, when->attribute);
    if (estimate.steps == 0) {
      estimate.entries.emplace_back();
    } else if (comes || goes) {
      estimate.entries.push_back(Scaled(one, share));
    } else if (switches) {
      // From one value to another: the rows that leave the index, and those that enter it.
      const auto& attribute = entity.attributes[when->attribute];
      const auto values = std::max<std::int64_t>(2, attribute.distinct.value_or(2));
      const auto assigned =
          std::ranges::find(statement.sets, when->attribute, &Assignment::attribute);
      const auto* literal =
          assigned != statement.sets.end() ? std::get_if<Value>(&assigned->value) : nullptr;
      PartsPerMillion touched(2 * kMillion / values);
      if (literal != nullptr) {
        touched = PartsPerMillion(*literal == when->equals ? kMillion : kMillion / (values - 1));
      }
      estimate.entries.push_back(Scaled(one, touched));
    } else if (moves || Touches(entry.key, set)) {
      estimate.entries.push_back(Scaled(one * 2, share));
    } else {
      const bool seen = entry.all ? changes : std::ranges::any_of(set, [&](AttributeId id) {
        return Contains(entry.shown, id);
      });
      estimate.entries.push_back(seen ? Scaled(one, share) : MicroUnits());
    }
  }
  return estimate;
}

WriteEstimate Estimator::Count(const ItemShape& parent) const {
  WriteEstimate estimate{.steps = 1,
                         .table = Micro(WriteUnits(ItemBytes(parent), WriteMode::kStandard)),
                         .entries = {}};
  for (const auto& entry : parent.entries) {
    const auto one = Micro(WriteUnits(EntryBytes(parent, entry), WriteMode::kStandard));
    estimate.entries.push_back(entry.all ? Scaled(one, Presence(parent.entity, entry.key, Of::kAll))
                                         : MicroUnits());
  }
  return estimate;
}

bool Estimator::Counts(const Statement& statement, const Counter& counter) {
  if (statement.entity != counter.child) return false;
  const bool sums = counter.sum.has_value() &&
                    std::ranges::find(statement.sets, *counter.sum, &Assignment::attribute) !=
                        statement.sets.end();
  switch (statement.kind) {
    case StatementKind::kInsert:
    case StatementKind::kDelete: return true;
    case StatementKind::kUpdate: return sums;
    case StatementKind::kUpsert: return sums || (counter.sum && statement.sets.empty());
  }
  return false;
}

}  // namespace kw::modeller
