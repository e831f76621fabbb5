// SPDX-License-Identifier: Apache-2.0
// What conditions and policy variables may ask of a call: keys, and their values where the call has
// them. Only what the policies at hand ask for need be said.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kw::access {

// Sources: aws-doc, "Using IAM policy conditions for fine-grained access control" and "AWS global
// condition context keys". assumed: the four of multi-attribute keys.
enum class Key : std::uint8_t {
  kAttributes,
  kEnclosingOperation,
  kFirstPartitionKeyValues,
  kSecondPartitionKeyValues,
  kThirdPartitionKeyValues,
  kFourthPartitionKeyValues,
  kFullTableScan,
  kLeadingKeys,
  kReturnConsumedCapacity,
  kReturnValues,
  kSelect,
  kCurrentTime,
  kEpochTime,
  kPrincipalAccount,
  kPrincipalArn,
  kPrincipalType,
  kResourceAccount,
  kSecureTransport,
  kSourceIp,
  kUserid,
  kUsername,
  kOther,  // one that no call here has
};
inline constexpr std::size_t kKeys = static_cast<std::size_t>(Key::kOther);

// "dynamodb:LeadingKeys", in any case of letters.
Key FindKey(std::string_view name);

class KeySet {
 public:
  void Add(Key key) { bits_.set(static_cast<std::size_t>(key)); }
  void Add(const KeySet& keys) { bits_ |= keys.bits_; }
  [[nodiscard]] bool Has(Key key) const { return bits_.test(static_cast<std::size_t>(key)); }
  [[nodiscard]] bool empty() const { return bits_.none(); }

 private:
  std::bitset<kKeys + 1> bits_;
};

class Facts {
 public:
  using Values = std::vector<std::string>;
  void Say(Key key, std::string value) { said_.emplace_back(key, Values{std::move(value)}); }
  void Say(Key key, Values values) { said_.emplace_back(key, std::move(values)); }
  // Null: the call has no such key.
  [[nodiscard]] const Values* Find(Key key) const {
    for (const auto& [said, values] : said_) {
      if (said == key) return &values;
    }
    return nullptr;
  }
  // The only value of a key; nothing if there is none or several.
  [[nodiscard]] std::optional<std::string_view> Single(Key key) const {
    const Values* values = Find(key);
    if (values == nullptr || values->size() != 1) return std::nullopt;
    return values->front();
  }

 private:
  std::vector<std::pair<Key, Values>> said_;
};

}  // namespace kw::access
