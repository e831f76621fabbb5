// SPDX-License-Identifier: Apache-2.0
#include "api/ops/table_settings.h"

#include <fmt/format.h>

namespace kw::api {
namespace {

Error InvalidParameter(std::string_view text) {
  return {ErrorCode::kValidation, fmt::format("{}{}", kInvalidParameter, text), {}};
}

engine::StreamView ViewOf(std::string_view text) {
  if (text == "NEW_IMAGE") return engine::StreamView::kNewImage;
  if (text == "OLD_IMAGE") return engine::StreamView::kOldImage;
  if (text == "NEW_AND_OLD_IMAGES") return engine::StreamView::kNewAndOldImages;
  return engine::StreamView::kKeysOnly;
}

}  // namespace

std::string KmsKeyArn(std::string_view id, const engine::TableKey& table) {
  if (id.starts_with("arn:")) return std::string(id);
  return fmt::format("arn:aws:kms:{}:{}:{}{}", table.region, table.account,
                     id.starts_with("alias/") ? "" : "key/", id);
}

std::optional<engine::Provisioned> ParseProvisioned(const JsonValue* json) {
  if (json == nullptr) return std::nullopt;
  const Fields<kProvisioned> fields(*json);
  engine::Provisioned provisioned;
  provisioned.read_units = fields.Integer<"ReadCapacityUnits">().value_or(0);
  provisioned.write_units = fields.Integer<"WriteCapacityUnits">().value_or(0);
  return provisioned;
}

std::optional<engine::OnDemandMaximum> ParseOnDemand(const JsonValue* json) {
  if (json == nullptr) return std::nullopt;
  const Fields<kOnDemand> fields(*json);
  return engine::OnDemandMaximum{fields.Integer<"MaxReadRequestUnits">(),
                                 fields.Integer<"MaxWriteRequestUnits">()};
}

std::optional<engine::WarmThroughput> ParseWarm(const JsonValue* json) {
  if (json == nullptr) return std::nullopt;
  const Fields<kWarm> fields(*json);
  return engine::WarmThroughput{fields.Integer<"ReadUnitsPerSecond">(),
                                fields.Integer<"WriteUnitsPerSecond">()};
}

std::optional<engine::BillingMode> ParseBilling(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return *text == "PROVISIONED" ? engine::BillingMode::kProvisioned
                                : engine::BillingMode::kPayPerRequest;
}

Result<std::optional<engine::TableClass>> ParseTableClass(std::optional<std::string_view> text) {
  if (!text) return std::optional<engine::TableClass>();
  if (*text == "STANDARD") return std::optional(engine::TableClass::kStandard);
  if (*text == "STANDARD_INFREQUENT_ACCESS") {
    return std::optional(engine::TableClass::kStandardInfrequentAccess);
  }
  return Invalid(
      "Invalid table-class parameter provided. Please try again with a valid table-class value: "
      "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

Result<std::optional<engine::StreamView>> ParseStream(JsonValue json, StreamMoment moment) {
  const Fields<kStream> fields(json);
  const bool enabled = *fields.Boolean<"StreamEnabled">();
  const auto view = fields.String<"StreamViewType">();
  const bool creating = moment == StreamMoment::kCreate;
  if (enabled && !view) {
    return Unexpected(InvalidParameter(
        creating ? "Table is being created with a stream enabled, UpdateViewType is required"
                 : "If stream is being enabled then UpdateViewType is required"));
  }
  if (!enabled && view) {
    return Unexpected(InvalidParameter(
        creating ? "Table is being created with a stream disabled, UpdateViewType should not be "
                   "specified"
                 : "If stream is being disabled, then UpdateViewType must not be specified"));
  }
  return view ? std::optional(ViewOf(*view)) : std::nullopt;
}

Result<Encryption> ParseEncryption(JsonValue json, const engine::TableKey& table) {
  const Fields<kSse> fields(json);
  const auto type = fields.String<"SSEType">();
  const auto key = fields.String<"KMSMasterKeyId">();
  // A type without Enabled asks for encryption as well.
  const bool enabled = fields.Boolean<"Enabled">().value_or(type.has_value());
  if (!enabled && type) {
    return Unexpected(InvalidParameter("SSEType can not be specified if Enabled is false"));
  }
  if (!enabled && key) {
    return Unexpected(InvalidParameter("KMSMasterKeyId can not be specified if Enabled is false"));
  }
  if (type == "AES256") return Unexpected(InvalidParameter("SSEType AES256 is not supported"));
  if (key && !type) {
    return Unexpected(InvalidParameter("SSEType KMS is required if KMSMasterKeyId is specified"));
  }
  if (!enabled) return Encryption{};
  Encryption encryption{.kms = true, .key_arn = std::nullopt};
  if (key) encryption.key_arn = KmsKeyArn(*key, table);
  return encryption;
}

Result<void> RefuseUnsupported(JsonValue body, std::initializer_list<std::string_view> members) {
  for (const auto member : members) {
    const auto value = body.object().Find(member);
    if (!value || (value->is(JsonType::kArray) && value->array().size() == 0)) continue;
    return Invalid(fmt::format("{} is not supported by Keywright.", member));
  }
  return {};
}

}  // namespace kw::api
