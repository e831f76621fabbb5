// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/key_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kw::modeller {
namespace {

constexpr std::int64_t kAlways = 1'000'000;  // parts per million

// How many buckets of one kind another has, at most.
std::int64_t BucketsIn(Bucket wide, Bucket narrow) {
  if (wide <= narrow) return 1;
  const std::int64_t days = wide == Bucket::kMonth ? 31 : 1;
  return narrow == Bucket::kHour ? days * 24 : days;
}

bool PartsMeet(const FilledPart& a, const FilledPart& b) {
  if (a.typed() || b.typed()) return true;
  if (!a.shards && !b.shards) return MayMeet(a.text, b.text);
  // A shard's suffix may be any text's end.
  return MayStartWith(a.text, b.text.literal_prefix()) ||
         MayStartWith(b.text, a.text.literal_prefix());
}

}  // namespace

std::optional<FilledKey> FillKey(const Entity& entity, const Placement& placement,
                                 const DesignKey& key) {
  FilledKey filled;
  for (const auto& [parts, to] :
       {std::pair(&key.partition, &filled.partition), std::pair(&key.sort, &filled.sort)}) {
    for (const auto& part : *parts) {
      auto one = Fill(entity, placement, part);
      if (!one) return std::nullopt;
      to->push_back(std::move(*one));
    }
  }
  return filled;
}

bool MayShareKey(const FilledKey& a, const FilledKey& b) {
  const auto meet = [](const std::vector<FilledPart>& one, const std::vector<FilledPart>& other) {
    return std::ranges::equal(one, other, PartsMeet);
  };
  return meet(a.partition, b.partition) && meet(a.sort, b.sort);
}

const Term* KeyWalk::Find(AttributeId attribute, Term::Kind kind) const {
  const auto found = std::ranges::find_if(
      terms_, [&](const Term& term) { return term.attribute == attribute && term.kind == kind; });
  return found != terms_.end() ? &*found : nullptr;
}

std::optional<KeyWalk::Mismatch> KeyWalk::Match() {
  used_.assign(terms_.size(), false);
  for (const auto& part : key_.partition) {
    if (auto mismatch = MatchPartition(part)) return mismatch;
  }
  if (auto mismatch = MatchConditions()) return mismatch;
  MatchSort();
  for (const auto& term : terms_) {
    if (IsUsed(&term)) continue;
    const auto& name = entity_->attributes[term.attribute].name;
    return Mismatch{5, fmt::format("`{}` would be left to a filter.", name),
                    fmt::format("Let its key hold {{{}}}, or ask without it.", name)};
  }
  RemarkDelimiters();
  return std::nullopt;
}

