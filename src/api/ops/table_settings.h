// SPDX-License-Identifier: Apache-2.0
// The settings that CreateTable and UpdateTable share, off the wire.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/ops/table_shapes.h"
#include "engine/tables.h"

namespace kw::api {

// What every such sentence begins with.
inline constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

// Members that may be absent: null gives nothing.
std::optional<engine::Provisioned> ParseProvisioned(const JsonValue* json);
std::optional<engine::OnDemandMaximum> ParseOnDemand(const JsonValue* json);
std::optional<engine::WarmThroughput> ParseWarm(const JsonValue* json);
std::optional<engine::BillingMode> ParseBilling(std::optional<std::string_view> text);

// Errors: Validation for a class that is none.
Result<std::optional<engine::TableClass>> ParseTableClass(std::optional<std::string_view> text);

enum class StreamMoment : std::uint8_t { kCreate, kUpdate };
// The view of a stream to enable, or nothing: to disable. Errors: Validation for a view that is
// missing or one too many, in the words of the operation.
Result<std::optional<engine::StreamView>> ParseStream(JsonValue json, StreamMoment moment);

struct Encryption {
  bool kms = false;
  std::optional<std::string> key_arn;  // absent: the key that the service manages
};
inline constexpr std::string_view kManagedKey = "alias/aws/dynamodb";
// The ARN of a key that is named by its id, its alias or its ARN.
std::string KmsKeyArn(std::string_view id, const engine::TableKey& table);
// Errors: Validation for members that exclude each other.
Result<Encryption> ParseEncryption(JsonValue json, const engine::TableKey& table);

// Errors: Validation, naming the first member that asks for something this program does not do.
// Nothing is ignored in silence.
Result<void> RefuseUnsupported(JsonValue body, std::initializer_list<std::string_view> members);

}  // namespace kw::api
