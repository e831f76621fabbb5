// SPDX-License-Identifier: Apache-2.0
#include "access/facts.h"

#include <algorithm>
#include <array>

#include "access/pattern.h"

namespace kw::access {
namespace {

struct KeyRow {
  std::string_view name;
  Key key;
};
constexpr std::array kRows = {
    KeyRow{"dynamodb:Attributes", Key::kAttributes},
    KeyRow{"dynamodb:EnclosingOperation", Key::kEnclosingOperation},
    KeyRow{"dynamodb:FirstPartitionKeyValues", Key::kFirstPartitionKeyValues},
    KeyRow{"dynamodb:SecondPartitionKeyValues", Key::kSecondPartitionKeyValues},
    KeyRow{"dynamodb:ThirdPartitionKeyValues", Key::kThirdPartitionKeyValues},
    KeyRow{"dynamodb:FourthPartitionKeyValues", Key::kFourthPartitionKeyValues},
    KeyRow{"dynamodb:FullTableScan", Key::kFullTableScan},
    KeyRow{"dynamodb:LeadingKeys", Key::kLeadingKeys},
    KeyRow{"dynamodb:ReturnConsumedCapacity", Key::kReturnConsumedCapacity},
    KeyRow{"dynamodb:ReturnValues", Key::kReturnValues},
    KeyRow{"dynamodb:Select", Key::kSelect},
    KeyRow{"aws:CurrentTime", Key::kCurrentTime},
    KeyRow{"aws:EpochTime", Key::kEpochTime},
    KeyRow{"aws:PrincipalAccount", Key::kPrincipalAccount},
    KeyRow{"aws:PrincipalArn", Key::kPrincipalArn},
    KeyRow{"aws:PrincipalType", Key::kPrincipalType},
    KeyRow{"aws:ResourceAccount", Key::kResourceAccount},
    KeyRow{"aws:SecureTransport", Key::kSecureTransport},
    KeyRow{"aws:SourceIp", Key::kSourceIp},
    KeyRow{"aws:userid", Key::kUserid},
    KeyRow{"aws:username", Key::kUsername},
};
static_assert(kRows.size() == kKeys);

}  // namespace

Key FindKey(std::string_view name) {
  const auto* row = std::ranges::find_if(
      kRows, [&](const KeyRow& candidate) { return EqualIgnoringCase(candidate.name, name); });
  return row == kRows.end() ? Key::kOther : row->key;
}

}  // namespace kw::access
