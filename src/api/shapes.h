// SPDX-License-Identifier: Apache-2.0
// The service's request shapes as constant tables, the check of a body against them, and typed
// access to a checked body. Hides the framework's wording: SerializationException for wrong JSON
// types, and "N validation errors detected: ..." for constraints.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/json.h"
#include "data/error.h"

namespace kw::api {

enum class ShapeKind : std::uint8_t {
  kString,
  kBlob,
  kBoolean,
  kInteger,
  kLong,
  kDouble,
  kTimestamp,
  kList,
  kMap,
  kStructure,
  kAttributeValue
};

struct Shape;

struct ShapeMember {
  enum class Presence : std::uint8_t { kOptional, kRequired };
  std::string_view name;  // as on the wire; messages show it with a small first letter
  const Shape* shape;
  Presence presence = Presence::kOptional;
};
inline constexpr auto kRequired = ShapeMember::Presence::kRequired;

struct Pattern {
  std::string_view text;  // as the service shows it
  bool (*matches)(std::string_view value);
};

// One shape of the service's model. `min` and `max` are characters of a string, elements of a list
// or map, or the value of a number.
struct Shape {
  ShapeKind kind;
  std::string_view name;
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::span<const std::string_view> values =
      {};  // of an enum, in the order of the service's messages
  const Pattern* pattern = nullptr;
  const Shape* element = nullptr;             // of a list, and of a map's values
  const Shape* key = nullptr;                 // of a map, where its keys have constraints
  std::span<const ShapeMember> members = {};  // of a structure, in checking order
};

inline constexpr Shape kBoolean{.kind = ShapeKind::kBoolean, .name = "BooleanObject"};
inline constexpr Shape kString{.kind = ShapeKind::kString, .name = "String"};
inline constexpr Shape kAttributeValue{.kind = ShapeKind::kAttributeValue,
                                       .name = "AttributeValue"};

// Errors: Serialization for the first wrong JSON type or wrong base64, in the order sent; else
// Validation with every fault of constraint, at most ten. Unknown members pass, as with the
// service.
Result<void> CheckShape(const Shape& shape, JsonValue body);

// The place of an enum's value in `shape.values`. The value has passed CheckShape.
std::size_t EnumIndex(const Shape& shape, std::string_view value);

// A string as a template argument: the name of a member.
template <std::size_t kSize>
struct MemberName {
  std::array<char, kSize> text{};
  consteval MemberName(const char (&name)[kSize]) { std::copy_n(name, kSize, text.begin()); }
  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), kSize - 1}; }
};

// The members of one structure of a checked body, found in a single walk. A name that the shape
// lacks does not compile. Values live as long as the parser holds the body. Null counts as absent;
// of a member sent twice, the last counts.
template <const Shape& kShape>
class Fields {
 public:
  static_assert(kShape.members.size() <= 32);

  explicit Fields(JsonValue structure) {
    for (const auto [name, value] : structure.object()) {
      for (std::size_t i = 0; i < kShape.members.size(); ++i) {
        if (kShape.members[i].name != name) continue;
        values_[i] = value;
        const std::uint32_t bit = std::uint32_t{1} << i;
        present_ = value.is(JsonType::kNull) ? present_ & ~bit : present_ | bit;
        break;
      }
    }
  }

  template <MemberName kName>
  [[nodiscard]] bool Has() const {
    return ((present_ >> Index<kName>()) & 1U) != 0;
  }
  // Null if absent.
  template <MemberName kName>
  [[nodiscard]] const JsonValue* Find() const {
    return Has<kName>() ? &values_[Index<kName>()] : nullptr;
  }
  // The member is required: CheckShape has seen it.
  template <MemberName kName>
  [[nodiscard]] const JsonValue& Get() const {
    static_assert(kShape.members[Index<kName>()].presence == kRequired);
    return values_[Index<kName>()];
  }
  template <MemberName kName>
  [[nodiscard]] std::optional<std::string_view> String() const {
    static_assert(kShape.members[Index<kName>()].shape->kind == ShapeKind::kString);
    return Has<kName>() ? std::optional(values_[Index<kName>()].string()) : std::nullopt;
  }
  template <MemberName kName>
  [[nodiscard]] std::optional<bool> Boolean() const {
    static_assert(kShape.members[Index<kName>()].shape->kind == ShapeKind::kBoolean);
    return Has<kName>() ? std::optional(values_[Index<kName>()].boolean()) : std::nullopt;
  }
  template <MemberName kName>
  [[nodiscard]] std::optional<std::int64_t> Integer() const {
    static_assert(kShape.members[Index<kName>()].shape->kind == ShapeKind::kInteger ||
                  kShape.members[Index<kName>()].shape->kind == ShapeKind::kLong);
    return Has<kName>() ? std::optional(ToInteger(values_[Index<kName>()])) : std::nullopt;
  }
  // How many of the shape's members were sent.
  [[nodiscard]] int count() const { return std::popcount(present_); }

  // The name of a member, checked against the shape: for messages that list members.
  template <MemberName kName>
  [[nodiscard]] static constexpr std::string_view Name() {
    return kShape.members[Index<kName>()].name;
  }

 private:
  static std::int64_t ToInteger(JsonValue value);

  template <MemberName kName>
  static consteval std::size_t Index() {
    for (std::size_t i = 0; i < kShape.members.size(); ++i) {
      if (kShape.members[i].name == kName.view()) return i;
    }
    throw "the shape has no such member";  // reached only where it stops the compiler
  }

  std::array<JsonValue, kShape.members.size()> values_{};
  std::uint32_t present_ = 0;
};

// An integer member as the service reads it: fractions are cut off. The number has passed
// CheckShape.
std::int64_t IntegerOf(JsonValue number);

template <const Shape& kShape>
std::int64_t Fields<kShape>::ToInteger(JsonValue value) {
  return IntegerOf(value);
}

}  // namespace kw::api
