// SPDX-License-Identifier: Apache-2.0
#include "modeller/prove/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "base/json.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kBatch = 25;
// How often a table that is not ACTIVE yet is asked again.
constexpr int kTries = 600;

// ---- requests ----

// One request's body.
class Body {
 public:
  Body() { out_.BeginObject(); }
  JsonWriter& out() { return out_; }
  std::string Take() {
    out_.EndObject();
    return std::move(text_);
  }

 private:
  std::string text_;
  JsonWriter out_{text_};
};

void WriteKeySchema(const KeySchema& key, JsonWriter& out) {
  out.Key("KeySchema");
  out.BeginArray();
  const auto write = [&](const std::vector<KeyAttribute>& attributes, std::string_view type) {
    for (const KeyAttribute& attribute : attributes) {
      out.BeginObject();
      out.Member("AttributeName", attribute.name);
      out.Member("KeyType", type);
      out.EndObject();
    }
  };
  write(key.partition, "HASH");
  write(key.sort, "RANGE");
  out.EndArray();
}

void WriteProjection(const Projected& projected, JsonWriter& out) {
  out.Key("Projection");
  out.BeginObject();
  if (const auto* include = std::get_if<ProjectInclude>(&projected)) {
    out.Member("ProjectionType", "INCLUDE");
    out.Key("NonKeyAttributes");
    out.BeginArray();
    for (const std::string& attribute : include->attributes) out.String(attribute);
    out.EndArray();
  } else {
    const bool all = std::holds_alternative<ProjectAll>(projected);
    out.Member("ProjectionType", all ? "ALL" : "KEYS_ONLY");
  }
  out.EndObject();
}

void WriteIndexes(const TableSchema& schema, IndexScope scope, std::string_view member,
                  JsonWriter& out) {
  const auto of_scope = [&](const IndexSchema& index) { return index.scope == scope; };
  if (std::ranges::none_of(schema.indexes(), of_scope)) return;
  out.Key(member);
  out.BeginArray();
  for (const IndexSchema& index : schema.indexes()) {
    if (!of_scope(index)) continue;
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(index.key, out);
    WriteProjection(index.projected, out);
    out.EndObject();
  }
  out.EndArray();
}

void WriteDefinitions(const TableSchema& schema, JsonWriter& out) {
  std::set<std::string> written;
  out.Key("AttributeDefinitions");
  out.BeginArray();
  const auto write = [&](const KeySchema& key) {
    for (const auto* part : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (!written.insert(attribute.name).second) continue;
        out.BeginObject();
        out.Member("AttributeName", attribute.name);
        out.Member("AttributeType", WireName(attribute.type));
        out.EndObject();
      }
    }
  };
  write(schema.key());
  for (const IndexSchema& index : schema.indexes()) write(index.key);
  out.EndArray();
}

// Names and values of an expression, each behind a placeholder: any name may be reserved.
class Placeholders {
 public:
  std::string Name(std::string_view name) {
    const auto found = std::ranges::find(names_, name);
    const auto at = found - names_.begin();
    if (found == names_.end()) names_.emplace_back(name);
    return fmt::format("#{}", at);
  }
  std::string Of(const AttributeValue& value) {
    values_.push_back(value);
    return fmt::format(":{}", values_.size() - 1);
  }
  void Write(JsonWriter& out) const {
    out.Key("ExpressionAttributeNames");
    out.BeginObject();
    for (std::size_t i = 0; i < names_.size(); ++i) out.Member(fmt::format("#{}", i), names_[i]);
    out.EndObject();
    if (values_.empty()) return;
    out.Key("ExpressionAttributeValues");
    out.BeginObject();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      out.Key(fmt::format(":{}", i));
      WriteJson(values_[i], out);
    }
    out.EndObject();
  }

 private:
  std::vector<std::string> names_;
  std::vector<AttributeValue> values_;
};

std::string KeyCondition(const QueryCall& call, Placeholders& placeholders) {
  std::string text;
  const auto add = [&](std::string term) {
    text += (text.empty() ? "" : " AND ") + std::move(term);
  };
  for (const auto* equalities : {&call.partition, &call.sort_equal}) {
    for (const auto& [name, value] : *equalities) {
      add(fmt::format("{} = {}", placeholders.Name(name), placeholders.Of(value)));
    }
  }
  if (!call.tail) return text;
  const QueryCall::Tail& tail = *call.tail;
  const std::string name = placeholders.Name(tail.attribute);
  if (tail.prefix) {
    add(fmt::format("begins_with({}, {})", name, placeholders.Of(*tail.prefix)));
  } else if (tail.low && tail.high) {
    const std::string low = placeholders.Of(*tail.low);
    add(fmt::format("{} BETWEEN {} AND {}", name, low, placeholders.Of(*tail.high)));
  } else if (tail.low) {
    add(fmt::format("{} >= {}", name, placeholders.Of(*tail.low)));
  } else if (tail.high) {
    add(fmt::format("{} <= {}", name, placeholders.Of(*tail.high)));
  }
  return text;
}

