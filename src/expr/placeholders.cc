// SPDX-License-Identifier: Apache-2.0
#include "expr/placeholders.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/limits.h"

namespace kw {
namespace {

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Result<void> CheckPlaceholder(std::string_view parameter, char sign, std::string_view key) {
  if (key.size() > limits::kExpressionNameBytesMax) {
    return Invalid(fmt::format("{} contains invalid key: Key is too long; key size: {}", parameter,
                               key.size()));
  }
  if (key.size() < 2 || key.front() != sign || !std::ranges::all_of(key.substr(1), IsNamePart)) {
    return Invalid(
        fmt::format("{} contains invalid key: Syntax error; key: \"{}\"", parameter, key));
  }
  return {};
}

template <class Entries>
auto* FindEntry(Entries& entries, std::string_view placeholder) {
  const auto found = std::ranges::lower_bound(entries, placeholder, {}, [](const auto& entry) {
    return std::string_view(entry.placeholder);
  });
  return found == entries.end() || found->placeholder != placeholder ? nullptr : &*found;
}

template <class Entries>
Result<void> CheckUsed(std::string_view parameter, const Entries& entries) {
  std::string unused;
  for (const auto& entry : entries) {
    if (entry.used) continue;
    if (!unused.empty()) unused += ", ";
    unused += entry.placeholder;
  }
  if (unused.empty()) return {};
  return Invalid(
      fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", parameter, unused));
}

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";

}  // namespace

Result<Placeholders> Placeholders::Make(Input input) {
  if (input.has_names && input.names.empty()) {
    return Invalid(fmt::format("{} must not be empty", kNames));
  }
  if (input.has_values && input.values.empty()) {
    return Invalid(fmt::format("{} must not be empty", kValues));
  }
  Placeholders made;
  for (auto& [placeholder, name] : input.names) {
    TRY(CheckPlaceholder(kNames, '#', placeholder));
    made.names_.push_back({std::move(placeholder), std::move(name)});
  }
  std::ranges::sort(made.names_, {}, &NameEntry::placeholder);
  ByteCount size;
  // The map is sorted already.
  for (const auto& [placeholder, value] : input.values.entries()) {
    TRY(CheckPlaceholder(kValues, ':', placeholder));
    size += SizeOf(value);
    made.values_.push_back({placeholder, std::make_shared<const AttributeValue>(
                                             std::move(*input.values.Find(placeholder)))});
  }
  if (size > ByteCount(limits::kExpressionValuesBytesMax)) {
    return Invalid(fmt::format("{} is too large; size: {}", kValues, size.value()));
  }
  made.value_bytes_ = size;
  return made;
}

const std::string* Placeholders::Name(std::string_view placeholder) {
  auto* entry = FindEntry(names_, placeholder);
  if (entry == nullptr) return nullptr;
  entry->used = true;
  return &entry->name;
}

std::shared_ptr<const AttributeValue> Placeholders::Value(std::string_view placeholder) {
  auto* entry = FindEntry(values_, placeholder);
  if (entry == nullptr) return nullptr;
  entry->used = true;
  return entry->value;
}

Result<void> Placeholders::CheckAllUsed() const {
  TRY(CheckUsed(kNames, names_));
  return CheckUsed(kValues, values_);
}

bool Placeholders::empty() const { return names_.empty() && values_.empty(); }

}  // namespace kw
