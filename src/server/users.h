// SPDX-License-Identifier: Apache-2.0
// A file of users in JSON: access keys, and the IAM policies that say what their calls may do.
//
//   {"Users": [{"UserName": "ann", "Account": "111122223333", "Path": "/", "UserId": "AIDA...",
//               "AccessKeys": [{"AccessKeyId": "...", "SecretAccessKey": "..."}],
//               "Policies": [{"Version": "2012-10-17", "Statement": [...]}, "books.json"]}]}
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/keys.h"

namespace kw::server {

// The text of a file that a user's policies name.
using ReadPolicyFile = std::function<Expected<std::string, KeyFileError>(std::string_view name)>;

// A file in this form or in that of ParseKeys. Who has no UserName is the account's root. Who has
// no Policies may do everything, who has an empty list nothing.
// Errors: whatever it cannot explain, by user and never with a secret.
Expected<KeyRing, KeyFileError> ParseKeyFile(std::string_view text, const ReadPolicyFile& read);

}  // namespace kw::server