Item KeyOf(const TableSchema& schema, const Item& item) {
  Item key;
  for (const auto* part : {&schema.key().partition, &schema.key().sort}) {
    for (const KeyAttribute& attribute : *part) {
      if (const AttributeValue* value = item.Find(attribute.name)) key.Set(attribute.name, *value);
    }
  }
  return key;
}

// What an update must set and remove to lead from one item to the other.
std::string UpdateExpression(const Item& key, const Item& before, const Item& after,
                             Placeholders& placeholders) {
  std::string sets;
  std::string removes;
  for (const auto& [name, value] : after.entries()) {
    const AttributeValue* old = before.Find(name);
    if (key.Find(name) != nullptr || (old != nullptr && *old == value)) continue;
    sets += fmt::format("{}{} = {}", sets.empty() ? "SET " : ", ", placeholders.Name(name),
                        placeholders.Of(value));
  }
  for (const auto& [name, value] : before.entries()) {
    if (key.Find(name) != nullptr || after.Find(name) != nullptr) continue;
    removes += fmt::format("{}{}", removes.empty() ? "REMOVE " : ", ", placeholders.Name(name));
  }
  if (sets.empty() && removes.empty()) {
    // The change gave the values that were there: a program sets them all the same, and a
    // transaction takes no update without an expression.
    for (const auto& [name, value] : after.entries()) {
      if (key.Find(name) != nullptr) continue;
      return fmt::format("SET {} = {}", placeholders.Name(name), placeholders.Of(value));
    }
  }
  return sets + (sets.empty() || removes.empty() ? "" : " ") + removes;
}

// The members of one write, but for what is only said once a request.
void WriteStepMembers(std::string_view name, const TableSchema& schema, const WriteStep& step,
                      JsonWriter& out) {
  Placeholders placeholders;
  const Item& shown = step.after ? *step.after : *step.before;
  const Item key = KeyOf(schema, shown);
  out.Member("TableName", name);
  if (step.kind == WriteStep::Kind::kPut) {
    out.Key("Item");
    WriteJson(*step.after, out);
  } else {
    out.Key("Key");
    WriteJson(key, out);
  }
  std::string update;
  if (step.kind == WriteStep::Kind::kUpdate) {
    update = UpdateExpression(key, step.before ? *step.before : Item(), *step.after, placeholders);
  }
  if (!update.empty()) out.Member("UpdateExpression", update);
  if (step.condition != WriteStep::Condition::kNone) {
    const bool exists = step.condition == WriteStep::Condition::kMustExist;
    out.Member("ConditionExpression",
               fmt::format("{}({})", exists ? "attribute_exists" : "attribute_not_exists",
                           placeholders.Name(schema.key().partition.front().name)));
  }
  if (!update.empty() || step.condition != WriteStep::Condition::kNone) placeholders.Write(out);
}

std::string_view OperationOf(WriteStep::Kind kind) {
  switch (kind) {
    case WriteStep::Kind::kPut: return "PutItem";
    case WriteStep::Kind::kUpdate: return "UpdateItem";
    case WriteStep::Kind::kDelete: return "DeleteItem";
  }
  return {};
}

std::string_view ActionOf(WriteStep::Kind kind) {
  return OperationOf(kind).substr(0, OperationOf(kind).size() - 4);
}

// ---- replies ----

auto Strange(std::string_view what) {
  return Unexpected(DatabaseFault{"", fmt::format("the reply has no {}", what)});
}

Asked<JsonObject> Read(JsonParser& parser, std::string_view body) {
  const auto json = parser.Parse(body);
  if (!json || !json->is(JsonType::kObject)) return Strange("JSON object");
  return json->object();
}

HalfUnits HalvesOf(JsonObject object, std::string_view member) {
  const auto units = object.Find(member);
  return HalfUnits(units ? std::llround(units->number() * 2) : 0);
}

