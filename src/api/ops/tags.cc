// SPDX-License-Identifier: Apache-2.0
#include "api/ops/tags.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/ops/table_name.h"
#include "api/ops/table_settings.h"
#include "data/limits.h"

namespace kw::api {
namespace {

// Characters, as the service counts them.
std::size_t Length(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Error TooManyTags() {
  return {ErrorCode::kValidation,
          "Number of Tags exceed the current limit for the provided ResourceArn",
          {}};
}

Error NotTagged(const engine::TableKey& key) {
  // assumed, with the service's spelling.
  return {
      ErrorCode::kResourceNotFound,
      fmt::format("Requested resource not found: ResourcArn: arn:aws:dynamodb:{}:{}:table/{} not "
                  "found",
                  key.region, key.account, key.name),
      {}};
}

// What follows the account, "table/name" with whatever comes behind.
std::string_view ResourceOf(std::string_view arn) {
  for (int colons = 0; colons < 5; ++colons) {
    const auto colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn;
}

}  // namespace

Result<std::vector<engine::Tag>> ParseTags(JsonValue json) {
  std::vector<engine::Tag> tags;
  std::set<std::string_view> keys;
  for (const JsonValue element : json.array()) {
    const Fields<kTag> fields(element);
    const auto key = fields.String<"Key">().value_or("");
    const auto value = fields.String<"Value">();
    if (key.empty() || Length(key) > limits::kTagKeyMax) {
      return Invalid(fmt::format("The Tag Key provided is invalid, Key: {}", key));
    }
    if (key.starts_with("aws:")) {
      return Invalid(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", key));
    }
    if (!value || Length(*value) > limits::kTagValueMax) {
      return Invalid(
          fmt::format("The Tag Value provided is invalid, Value: {}", value.value_or("null")));
    }
    if (!keys.insert(key).second) {
      return Invalid(
          fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", key));
    }
    tags.push_back({std::string(key), std::string(*value)});
  }
  if (tags.size() > limits::kTagsMax) return Unexpected(TooManyTags());
  return tags;
}

Result<engine::TableKey> ParseTaggedResource(std::string_view arn,
                                             const engine::CallContext& call) {
  if (!arn.starts_with("arn:")) {
    return Invalid(fmt::format("{}ARNs must start with 'arn:': {}", kInvalidParameter, arn));
  }
  const auto resource = ResourceOf(arn);
  if (arn.find(":dynamodb:") == std::string_view::npos || !resource.starts_with("table/")) {
    return Invalid(
        fmt::format("{}Provided Arn is not a DynamoDB resource arn: {}", kInvalidParameter, arn));
  }
  const auto behind = resource.find('/', std::string_view("table/").size());
  const bool is_stream =
      behind != std::string_view::npos && resource.substr(behind).starts_with("/stream/");
  if (behind != std::string_view::npos && !is_stream) {
    return Invalid(
        fmt::format("{}Invalid resource arn provided, only table or stream is accepted. Provided "
                    "resource arn: {}",
                    kInvalidParameter, arn));
  }
  if (is_stream) arn.remove_suffix(resource.size() - behind);
  return ParseTable(arn, call);
}

Result<engine::TablePtr> FindTagged(const engine::Engine& engine, const engine::TableKey& table) {
  if (auto found = engine.catalog.FindOrNull(table)) return found;
  return Unexpected(NotTagged(table));
}

Result<void> ChangeTags(engine::Engine& engine, const engine::TableKey& table,
                        const std::function<void(std::vector<engine::Tag>&)>& change) {
  const auto applied = engine.catalog.Apply(
      table, [&](const engine::TablePtr& now) -> Result<engine::Catalog::Next> {
        if (!now) return Unexpected(NotTagged(table));
        auto next = std::make_unique<engine::Table>(*now);
        change(next->tags);
        if (next->tags.size() > limits::kTagsMax) return Unexpected(TooManyTags());
        return engine::Catalog::Next{std::move(next), {}};
      });
  TRY(applied);
  return {};
}

}  // namespace kw::api
