// SPDX-License-Identifier: Apache-2.0
#include "api/shapes.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"

namespace kw::api {
namespace {

constexpr std::string_view kModelPackage = "com.amazonaws.dynamodb.v20120810.";

tl::unexpected<Error> Unreadable(std::string message) {
  return Fail(ErrorCode::kSerialization, std::move(message));
}

// ---- First pass: JSON types, in the order sent. Its depth is bounded by the parser's. ----

constexpr Shape kSetOfStrings{
    .kind = ShapeKind::kList, .name = "StringSetAttributeValue", .element = &kString};
constexpr Shape kBlob{.kind = ShapeKind::kBlob, .name = "BinaryAttributeValue"};
constexpr Shape kSetOfBlobs{
    .kind = ShapeKind::kList, .name = "BinarySetAttributeValue", .element = &kBlob};
constexpr Shape kListOfValues{
    .kind = ShapeKind::kList, .name = "ListAttributeValue", .element = &kAttributeValue};
constexpr Shape kMapOfValues{
    .kind = ShapeKind::kMap, .name = "MapAttributeValue", .element = &kAttributeValue};

// The member of an AttributeValue; null if there is none of that name.
const Shape* ValueMember(std::string_view name) {
  switch (name.size()) {
    case 1:
      switch (name[0]) {
        case 'S':
        case 'N': return &kString;
        case 'B': return &kBlob;
        case 'L': return &kListOfValues;
        case 'M': return &kMapOfValues;
        default: return nullptr;
      }
    case 2:
      if (name == "SS" || name == "NS") return &kSetOfStrings;
      return name == "BS" ? &kSetOfBlobs : nullptr;
    case 4: return name == "BOOL" || name == "NULL" ? &kBoolean : nullptr;
    default: return nullptr;
  }
}

const ShapeMember* FindMember(const Shape& structure, std::string_view name) {
  for (const ShapeMember& member : structure.members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

// What the service's framework, written in Java, calls a shape.
std::string JavaName(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kString: return "java.lang.String";
    case ShapeKind::kBlob: return "java.nio.ByteBuffer";
    case ShapeKind::kBoolean: return "java.lang.Boolean";
    case ShapeKind::kInteger: return "java.lang.Integer";
    case ShapeKind::kLong: return "java.lang.Long";
    case ShapeKind::kDouble: return "java.lang.Double";
    case ShapeKind::kTimestamp: return "java.util.Date";
    case ShapeKind::kList: return "java.util.List<" + JavaName(*shape.element) + ">";
    case ShapeKind::kMap:
      return "java.util.Map<java.lang.String, " + JavaName(*shape.element) + ">";
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue: return std::string(kModelPackage).append(shape.name);
  }
  CheckFailed("a shape has a kind", std::source_location::current());
}

// The framework's sentence for a value of a wrong JSON type. assumed, from what users report.
std::string WrongType(const Shape& shape, JsonValue value) {
  const bool generic = shape.kind == ShapeKind::kList || shape.kind == ShapeKind::kMap;
  const bool structure =
      shape.kind == ShapeKind::kStructure || shape.kind == ShapeKind::kAttributeValue;
  if (value.is(JsonType::kObject)) return "Start of structure or map found where not expected.";
  if (value.is(JsonType::kArray)) {
    return fmt::format("Unrecognized collection type {}{}", generic ? "" : "class ",
                       JavaName(shape));
  }
  if (generic) return "Unexpected field type";
  if (structure) return "Unexpected value type in payload";
  if (shape.kind == ShapeKind::kBlob) {
    return "only base-64-encoded strings are convertible to bytes";
  }
  std::string_view token = "NUMBER_VALUE";
  if (value.is(JsonType::kString)) token = "STRING_VALUE";
  if (value.is(JsonType::kBool)) token = value.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
  const std::string name = JavaName(shape);
  return fmt::format("{} cannot be converted to {}", token, name.substr(name.rfind('.') + 1));
}

// Whether an Integer or a Long holds a number, once its fraction is cut off.
bool Fits(const Shape& shape, JsonValue number) {
  if (shape.kind == ShapeKind::kLong) {
    constexpr double kEnd = 9223372036854775808.0;  // 2^63
    return number.is(JsonType::kInteger) || (number.number() >= -kEnd && number.number() < kEnd);
  }
  constexpr double kEnd = 2147483648.0;  // 2^31
  return number.number() > -kEnd - 1 && number.number() < kEnd;
}

// assumed: the wording of the Java codec.
Result<void> CheckBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return Unreadable(fmt::format(
        "Base64 encoded length is expected a multiple of 4 bytes but found: {}", text.size()));
  }
  std::size_t size = text.size();
  while (size > 0 && text.size() - size < 2 && text[size - 1] == '=') --size;
  constexpr auto kValues = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    std::int8_t next = 0;
    for (const char c :
         std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")) {
      values[static_cast<unsigned char>(c)] = next++;
    }
    return values;
  }();
  for (const char c : text.substr(0, size)) {
    if (kValues[static_cast<unsigned char>(c)] < 0) {
      return Unreadable(fmt::format("Invalid Base64 character: '{}'", c));
    }
  }
  const std::size_t padding = text.size() - size;
  if (padding > 0) {
    const int unused_bits = padding == 1 ? 0x3 : 0xF;
    if ((kValues[static_cast<unsigned char>(text[size - 1])] & unused_bits) != 0) {
      return Unreadable("Invalid last non-whitespace character detected");
    }
  }
  return {};
}

