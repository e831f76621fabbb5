// SPDX-License-Identifier: Apache-2.0
#include "api/ops/table_name.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "api/ops/item_shapes.h"
#include "data/limits.h"

namespace kw::api {
namespace {

// arn:aws:dynamodb:region:account:table/name; the partition may also be aws-cn and its kin.
std::optional<engine::TableKey> ParseArn(std::string_view arn) {
  std::array<std::string_view, 5> parts;  // "arn", partition, service, region, account
  for (std::string_view& part : parts) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    part = arn.substr(0, colon);
    arn.remove_prefix(colon + 1);
  }
  constexpr std::string_view kResource = "table/";
  if (parts[2] != "dynamodb" || !arn.starts_with(kResource)) return std::nullopt;
  return engine::TableKey{.account = std::string(parts[4]),
                          .region = std::string(parts[3]),
                          .name = std::string(arn.substr(kResource.size()))};
}

// Callers who are not known have only what is their own.
// assumed: the sentence, after the one that IAM has for lack of a resource-based policy.
tl::unexpected<Error> NotAuthorized(std::string_view arn, const engine::CallContext& call) {
  return Fail(ErrorCode::kAccessDenied,
              fmt::format("User: arn:aws:iam::{}:root is not authorized to access resource: {} "
                          "because no resource-based policy allows the action",
                          call.account, arn));
}

bool IsTableName(std::string_view name) {
  return name.size() >= limits::kTableNameMin && name.size() <= limits::kTableNameMax &&
         kNamePattern.matches(name);
}

}  // namespace

Result<engine::TableKey> ParseTable(std::string_view name_or_arn, const engine::CallContext& call) {
  if (name_or_arn.starts_with("arn:")) {
    auto key = ParseArn(name_or_arn);
    // assumed: the sentence for an ARN that names no table.
    if (!key || !IsTableName(key->name)) return Invalid("Invalid table ARN");
    switch (call.arns) {
      case engine::ArnScope::kOwn:
        // Of another account's tables their policies decide, where callers are known.
        if (key->region != call.region ||
            (key->account != call.account && call.principal == nullptr)) {
          return NotAuthorized(name_or_arn, call);
        }
        break;
      case engine::ArnScope::kAny:
        key->account = call.account;
        key->region = call.region;
        break;
    }
    return *std::move(key);
  }
  if (!IsTableName(name_or_arn)) {
    // observed for years by users; assumed for the newest service.
    return Invalid(
        "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, "
        "and "
        "may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'");
  }
  return engine::TableKey{
      .account = call.account, .region = call.region, .name = std::string(name_or_arn)};
}

}  // namespace kw::api
