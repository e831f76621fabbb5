// SPDX-License-Identifier: Apache-2.0
#include "engine/write_decision.h"

#include <algorithm>
#include <utility>

#include "data/item_bytes.h"
#include "data/key.h"
#include "data/limits.h"

namespace kw::engine {
namespace {

// UpdateItem's size rule adds this for each action; see SizeForUpdate.
constexpr std::int64_t kUpdateBaseBytes = 3;
constexpr std::int64_t kSettingActionBytes = 19;
constexpr std::int64_t kClearingActionBytes = 2;

// The condition of an action, if it has one, and what to show if it fails.
struct Terms {
  const Condition* condition = nullptr;
  FailureReturn on_failure = FailureReturn::kNone;
};

Terms TermsOf(const WriteAction& action) {
  if (const auto* check = std::get_if<ConditionCheckRequest>(&action)) {
    return {&check->condition, check->on_failure};
  }
  const auto terms = [](const auto& request) -> Terms {
    return {request.condition ? &*request.condition : nullptr, request.on_failure};
  };
  if (const auto* put = std::get_if<PutRequest>(&action)) return terms(*put);
  if (const auto* erase = std::get_if<DeleteRequest>(&action)) return terms(*erase);
  return terms(std::get<UpdateRequest>(action));
}

Result<void> CheckCondition(const Terms& terms, const Item* item,
                            std::optional<std::string_view> before) {
  static const Item kNoItem;
  if (terms.condition == nullptr || terms.condition->Holds(item == nullptr ? kNoItem : *item)) {
    return {};
  }
  ErrorDetail detail;
  if (terms.on_failure == FailureReturn::kAllOld && before) detail = OldItem{std::string(*before)};
  return Fail(ErrorCode::kConditionalCheckFailed, "The conditional request failed",
              std::move(detail));
}

Item KeyAttributesOf(const KeySchema& schema, const AttributeMap& key) {
  std::vector<AttributeMap::Entry> entries;
  entries.reserve(2);
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const auto& attribute : *attributes) {
      entries.emplace_back(attribute.name, *key.Find(attribute.name));
    }
  }
  return Item::FromEntries(std::move(entries));
}

// The size that UpdateItem holds against the limit: the item's, or that of its other attributes
// with a surcharge for each action.
// Source: facts measured against the service, 2026-10.
std::int64_t SizeForUpdate(const KeySchema& schema, const Item& item, const kw::Update& update) {
  const auto size = SizeOf(item).value();
  const auto keys = SizeOf(KeyAttributesOf(schema, item)).value();
  const auto charged = size - keys + kUpdateBaseBytes +
                       kSettingActionBytes * update.SettingActions() +
                       kClearingActionBytes * update.ClearingActions();
  return std::max(size, charged);
}

// As CheckIndexKeys, in the words that an update's own fault has.
// Source: AWS re:Post, "Why does my TransactWriteItems API call fail", messages of ValidationError.
Result<void> CheckUpdatedIndexKeys(const TableSchema& schema, const Item& item,
                                   const kw::Update& update) {
  auto checked = CheckIndexKeys(schema, item);
  if (checked) return checked;
  const auto check = [&](const std::vector<KeyAttribute>& attributes,
                         std::int64_t bytes_max) -> Result<void> {
    for (const auto& attribute : attributes) {
      const auto* value = item.Find(attribute.name);
      if (value == nullptr) continue;
      if (value->type() != AttributeTypeOf(attribute.type)) {
        // Of AttributeUpdates: aws/aws-sdk-java issue 905.
        return Invalid(update.IsLegacy()
                           ? "Type mismatch for attribute to update"
                           : "The update expression attempted to update the secondary index key to "
                             "unsupported type");
      }
      if (SizeOf(*value).value() > bytes_max) {
        return Invalid(
            "The update expression attempted to update the secondary index key beyond allowed size "
            "limits");
      }
    }
    return {};
  };
  for (const auto& index : schema.indexes()) {
    TRY(check(index.key.partition, limits::kPartitionKeyBytesMax));
    TRY(check(index.key.sort, limits::kSortKeyBytesMax));
  }
  return checked;
}

Result<Item> ApplyUpdate(const Table& table, const UpdateRequest& request, const Item* before) {
  const auto& key = table.schema.key();
  if (!request.update) return before != nullptr ? *before : KeyAttributesOf(key, request.key);
  auto after = before != nullptr ? request.update->Apply(*before)
                                 : request.update->Apply(KeyAttributesOf(key, request.key));
  if (!after) return after;
  TRY(CheckUpdatedIndexKeys(table.schema, *after, *request.update));
  const auto size = request.size_rule == UpdateSizeRule::kItemAlone
                        ? SizeOf(*after).value()
                        : SizeForUpdate(key, *after, *request.update);
  if (size > limits::kItemBytesMax) {
    return UpdateTooLarge();
  }
  return after;
}

