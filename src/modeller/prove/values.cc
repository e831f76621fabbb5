// SPDX-License-Identifier: Apache-2.0
// Values of one attribute: its edges first.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "modeller/prove/dataset.h"
#include "modeller/prove/values.h"

namespace kw::modeller {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kDay = 86'400 * kSecond;
// 2026-06-23T14:00:00Z: rows lie around it.
constexpr std::int64_t kNow = 1'782'223'200 * kSecond;
constexpr std::size_t kTextMax = 40;

Number Whole(std::int64_t value) { return Number::FromInteger(value); }

Number Scaled(std::int64_t count, int scale) {
  const auto number = Number::Parse(fmt::format("{}e-{}", count, scale));
  return number ? *number : Number();
}

bool Inside(const Attribute& attribute, const Number& number) {
  return (!attribute.min || *attribute.min <= number) &&
         (!attribute.max || number <= *attribute.max);
}

// Where text order and numeric order part, where signs and digits change, and the ends.
std::vector<Value> NumberEdges(const Attribute& attribute) {
  std::vector<Value> edges;
  const auto add = [&](const Number& number) {
    if (Inside(attribute, number) && std::ranges::find(edges, Value(number)) == edges.end()) {
      edges.emplace_back(number);
    }
  };
  for (const std::int64_t whole : {9, 10, 1000, 999, -1, 0, 1, 99, 100, -10, -9, 1842, 7, 50}) {
    add(Whole(whole));
  }
  if (attribute.type == FieldType::kDecimal && attribute.scale > 0) {
    for (const std::int64_t count : {1, -1, 999, 1050, 99'999}) add(Scaled(count, attribute.scale));
  }
  if (attribute.min) add(*attribute.min);
  if (attribute.max) add(*attribute.max);
  return edges;
}

// Both sides of an hour, a day and a month, ties among them.
std::vector<Value> TimeEdges(TimePrecision precision) {
  const std::int64_t step = MicrosOf(precision);
  const std::int64_t june_ends = (1'782'864'000) * kSecond;  // 2026-07-01T00:00:00Z
  std::vector<Value> edges;
  for (const std::int64_t at :
       {kNow, kNow - step, kNow + step, kNow + 3600 * kSecond, kNow + 3600 * kSecond - step,
        june_ends - step, june_ends, june_ends - kDay, kNow - kDay}) {
    edges.emplace_back(Timestamp{at});
  }
  return edges;
}

std::vector<Value> DateEdges() {
  const auto day = [](std::int64_t micros) {
    return Date{static_cast<std::int32_t>(micros / kDay)};
  };
  const std::int64_t june_ends = 1'782'864'000 * kSecond;
  return {day(kNow), day(kNow - kDay), day(kNow + kDay), day(june_ends - kDay), day(june_ends)};
}

// Texts that begin alike, so that a prefix that is too short finds the wrong ones.
std::vector<Value> TextEdges(const Attribute& attribute) {
  std::string base = attribute.name.substr(0, 1);
  if (attribute.example) {
    if (const auto* example = std::get_if<std::string>(&*attribute.example)) base = *example;
  }
  std::vector<Value> edges;
  for (const char* tail : {"", "0", "1", "10", "2", "a", "-x", "00"})
    edges.emplace_back(base + tail);
  if (base.size() > 1) edges.emplace_back(base.substr(0, base.size() - 1));
  return edges;
}

std::vector<Value> Edges(const Attribute& attribute) {
  if (!attribute.values.empty()) return attribute.values;
  switch (attribute.type) {
    case FieldType::kString: return TextEdges(attribute);
    case FieldType::kInteger:
    case FieldType::kDecimal: return NumberEdges(attribute);
    case FieldType::kBoolean: return {Value(false), Value(true)};
    case FieldType::kTimestamp: return TimeEdges(attribute.precision);
    case FieldType::kDate: return DateEdges();
    case FieldType::kBinary: {
      using namespace std::string_literals;
      return {Value(Bytes{"\x00"s}), Value(Bytes{"\x01\xff"s}), Value(Bytes{"\x7f\x80"s})};
    }
    case FieldType::kList: return {Value(AttributeValue(List{}))};
    case FieldType::kMap: return {Value(AttributeValue(AttributeMap()))};
  }
  return {};
}

// A number inside the attribute's bounds, in its own steps.
Value AnyNumber(const Attribute& attribute, Rng& rng) {
  const std::int64_t count = static_cast<std::int64_t>(rng.Below(100'000));
  for (const std::int64_t tried : {count, count / 1000, count % 100, -count, -(count % 50)}) {
    const Number number =
        attribute.type == FieldType::kDecimal ? Scaled(tried, attribute.scale) : Whole(tried);
    if (Inside(attribute, number)) return number;
  }
  return attribute.min ? *attribute.min : attribute.max ? *attribute.max : Number();
}

}  // namespace

std::size_t EdgeCount(const Attribute& attribute) {
  const std::size_t edges = Edges(attribute).size();
  if (!attribute.values.empty() || !attribute.distinct) return edges;
  return std::min(edges, static_cast<std::size_t>(std::max<std::int64_t>(1, *attribute.distinct)));
}

Value AnyValue(const Attribute& attribute, Rng& rng) {
  const std::vector<Value> edges = Edges(attribute);
  const std::size_t count = EdgeCount(attribute);
  const bool bounded = !attribute.values.empty() || attribute.distinct.has_value();
  if (bounded || rng.Below(3) != 0) return edges[rng.Below(count)];
  switch (attribute.type) {
    case FieldType::kString: return SerialText(attribute, rng.Below(1000));
    case FieldType::kInteger:
    case FieldType::kDecimal: return AnyNumber(attribute, rng);
    case FieldType::kTimestamp: {
      const std::int64_t step = MicrosOf(attribute.precision);
      const auto steps = static_cast<std::int64_t>(rng.Below(20'000)) - 10'000;
      return Timestamp{kNow + steps * std::max(step, 60 * kSecond) + step};
    }
    case FieldType::kDate:
      return Date{
          static_cast<std::int32_t>(kNow / kDay + static_cast<std::int64_t>(rng.Below(90)))};
    case FieldType::kBoolean:
    case FieldType::kBinary:
    case FieldType::kList:
    case FieldType::kMap: return edges[rng.Below(count)];
  }
  return {};
}

Value SerialText(const Attribute& attribute, std::uint64_t serial) {
  std::string base;
  if (attribute.example) {
    if (const auto* example = std::get_if<std::string>(&*attribute.example)) base = *example;
  }
  if (base.empty()) base = attribute.name.substr(0, 1);
  return fmt::format("{}{}", base.substr(0, kTextMax), serial);
}

std::optional<Value> SerialValue(const Attribute& attribute, std::uint64_t serial) {
  const auto count = static_cast<std::int64_t>(serial);
  if (!attribute.values.empty() || attribute.distinct) {
    const std::vector<Value> edges = Edges(attribute);
    return edges[serial % EdgeCount(attribute)];
  }
  switch (attribute.type) {
    case FieldType::kString: return SerialText(attribute, serial);
    case FieldType::kInteger:
    case FieldType::kDecimal: {
      const Number first = attribute.min ? *attribute.min : Number();
      const auto sum =
          Number::Add(first, attribute.type == FieldType::kDecimal ? Scaled(count, attribute.scale)
                                                                   : Whole(count));
      if (!sum || !Inside(attribute, *sum)) return std::nullopt;
      return *sum;
    }
    case FieldType::kTimestamp:
      return Timestamp{kNow + count * std::max(MicrosOf(attribute.precision), kSecond)};
    case FieldType::kDate: return Date{static_cast<std::int32_t>(kNow / kDay + count % 100'000)};
    case FieldType::kBinary: return Bytes{fmt::format("{:08}", serial)};
    case FieldType::kBoolean:
    case FieldType::kList:
    case FieldType::kMap: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace kw::modeller
