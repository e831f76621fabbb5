// SPDX-License-Identifier: Apache-2.0
// DynamoDB JSON to items and back. CheckShape (api) has already refused wrong JSON types
// (SerializationException); here are the service's checks of meaning.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "data/attribute_value.h"

namespace kw {

// One typed value such as {"S": "a"}.
// Errors: Validation in the service's words and order: no or several types, a bad number, empty or
// double sets, NULL:false, nesting over 32 levels. Without any operation's prefix (api adds it).
Result<AttributeValue> ParseAttributeValue(JsonValue json);

// A map of names to typed values: an item, a key, or expression values.
// Errors: as ParseAttributeValue, for the first faulty member in the order sent. Of a name sent
// twice the last counts.
Result<AttributeMap> ParseAttributeMap(JsonValue json);

void WriteJson(const AttributeValue& value, JsonWriter& out);  // {"S":"a"}
void WriteJson(const AttributeMap& map, JsonWriter& out);      // {"name":{"S":"a"}}

}  // namespace kw
