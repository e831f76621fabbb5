// SPDX-License-Identifier: Apache-2.0
// The access keys that callers may sign with, and the account that each of them acts for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "access/decision.h"
#include "base/expected.h"

namespace kw::server {

inline constexpr std::string_view kDefaultAccount = "000000000000";
inline constexpr std::string_view kDefaultRegion = "us-east-1";

struct AccessKey {
  std::string secret;
  std::string account{kDefaultAccount};
  std::shared_ptr<const access::Principal> principal{};  // whose key it is
};

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// By access key id. Empty: signatures are not checked.
using KeyRing = std::unordered_map<std::string, AccessKey, StringHash, std::equal_to<>>;

struct KeyFileError {
  std::string message;
};

// Whether it is the number of an account: twelve digits.
bool IsAccount(std::string_view text);

// Lines of `ACCESS_KEY_ID SECRET [ACCOUNT]`; blank lines and those that begin with # do not count.
// They are keys of the accounts' roots. users.h reads the other form of the file.
// Errors: a line that is none of these, a key id given twice, no key at all. Secrets are not
// quoted.
Expected<KeyRing, KeyFileError> ParseKeys(std::string_view text);

// Twelve digits for an access key id that no key file explains: itself if it is such a number.
std::string AccountOf(std::string_view access_key_id);

}  // namespace kw::server
