// SPDX-License-Identifier: Apache-2.0
// AWS Signature Version 4, the checking side. Hides canonical requests, derived keys and their
// cache. Source: AWS IAM User Guide, "Create a signed AWS API request".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "data/error.h"
#include "server/http.h"
#include "server/keys.h"

namespace kw::server {

// Who signed, and for which region.
struct Caller {
  std::string account;
  std::string region;
  const access::Principal* principal = nullptr;  // of the key ring
};

// One for each thread: it remembers derived keys without a lock.
class SigV4Verifier {
 public:
  // Both must outlive the verifier. `service` is the name that requests are signed for.
  SigV4Verifier(const KeyRing& keys, const Clock& clock, std::string_view service = "dynamodb");
  ~SigV4Verifier();
  SigV4Verifier(SigV4Verifier&&) = delete;

  // Errors: MissingAuthenticationToken, IncompleteSignature, UnrecognizedClient, InvalidSignature
  // with the service's sentences. Session tokens are taken as they are. The path must be one that
  // needs no encoding.
  Result<Caller> Verify(const HttpRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What an Authorization header claims, unchecked.
struct ClaimedCredential {
  std::string_view access_key_id;
  std::string_view region;
};
std::optional<ClaimedCredential> ReadClaimedCredential(std::string_view authorization);

}  // namespace kw::server