// An update that only takes away makes no item where there is none.
// Source: aws-doc API_AttributeValueUpdate, DELETE: "Nothing happens; there is no attribute to
// delete." That REMOVE and DELETE of an expression do the same is assumed.
bool OnlyClears(const UpdateRequest& request) {
  return request.update && request.update->SettingActions() == 0 &&
         request.update->ClearingActions() > 0;
}

struct Checker {
  const Table& table;

  Result<void> operator()(const ConditionCheckRequest& request) const {
    return CheckKey(table.schema.key(), request.key);
  }
  Result<void> operator()(const DeleteRequest& request) const {
    return CheckKey(table.schema.key(), request.key);
  }
  Result<void> operator()(const PutRequest& request) const {
    TRY(CheckItemKey(table.schema.key(), request.item));
    TRY(CheckIndexKeys(table.schema, request.item));
    if (SizeOf(request.item).value() > limits::kItemBytesMax) {
      return Invalid("Item size has exceeded the maximum allowed size");
    }
    return {};
  }
  Result<void> operator()(const UpdateRequest& request) const {
    TRY(CheckKey(table.schema.key(), request.key));
    if (!request.update) return {};
    for (const auto& path : request.update->Targets()) {
      if (table.schema.key().Has(path.attribute)) {
        return Invalid("One or more parameter values were invalid: Cannot update attribute " +
                       path.attribute + ". This attribute is part of the key");
      }
    }
    return {};
  }
};

struct Returner {
  const Decision& decision;
  std::optional<std::string_view> before;
  std::string_view after;

  std::optional<std::string> Old() const {
    return before ? std::optional<std::string>(*before) : std::nullopt;
  }
  static std::optional<std::string> Picked(const std::optional<Item>& item,
                                           const UpdateRequest& request) {
    if (!item || !request.update) return std::nullopt;
    const auto picked = PickPaths(*item, request.update->Targets());
    return picked.empty() ? std::nullopt : std::optional(StoreItem(picked));
  }

  std::optional<std::string> operator()(const ConditionCheckRequest& /*request*/) const {
    return std::nullopt;
  }
  std::optional<std::string> operator()(const PutRequest& request) const {
    return request.returns == PutReturn::kAllOld ? Old() : std::nullopt;
  }
  std::optional<std::string> operator()(const DeleteRequest& request) const {
    return request.returns == DeleteReturn::kAllOld ? Old() : std::nullopt;
  }
  std::optional<std::string> operator()(const UpdateRequest& request) const {
    switch (request.returns) {
      case UpdateReturn::kNone: return std::nullopt;
      case UpdateReturn::kAllOld: return Old();
      case UpdateReturn::kAllNew:
        return after.empty() ? std::nullopt : std::optional<std::string>(after);
      case UpdateReturn::kUpdatedOld: return Picked(decision.before, request);
      case UpdateReturn::kUpdatedNew: return Picked(decision.updated, request);
    }
    return std::nullopt;
  }
};

}  // namespace

const TableKey& TableOf(const WriteAction& action) {
  return std::visit([](const auto& request) -> const TableKey& { return request.table; }, action);
}

const AttributeMap& KeyOf(const WriteAction& action) {
  if (const auto* put = std::get_if<PutRequest>(&action)) return put->item;
  if (const auto* erase = std::get_if<DeleteRequest>(&action)) return erase->key;
  if (const auto* update = std::get_if<UpdateRequest>(&action)) return update->key;
  return std::get<ConditionCheckRequest>(action).key;
}

Result<void> CheckAction(const Table& table, const WriteAction& action) {
  return std::visit(Checker{table}, action);
}

Result<Decision> DecideWrite(const Table& table, const WriteAction& action,
                             std::optional<std::string_view> before) {
  const auto* update = std::get_if<UpdateRequest>(&action);
  const auto terms = TermsOf(action);

  Decision decision;
  const bool decodes =
      terms.condition != nullptr || update != nullptr || !table.schema.indexes().empty();
  if (before && decodes) decision.before = LoadItem(*before);
  const auto* item = decision.before ? &*decision.before : nullptr;
  TRY(CheckCondition(terms, item, before));
  if (update != nullptr) {
    auto updated = ApplyUpdate(table, *update, item);
    if (!updated) return Unexpected(std::move(updated).error());
    if (item != nullptr || !OnlyClears(*update)) decision.updated = std::move(*updated);
  }
  return decision;
}

std::optional<std::string> ReturnedAttributes(const WriteAction& action, const Decision& decision,
                                              std::optional<std::string_view> before,
                                              std::string_view after) {
  return std::visit(Returner{decision, before, after}, action);
}

}  // namespace kw::engine