// Rows that are not in the index must be none of the question's.
std::optional<KeyWalk::Mismatch> KeyWalk::MatchConditions() {
  for (const auto* parts : {&key_.partition, &key_.sort}) {
    for (const auto& part : *parts) {
      if (part.when) {
        const auto& name = entity_->attributes[part.when->attribute].name;
        const auto* term = Find(part.when->attribute, Term::Kind::kExact);
        if (term == nullptr || term->literal != part.when->equals) {
          return Mismatch{4, fmt::format("it holds only rows of one `{}`.", name),
                          fmt::format("Ask for {} = that literal.", name)};
        }
        Use(term);
      }
      for (const auto& piece : part.text.parts) {
        const auto* field = std::get_if<TemplateField>(&piece);
        if (field == nullptr) continue;
        const auto& attribute = entity_->attributes[field->attribute];
        const bool asked =
            std::ranges::find(terms_, field->attribute, &Term::attribute) != terms_.end();
        if (attribute.present.value() < kAlways && !asked) {
          return Mismatch{4, fmt::format("rows without `{}` are not in it.", attribute.name),
                          fmt::format("Use a key without {{{}}}.", attribute.name)};
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<KeyWalk::Mismatch> KeyWalk::MatchPartition(const FilledPart& part) {
  for (const auto& piece : part.text.parts) {
    const auto* field = std::get_if<TemplateField>(&piece);
    if (field == nullptr) continue;
    if (const auto* exact = Find(field->attribute, Term::Kind::kExact)) {
      if (field->bucket() == Bucket::kNone) Use(exact);
      continue;
    }
    const auto buckets = BucketsOf(*field);
    if (!buckets) {
      const auto& name = entity_->attributes[field->attribute].name;
      const bool asked =
          std::ranges::find(terms_, field->attribute, &Term::attribute) != terms_.end();
      return Mismatch{
          asked ? 3 : 2,
          fmt::format("its partition `{}` needs one `{}`, which the question does not give.",
                      part.native ? part.name : part.text.ToText(*entity_), name),
          fmt::format("Ask for {} = :{}, or use a key that does not begin with it.", name, name)};
    }
    partitions_ *= *buckets;
  }
  if (part.shards) {
    const auto known = [&](AttributeId id) { return Find(id, Term::Kind::kExact) != nullptr; };
    const bool one =
        part.shards->by ? known(*part.shards->by) : std::ranges::all_of(entity_->identity, known);
    if (!one) partitions_ *= part.shards->count;
  }
  return std::nullopt;
}

// How many buckets a span of the question covers, in a partition by bucket.
std::optional<std::int64_t> KeyWalk::BucketsOf(const TemplateField& field) {
  const auto* span = Find(field.attribute, Term::Kind::kSpan);
  if (span == nullptr || field.bucket() == Bucket::kNone || !span->low || !span->high) {
    return std::nullopt;
  }
  // Whole buckets; else the sort key must cut the ends off.
  if (span->align >= field.bucket()) Use(span);
  if (span->one_bucket) return BucketsIn(span->align, field.bucket());
  remarks_.push_back(fmt::format("One Query for each {} that the range touches.",
                                 field.bucket() == Bucket::kHour   ? "hour"
                                 : field.bucket() == Bucket::kDate ? "day"
                                                                   : "month"));
  return 2;
}

bool KeyWalk::FillsByEquality(const TemplateField& field) {
  if (const auto* exact = Find(field.attribute, Term::Kind::kExact)) {
    if (field.bucket() == Bucket::kNone) Use(exact);
    return true;
  }
  const auto* span = Find(field.attribute, Term::Kind::kSpan);
  if (span == nullptr || !span->one_bucket || field.bucket() < span->align) return false;
  if (span->align == field.bucket()) Use(span);
  return true;
}

void KeyWalk::MatchSort() {
  for (const auto& part : key_.sort) {
    MatchTail(part);
    if (access_.tail_fixed < part.text.parts.size()) return;
    ++access_.sort_equal;
    access_.tail_fixed = 0;
    access_.tail = false;
  }
}

void KeyWalk::MatchTail(const FilledPart& part) {
  access_.tail_fixed = 0;
  for (const auto& piece : part.text.parts) {
    const auto* field = std::get_if<TemplateField>(&piece);
    if (field == nullptr || FillsByEquality(*field)) {
      ++access_.tail_fixed;
      continue;
    }
    const auto& attribute = entity_->attributes[field->attribute];
    const auto* span = Find(field->attribute, Term::Kind::kSpan);
    const auto* prefix = Find(field->attribute, Term::Kind::kPrefix);
    const bool orders = part.typed() || KeepsOrder(attribute, *field);
    if (span != nullptr && !IsUsed(span) && orders && span->align >= field->bucket()) {
      Use(span);
      access_.tail_range = true;
    } else if (prefix != nullptr && attribute.type == FieldType::kString) {
      Use(prefix);
      access_.tail_range = true;
    }
    break;
  }
  access_.tail = access_.tail_fixed > 0 || access_.tail_range;
}

// The fields that the rows of one Query are sorted by, in turn.
std::vector<const TemplateField*> KeyWalk::OrderFields() const {
  std::vector<const TemplateField*> fields;
  for (std::size_t i = access_.sort_equal; i < key_.sort.size(); ++i) {
    const auto& parts = key_.sort[i].text.parts;
    for (std::size_t j = i == access_.sort_equal ? access_.tail_fixed : 0; j < parts.size(); ++j) {
      const auto* field = std::get_if<TemplateField>(&parts[j]);
      if (field != nullptr && Find(field->attribute, Term::Kind::kExact) == nullptr) {
        fields.push_back(field);
      }
    }
  }
  return fields;
}

bool KeyWalk::Ordered(const TemplateField& field) const {
  if (KeepsOrder(entity_->attributes[field.attribute], field)) return true;
  return std::ranges::any_of(key_.sort, [&](const FilledPart& part) {
    return part.typed() && &std::get<TemplateField>(part.text.parts.front()) == &field;
  });
}

std::optional<bool> KeyWalk::DirectionFor(const std::vector<Order>& order) const {
  const auto fields = OrderFields();
  std::optional<bool> forward;
  std::size_t next = 0;
  std::vector<AttributeId> fixed;
  for (const auto& term : terms_) {
    if (term.kind == Term::Kind::kExact) fixed.push_back(term.attribute);
  }
  for (const auto& by : order) {
    const auto is_fixed = [&](AttributeId id) {
      return std::ranges::find(fixed, id) != fixed.end();
    };
    // One row at most is left to be ordered.
    if (std::ranges::all_of(entity_->identity, is_fixed)) break;
    if (is_fixed(by.attribute)) continue;
    bool done = false;
    while (!done) {
      if (next == fields.size()) return std::nullopt;
      const auto& field = *fields[next++];
      if (field.attribute != by.attribute || !Ordered(field)) return std::nullopt;
      const bool ahead = field.descending == by.descending;
      if (forward.value_or(ahead) != ahead) return std::nullopt;
      forward = ahead;
      done = field.bucket() == Bucket::kNone;  // a bucket is in order, and the time follows it
    }
    fixed.push_back(by.attribute);
  }
  return forward.value_or(true);
}

bool KeyWalk::MayReturn(const FilledKey& other,
                        std::optional<std::string_view> shared_prefix) const {
  for (std::size_t i = 0; i < key_.partition.size(); ++i) {
    if (!PartsMeet(key_.partition[i], other.partition[i])) return false;
  }
  if (key_.sort.empty()) return true;
  const auto& own = key_.sort.front();
  const auto& theirs = other.sort.front();
  if (own.typed() || theirs.typed()) return true;
  if (shared_prefix) return MayStartWith(theirs.text, *shared_prefix);
  if (access_.sort_equal > 0) return MayMeet(own.text, theirs.text);
  return MayStartWith(theirs.text, own.text.literal_prefix());
}

SortMatch KeyWalk::sort_match() const {
  if (access_.tail_range) return SortMatch::kRange;
  if (access_.tail) return SortMatch::kPrefix;
  return access_.sort_equal > 0 ? SortMatch::kEqual : SortMatch::kAll;
}

std::string_view KeyWalk::sort_literal() const {
  if (key_.sort.empty() || key_.sort.front().typed()) return {};
  return key_.sort.front().text.literal_prefix();
}

void KeyWalk::RemarkDelimiters() {
  for (const auto* parts : {&key_.partition, &key_.sort}) {
    for (const auto& part : *parts) {
      for (const auto& field : part.text.delimited_fields(*entity_)) {
        remarks_.push_back(fmt::format("Exact while no `{}` holds a character up to `{}`.",
                                       entity_->attributes[field.attribute].name, field.delimiter));
      }
    }
  }
}

// The first `parts` parts of a key's text, parameters in braces.
std::string KeyWalk::Shown(const FilledPart& part, std::size_t parts) const {
  std::string text;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto* field = std::get_if<TemplateField>(&part.text.parts[i]);
    if (field == nullptr) {
      text += std::get<std::string>(part.text.parts[i]);
      continue;
    }
    const auto* term = Find(field->attribute, Term::Kind::kExact);
    if (term == nullptr) term = Find(field->attribute, Term::Kind::kSpan);
    const auto& attribute = entity_->attributes[field->attribute];
    if (term->literal) {
      text += FormatValue(attribute, *field, *term->literal).value_or("?");
    } else if (term->kind == Term::Kind::kSpan && !term->one_bucket) {
      text += FieldText(*field, term->shown_low + ".." + term->shown_high);
    } else {
      text += FieldText(*field, term->shown);
    }
  }
  if (part.shards) text += "#{shard}";
  return text;
}

std::string KeyWalk::PartitionWhere() const {
  std::string where;
  for (const auto& part : key_.partition) {
    where += fmt::format("{}{} = {}", where.empty() ? "" : ", ", part.name,
                         Shown(part, part.text.parts.size()));
  }
  return where;
}

std::string KeyWalk::Where() const {
  auto where = PartitionWhere();
  for (std::size_t i = 0; i < access_.sort_equal; ++i) {
    const auto& part = key_.sort[i];
    where += fmt::format(", {} = {}", part.name, Shown(part, part.text.parts.size()));
  }
  if (!access_.tail) return where;
  const auto& part = key_.sort[access_.sort_equal];
  const auto fixed = Shown(part, access_.tail_fixed);
  where += fmt::format(", {} ", part.name);
  if (!access_.tail_range) return where + "begins_with " + fixed;
  const auto& field = std::get<TemplateField>(part.text.parts[access_.tail_fixed]);
  if (const auto* prefix = Find(field.attribute, Term::Kind::kPrefix)) {
    return where + "begins_with " + fixed + "{" + prefix->shown + "}";
  }
  const auto* span = Find(field.attribute, Term::Kind::kSpan);
  const auto end = [&](const std::string& name) { return fixed + FieldText(field, name); };
  if (span->one_bucket) return where + "within " + end(span->shown);
  const auto& low = field.descending ? span->shown_high : span->shown_low;
  const auto& high = field.descending ? span->shown_low : span->shown_high;
  if (high.empty()) return where + ">= " + end(low);
  if (low.empty()) return where + "<= " + end(high);
  return where + "between " + end(low) + " and " + end(high);
}

}  // namespace kw::modeller