Result<void> CheckTypes(const Shape& shape, JsonValue value);

Result<void> CheckMembers(const Shape& shape, JsonValue value) {
  if (!value.is(JsonType::kObject)) return Unreadable(WrongType(shape, value));
  const bool attribute_value = shape.kind == ShapeKind::kAttributeValue;
  for (const auto [name, member] : value.object()) {
    const Shape* member_shape = nullptr;
    if (attribute_value) {
      member_shape = ValueMember(name);
    } else if (const ShapeMember* found = FindMember(shape, name)) {
      member_shape = found->shape;
    }
    if (member_shape != nullptr) TRY(CheckTypes(*member_shape, member));
  }
  return {};
}

Result<void> CheckTypes(const Shape& shape, JsonValue value) {
  const JsonType type = value.type();
  if (type == JsonType::kNull) return {};
  bool right = false;
  switch (shape.kind) {
    case ShapeKind::kString: right = type == JsonType::kString; break;
    case ShapeKind::kBlob:
      if (type == JsonType::kString) return CheckBase64(value.string());
      break;
    case ShapeKind::kBoolean: right = type == JsonType::kBool; break;
    case ShapeKind::kInteger:
    case ShapeKind::kLong:
      // assumed: a number too large is refused as one of a wrong type is.
      right = (type == JsonType::kInteger || type == JsonType::kDouble) && Fits(shape, value);
      break;
    case ShapeKind::kDouble:
    case ShapeKind::kTimestamp:
      right = type == JsonType::kInteger || type == JsonType::kDouble;
      break;
    case ShapeKind::kList:
      if (type != JsonType::kArray) break;
      for (const JsonValue element : value.array()) TRY(CheckTypes(*shape.element, element));
      return {};
    case ShapeKind::kMap:
      if (type != JsonType::kObject) break;
      for (const auto [name, element] : value.object()) TRY(CheckTypes(*shape.element, element));
      return {};
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue: return CheckMembers(shape, value);
  }
  if (!right) return Unreadable(WrongType(shape, value));
  return {};
}

// ---- Second pass: constraints, in the order of the tables. Types are right by now. ----

constexpr std::size_t kFaultsMax = 10;
// Of one value in a fault's text: the service shows all of it, but a body is up to 24 MB.
constexpr std::size_t kShownBytesMax = std::size_t{64} << 10;

// A string, cut before the character that does not fit any more.
void AppendShown(std::string_view text, std::string& out) {
  std::size_t size = std::min(text.size(), kShownBytesMax);
  if (size < text.size()) {
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  }
  out.append(text, 0, size);
}

// Where a value stands: frames on the stack, rendered only for a fault.
struct Place {
  const Place* above = nullptr;
  std::string_view name;  // a structure's member or a map's key; empty: an element of a list
  std::size_t number = 0;
  bool element = false;  // of a list or map: the framework adds ".member"

  void AppendTo(std::string& out) const {
    if (above == nullptr) return;  // the body itself
    above->AppendTo(out);
    if (above->above != nullptr) out += '.';
    if (element) {
      if (name.data() == nullptr) out += std::to_string(number);
      AppendShown(name, out);
      out.append(".member");
    } else if (!name.empty()) {
      const char first = name[0];
      out += first >= 'A' && first <= 'Z' ? static_cast<char>(first - 'A' + 'a') : first;
      out.append(name.substr(1));
    }
  }
};

