// SPDX-License-Identifier: Apache-2.0
#include "data/item.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "data/limits.h"

namespace kw {
namespace {

// Unknown members are dropped by the service's reader, like members that are null.
std::optional<AttributeType> TypeOf(std::string_view tag) {
  switch (tag.size()) {
    case 1:
      switch (tag[0]) {
        case 'S': return AttributeType::kString;
        case 'N': return AttributeType::kNumber;
        case 'B': return AttributeType::kBinary;
        case 'L': return AttributeType::kList;
        case 'M': return AttributeType::kMap;
        default: return std::nullopt;
      }
    case 2:
      if (tag == "SS") return AttributeType::kStringSet;
      if (tag == "NS") return AttributeType::kNumberSet;
      if (tag == "BS") return AttributeType::kBinarySet;
      return std::nullopt;
    case 4:
      if (tag == "BOOL") return AttributeType::kBool;
      if (tag == "NULL") return AttributeType::kNull;
      return std::nullopt;
    default: return std::nullopt;
  }
}

// Met only where CheckShape has not run before. assumed: the wording.
tl::unexpected<Error> WrongShape() {
  return Fail(ErrorCode::kSerialization, "Unexpected value type in payload");
}

tl::unexpected<Error> InvalidParameter(std::string_view what) {
  return Invalid("One or more parameter values were invalid: " + std::string(what));
}

Result<std::string> ParseString(JsonValue json) {
  if (!json.is(JsonType::kString)) return WrongShape();
  return std::string(json.string());
}

Result<Number> ParseNumber(JsonValue json) {
  if (!json.is(JsonType::kString)) return WrongShape();
  return Number::Parse(json.string());
}

Result<Binary> ParseBinary(JsonValue json) {
  if (!json.is(JsonType::kString)) return WrongShape();
  auto bytes = ParseBase64(json.string());
  if (!bytes) return WrongShape();
  return Binary{std::move(*bytes)};
}

Result<bool> ParseBool(JsonValue json) {
  if (!json.is(JsonType::kBool)) return WrongShape();
  return json.boolean();
}

// The elements in the order sent.
template <class T>
Result<std::vector<T>> ParseElements(JsonValue json, Result<T> (*parse)(JsonValue),
                                     std::string_view if_empty) {
  if (!json.is(JsonType::kArray)) return WrongShape();
  const JsonArray array = json.array();
  std::vector<T> elements;
  elements.reserve(array.size());
  for (const JsonValue element : array) {
    TRY_ASSIGN(elements.emplace_back(), parse(element));
  }
  if (elements.empty()) return InvalidParameter(if_empty);
  return elements;
}

// observed: quoted, sorted, up to the first repeat. assumed: nothing is escaped.
tl::unexpected<Error> DuplicateStrings(const std::vector<std::string>& sorted) {
  std::string text = "Input collection [";
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    text += i == 0 ? "\"" : ", \"";
    text += sorted[i];
    text += '"';
    if (i > 0 && sorted[i] == sorted[i - 1]) break;
  }
  return InvalidParameter(text + "] contains duplicates.");
}

// observed: base64, in the order sent, no blank before "of".
tl::unexpected<Error> DuplicateBinaries(const std::vector<Binary>& sent) {
  std::string text = "Input collection [";
  for (const Binary& binary : sent) {
    text += text.back() == '[' ? "\"" : ",\"";
    AppendBase64(text, binary.bytes);
    text += '"';
  }
  return InvalidParameter(text + "]of type BS contains duplicates.");
}

template <class T>
bool SortAndFindRepeat(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

Result<AttributeValue> ParseStringSet(JsonValue json) {
  // observed: two blanks, and "An string".
  TRY_ASSIGN(auto values, ParseElements(json, ParseString, "An string set  may not be empty"));
  if (SortAndFindRepeat(values)) return DuplicateStrings(values);
  return StringSet{std::move(values)};
}

Result<AttributeValue> ParseNumberSet(JsonValue json) {
  // assumed: as a string set.
  TRY_ASSIGN(auto values, ParseElements(json, ParseNumber, "An number set  may not be empty"));
  // observed: names no members. assumed: the rest of the sentence.
  if (SortAndFindRepeat(values)) return Invalid("Input collection contains duplicates");
  return NumberSet{std::move(values)};
}

Result<AttributeValue> ParseBinarySet(JsonValue json) {
  // assumed: the wording.
  TRY_ASSIGN(auto sent, ParseElements(json, ParseBinary, "Binary sets should not be empty"));
  std::vector<Binary> values = sent;
  if (SortAndFindRepeat(values)) return DuplicateBinaries(sent);
  return BinarySet{std::move(values)};
}

// aws-doc: API_TransactWriteItems ("Nesting Levels have exceeded supported limits").
// assumed: the rest, and that 32 lists and maps may lie inside one another.
Result<void> CheckDepth(int depth) {
  if (depth < limits::kNestingMax) return {};
  return Invalid(
      "Nesting Levels have exceeded supported limits: Attributes nested deeper than 32 levels");
}

// `depth` counts the lists and maps around the value.
Result<AttributeValue> ParseValue(JsonValue json, int depth);

Result<AttributeMap> ParseEntries(JsonValue json, int depth) {
  if (!json.is(JsonType::kObject)) return WrongShape();
  std::vector<AttributeMap::Entry> entries;
  constexpr std::size_t kUsualEntries = 16;
  entries.reserve(kUsualEntries);
  for (const auto& [name, value] : json.object()) {
    TRY_ASSIGN(auto parsed, ParseValue(value, depth));
    entries.emplace_back(name, std::move(parsed));
  }
  return AttributeMap::FromEntries(std::move(entries));
}

Result<AttributeValue> ParseList(JsonValue json, int depth) {
  if (!json.is(JsonType::kArray)) return WrongShape();
  TRY(CheckDepth(depth));
  const JsonArray array = json.array();
  List list;
  list.values.reserve(array.size());
  for (const JsonValue element : array) {
    TRY_ASSIGN(list.values.emplace_back(), ParseValue(element, depth + 1));
  }
  return list;
}

Result<AttributeValue> ParseMap(JsonValue json, int depth) {
  TRY(CheckDepth(depth));
  return ParseEntries(json, depth + 1);
}

Result<AttributeValue> ParseTyped(AttributeType type, JsonValue json, int depth) {
  switch (type) {
    case AttributeType::kString: return ParseString(json);
    case AttributeType::kNumber: return ParseNumber(json);
    case AttributeType::kBinary: return ParseBinary(json);
    case AttributeType::kBool: return ParseBool(json);
    case AttributeType::kNull: {
      TRY_ASSIGN(const bool null, ParseBool(json));
      if (null) return Null{};
      return InvalidParameter("Null attribute value types must have the value of true");
    }
    case AttributeType::kStringSet: return ParseStringSet(json);
    case AttributeType::kNumberSet: return ParseNumberSet(json);
    case AttributeType::kBinarySet: return ParseBinarySet(json);
    case AttributeType::kList: return ParseList(json, depth);
    case AttributeType::kMap: return ParseMap(json, depth);
  }
  return WrongShape();
}

Result<AttributeValue> ParseValue(JsonValue json, int depth) {
  std::optional<AttributeType> type;
  JsonValue content;
  if (json.is(JsonType::kObject)) {
    for (const auto& [tag, value] : json.object()) {
      const auto found = TypeOf(tag);
      if (!found || value.is(JsonType::kNull)) continue;
      if (type) {
        return Invalid(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
      }
      type = found;
      content = value;
    }
  } else if (!json.is(JsonType::kNull)) {
    return WrongShape();
  }
  if (!type) {
    return Invalid(
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  return ParseTyped(*type, content, depth);
}

// {"TAG":content}
class Writer {
 public:
  explicit Writer(JsonWriter& out) : out_(out) {}

  void operator()(const std::string& value) { out_.String(value); }
  void operator()(const Number& value) {
    std::array<char, Number::kTextMax> text;
    out_.String({text.data(), value.Print(text)});
  }
  void operator()(const Binary& value) { out_.Base64String(value.bytes); }
  void operator()(bool value) { out_.Bool(value); }
  void operator()(Null) { out_.Bool(true); }
  void operator()(const StringSet& set) { Array(set.values); }
  void operator()(const NumberSet& set) { Array(set.values); }
  void operator()(const BinarySet& set) { Array(set.values); }
  void operator()(const List& list) { Array(list.values); }
  void operator()(const AttributeMap& map) {
    out_.BeginObject();
    for (const auto& [name, value] : map.entries()) {
      out_.Key(name);
      (*this)(value);
    }
    out_.EndObject();
  }
  void operator()(const AttributeValue& value) {
    out_.BeginObject();
    out_.Key(WireName(value.type()));
    std::visit(*this, value.value());
    out_.EndObject();
  }

 private:
  template <class T>
  void Array(const std::vector<T>& values) {
    out_.BeginArray();
    for (const T& value : values) (*this)(value);
    out_.EndArray();
  }

  JsonWriter& out_;
};

}  // namespace

Result<AttributeValue> ParseAttributeValue(JsonValue json) { return ParseValue(json, 0); }

Result<AttributeMap> ParseAttributeMap(JsonValue json) { return ParseEntries(json, 0); }

void WriteJson(const AttributeValue& value, JsonWriter& out) { Writer{out}(value); }

void WriteJson(const AttributeMap& map, JsonWriter& out) { Writer{out}(map); }

}  // namespace kw
