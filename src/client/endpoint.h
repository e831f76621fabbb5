// SPDX-License-Identifier: Apache-2.0
// The other side of the wire: any endpoint that speaks the DynamoDB API, AWS included. Hides HTTP,
// signing and retries (libcurl does the first two).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.h"

namespace kw::client {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // empty: none
};

// What the environment and the files of the AWS CLI say of one profile.
struct Profile {
  Credentials credentials;
  std::string region;
};

// Looks up an environment variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;
// AWS_ACCESS_KEY_ID and its kin, else the profile of ~/.aws (AWS_PROFILE, or default).
// Errors: which file was looked for, and what it lacks.
Expected<Profile, std::string> LoadProfile(const Environment& environment);
// One profile of texts in the form of ~/.aws/credentials and ~/.aws/config; absent members are
// empty.
Profile ReadProfile(std::string_view credentials, std::string_view config, std::string_view name);

// An error of the service has its code, such as "ValidationException"; one of the world has none.
struct CallFault {
  std::string code;
  std::string message;
};

class Endpoint {
 public:
  struct Options {
    std::string url;  // http://localhost:8000, https://dynamodb.eu-west-1.amazonaws.com
    Profile profile;
    bool retry = true;  // what is throttled or failed, a few times with growing pauses
  };
  // Errors: what is wrong with the URL.
  static Expected<Endpoint, std::string> Open(Options options);
  ~Endpoint();
  Endpoint(Endpoint&&) noexcept;
  Endpoint& operator=(Endpoint&&) noexcept;

  // One operation: JSON in, JSON out. Not thread-safe: the connection is kept.
  Expected<std::string, CallFault> Call(std::string_view operation, std::string_view body);

 private:
  struct Impl;
  explicit Endpoint(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::client