// A value as Java prints it, up to about kShownBytesMax: what follows is left out.
void AppendJava(const Shape& shape, JsonValue value, std::string& out) {
  if (out.size() >= kShownBytesMax) return;
  if (value.is(JsonType::kNull)) {
    out += "null";
    return;
  }
  switch (shape.kind) {
    case ShapeKind::kString: AppendShown(value.string(), out); return;
    case ShapeKind::kBoolean: out += value.boolean() ? "true" : "false"; return;
    case ShapeKind::kInteger:
    case ShapeKind::kLong: out += std::to_string(IntegerOf(value)); return;
    case ShapeKind::kDouble:
    case ShapeKind::kTimestamp: out += fmt::format("{}", value.number()); return;
    case ShapeKind::kList: {
      std::string_view separator;
      out += '[';
      for (const JsonValue element : value.array()) {
        if (out.size() >= kShownBytesMax) break;
        out.append(std::exchange(separator, ", "));
        AppendJava(*shape.element, element, out);
      }
      out += ']';
      return;
    }
    case ShapeKind::kMap: {
      std::string_view separator;
      out += '{';
      for (const auto [name, element] : value.object()) {
        if (out.size() >= kShownBytesMax) break;
        AppendShown(name, out.append(std::exchange(separator, ", ")));
        out += '=';
        AppendJava(*shape.element, element, out);
      }
      out += '}';
      return;
    }
    case ShapeKind::kBlob:
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue:
      // The service prints an object's class and address; ours is the same for every object.
      out += fmt::format("{}@{:x}", JavaName(shape), StableHash(shape.name) & 0xFFFFFFFFU);
      return;
  }
}

