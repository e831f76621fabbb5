// SPDX-License-Identifier: Apache-2.0
#include "expr/functions.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "data/limits.h"
#include "expr/update.h"

namespace kw {
namespace {

using Arguments = std::span<const Operand>;

bool AttributeExists(Arguments arguments, const AttributeMap& item) {
  AttributeValue scratch;
  return Read(arguments[0], item, scratch) != nullptr;
}

bool AttributeNotExists(Arguments arguments, const AttributeMap& item) {
  return !AttributeExists(arguments, item);
}

bool AttributeTypeIs(Arguments arguments, const AttributeMap& item) {
  AttributeValue scratch;
  const AttributeValue* value = Read(arguments[0], item, scratch);
  const AttributeValue* name = Read(arguments[1], item, scratch);
  return value != nullptr && WireName(value->type()) == *name->As<std::string>();
}

// Applies a relation of two values that does not hold where one of them is missing.
template <auto Relation>
bool Related(Arguments arguments, const AttributeMap& item) {
  AttributeValue first_scratch;
  AttributeValue second_scratch;
  const AttributeValue* first = Read(arguments[0], item, first_scratch);
  const AttributeValue* second = Read(arguments[1], item, second_scratch);
  return first != nullptr && second != nullptr && Relation(*first, *second);
}

// Characters of UTF-8 text. The guide speaks of the length in characters; that they are code
// points, not UTF-16 units or bytes, is assumed.
std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::optional<std::size_t> SizeOfValue(const AttributeValue& value) {
  switch (value.type()) {
    case AttributeType::kString: return CountCharacters(*value.As<std::string>());
    case AttributeType::kBinary: return value.As<Binary>()->bytes.size();
    case AttributeType::kStringSet: return value.As<StringSet>()->values.size();
    case AttributeType::kNumberSet: return value.As<NumberSet>()->values.size();
    case AttributeType::kBinarySet: return value.As<BinarySet>()->values.size();
    case AttributeType::kList: return value.As<List>()->values.size();
    case AttributeType::kMap: return value.As<AttributeMap>()->size();
    case AttributeType::kNumber:
    case AttributeType::kBool:
    case AttributeType::kNull: return std::nullopt;
  }
  return std::nullopt;
}

Result<const AttributeValue*> Size(Arguments arguments, const AttributeMap& item,
                                   AttributeValue& scratch) {
  AttributeValue inner;
  const AttributeValue* value = Read(arguments[0], item, inner);
  if (value == nullptr) return nullptr;
  const auto size = SizeOfValue(*value);
  if (!size) return nullptr;
  scratch = Number::FromInteger(static_cast<std::int64_t>(*size));
  return &scratch;
}

Result<const AttributeValue*> IfNotExists(Arguments arguments, const AttributeMap& item,
                                          AttributeValue& scratch) {
  TRY_ASSIGN(const AttributeValue* value, Evaluate(arguments[0], item, scratch));
  if (value != nullptr) return value;
  return Evaluate(arguments[1], item, scratch);
}

Result<const AttributeValue*> ListAppend(Arguments arguments, const AttributeMap& item,
                                         AttributeValue& scratch) {
  AttributeValue second_scratch;
  TRY_ASSIGN(const AttributeValue* first, Evaluate(arguments[0], item, scratch));
  TRY_ASSIGN(const AttributeValue* second, Evaluate(arguments[1], item, second_scratch));
  if (first == nullptr || second == nullptr) {
    return Invalid(
        "The provided expression refers to an attribute that does not exist in the item");
  }
  const List* tail = second->As<List>();
  if (first->As<List>() == nullptr || tail == nullptr) {
    return Invalid("An operand in the update expression has an incorrect data type");
  }
  // Before the copy: nested calls would otherwise copy what the item cannot hold over and over.
  if ((SizeOf(*first) + SizeOf(*second)).value() > limits::kItemBytesMax) return UpdateTooLarge();
  List* moved = second == &second_scratch ? second_scratch.As<List>() : nullptr;
  if (first != &scratch) scratch = *first;
  auto& values = scratch.As<List>()->values;
  if (moved != nullptr) {
    std::ranges::move(moved->values, std::back_inserter(values));
  } else {
    values.insert(values.end(), tail->values.begin(), tail->values.end());
  }
  return &scratch;
}

// In linear time whatever the bytes, which std::string::find does not promise.
bool HasSubsequence(std::string_view whole, std::string_view part) {
  return ::memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

template <class Set, class Member>
bool HasMember(const AttributeValue& set, const Member& member) {
  const auto* members = set.As<Set>();
  return members != nullptr && std::ranges::binary_search(members->values, member);
}

constexpr TypeSet kMeasured = {AttributeType::kString,    AttributeType::kBinary,
                               AttributeType::kStringSet, AttributeType::kNumberSet,
                               AttributeType::kBinarySet, AttributeType::kList,
                               AttributeType::kMap};
constexpr TypeSet kContainers = {AttributeType::kString,    AttributeType::kBinary,
                                 AttributeType::kStringSet, AttributeType::kNumberSet,
                                 AttributeType::kBinarySet, AttributeType::kList};
constexpr TypeSet kText = {AttributeType::kString, AttributeType::kBinary};

constexpr Argument kPath = {.form = ArgumentForm::kPath};
constexpr Argument kAny = {};
constexpr Argument kList = {.types = {AttributeType::kList}};
constexpr Argument kTypeName = {.form = ArgumentForm::kValue, .types = {AttributeType::kString}};

constexpr auto kCondition = FunctionHome::kCondition;
constexpr auto kUpdate = FunctionHome::kUpdate;

// One function a row: name, where it is allowed, its arguments, the type it returns, its evaluator.
const std::array kFunctions = {
    Function{"attribute_exists", kCondition, 1, {kPath, kAny}, {}, AttributeExists},
    Function{"attribute_not_exists", kCondition, 1, {kPath, kAny}, {}, AttributeNotExists},
    Function{"attribute_type", kCondition, 2, {kAny, kTypeName}, {}, AttributeTypeIs},
    Function{"begins_with",
             kCondition,
             2,
             {Argument{.types = kText}, Argument{.types = kText}},
             {},
             Related<BeginsWith>},
    Function{
        "contains", kCondition, 2, {Argument{.types = kContainers}, kAny}, {}, Related<Contains>},
    Function{
        "size", kCondition, 1, {Argument{.types = kMeasured}, kAny}, AttributeType::kNumber, Size},
    Function{"if_not_exists", kUpdate, 2, {kPath, kAny}, {}, IfNotExists},
    Function{"list_append", kUpdate, 2, {kList, kList}, AttributeType::kList, ListAppend},
};

}  // namespace

const Function* FindFunction(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == kFunctions.end() ? nullptr : found;
}

bool IsTypeName(std::string_view name) {
  for (auto type = AttributeType::kString; type <= AttributeType::kMap;
       type = static_cast<AttributeType>(static_cast<int>(type) + 1)) {
    if (WireName(type) == name) return true;
  }
  return false;
}

bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix) {
  if (const auto* text = value.As<std::string>()) {
    const auto* start = prefix.As<std::string>();
    return start != nullptr && text->starts_with(*start);
  }
  const auto* binary = value.As<Binary>();
  const auto* start = prefix.As<Binary>();
  return binary != nullptr && start != nullptr && binary->bytes.starts_with(start->bytes);
}

bool Contains(const AttributeValue& container, const AttributeValue& part) {
  if (const auto* list = container.As<List>()) {
    return std::ranges::find(list->values, part) != list->values.end();
  }
  if (const auto* text = part.As<std::string>()) {
    const auto* whole = container.As<std::string>();
    if (whole != nullptr) return HasSubsequence(*whole, *text);
    return HasMember<StringSet>(container, *text);
  }
  if (const auto* binary = part.As<Binary>()) {
    const auto* whole = container.As<Binary>();
    if (whole != nullptr) return HasSubsequence(whole->bytes, binary->bytes);
    return HasMember<BinarySet>(container, *binary);
  }
  if (const auto* number = part.As<Number>()) return HasMember<NumberSet>(container, *number);
  return false;
}

}  // namespace kw
