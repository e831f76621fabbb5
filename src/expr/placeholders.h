// SPDX-License-Identifier: Apache-2.0
// A request's ExpressionAttributeNames and ExpressionAttributeValues, and which of them were used.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/attribute_value.h"

namespace kw {

class Placeholders {
 public:
  // Keys as sent, with their '#' and ':'.
  // Errors: Validation, in the service's words: empty map, bad placeholder syntax, name or values
  // too long. `has_names`/`has_values` tell an empty map from an absent one.
  struct Input {
    bool has_names = false;
    bool has_values = false;
    std::vector<std::pair<std::string, std::string>> names;
    AttributeMap values;
  };
  static Result<Placeholders> Make(Input input);

  // The attribute name or value behind a placeholder, marked as used; null if there is none.
  const std::string* Name(std::string_view placeholder);
  std::shared_ptr<const AttributeValue> Value(std::string_view placeholder);

  // Errors: Validation, "Value provided in ExpressionAttributeNames unused in expressions: keys:
  // {#a}" and its kin. Called once, after every expression of the request was parsed.
  [[nodiscard]] Result<void> CheckAllUsed() const;

  [[nodiscard]] bool empty() const;  // neither names nor values were sent
  [[nodiscard]] ByteCount value_bytes() const { return value_bytes_; }  // of all values

 private:
  struct NameEntry {
    std::string placeholder;
    std::string name;
    bool used = false;
  };
  struct ValueEntry {
    std::string placeholder;
    std::shared_ptr<const AttributeValue> value;
    bool used = false;
  };
  std::vector<NameEntry> names_;    // sorted by placeholder
  std::vector<ValueEntry> values_;  // sorted by placeholder
  ByteCount value_bytes_;
};

}  // namespace kw