// Characters as Java counts them: UTF-16 units.
std::int64_t LengthOf(std::string_view text) {
  std::int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

bool HasLimits(const Shape& shape) {
  return shape.min != std::numeric_limits<std::int64_t>::min() ||
         shape.max != std::numeric_limits<std::int64_t>::max();
}

// What min and max measure; nothing for a kind without limits.
std::optional<std::int64_t> Measure(const Shape& shape, JsonValue value) {
  if (!HasLimits(shape)) return std::nullopt;
  switch (shape.kind) {
    case ShapeKind::kString: return LengthOf(value.string());
    case ShapeKind::kList: return static_cast<std::int64_t>(value.array().size());
    case ShapeKind::kMap: return static_cast<std::int64_t>(value.object().size());
    case ShapeKind::kInteger:
    case ShapeKind::kLong: return IntegerOf(value);
    case ShapeKind::kBlob:
    case ShapeKind::kBoolean:
    case ShapeKind::kDouble:
    case ShapeKind::kTimestamp:
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue: return std::nullopt;
  }
  return std::nullopt;
}

std::string LimitText(const Shape& shape, std::string_view direction, std::int64_t limit) {
  const bool number = shape.kind == ShapeKind::kInteger || shape.kind == ShapeKind::kLong;
  return fmt::format("Member must have {} {} than or equal to {}", number ? "value" : "length",
                     direction, limit);
}
std::string MaxText(const Shape& shape) { return LimitText(shape, "less", shape.max); }
std::string MinText(const Shape& shape) { return LimitText(shape, "greater", shape.min); }
std::string EnumText(const Shape& shape) {
  return fmt::format("Member must satisfy enum value set: [{}]", fmt::join(shape.values, ", "));
}
std::string PatternText(const Shape& shape) {
  return fmt::format("Member must satisfy regular expression pattern: {}", shape.pattern->text);
}

// Every constraint of a shape, as the framework lists them for the elements of a container.
std::string AllConstraints(const Shape& shape, bool may_be_null) {
  std::vector<std::string> texts;
  if (shape.max != std::numeric_limits<std::int64_t>::max()) texts.push_back(MaxText(shape));
  if (shape.min != std::numeric_limits<std::int64_t>::min()) texts.push_back(MinText(shape));
  if (!shape.values.empty()) texts.push_back(EnumText(shape));
  if (shape.pattern != nullptr) texts.push_back(PatternText(shape));
  if (!may_be_null) texts.emplace_back("Member must not be null");
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

class ConstraintChecker {
 public:
  void CheckValue(const Shape& shape, JsonValue value, const Place& place) {
    if (const auto measure = Measure(shape, value);
        measure || shape.pattern || !shape.values.empty()) {
      CheckScalar(shape, value, measure, place);
    }
    CheckWithin(shape, value, place);
  }

  Result<void> Outcome() const {
    if (faults_.empty()) return {};
    return Invalid(fmt::format("{} validation error{} detected: {}", faults_.size(),
                               faults_.size() == 1 ? "" : "s", fmt::join(faults_, "; ")));
  }

 private:
  void Add(const Shape& shape, const JsonValue* value, const Place& place,
           std::string_view constraint) {
    if (faults_.size() == kFaultsMax) return;
    std::string fault = "Value ";
    if (value == nullptr) {
      fault += "null";
    } else {
      fault += '\'';
      AppendJava(shape, *value, fault);
      fault += '\'';
    }
    fault += " at '";
    place.AppendTo(fault);
    fault.append("' failed to satisfy constraint: ").append(constraint);
    faults_.push_back(std::move(fault));
  }

  void CheckScalar(const Shape& shape, JsonValue value, std::optional<std::int64_t> measure,
                   const Place& place) {
    if (shape.pattern != nullptr && !shape.pattern->matches(value.string())) {
      Add(shape, &value, place, PatternText(shape));
    }
    if (measure && *measure > shape.max) Add(shape, &value, place, MaxText(shape));
    if (measure && *measure < shape.min) Add(shape, &value, place, MinText(shape));
    if (!shape.values.empty() &&
        std::ranges::find(shape.values, value.string()) == shape.values.end()) {
      Add(shape, &value, place, EnumText(shape));
    }
  }

  static bool Satisfies(const Shape& shape, JsonValue value) {
    if (value.is(JsonType::kNull)) return false;
    const auto measure = Measure(shape, value);
    if (measure && (*measure > shape.max || *measure < shape.min)) return false;
    if (shape.pattern != nullptr && !shape.pattern->matches(value.string())) return false;
    return shape.values.empty() ||
           std::ranges::find(shape.values, value.string()) != shape.values.end();
  }

  void CheckWithin(const Shape& shape, JsonValue value, const Place& place) {
    switch (shape.kind) {
      case ShapeKind::kStructure: CheckStructure(shape, value, place); return;
      case ShapeKind::kList: CheckList(shape, value, place); return;
      case ShapeKind::kMap: CheckMap(shape, value, place); return;
      case ShapeKind::kString:
      case ShapeKind::kBlob:
      case ShapeKind::kBoolean:
      case ShapeKind::kInteger:
      case ShapeKind::kLong:
      case ShapeKind::kDouble:
      case ShapeKind::kTimestamp:
      case ShapeKind::kAttributeValue: return;
    }
  }

  void CheckStructure(const Shape& shape, JsonValue value, const Place& place) {
    constexpr std::size_t kMembersMax = 32;
    std::array<std::optional<JsonValue>, kMembersMax> sent;
    for (const auto [name, member] : value.object()) {
      const ShapeMember* found = FindMember(shape, name);
      if (found == nullptr) continue;
      auto& slot = sent[static_cast<std::size_t>(found - shape.members.data())];
      slot = member.is(JsonType::kNull) ? std::nullopt : std::optional(member);
    }
    for (std::size_t i = 0; i < shape.members.size(); ++i) {
      const ShapeMember& member = shape.members[i];
      const Place member_place{.above = &place, .name = member.name};
      if (sent[i]) {
        CheckValue(*member.shape, *sent[i], member_place);
      } else if (member.presence == kRequired) {
        Add(*member.shape, nullptr, member_place, "Member must not be null");
      }
    }
  }

  void CheckList(const Shape& shape, JsonValue value, const Place& place) {
    std::size_t number = 0;
    bool reported = false;
    for (const JsonValue element : value.array()) {
      ++number;
      if (!Satisfies(*shape.element, element)) {
        if (!std::exchange(reported, true)) {
          Add(shape, &value, place,
              "Member must satisfy constraint: " + AllConstraints(*shape.element, false));
        }
        continue;
      }
      CheckWithin(*shape.element, element,
                  {.above = &place, .name = {}, .number = number, .element = true});
    }
  }

  void CheckMap(const Shape& shape, JsonValue value, const Place& place) {
    bool value_reported = false;
    bool key_reported = false;
    for (const auto [name, element] : value.object()) {
      if (shape.key != nullptr && !KeySatisfies(*shape.key, name) &&
          !std::exchange(key_reported, true)) {
        Add(shape, &value, place,
            "Map keys must satisfy constraint: " + AllConstraints(*shape.key, true));
      }
      if (!Satisfies(*shape.element, element)) {
        if (!std::exchange(value_reported, true)) {
          Add(shape, &value, place,
              "Map value must satisfy constraint: " +
                  AllConstraints(*shape.element, !element.is(JsonType::kNull)));
        }
        continue;
      }
      CheckWithin(*shape.element, element, {.above = &place, .name = name, .element = true});
    }
  }

  static bool KeySatisfies(const Shape& shape, std::string_view key) {
    const std::int64_t length = LengthOf(key);
    return length >= shape.min && length <= shape.max &&
           (shape.pattern == nullptr || shape.pattern->matches(key));
  }

  std::vector<std::string> faults_;
};

}  // namespace

Result<void> CheckShape(const Shape& shape, JsonValue body) {
  if (body.is(JsonType::kNull)) return Unreadable("Unexpected value type in payload");
  TRY(CheckTypes(shape, body));
  ConstraintChecker checker;
  checker.CheckValue(shape, body, {});
  return checker.Outcome();
}

std::size_t EnumIndex(const Shape& shape, std::string_view value) {
  const auto found = std::ranges::find(shape.values, value);
  Check(found != shape.values.end(), "CheckShape has seen an enum's value");
  return static_cast<std::size_t>(found - shape.values.begin());
}

std::int64_t IntegerOf(JsonValue number) {
  if (number.is(JsonType::kInteger)) return number.integer();
  return static_cast<std::int64_t>(number.number());
}

}  // namespace kw::api
