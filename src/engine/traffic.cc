// SPDX-License-Identifier: Apache-2.0
#include "engine/traffic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/key.h"
#include "engine/access.h"
#include "engine/key_insights.h"

namespace kw::engine {
namespace {

// Sources of the sentences: aws-model TransactionCanceledException, which lists four of them;
// observed: their ends, and the maximum on demand; for the account aws-doc Programming.Errors.
// assumed: that a read of a provisioned index is refused with the sentence of its writes.
std::string_view SentenceOf(ErrorCode code, const Draw& draw, LimitType limit) {
  if (limit == LimitType::kMaxOnDemandThroughput) {
    return "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
  }
  if (code == ErrorCode::kRequestLimitExceeded) {
    return "Throughput exceeds the current throughput limit for your account. To request a limit "
           "increase, contact AWS Support at https://aws.amazon.com/support.";
  }
  if (code == ErrorCode::kThrottling) {
    return draw.index && draw.flow == Flow::kWrite
               ? "Throughput exceeds the current capacity for one or more global secondary "
                 "indexes. DynamoDB is automatically scaling your index so please try again "
                 "shortly."
               : "Throughput exceeds the current capacity of your table or index. DynamoDB is "
                 "automatically scaling your table or index so please try again shortly. If "
                 "exceptions persist, check if you have a hot key: "
                 "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                 "bp-partition-key-design.html";
  }
  if (draw.index) {
    return "The level of configured provisioned throughput for one or more global secondary "
           "indexes of the table was exceeded. Consider increasing your provisioning level for "
           "the under-provisioned global secondary indexes with the UpdateTable API";
  }
  return "The level of configured provisioned throughput for the table was exceeded. Consider "
         "increasing your provisioning level with the UpdateTable API.";
}

// Source: aws-doc Programming.Errors. Its page on back pressure calls an index's account limit a
// ThrottlingException; the two disagree.
ErrorCode CodeOf(const Table& table, LimitType limit) {
  switch (limit) {
    case LimitType::kProvisionedThroughput: return ErrorCode::kProvisionedThroughputExceeded;
    case LimitType::kMaxOnDemandThroughput: return ErrorCode::kThrottling;
    case LimitType::kAccountLimit: return ErrorCode::kRequestLimitExceeded;
    case LimitType::kKeyRangeThroughput: break;
  }
  return table.billing == BillingMode::kProvisioned ? ErrorCode::kProvisionedThroughputExceeded
                                                    : ErrorCode::kThrottling;
}

Error Throttled(const Table& table, const Draw& draw, LimitType limit) {
  const auto code = CodeOf(table, limit);
  auto resource = table.Arn();
  if (draw.index) resource += "/index/" + table.schema.indexes()[*draw.index].name;
  return {code, std::string(SentenceOf(code, draw, limit)),
          std::vector<ThrottlingReason>{
              {.reason = ThrottlingReasonName(draw.index.has_value(), draw.flow, limit),
               .resource = std::move(resource)}}};
}

void CountThrottle(Engine& engine, const Table& table, const Draw& draw, LimitType limit) {
  engine.capacity->throttles().Add(draw.index.has_value(), draw.flow, limit);
  if (engine.insights != nullptr) engine.insights->CountThrottle(table, draw);
}

}  // namespace

std::string ThrottlingReasonName(bool of_index, Flow flow, LimitType limit) {
  const auto type = [limit]() -> std::string_view {
    switch (limit) {
      case LimitType::kProvisionedThroughput: return "ProvisionedThroughput";
      case LimitType::kMaxOnDemandThroughput: return "MaxOnDemandThroughput";
      case LimitType::kAccountLimit: return "AccountLimit";
      case LimitType::kKeyRangeThroughput: break;
    }
    return "KeyRangeThroughput";
  };
  return fmt::format("{}{}{}Exceeded", of_index ? "Index" : "Table",
                     flow == Flow::kRead ? "Read" : "Write", type());
}

std::string_view KeyPartOf(const storage::RowKey& item_row) {
  return std::string_view(item_row.key).substr(kItemPrefix.size());
}

HalfUnits TableUnits(const Capacity& capacity) {
  auto units = capacity.table_write;
  for (const auto& [name, index] : capacity.local) units += index.write;
  return units;
}

std::string RenderThrottles(const Engine& engine) {
  if (engine.capacity == nullptr) return {};
  std::string text =
      "# HELP keywright_throttled_total Refusals for want of capacity, by reason.\n"
      "# TYPE keywright_throttled_total counter\n";
  for (const bool of_index : {false, true}) {
    for (const auto flow : {Flow::kRead, Flow::kWrite}) {
      for (const auto limit : {LimitType::kProvisionedThroughput, LimitType::kMaxOnDemandThroughput,
                               LimitType::kAccountLimit, LimitType::kKeyRangeThroughput}) {
        const auto count = engine.capacity->throttles().Of(of_index, flow, limit);
        if (count == 0) continue;
        text += fmt::format("keywright_throttled_total{{reason=\"{}\"}} {}\n",
                            ThrottlingReasonName(of_index, flow, limit), count);
      }
    }
  }
  return text;
}

bool IsMetered(const Engine& engine, const Table& table) {
  if (engine.capacity != nullptr) return true;
  return engine.insights != nullptr &&
         (table.insights || std::ranges::any_of(table.index_states, [](const IndexState& state) {
            return state.insights.has_value();
          }));
}

bool IsThrottled(const Error& error) {
  return std::holds_alternative<std::vector<ThrottlingReason>>(error.detail);
}

Result<void> CheckMayRepeat(const Engine& engine, const CallContext& call, const Table& table) {
  if (call.wait == storage::Wait::kMayBlock || !IsMetered(engine, table)) return {};
  return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
}

Result<void> AdmitRead(Engine& engine, const Table& table, const Draw& draw) {
  if (engine.capacity == nullptr) return {};
  const auto refusal = engine.capacity->Check(table, {&draw, 1});
  if (!refusal) return {};
  CountThrottle(engine, table, draw, refusal->limit);
  return Unexpected(Throttled(table, draw, refusal->limit));
}

void ChargeRead(Engine& engine, const Table& table, const Draw& draw) {
  if (engine.capacity != nullptr) engine.capacity->Charge(table, {&draw, 1});
  if (engine.insights != nullptr) engine.insights->CountAccess(table, draw);
}

WriteToll::WriteToll(Engine& engine, const Table& table, std::string_view row_key) {
  if (!IsMetered(engine, table)) return;
  engine_ = &engine;
  table_ = &table;
  own_[0] = {.index = std::nullopt, .flow = Flow::kWrite, .key = std::string(row_key), .units = {}};
}

Result<void> WriteToll::Begin() {
  if (engine_ == nullptr) return {};
  GiveBack();
  indexes_.clear();
  refused_.reset();
  own_[0].units = {};
  if (engine_->capacity == nullptr) return {};
  const auto refusal = engine_->capacity->Check(*table_, own_);
  return refusal ? Refuse(own_[0], refusal->limit) : Result<void>();
}

Result<void> WriteToll::Take(HalfUnits table_units) {
  if (engine_ == nullptr) return {};
  own_[0].units = table_units;
  if (engine_->capacity == nullptr) return {};
  if (const auto refusal = engine_->capacity->Take(*table_, indexes_)) {
    return Refuse(indexes_[refusal->draw], refusal->limit);
  }
  engine_->capacity->Charge(*table_, own_);
  taken_ = true;
  return {};
}

void WriteToll::TakeFailed(HalfUnits table_units) {
  if (engine_ == nullptr) return;
  indexes_.clear();
  own_[0].units = table_units;
  if (engine_->capacity == nullptr) return;
  engine_->capacity->Charge(*table_, own_);
  taken_ = true;
}

void WriteToll::GiveBack() {
  if (!std::exchange(taken_, false)) return;
  engine_->capacity->GiveBack(*table_, own_);
  engine_->capacity->GiveBack(*table_, indexes_);
}

void WriteToll::Settle() {
  if (engine_ == nullptr) return;
  if (refused_) return CountThrottle(*engine_, *table_, *refused_, limit_);
  if (engine_->insights == nullptr) return;
  engine_->insights->CountAccess(*table_, own_[0]);
  for (const auto& draw : indexes_) engine_->insights->CountAccess(*table_, draw);
}

Result<void> WriteToll::Refuse(const Draw& draw, LimitType limit) {
  refused_ = draw;
  limit_ = limit;
  return Unexpected(Throttled(*table_, draw, limit));
}

}  // namespace kw::engine
