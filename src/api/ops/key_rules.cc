// SPDX-License-Identifier: Apache-2.0
#include "api/ops/key_rules.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/ops/table_settings.h"
#include "data/limits.h"

namespace kw::api {
namespace {

Error InvalidParameter(std::string_view text) {
  return {ErrorCode::kValidation, fmt::format("{}{}", kInvalidParameter, text), {}};
}

// The service lists names as its hash sets hold them: by the low bits of the JVM's string hash,
// each bucket in the order of insertion. Names are UTF-8 here and UTF-16 there: only ASCII is
// exact. observed: github.com/aws/aws-sdk-java/issues/335, ack-api-quirks DDB-TABLE-127.
std::string Listed(const std::vector<std::string>& names, std::size_t buckets) {
  std::map<std::size_t, std::vector<std::string_view>> by_bucket;
  for (const auto& name : names) {
    std::uint32_t hash = 0;
    for (const char c : name) hash = hash * 31 + static_cast<unsigned char>(c);
    auto& bucket = by_bucket[(hash ^ (hash >> 16)) & (buckets - 1)];
    if (std::ranges::find(bucket, name) == bucket.end()) bucket.push_back(name);
  }
  std::vector<std::string_view> ordered;
  for (const auto& [place, bucket] : by_bucket) {
    ordered.insert(ordered.end(), bucket.begin(), bucket.end());
  }
  return fmt::format("[{}]", fmt::join(ordered, ", "));
}

// A set that was made for as many names as there are.
std::string ListedDefinitions(const std::vector<KeyAttribute>& definitions) {
  std::vector<std::string> names;
  for (const auto& definition : definitions) names.push_back(definition.name);
  const auto count = names.size();
  return Listed(names, std::bit_ceil(count < 3 ? count + 1 : count * 4 / 3 + 1));
}

// A set that grew.
std::string ListedKeys(const std::vector<std::string>& names) {
  return Listed(names, std::max<std::size_t>(16, std::bit_ceil(names.size() * 4 / 3 + 1)));
}

std::vector<std::string> AllNames(const KeyNames& key) {
  auto names = key.partition;
  names.insert(names.end(), key.sort.begin(), key.sort.end());
  return names;
}

KeyType TypeOf(std::string_view text) {
  if (text == "S") return KeyType::kString;
  return text == "N" ? KeyType::kNumber : KeyType::kBinary;
}

struct Element {
  std::string name;
  bool partition;
};

// Two elements at most, by the shape.
Result<void> CheckPlainKey(const std::vector<Element>& elements) {
  if (elements.size() < 2) return {};
  if (elements[1].partition) {
    return Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  if (elements[0].name == elements[1].name) {
    return Invalid(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  return {};
}

Result<void> CheckGlobalKey(const std::vector<Element>& elements) {
  std::set<std::string_view> names;
  std::size_t partition = 0;
  bool sorted = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    names.insert(elements[i].name);
    if (elements[i].partition) ++partition;
    sorted = sorted && (i == 0 || elements[i - 1].partition || !elements[i].partition);
  }
  if (!sorted) {
    return Unexpected(InvalidParameter(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema"));
  }
  if (partition > limits::kIndexPartitionAttributesMax) {
    return Unexpected(InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of HASH key attributes"));
  }
  if (elements.size() - partition > limits::kIndexSortAttributesMax) {
    return Unexpected(InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of RANGE key attributes"));
  }
  if (names.size() < elements.size()) {
    return Invalid("The KeySchema contains multiple key attributes with the same name");
  }
  return {};
}

}  // namespace

Result<std::vector<KeyAttribute>> ParseDefinitions(JsonValue json) {
  std::vector<KeyAttribute> definitions;
  std::set<std::string_view> names;
  for (const JsonValue element : json.array()) {
    const Fields<kDefinition> fields(element);
    const auto name = fields.Get<"AttributeName">().string();
    if (!names.insert(name).second) {
      return Invalid(fmt::format("Attribute Name is duplicated: {}", name));
    }
    definitions.push_back({std::string(name), TypeOf(fields.Get<"AttributeType">().string())});
  }
  return definitions;
}

Result<KeyNames> ParseKeySchema(JsonValue json, KeyOwner owner) {
  std::vector<Element> elements;
  for (const JsonValue element : json.array()) {
    const Fields<kKeyElement> fields(element);
    elements.push_back({std::string(fields.Get<"AttributeName">().string()),
                        fields.Get<"KeyType">().string() == "HASH"});
  }
  if (!elements.front().partition) {
    return Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  TRY(owner == KeyOwner::kGlobal ? CheckGlobalKey(elements) : CheckPlainKey(elements));
  KeyNames names;
  for (auto& element : elements) {
    (element.partition ? names.partition : names.sort).push_back(std::move(element.name));
  }
  return names;
}

Result<KeySchema> TypedKey(const KeyNames& names, const std::vector<KeyAttribute>& definitions) {
  KeySchema key;
  for (const auto* part : {&names.partition, &names.sort}) {
    for (const auto& name : *part) {
      const auto found = std::ranges::find(definitions, name, &KeyAttribute::name);
      if (found == definitions.end()) {
        return Unexpected(InvalidParameter(fmt::format(
            "Some index key attributes are not defined in AttributeDefinitions. Keys: {}, "
            "AttributeDefinitions: {}",
            ListedKeys(AllNames(names)), ListedDefinitions(definitions))));
      }
      (part == &names.partition ? key.partition : key.sort).push_back(*found);
    }
  }
  return key;
}

Result<void> CheckAllUsed(const std::vector<KeyAttribute>& definitions, const KeyNames& table,
                          const std::vector<KeyNames>& indexes) {
  auto used = AllNames(table);
  for (const auto& index : indexes) {
    const auto names = AllNames(index);
    used.insert(used.end(), names.begin(), names.end());
  }
  const std::set<std::string_view> names(used.begin(), used.end());
  const bool idle = std::ranges::any_of(
      definitions, [&](const KeyAttribute& attribute) { return !names.contains(attribute.name); });
  if (!idle) return {};
  if (indexes.empty()) {
    return Unexpected(
        InvalidParameter("Number of attributes in KeySchema does not exactly match number of "
                         "attributes defined in AttributeDefinitions"));
  }
  return Unexpected(InvalidParameter(
      fmt::format("Some AttributeDefinitions are not used. AttributeDefinitions: {}, keys used: {}",
                  ListedDefinitions(definitions), ListedKeys(used))));
}

Result<Projected> ParseProjection(JsonValue json) {
  const Fields<kProjection> fields(json);
  const auto type = fields.String<"ProjectionType">();
  const auto* attributes = fields.Find<"NonKeyAttributes">();
  if (!type) return Unexpected(InvalidParameter("Unknown ProjectionType: null"));
  if (*type != "INCLUDE") {
    if (attributes != nullptr) {
      return Unexpected(InvalidParameter(
          fmt::format("ProjectionType is {}, but NonKeyAttributes is specified", *type)));
    }
    return *type == "ALL" ? Projected(ProjectAll{}) : Projected(ProjectKeys{});
  }
  if (attributes == nullptr) {
    return Unexpected(
        InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  }
  ProjectInclude include;
  for (const JsonValue name : attributes->array()) include.attributes.emplace_back(name.string());
  std::ranges::sort(include.attributes);
  const auto twice = std::ranges::adjacent_find(include.attributes);
  if (twice != include.attributes.end()) {
    return Unexpected(
        InvalidParameter(fmt::format("Duplicate element in NonKeyAttributes: {}", *twice)));
  }
  return Projected(std::move(include));
}

}  // namespace kw::api