// One ConsumedCapacity. A reply to a write names its units CapacityUnits alone unless the whole was
// asked for as INDEXES of a transaction: `write` says what they are then.
Capacity ReadCapacity(JsonObject json, bool write) {
  Capacity capacity;
  const auto add = [&](JsonObject object, HalfUnits& read_units, HalfUnits& write_units) {
    if (object.Find("ReadCapacityUnits") || object.Find("WriteCapacityUnits")) {
      read_units += HalvesOf(object, "ReadCapacityUnits");
      write_units += HalvesOf(object, "WriteCapacityUnits");
    } else {
      (write ? write_units : read_units) += HalvesOf(object, "CapacityUnits");
    }
  };
  if (const auto table = json.Find("Table")) {
    add(table->object(), capacity.table_read, capacity.table_write);
  }
  const auto indexes = [&](std::string_view member, auto& to) {
    const auto found = json.Find(member);
    if (!found) return;
    for (const auto& [name, value] : found->object()) {
      auto& index = to[std::string(name)];
      add(value.object(), index.read, index.write);
    }
  };
  indexes("LocalSecondaryIndexes", capacity.local);
  indexes("GlobalSecondaryIndexes", capacity.global);
  return capacity;
}

Asked<Item> ReadItem(JsonValue json) {
  auto item = ParseAttributeMap(json);
  if (!item) return Unexpected(DatabaseFault{"", item.error().message});
  return std::move(*item);
}

Asked<Database::Page> ReadPage(std::string_view body) {
  JsonParser parser;
  TRY_ASSIGN(const JsonObject reply, Read(parser, body));
  Database::Page page;
  const auto items = reply.Find("Items");
  const auto consumed = reply.Find("ConsumedCapacity");
  if (!items) return Strange("Items");
  if (!consumed) return Strange("ConsumedCapacity");
  for (const JsonValue json : items->array()) {
    TRY_ASSIGN(Item item, ReadItem(json));
    page.items.push_back(std::move(item));
  }
  page.units = ReadCapacity(consumed->object(), false);
  if (const auto last = reply.Find("LastEvaluatedKey")) {
    TRY_ASSIGN(page.next, ReadItem(*last));
  }
  return page;
}

}  // namespace

Asked<void> Database::CreateTable(std::string_view name, const TableSchema& schema) const {
  Body body;
  JsonWriter& out = body.out();
  out.Member("TableName", name);
  out.Member("BillingMode", "PAY_PER_REQUEST");
  WriteDefinitions(schema, out);
  WriteKeySchema(schema.key(), out);
  WriteIndexes(schema, IndexScope::kLocal, "LocalSecondaryIndexes", out);
  WriteIndexes(schema, IndexScope::kGlobal, "GlobalSecondaryIndexes", out);
  TRY(send_("CreateTable", body.Take()));
  for (int tried = 0; tried < kTries; ++tried) {
    TRY_ASSIGN(const std::string reply,
               send_("DescribeTable", fmt::format("{{\"TableName\": \"{}\"}}", name)));
    JsonParser parser;
    TRY_ASSIGN(const JsonObject described, Read(parser, reply));
    const auto table = described.Find("Table");
    const auto status = table ? table->object().Find("TableStatus") : std::nullopt;
    if (!status) return Strange("TableStatus");
    if (status->string() == "ACTIVE") return {};
    std::this_thread::sleep_for(pause_);
  }
  return Unexpected(DatabaseFault{"", fmt::format("table {} does not become ACTIVE", name)});
}

Asked<void> Database::DeleteTable(std::string_view name) const {
  TRY(send_("DeleteTable", fmt::format("{{\"TableName\": \"{}\"}}", name)));
  return {};
}

Asked<void> Database::Load(std::string_view name, const std::vector<Item>& items) const {
  constexpr std::size_t kBatchBytes = 8 * 1024 * 1024;
  for (std::size_t next = 0; next < items.size();) {
    Body body;
    JsonWriter& out = body.out();
    out.Key("RequestItems");
    out.BeginObject();
    out.Key(name);
    out.BeginArray();
    std::size_t bytes = 0;
    for (std::size_t n = 0; n < kBatch && next < items.size() && bytes < kBatchBytes; ++n) {
      bytes += static_cast<std::size_t>(SizeOf(items[next]).value());
      out.BeginObject();
      out.Key("PutRequest");
      out.BeginObject();
      out.Key("Item");
      WriteJson(items[next++], out);
      out.EndObject();
      out.EndObject();
    }
    out.EndArray();
    out.EndObject();
    TRY_ASSIGN(const std::string reply, send_("BatchWriteItem", body.Take()));
    JsonParser parser;
    TRY_ASSIGN(const JsonObject written, Read(parser, reply));
    const auto left = written.Find("UnprocessedItems");
    if (left && left->object().begin() != left->object().end()) {
      return Unexpected(DatabaseFault{
          "", fmt::format("table {} throttles: it left some writes of a batch undone", name)});
    }
  }
  return {};
}

