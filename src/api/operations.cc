// SPDX-License-Identifier: Apache-2.0
// The list of operations, and the way of a request through them.
#include <algorithm>
#include <array>
#include <utility>

#include "api/api.h"
#include "api/operation.h"
#include "api/ops/batch_execute_statement.h"
#include "api/ops/batch_get_item.h"
#include "api/ops/batch_write_item.h"
#include "api/ops/create_table.h"
#include "api/ops/delete_item.h"
#include "api/ops/delete_resource_policy.h"
#include "api/ops/delete_table.h"
#include "api/ops/describe_contributor_insights.h"
#include "api/ops/describe_endpoints.h"
#include "api/ops/describe_limits.h"
#include "api/ops/describe_stream.h"
#include "api/ops/describe_table.h"
#include "api/ops/describe_time_to_live.h"
#include "api/ops/execute_statement.h"
#include "api/ops/execute_transaction.h"
#include "api/ops/get_item.h"
#include "api/ops/get_records.h"
#include "api/ops/get_resource_policy.h"
#include "api/ops/get_shard_iterator.h"
#include "api/ops/list_contributor_insights.h"
#include "api/ops/list_streams.h"
#include "api/ops/list_tables.h"
#include "api/ops/list_tags_of_resource.h"
#include "api/ops/put_item.h"
#include "api/ops/put_resource_policy.h"
#include "api/ops/query.h"
#include "api/ops/scan.h"
#include "api/ops/tag_resource.h"
#include "api/ops/transact_get_items.h"
#include "api/ops/transact_write_items.h"
#include "api/ops/untag_resource.h"
#include "api/ops/update_contributor_insights.h"
#include "api/ops/update_item.h"
#include "api/ops/update_table.h"
#include "api/ops/update_time_to_live.h"

namespace kw::api {
namespace {

// One a line, sorted.
constexpr auto kRows = MakeTable<  //
    BatchExecuteStatement,         //
    BatchGetItem,                  //
    BatchWriteItem,                //
    CreateTable,                   //
    DeleteItem,                    //
    DeleteResourcePolicy,          //
    DeleteTable,                   //
    DescribeContributorInsights,   //
    DescribeEndpoints,             //
    DescribeLimits,                //
    DescribeStream,                //
    DescribeTable,                 //
    DescribeTimeToLive,            //
    ExecuteStatement,              //
    ExecuteTransaction,            //
    GetItem,                       //
    GetRecords,                    //
    GetResourcePolicy,             //
    GetShardIterator,              //
    ListContributorInsights,       //
    ListStreams,                   //
    ListTables,                    //
    ListTagsOfResource,            //
    PutItem,                       //
    PutResourcePolicy,             //
    Query,                         //
    Scan,                          //
    TagResource,                   //
    TransactGetItems,              //
    TransactWriteItems,            //
    UntagResource,                 //
    UpdateContributorInsights,     //
    UpdateItem,                    //
    UpdateTable,                   //
    UpdateTimeToLive>();

constexpr auto kInfos = [] {
  std::array<OperationInfo, kRows.size()> infos{};
  std::ranges::transform(kRows, infos.begin(), &Row::info);
  return infos;
}();

JsonParser& ThreadsParser() {
  thread_local JsonParser parser;
  return parser;
}

const Row& RowOf(const OperationInfo& operation) {
  return kRows[static_cast<std::size_t>(&operation - kInfos.data())];
}

}  // namespace

const OperationInfo* FindOperation(std::string_view target) {
  const std::string_view name = target.substr(target.find('.') + 1);
  const auto found = std::ranges::lower_bound(kInfos, name, {}, &OperationInfo::name);
  if (found == kInfos.end() || found->name != name) return nullptr;
  return target.size() == found->target.size() + name.size() && target.starts_with(found->target)
             ? &*found
             : nullptr;
}

Access AccessOf(const OperationInfo& operation, std::string_view body) {
  const Row& row = RowOf(operation);
  if (row.access_of == nullptr) return operation.access;
  const auto parsed = ThreadsParser().Parse(body);
  return parsed ? row.access_of(*parsed) : operation.access;
}

std::span<const OperationInfo> Operations() { return kInfos; }

void Handle(engine::Engine& engine, const Request& request, std::function<void(Reply)> reply) {
  const OperationInfo* info = FindOperation(request.target);
  if (info == nullptr) {
    return reply(RenderError({.code = ErrorCode::kUnknownOperation, .message = {}, .detail = {}}));
  }
  const Row& row = RowOf(*info);
  const auto body = ThreadsParser().Parse(request.body);
  if (!body) {
    // The service names no reason for a body that is not JSON.
    return reply(RenderError({.code = ErrorCode::kSerialization, .message = {}, .detail = {}}));
  }
  if (const auto checked = CheckShape(*info->input, *body); !checked) {
    return reply(RenderError(checked.error()));
  }
  row.serve(engine, request.call, *body, std::move(reply));
}

}  // namespace kw::api
