// SPDX-License-Identifier: Apache-2.0
#include "api/authorize.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "access/decision.h"
#include "base/bytes.h"
#include "partiql/footprint.h"

namespace kw::api {
namespace {

using access::Action;
using access::Facts;
using access::Key;
using access::KeySet;
using Names = std::set<std::string, std::less<>>;

// ---- asking the policies ----

access::Places PlacesOf(const engine::CallContext& call) {
  switch (call.arns) {
    case engine::ArnScope::kAny: return access::Places::kIgnored;
    case engine::ArnScope::kOwn: break;
  }
  return access::Places::kTold;
}

// What is true of every call.
void SayCaller(const Asking& asking, std::string_view resource_account, const KeySet& keys,
               Facts& facts) {
  const access::Principal& principal = *asking.call.principal;
  const auto say = [&](Key key, const auto& value) {
    if (keys.Has(key)) facts.Say(key, std::string(value()));
  };
  const auto seconds = [&] {
    return std::chrono::time_point_cast<std::chrono::seconds>(asking.engine.clock.Now());
  };
  const bool is_user = principal.caller.kind == access::CallerKind::kUser;
  say(Key::kCurrentTime, [&] { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", seconds()); });
  say(Key::kEpochTime, [&] { return fmt::format("{}", seconds().time_since_epoch().count()); });
  say(Key::kPrincipalAccount, [&] { return principal.caller.account; });
  say(Key::kPrincipalArn, [&] { return principal.caller.arn; });
  say(Key::kPrincipalType, [&] { return is_user ? "User" : "Account"; });
  say(Key::kResourceAccount, [&] { return resource_account; });
  say(Key::kSecureTransport, [&] { return asking.call.encrypted ? "true" : "false"; });
  say(Key::kUserid, [&] { return principal.id; });
  if (is_user) say(Key::kUsername, [&] { return principal.name; });
  if (!asking.call.peer.empty()) say(Key::kSourceIp, [&] { return asking.call.peer; });
}

// Whether there is any policy to be asked: for most callers there is none.
bool IsFree(const Asking& asking, std::string_view resource_account,
            const access::Policy* resource_policy) {
  return resource_policy == nullptr && !asking.call.principal->policies &&
         (asking.call.arns == engine::ArnScope::kAny ||
          resource_account == asking.call.principal->caller.account);
}

// `say` adds what conditions may ask of this action: say(keys, facts).
template <class Say>
Result<void> Ask(const Asking& asking, Action action, std::string_view arn,
                 std::string_view resource_account, const access::Policy* resource_policy,
                 const Say& say) {
  const access::Principal& principal = *asking.call.principal;
  KeySet keys = principal.keys;
  if (resource_policy != nullptr) keys.Add(resource_policy->keys());
  Facts facts;
  if (!keys.empty()) {
    SayCaller(asking, resource_account, keys, facts);
    say(keys, facts);
  }
  const access::Attempt attempt{.principal = principal,
                                .action = action,
                                .resource = arn,
                                .resource_account = resource_account,
                                .places = PlacesOf(asking.call),
                                .resource_policy = resource_policy,
                                .facts = facts};
  const access::Verdict verdict = access::Decide(attempt);
  if (verdict == access::Verdict::kAllowed) return {};
  return Fail(ErrorCode::kAccessDenied, access::Sentence(attempt, verdict));
}

const access::Policy* PolicyOf(const engine::ResourcePolicyPtr& policy) {
  return policy ? &policy->policy : nullptr;
}

constexpr auto kSayNothing = [](const KeySet& /*keys*/, Facts& /*facts*/) {};

// arn:partition:service:region:account:resource
std::string_view AccountOfArn(std::string_view arn) {
  for (int i = 0; i < 4; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == arn.npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn.substr(0, arn.find(':'));
}

std::string ArnOf(const engine::TableKey& table) {
  std::string arn = "arn:aws:dynamodb:";
  arn.append(table.region).append(":").append(table.account).append(":table/").append(table.name);
  return arn;
}

// A table or index that a call names, whether it is there or not.
struct Spot {
  const engine::TableKey& table;
  const std::optional<std::string>& index;
};
const std::optional<std::string> kNoIndex;

// `say` is given the key of the table or index, null if there is none: say(key, keys, facts).
template <class Say>
Result<void> AskSpot(const Asking& asking, Action action, const Spot& spot, const Say& say) {
  const engine::TablePtr table = asking.engine.catalog.FindOrNull(spot.table);
  const access::Policy* policy = table ? PolicyOf(table->policy) : nullptr;
  if (IsFree(asking, spot.table.account, policy)) return {};
  std::string arn = ArnOf(spot.table);
  if (spot.index) arn.append("/index/").append(*spot.index);
  return Ask(asking, action, arn, spot.table.account, policy,
             [&](const KeySet& keys, Facts& facts) {
               const KeySchema* key = table ? &table->schema.key() : nullptr;
               if (table && spot.index) {
                 const IndexSchema* index = table->schema.FindIndex(*spot.index);
                 key = index == nullptr ? nullptr : &index->key;
               }
               say(key, keys, facts);
             });
}

// ---- what calls say ----

std::string TextOf(const AttributeValue& value) {
  if (const auto* text = value.As<std::string>()) return *text;
  if (const auto* number = value.As<Number>()) return number->ToString();
  if (const auto* binary = value.As<Binary>()) return Base64(binary->bytes);
  return {};
}

// `collect` adds the values that a call has for one attribute of the partition key:
// collect(attribute, values). A key without values is not said.
template <class Collect>
void SayPartitions(const KeySchema* key, const KeySet& keys, Facts& facts, const Collect& collect) {
  constexpr std::array kPlaces = {Key::kFirstPartitionKeyValues, Key::kSecondPartitionKeyValues,
                                  Key::kThirdPartitionKeyValues, Key::kFourthPartitionKeyValues};
  if (key == nullptr) return;
  for (std::size_t i = 0; i < key->partition.size() && i < kPlaces.size(); ++i) {
    const bool leading = i == 0 && keys.Has(Key::kLeadingKeys);
    if (!leading && !keys.Has(kPlaces[i])) continue;
    Facts::Values values;
    collect(i, values);
    if (values.empty()) continue;
    if (leading) facts.Say(Key::kLeadingKeys, values);
    facts.Say(kPlaces[i], std::move(values));
  }
}

void AddPartition(const KeySchema& key, std::size_t place, const Item& item,
                  Facts::Values& values) {
  const AttributeValue* value = item.Find(key.partition[place].name);
  if (value != nullptr) values.push_back(TextOf(*value));
}

void SayItem(const KeySchema* key, const Item& item, const KeySet& keys, Facts& facts) {
  SayPartitions(key, keys, facts, [&](std::size_t place, Facts::Values& values) {
    AddPartition(*key, place, item, values);
  });
}

void AddNames(const Item& item, Names& names) {
  for (const auto& [name, value] : item.entries()) names.insert(name);
}
void AddNames(const std::optional<Condition>& condition, Names& names) {
  if (condition) names.merge(condition->Attributes());
}
void AddNames(const std::optional<Projection>& projection, Names& names) {
  if (!projection) return;
  for (const Path& path : projection->paths()) names.insert(path.attribute);
}

// aws-doc: "the attribute names in a request": the key's, and whatever expressions name.
template <class... Parts>
void SayAttributes(const KeySet& keys, Facts& facts, const Parts&... parts) {
  if (!keys.Has(Key::kAttributes)) return;
  Names names;
  (AddNames(parts, names), ...);
  facts.Say(Key::kAttributes, Facts::Values(names.begin(), names.end()));
}

void SayText(Key key, std::string_view text, const KeySet& keys, Facts& facts) {
  if (keys.Has(key)) facts.Say(key, std::string(text));
}

// Parameters that a request always has. aws-doc: "the Select parameter always has a value".
void SayConsumed(const Asking& asking, const KeySet& keys, Facts& facts) {
  if (!keys.Has(Key::kReturnConsumedCapacity)) return;
  const auto sent = asking.body.object().Find("ReturnConsumedCapacity");
  facts.Say(Key::kReturnConsumedCapacity, std::string(sent ? sent->string() : "NONE"));
}
void SaySelect(bool projected, const KeySet& keys, Facts& facts) {
  SayText(Key::kSelect, projected ? "SPECIFIC_ATTRIBUTES" : "ALL_ATTRIBUTES", keys, facts);
}

std::string_view TextOf(engine::PutReturn returns) {
  switch (returns) {
    case engine::PutReturn::kNone: return "NONE";
    case engine::PutReturn::kAllOld: break;
  }
  return "ALL_OLD";
}
std::string_view TextOf(engine::DeleteReturn returns) {
  switch (returns) {
    case engine::DeleteReturn::kNone: return "NONE";
    case engine::DeleteReturn::kAllOld: break;
  }
  return "ALL_OLD";
}
std::string_view TextOf(engine::UpdateReturn returns) {
  switch (returns) {
    case engine::UpdateReturn::kNone: return "NONE";
    case engine::UpdateReturn::kAllOld: return "ALL_OLD";
    case engine::UpdateReturn::kUpdatedOld: return "UPDATED_OLD";
    case engine::UpdateReturn::kAllNew: return "ALL_NEW";
    case engine::UpdateReturn::kUpdatedNew: break;
  }
  return "UPDATED_NEW";
}
std::string_view TextOf(engine::Select select) {
  switch (select) {
    case engine::Select::kAllAttributes: return "ALL_ATTRIBUTES";
    case engine::Select::kAllProjectedAttributes: return "ALL_PROJECTED_ATTRIBUTES";
    case engine::Select::kSpecificAttributes: return "SPECIFIC_ATTRIBUTES";
    case engine::Select::kCount: break;
  }
  return "COUNT";
}

// aws-doc: API_Query, Select.
std::string_view SelectOf(const engine::PageRequest& page) {
  if (page.select) return TextOf(*page.select);
  if (page.projection) return "SPECIFIC_ATTRIBUTES";
  return page.index ? "ALL_PROJECTED_ATTRIBUTES" : "ALL_ATTRIBUTES";
}

// ---- one item ----

// The transaction that an item belongs to; empty: none.
void SayEnclosing(std::string_view transaction, const KeySet& keys, Facts& facts) {
  if (!transaction.empty()) SayText(Key::kEnclosingOperation, transaction, keys, facts);
}

// Asks for an action on one item and says what all of them say; `say` adds the rest.
template <class Say>
Result<void> AskItem(const Asking& asking, Action action, const engine::TableKey& table,
                     const Item& item, std::string_view transaction, const Say& say) {
  return AskSpot(asking, action, {table, kNoIndex},
                 [&](const KeySchema* key, const KeySet& keys, Facts& facts) {
                   SayItem(key, item, keys, facts);
                   SayConsumed(asking, keys, facts);
                   SayEnclosing(transaction, keys, facts);
                   say(keys, facts);
                 });
}

Result<void> AskGet(const Asking& asking, const engine::GetRequest& get,
                    std::string_view transaction) {
  return AskItem(asking, Action("GetItem"), get.table, get.key, transaction,
                 [&](const KeySet& keys, Facts& facts) {
                   SayAttributes(keys, facts, get.key, get.projection);
                   SaySelect(get.projection.has_value(), keys, facts);
                 });
}

struct AskWrite {
  const Asking& asking;
  std::string_view transaction = {};

  Result<void> operator()(const engine::PutRequest& put) const {
    return AskItem(asking, Action("PutItem"), put.table, put.item, transaction,
                   [&](const KeySet& keys, Facts& facts) {
                     SayAttributes(keys, facts, put.item, put.condition);
                     SayText(Key::kReturnValues, TextOf(put.returns), keys, facts);
                   });
  }
  Result<void> operator()(const engine::UpdateRequest& update) const {
    return AskItem(asking, Action("UpdateItem"), update.table, update.key, transaction,
                   [&](const KeySet& keys, Facts& facts) {
                     SayUpdate(update, keys, facts);
                     SayText(Key::kReturnValues, TextOf(update.returns), keys, facts);
                   });
  }
  Result<void> operator()(const engine::DeleteRequest& erase) const {
    return AskItem(asking, Action("DeleteItem"), erase.table, erase.key, transaction,
                   [&](const KeySet& keys, Facts& facts) {
                     SayAttributes(keys, facts, erase.key, erase.condition);
                     SayText(Key::kReturnValues, TextOf(erase.returns), keys, facts);
                   });
  }
  Result<void> operator()(const engine::ConditionCheckRequest& check) const {
    return AskItem(asking, Action("ConditionCheckItem"), check.table, check.key, transaction,
                   [&](const KeySet& keys, Facts& facts) {
                     SayAttributes(keys, facts, check.key, std::optional(check.condition));
                   });
  }

 private:
  static void SayUpdate(const engine::UpdateRequest& update, const KeySet& keys, Facts& facts) {
    if (!keys.Has(Key::kAttributes)) return;
    Names names;
    AddNames(update.key, names);
    AddNames(update.condition, names);
    if (update.update) names.merge(update.update->Attributes());
    facts.Say(Key::kAttributes, Facts::Values(names.begin(), names.end()));
  }
};

// ---- statements ----

Result<void> AskStatement(const Asking& asking, const partiql::Command& command,
                          std::string_view transaction) {
  struct ActionOf {
    Action operator()(const partiql::SelectStatement&) const { return Action("PartiQLSelect"); }
    Action operator()(const partiql::InsertStatement&) const { return Action("PartiQLInsert"); }
    Action operator()(const partiql::UpdateStatement&) const { return Action("PartiQLUpdate"); }
    Action operator()(const partiql::DeleteStatement&) const { return Action("PartiQLDelete"); }
    // assumed: it reads.
    Action operator()(const partiql::ExistsStatement&) const { return Action("PartiQLSelect"); }
  };
  const auto& what = command.statement.what;
  const auto say = [&](const KeySchema* key, const KeySet& keys, Facts& facts) {
    SayConsumed(asking, keys, facts);
    SayEnclosing(transaction, keys, facts);
    if (const auto* update = std::get_if<partiql::UpdateStatement>(&what)) {
      SayText(Key::kReturnValues, TextOf(update->returns), keys, facts);
    } else if (const auto* erase = std::get_if<partiql::DeleteStatement>(&what)) {
      SayText(Key::kReturnValues, TextOf(erase->returns), keys, facts);
    } else if (const auto* select = std::get_if<partiql::SelectStatement>(&what)) {
      SaySelect(select->columns.Needed().has_value(), keys, facts);
    }
    if (key == nullptr) return;
    partiql::Footprint footprint = partiql::FootprintOf(command.statement, *key);
    if (keys.Has(Key::kAttributes)) {
      facts.Say(Key::kAttributes,
                Facts::Values(footprint.attributes.begin(), footprint.attributes.end()));
    }
    if (command.statement.reads()) {
      SayText(Key::kFullTableScan, footprint.partitions.empty() ? "true" : "false", keys, facts);
    }
    SayPartitions(key, keys, facts, [&](std::size_t place, Facts::Values& values) {
      if (footprint.partitions.empty()) return;
      for (const AttributeValue& value : footprint.partitions[place]) {
        values.push_back(TextOf(value));
      }
    });
  };
  return AskSpot(asking, std::visit(ActionOf(), what),
                 {command.table, partiql::IndexOf(command.statement)}, say);
}

// ---- streams and policies ----

Result<void> AskStream(const Asking& asking, Action action, std::string_view arn) {
  const auto found = engine::FindStream(asking.engine, asking.call, arn);
  const access::Policy* policy = found ? PolicyOf(found->stream().policy) : nullptr;
  // Strangers do not learn whether there is such a stream.
  const std::string_view account = AccountOfArn(arn);
  if (IsFree(asking, account, policy)) return {};
  return Ask(asking, action, arn, account, policy, kSayNothing);
}

Result<void> AskPolicy(const Asking& asking, Action action, const engine::PolicyTarget& target) {
  if (!target.stream_arn.empty()) return AskStream(asking, action, target.stream_arn);
  return AuthorizeTable(asking, action, target.table);
}

// Whether the caller could still change the policy of `target` under that policy.
bool KeepsAccess(const Asking& asking, const engine::PolicyTarget& target,
                 const access::Policy& policy) {
  const std::string arn = target.stream_arn.empty() ? ArnOf(target.table) : target.stream_arn;
  return Ask(asking, Action("PutResourcePolicy"), arn, target.table.account, &policy, kSayNothing)
      .has_value();
}

}  // namespace

Result<void> Authorize(const Asking& asking, const engine::GetRequest& request) {
  return AskGet(asking, request, {});
}
Result<void> Authorize(const Asking& asking, const engine::PutRequest& request) {
  return AskWrite{.asking = asking}(request);
}
Result<void> Authorize(const Asking& asking, const engine::UpdateRequest& request) {
  return AskWrite{.asking = asking}(request);
}
Result<void> Authorize(const Asking& asking, const engine::DeleteRequest& request) {
  return AskWrite{.asking = asking}(request);
}

Result<void> Authorize(const Asking& asking, const engine::QueryRequest& request) {
  const engine::PageRequest& page = request.page;
  const auto& comparisons = request.key_condition.comparisons();
  return AskSpot(asking, Action("Query"), {page.table, page.index},
                 [&](const KeySchema* key, const KeySet& keys, Facts& facts) {
                   SayPartitions(key, keys, facts, [&](std::size_t place, Facts::Values& values) {
                     for (const KeyComparison& comparison : comparisons) {
                       if (comparison.attribute != key->partition[place].name) continue;
                       values.push_back(TextOf(comparison.value));
                     }
                   });
                   if (keys.Has(Key::kAttributes)) {
                     Names names;
                     for (const KeyComparison& comparison : comparisons)
                       names.insert(comparison.attribute);
                     AddNames(page.filter, names);
                     AddNames(page.projection, names);
                     facts.Say(Key::kAttributes, Facts::Values(names.begin(), names.end()));
                   }
                   SayText(Key::kSelect, SelectOf(page), keys, facts);
                   SayConsumed(asking, keys, facts);
                 });
}

Result<void> Authorize(const Asking& asking, const engine::ScanRequest& request) {
  const engine::PageRequest& page = request.page;
  return AskSpot(asking, Action("Scan"), {page.table, page.index},
                 [&](const KeySchema* /*key*/, const KeySet& keys, Facts& facts) {
                   SayAttributes(keys, facts, page.filter, page.projection);
                   SayText(Key::kSelect, SelectOf(page), keys, facts);
                   SayConsumed(asking, keys, facts);
                 });
}

Result<void> Authorize(const Asking& asking, const std::vector<engine::BatchGetTable>& request) {
  for (const engine::BatchGetTable& table : request) {
    TRY(AskSpot(asking, Action("BatchGetItem"), {table.table, kNoIndex},
                [&](const KeySchema* key, const KeySet& keys, Facts& facts) {
                  SayPartitions(key, keys, facts, [&](std::size_t place, Facts::Values& values) {
                    for (const Item& item : table.keys) AddPartition(*key, place, item, values);
                  });
                  if (keys.Has(Key::kAttributes)) {
                    Names names;
                    for (const Item& item : table.keys) AddNames(item, names);
                    AddNames(table.projection, names);
                    facts.Say(Key::kAttributes, Facts::Values(names.begin(), names.end()));
                  }
                  SaySelect(table.projection.has_value(), keys, facts);
                  SayConsumed(asking, keys, facts);
                }));
  }
  return {};
}

Result<void> Authorize(const Asking& asking, const std::vector<engine::BatchWriteTable>& request) {
  const auto item_of = [](const auto& write) -> const Item& {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(write)>, engine::PutRequest>) {
      return write.item;
    } else {
      return write.key;
    }
  };
  for (const engine::BatchWriteTable& table : request) {
    TRY(AskSpot(asking, Action("BatchWriteItem"), {table.table, kNoIndex},
                [&](const KeySchema* key, const KeySet& keys, Facts& facts) {
                  SayPartitions(key, keys, facts, [&](std::size_t place, Facts::Values& values) {
                    for (const auto& write : table.writes) {
                      AddPartition(*key, place, std::visit(item_of, write), values);
                    }
                  });
                  if (keys.Has(Key::kAttributes)) {
                    Names names;
                    for (const auto& write : table.writes) {
                      AddNames(std::visit(item_of, write), names);
                    }
                    facts.Say(Key::kAttributes, Facts::Values(names.begin(), names.end()));
                  }
                  SayConsumed(asking, keys, facts);
                }));
  }
  return {};
}

Result<void> Authorize(const Asking& asking, const std::vector<engine::GetRequest>& request) {
  for (const engine::GetRequest& get : request) TRY(AskGet(asking, get, "TransactGetItems"));
  return {};
}

Result<void> Authorize(const Asking& asking, const engine::TransactWriteRequest& request) {
  const AskWrite ask{.asking = asking, .transaction = "TransactWriteItems"};
  for (const engine::TransactWriteAction& action : request.actions) TRY(std::visit(ask, action));
  return {};
}

Result<void> Authorize(const Asking& asking, const partiql::Command& command) {
  return AskStatement(asking, command, {});
}

// assumed: the name of the enclosing operation.
Result<void> Authorize(const Asking& asking, const partiql::TransactionRequest& request) {
  for (const partiql::Command& command : request.commands) {
    TRY(AskStatement(asking, command, "ExecuteTransaction"));
  }
  return {};
}

Result<void> Authorize(const Asking& asking, std::vector<partiql::BatchEntry>& entries) {
  for (partiql::BatchEntry& entry : entries) {
    if (!entry.command) continue;
    auto allowed = AskStatement(asking, *entry.command, {});
    if (!allowed) entry.command = Unexpected(std::move(allowed).error());
  }
  return {};
}

Result<void> Authorize(const Asking& asking, const engine::DescribeStreamRequest& request) {
  return AskStream(asking, Action("DescribeStream"), request.arn);
}
Result<void> Authorize(const Asking& asking, const engine::ShardIteratorRequest& request) {
  return AskStream(asking, Action("GetShardIterator"), request.arn);
}
Result<void> Authorize(const Asking& asking, const engine::GetRecordsRequest& request) {
  const std::string_view arn = engine::StreamOfIterator(request.iterator);
  if (arn.empty()) return {};  // a forged one, which the engine refuses
  return AskStream(asking, Action("GetRecords"), arn);
}

// aws-doc: API_CreateTable: tags and a policy need their own permissions.
Result<void> Authorize(const Asking& asking, const engine::CreateTableRequest& request) {
  TRY(AuthorizeTable(asking, Action("CreateTable"), request.key));
  if (!request.tags.empty()) TRY(AuthorizeTable(asking, Action("TagResource"), request.key));
  if (request.policy) TRY(AuthorizeTable(asking, Action("PutResourcePolicy"), request.key));
  return {};
}

Result<void> Authorize(const Asking& asking, const engine::PutPolicyRequest& request) {
  TRY(AskPolicy(asking, Action("PutResourcePolicy"), request.target));
  if (request.may_lock_out || KeepsAccess(asking, request.target, request.policy->policy))
    return {};
  // assumed: the sentence. aws-doc: API_PutResourcePolicy, ConfirmRemoveSelfResourceAccess.
  return Invalid(
      "One or more parameter values were invalid: The new policy would not allow you to change the "
      "policy of this resource in the future. Set ConfirmRemoveSelfResourceAccess to confirm it.");
}
Result<void> Authorize(const Asking& asking, const engine::DeletePolicyRequest& request) {
  return AskPolicy(asking, Action("DeleteResourcePolicy"), request.target);
}
Result<void> Authorize(const Asking& asking, const engine::PolicyTarget& target) {
  return AskPolicy(asking, Action("GetResourcePolicy"), target);
}

Result<void> AuthorizeTable(const Asking& asking, Action action, const engine::TableKey& table,
                            const std::optional<std::string>& index) {
  return AskSpot(asking, action, {table, index},
                 [](const KeySchema* /*key*/, const KeySet& /*keys*/, Facts& /*facts*/) {});
}

Result<void> AuthorizeAccount(const Asking& asking, Action action,
                              const std::optional<engine::TableKey>& table) {
  const std::string& account = table ? table->account : asking.call.account;
  if (IsFree(asking, account, nullptr)) return {};
  // observed for ListTables: messages name every table; assumed for the others.
  const std::string arn =
      action == Action("ListTables")
          ? ArnOf({.account = account, .region = asking.call.region, .name = "*"})
          : "*";
  return Ask(asking, action, arn, account, nullptr, kSayNothing);
}

}  // namespace kw::api