Asked<Database::Got> Database::Get(std::string_view name, const GetCall& call) const {
  Body body;
  JsonWriter& out = body.out();
  out.Member("TableName", name);
  out.Member("ReturnConsumedCapacity", "INDEXES");
  out.Member("ConsistentRead", call.consistent);
  out.Key("Key");
  WriteJson(call.key, out);
  TRY_ASSIGN(const std::string reply, send_("GetItem", body.Take()));
  JsonParser parser;
  TRY_ASSIGN(const JsonObject got, Read(parser, reply));
  Got answer;
  const auto consumed = got.Find("ConsumedCapacity");
  if (!consumed) return Strange("ConsumedCapacity");
  answer.units = ReadCapacity(consumed->object(), false);
  if (const auto item = got.Find("Item")) {
    TRY_ASSIGN(answer.item, ReadItem(*item));
  }
  return answer;
}

Asked<Database::Page> Database::Query(std::string_view name, const QueryCall& call,
                                      std::optional<std::int64_t> limit,
                                      const std::optional<Item>& start) const {
  Body body;
  JsonWriter& out = body.out();
  Placeholders placeholders;
  out.Member("TableName", name);
  if (call.index) out.Member("IndexName", *call.index);
  out.Member("KeyConditionExpression", KeyCondition(call, placeholders));
  placeholders.Write(out);
  out.Member("ScanIndexForward", call.forward);
  out.Member("ConsistentRead", call.consistent);
  out.Member("ReturnConsumedCapacity", "INDEXES");
  if (limit) out.Member("Limit", *limit);
  if (start) {
    out.Key("ExclusiveStartKey");
    WriteJson(*start, out);
  }
  TRY_ASSIGN(const std::string reply, send_("Query", body.Take()));
  return ReadPage(reply);
}

Asked<Database::Page> Database::Scan(std::string_view name,
                                     const std::optional<Item>& start) const {
  Body body;
  JsonWriter& out = body.out();
  out.Member("TableName", name);
  out.Member("ReturnConsumedCapacity", "INDEXES");
  if (start) {
    out.Key("ExclusiveStartKey");
    WriteJson(*start, out);
  }
  TRY_ASSIGN(const std::string reply, send_("Scan", body.Take()));
  return ReadPage(reply);
}

Asked<std::map<TableId, Capacity>> Database::Write(const std::vector<std::string>& names,
                                                   const std::vector<PlannedTable>& tables,
                                                   const WriteSet& writes) const {
  std::map<TableId, Capacity> units;
  if (writes.steps.empty()) return units;
  Body body;
  JsonWriter& out = body.out();
  out.Member("ReturnConsumedCapacity", "INDEXES");
  if (writes.steps.size() == 1) {
    const WriteStep& step = writes.steps.front();
    WriteStepMembers(names[step.table], tables[step.table].schema, step, out);
    TRY_ASSIGN(const std::string reply, send_(OperationOf(step.kind), body.Take()));
    JsonParser parser;
    TRY_ASSIGN(const JsonObject written, Read(parser, reply));
    const auto consumed = written.Find("ConsumedCapacity");
    if (!consumed) return Strange("ConsumedCapacity");
    units[step.table] = ReadCapacity(consumed->object(), true);
    return units;
  }
  out.Key("TransactItems");
  out.BeginArray();
  for (const WriteStep& step : writes.steps) {
    out.BeginObject();
    out.Key(ActionOf(step.kind));
    out.BeginObject();
    WriteStepMembers(names[step.table], tables[step.table].schema, step, out);
    out.EndObject();
    out.EndObject();
  }
  out.EndArray();
  TRY_ASSIGN(const std::string reply, send_("TransactWriteItems", body.Take()));
  JsonParser parser;
  TRY_ASSIGN(const JsonObject written, Read(parser, reply));
  const auto consumed = written.Find("ConsumedCapacity");
  if (!consumed) return Strange("ConsumedCapacity");
  for (const JsonValue each : consumed->array()) {
    const auto table = each.object().Find("TableName");
    const auto found = table ? std::ranges::find(names, table->string()) : names.end();
    if (found == names.end()) return Strange("table of ours in ConsumedCapacity");
    units[static_cast<TableId>(found - names.begin())] = ReadCapacity(each.object(), true);
  }
  return units;
}

}  // namespace kw::modeller
