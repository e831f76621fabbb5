// SPDX-License-Identifier: Apache-2.0
// Any bytes as a policy of each kind; what parses is asked about a call.
#include <cstdint>
#include <string>
#include <string_view>

#include "access/decision.h"

namespace kw::access {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Principal user = UserOf("111122223333", "/", "ann", "AIDA", std::nullopt);
  static const Facts facts = [] {
    Facts said;
    said.Say(Key::kLeadingKeys, Facts::Values{"a", "b*"});
    said.Say(Key::kUsername, std::string("ann"));
    said.Say(Key::kCurrentTime, std::string("2026-11-30T12:00:00Z"));
    said.Say(Key::kSourceIp, std::string("10.0.0.1"));
    return said;
  }();
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  for (const PolicyKind kind : {PolicyKind::kIdentity, PolicyKind::kResource}) {
    const auto policy = Policy::Parse(json, kind);
    if (!policy) continue;
    const Attempt attempt{.principal = user,
                          .action = Action("GetItem"),
                          .resource = "arn:aws:dynamodb:us-east-1:111122223333:table/Books",
                          .resource_account = "111122223333",
                          .resource_policy = &*policy,
                          .facts = facts};
    static_cast<void>(Sentence(attempt, Decide(attempt)));
  }
  return 0;
}

}  // namespace kw::access
