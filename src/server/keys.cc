// SPDX-License-Identifier: Apache-2.0
#include "server/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace kw::server {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace

bool IsAccount(std::string_view text) {
  return text.size() == 12 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Expected<KeyRing, KeyFileError> ParseKeys(std::string_view text) {
  KeyRing keys;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = Words(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty() || words[0].starts_with('#')) continue;
    if (words.size() < 2 || words.size() > 3) {
      return Unexpected(KeyFileError{fmt::format(
          "line {}: write ACCESS_KEY_ID SECRET [ACCOUNT], separated by blanks", number)});
    }
    AccessKey key{.secret = std::string(words[1])};
    if (words.size() == 3) {
      if (!IsAccount(words[2])) {
        return Unexpected(KeyFileError{fmt::format("line {}: an account is 12 digits", number)});
      }
      key.account = words[2];
    }
    key.principal = std::make_shared<const access::Principal>(access::RootOf(key.account));
    if (!keys.emplace(std::string(words[0]), std::move(key)).second) {
      return Unexpected(
          KeyFileError{fmt::format("line {}: the key {} was given before", number, words[0])});
    }
  }
  if (keys.empty()) return Unexpected(KeyFileError{"the file holds no key"});
  return keys;
}

std::string AccountOf(std::string_view access_key_id) {
  if (IsAccount(access_key_id)) return std::string(access_key_id);
  constexpr std::uint64_t kAccounts = 1'000'000'000'000;
  return fmt::format("{:012}", StableHash(access_key_id) % kAccounts);
}

}  // namespace kw::server
