// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "client/endpoint.h"

namespace kw::client {
namespace {

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Gives `take` each name and value of one section.
template <class Take>
void ForEachMember(std::string_view text, std::string_view section, Take take) {
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = Trim(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = line.back() == ']' && Trim(line.substr(1, line.size() - 2)) == section;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!inside || equals == line.npos) continue;
    take(Trim(line.substr(0, equals)), Trim(line.substr(equals + 1)));
  }
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Get(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Profile ReadProfile(std::string_view credentials, std::string_view config, std::string_view name) {
  Profile profile;
  ForEachMember(credentials, name, [&](std::string_view member, std::string_view value) {
    if (member == "aws_access_key_id") profile.credentials.access_key = value;
    if (member == "aws_secret_access_key") profile.credentials.secret_key = value;
    if (member == "aws_session_token") profile.credentials.session_token = value;
    if (member == "region") profile.region = value;
  });
  const std::string section =
      name == "default" ? std::string(name) : fmt::format("profile {}", name);
  ForEachMember(config, section, [&](std::string_view member, std::string_view value) {
    if (member == "region") profile.region = value;
  });
  return profile;
}

Expected<Profile, std::string> LoadProfile(const Environment& environment) {
  const std::string home = Get(environment, "HOME");
  const auto path = [&](const char* variable, std::string_view file) {
    const std::string named = Get(environment, variable);
    return named.empty() ? fmt::format("{}/.aws/{}", home, file) : named;
  };
  const std::string file = path("AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const std::string wanted = Get(environment, "AWS_PROFILE");
  const std::string name = wanted.empty() ? "default" : wanted;
  Profile profile = ReadProfile(ReadAll(file), ReadAll(path("AWS_CONFIG_FILE", "config")), name);
  if (const std::string key = Get(environment, "AWS_ACCESS_KEY_ID"); !key.empty()) {
    profile.credentials = {.access_key = key,
                           .secret_key = Get(environment, "AWS_SECRET_ACCESS_KEY"),
                           .session_token = Get(environment, "AWS_SESSION_TOKEN")};
  }
  for (const char* variable : {"AWS_DEFAULT_REGION", "AWS_REGION"}) {
    if (const std::string region = Get(environment, variable); !region.empty()) {
      profile.region = region;
    }
  }
  if (profile.region.empty()) profile.region = "us-east-1";
  if (profile.credentials.access_key.empty() || profile.credentials.secret_key.empty()) {
    return Unexpected(
        fmt::format("There are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
                    "give {} a profile [{}].",
                    file, name));
  }
  return profile;
}

}  // namespace kw::client
