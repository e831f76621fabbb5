// SPDX-License-Identifier: Apache-2.0
// The catalog's rows: a table as JSON. Members that are absent have their default; a change of
// meaning takes a new version, and a program refuses versions it does not know.
#include <utility>

#include "base/json.h"
#include "engine/catalog.h"

namespace kw::engine {
namespace {

constexpr std::int64_t kVersion = 1;

// Enumerators are stored by their number: new ones go to the end.
template <class Enum>
constexpr std::int64_t NumberOf(Enum enumerator) {
  return static_cast<std::int64_t>(enumerator);
}

// ---- writing ----

void Write(JsonWriter& out, std::string_view name, const std::vector<KeyAttribute>& attributes) {
  out.Key(name);
  out.BeginArray();
  for (const auto& attribute : attributes) {
    out.BeginArray();
    out.String(attribute.name);
    out.String(WireName(attribute.type));
    out.EndArray();
  }
  out.EndArray();
}

void Write(JsonWriter& out, const KeySchema& key) {
  Write(out, "partition", key.partition);
  if (!key.sort.empty()) Write(out, "sort", key.sort);
}

void Write(JsonWriter& out, std::string_view name, const std::optional<TimePoint>& time) {
  if (time) out.Member(name, std::int64_t{time->time_since_epoch().count()});
}

void Write(JsonWriter& out, std::string_view name, const std::optional<std::string>& text) {
  if (text) out.Member(name, *text);
}

void Write(JsonWriter& out, std::string_view name, const Provisioned& provisioned) {
  out.Key(name);
  out.BeginObject();
  out.Member("read", provisioned.read_units);
  out.Member("write", provisioned.write_units);
  Write(out, "increased_at", provisioned.increased_at);
  Write(out, "decreased_at", provisioned.decreased_at);
  if (provisioned.decreases_today > 0) out.Member("decreases", provisioned.decreases_today);
  out.EndObject();
}

template <class Units>
void WriteUnits(JsonWriter& out, std::string_view name, const std::optional<Units>& units) {
  if (!units) return;
  out.Key(name);
  out.BeginObject();
  if (units->read_units) out.Member("read", *units->read_units);
  if (units->write_units) out.Member("write", *units->write_units);
  out.EndObject();
}

void Write(JsonWriter& out, const Projected& projected) {
  out.Key("projected");
  if (std::holds_alternative<ProjectAll>(projected)) return out.String("all");
  if (std::holds_alternative<ProjectKeys>(projected)) return out.String("keys");
  out.BeginArray();
  for (const auto& name : std::get<ProjectInclude>(projected).attributes) out.String(name);
  out.EndArray();
}

void Write(JsonWriter& out, const std::optional<ContributorInsights>& insights) {
  if (!insights) return;
  out.Key("insights");
  out.BeginObject();
  out.Member("enabled", insights->enabled);
  out.Member("mode", NumberOf(insights->mode));
  Write(out, "enabled_at", insights->enabled_at);
  Write(out, "updated_at", insights->updated_at);
  out.EndObject();
}

void Write(JsonWriter& out, const IndexSchema& schema, const IndexState& state) {
  out.BeginObject();
  out.Member("name", schema.name);
  out.Member("local", schema.scope == IndexScope::kLocal);
  Write(out, schema.key);
  Write(out, schema.projected);
  out.Member("ordinal", std::int64_t{state.ordinal});
  out.Member("status", NumberOf(state.status));
  if (state.backfilling) out.Member("backfilling", true);
  if (state.fills_from_log) out.Member("fills_from_log", true);
  Write(out, "provisioned", state.provisioned);
  WriteUnits(out, "on_demand", state.on_demand);
  WriteUnits(out, "warm", state.warm);
  Write(out, state.insights);
  out.EndObject();
}

// Hashes use all 64 bits and JSON integers are signed: the bits are what counts.
void WriteHash(JsonWriter& out, std::string_view name, std::uint64_t hash) {
  out.Member(name, static_cast<std::int64_t>(hash));
}

void Write(JsonWriter& out, const StreamShard& shard) {
  out.BeginObject();
  out.Member("number", std::int64_t{shard.number});
  if (!shard.parent.empty()) out.Member("parent", shard.parent);
  WriteHash(out, "hash_begin", shard.hash_begin);
  WriteHash(out, "hash_last", shard.hash_last);
  Write(out, "opened_at", shard.opened_at);
  Write(out, "closed_at", shard.closed_at);
  if (shard.last) out.Member("last", static_cast<std::int64_t>(*shard.last));
  out.EndObject();
}

void Write(JsonWriter& out, const ResourcePolicyPtr& policy) {
  if (!policy) return;
  out.Key("policy");
  out.BeginObject();
  out.Member("text", policy->text);
  out.Member("revision", policy->revision);
  out.EndObject();
}

void Write(JsonWriter& out, const Stream& stream) {
  out.BeginObject();
  out.Member("label", stream.label);
  out.Member("view", NumberOf(stream.view));
  Write(out, "created_at", stream.created_at);
  Write(out, "disabled_at", stream.disabled_at);
  out.Key("shards");
  out.BeginArray();
  for (const auto& shard : stream.shards) Write(out, shard);
  out.EndArray();
  Write(out, stream.policy);
  out.EndObject();
}

void Write(JsonWriter& out, const TimeToLive& ttl) {
  out.Key("ttl");
  out.BeginObject();
  out.Member("attribute", ttl.attribute);
  out.Member("status", NumberOf(ttl.status));
  out.EndObject();
}

// ---- reading ----

// Members of one object; remembers that something was missing or of the wrong type.
class Reader {
 public:
  Reader(JsonObject object, bool& sound) : object_(object), sound_(sound) {}

  std::optional<std::string> Text(std::string_view name) {
    const auto value = Find(name, JsonType::kString);
    return value ? std::optional<std::string>(value->string()) : std::nullopt;
  }
  std::optional<std::int64_t> Integer(std::string_view name) {
    const auto value = Find(name, JsonType::kInteger);
    return value ? std::optional(value->integer()) : std::nullopt;
  }
  std::optional<TimePoint> Time(std::string_view name) {
    const auto value = Integer(name);
    return value ? std::optional(TimePoint(std::chrono::milliseconds(*value))) : std::nullopt;
  }
  bool Flag(std::string_view name) {
    const auto value = Find(name, JsonType::kBool);
    return value && value->boolean();
  }
  std::optional<Reader> Object(std::string_view name) {
    const auto value = Find(name, JsonType::kObject);
    return value ? std::optional(Reader(value->object(), sound_)) : std::nullopt;
  }
  std::optional<JsonArray> Array(std::string_view name) {
    const auto value = Find(name, JsonType::kArray);
    return value ? std::optional(value->array()) : std::nullopt;
  }
  // An enumerator by its number, below `count`.
  template <class Enum>
  Enum Enumerator(std::string_view name, std::int64_t count) {
    const auto value = Require(Integer(name));
    if (value < 0 || value >= count) return Broken(), Enum{};
    return static_cast<Enum>(value);
  }
  std::uint32_t Small(std::string_view name) {
    const auto value = Require(Integer(name));
    if (value < 0 || value > std::int64_t{UINT32_MAX}) return Broken(), 0;
    return static_cast<std::uint32_t>(value);
  }

  std::uint64_t Hash(std::string_view name) {
    return static_cast<std::uint64_t>(Require(Integer(name)));
  }

  template <class T>
  T Require(std::optional<T> value) {
    if (value) return *std::move(value);
    return Broken(), T{};
  }
  void Broken() { sound_ = false; }
  [[nodiscard]] bool sound() const { return sound_; }

  std::optional<Reader> Element(JsonValue value) {
    if (value.is(JsonType::kObject)) return Reader(value.object(), sound_);
    return Broken(), std::nullopt;
  }

 private:
  std::optional<JsonValue> Find(std::string_view name, JsonType type) {
    const auto value = object_.Find(name);
    if (!value) return std::nullopt;
    if (!value->is(type)) return Broken(), std::nullopt;
    return value;
  }

  JsonObject object_;
  bool& sound_;
};

std::optional<KeyType> ParseKeyType(std::string_view name) {
  for (const auto type : {KeyType::kString, KeyType::kNumber, KeyType::kBinary}) {
    if (WireName(type) == name) return type;
  }
  return std::nullopt;
}

std::vector<KeyAttribute> ReadAttributes(Reader& in, std::string_view name) {
  std::vector<KeyAttribute> attributes;
  const auto array = in.Array(name);
  if (!array) return attributes;
  for (const auto pair : *array) {
    std::vector<std::string_view> texts;
    if (pair.is(JsonType::kArray)) {
      for (const auto text : pair.array()) {
        if (text.is(JsonType::kString)) texts.push_back(text.string());
      }
    }
    const auto type = texts.size() == 2 ? ParseKeyType(texts[1]) : std::nullopt;
    if (!type) return in.Broken(), attributes;
    attributes.push_back({std::string(texts[0]), *type});
  }
  return attributes;
}

KeySchema ReadKey(Reader& in) {
  KeySchema key{ReadAttributes(in, "partition"), ReadAttributes(in, "sort")};
  if (key.partition.empty()) in.Broken();
  return key;
}

std::vector<TimePoint> ReadTimes(Reader& in, std::string_view name) {
  std::vector<TimePoint> times;
  const auto array = in.Array(name);
  if (!array) return times;
  for (const auto value : *array) {
    if (!value.is(JsonType::kInteger)) return in.Broken(), times;
    times.emplace_back(std::chrono::milliseconds(value.integer()));
  }
  return times;
}

Provisioned ReadProvisioned(Reader& in) {
  auto object = in.Object("provisioned");
  if (!object) return {};
  return {object->Integer("read").value_or(0), object->Integer("write").value_or(0),
          object->Time("increased_at"), object->Time("decreased_at"),
          object->Integer("decreases").value_or(0)};
}

template <class Units>
std::optional<Units> ReadUnits(Reader& in, std::string_view name) {
  auto object = in.Object(name);
  if (!object) return std::nullopt;
  return Units{object->Integer("read"), object->Integer("write")};
}

Projected ReadProjected(Reader& in, JsonObject object) {
  const auto value = object.Find("projected");
  if (value && value->is(JsonType::kString)) {
    if (value->string() == "all") return ProjectAll{};
    if (value->string() == "keys") return ProjectKeys{};
  }
  ProjectInclude include;
  if (!value || !value->is(JsonType::kArray)) return in.Broken(), include;
  for (const auto name : value->array()) {
    if (!name.is(JsonType::kString)) return in.Broken(), include;
    include.attributes.emplace_back(name.string());
  }
  return include;
}

std::optional<ContributorInsights> ReadInsights(Reader& in) {
  auto insights = in.Object("insights");
  if (!insights) return std::nullopt;
  return ContributorInsights{.enabled = insights->Flag("enabled"),
                             .mode = insights->Enumerator<InsightsMode>("mode", 2),
                             .enabled_at = insights->Require(insights->Time("enabled_at")),
                             .updated_at = insights->Require(insights->Time("updated_at"))};
}

void ReadIndexes(Reader& in, std::vector<IndexSchema>& schemas, std::vector<IndexState>& states) {
  const auto array = in.Array("indexes");
  if (!array) return;
  for (const auto value : *array) {
    auto index = in.Element(value);
    if (!index) return;
    schemas.push_back({.name = index->Require(index->Text("name")),
                       .scope = index->Flag("local") ? IndexScope::kLocal : IndexScope::kGlobal,
                       .key = ReadKey(*index),
                       .projected = ReadProjected(*index, value.object())});
    states.push_back({.name = schemas.back().name,
                      .ordinal = index->Small("ordinal"),
                      .status = index->Enumerator<IndexStatus>("status", 4),
                      .backfilling = index->Flag("backfilling"),
                      .fills_from_log = index->Flag("fills_from_log"),
                      .provisioned = ReadProvisioned(*index),
                      .on_demand = ReadUnits<OnDemandMaximum>(*index, "on_demand"),
                      .warm = ReadUnits<WarmThroughput>(*index, "warm"),
                      .insights = ReadInsights(*index)});
  }
}

std::vector<Tag> ReadTags(Reader& in) {
  std::vector<Tag> tags;
  const auto array = in.Array("tags");
  if (!array) return tags;
  for (const auto value : *array) {
    auto tag = in.Element(value);
    if (!tag) return tags;
    tags.push_back({tag->Require(tag->Text("key")), tag->Require(tag->Text("value"))});
  }
  return tags;
}

std::vector<StreamShard> ReadShards(Reader& in) {
  std::vector<StreamShard> shards;
  const auto array = in.Array("shards");
  if (!array) return in.Broken(), shards;
  for (const auto value : *array) {
    auto shard = in.Element(value);
    if (!shard) return shards;
    shards.push_back({.number = shard->Small("number"),
                      .parent = shard->Text("parent").value_or(""),
                      .hash_begin = shard->Hash("hash_begin"),
                      .hash_last = shard->Hash("hash_last"),
                      .opened_at = shard->Require(shard->Time("opened_at")),
                      .closed_at = shard->Time("closed_at"),
                      .last = std::nullopt});
    if (const auto last = shard->Integer("last")) {
      shards.back().last = static_cast<std::uint64_t>(*last);
    }
  }
  return shards;
}

// What cannot be asked any more must not be passed over: the row counts as broken.
ResourcePolicyPtr ReadPolicy(Reader& in) {
  auto json = in.Object("policy");
  if (!json) return nullptr;
  auto text = json->Require(json->Text("text"));
  auto revision = json->Require(json->Text("revision"));
  auto policy = access::Policy::Parse(text, access::PolicyKind::kResource);
  if (!policy) return in.Broken(), nullptr;
  return std::make_shared<const ResourcePolicy>(
      ResourcePolicy{std::move(text), std::move(revision), std::move(*policy)});
}

std::vector<Stream> ReadStreams(Reader& in) {
  std::vector<Stream> streams;
  const auto array = in.Array("streams");
  if (!array) return streams;
  for (const auto value : *array) {
    auto stream = in.Element(value);
    if (!stream) return streams;
    streams.push_back({.label = stream->Require(stream->Text("label")),
                       .view = stream->Enumerator<StreamView>("view", 4),
                       .created_at = stream->Require(stream->Time("created_at")),
                       .disabled_at = stream->Time("disabled_at"),
                       .shards = ReadShards(*stream),
                       .policy = ReadPolicy(*stream)});
  }
  return streams;
}

std::optional<TimeToLive> ReadTimeToLive(Reader& in) {
  auto ttl = in.Object("ttl");
  if (!ttl) return std::nullopt;
  return TimeToLive{.attribute = ttl->Require(ttl->Text("attribute")),
                    .status = ttl->Enumerator<TimeToLiveStatus>("status", 3)};
}

std::vector<CellSlice> ReadCells(Reader& in) {
  std::vector<CellSlice> cells;
  const auto array = in.Array("cells");
  if (!array) return in.Broken(), cells;
  for (const auto value : *array) {
    auto slice = in.Element(value);
    if (!slice) return cells;
    cells.push_back({slice->Hash("hash_begin"),
                     static_cast<std::uint64_t>(slice->Require(slice->Integer("cell")))});
  }
  if (cells.empty()) in.Broken();
  return cells;
}

}  // namespace

std::string EncodeTable(const Table& table) {
  std::string row;
  JsonWriter out(row);
  out.BeginObject();
  out.Member("version", kVersion);
  out.Member("account", table.key.account);
  out.Member("region", table.key.region);
  out.Member("name", table.key.name);
  out.Member("id", table.id);
  out.Member("number", std::int64_t{table.number});
  out.Member("status", NumberOf(table.status));
  Write(out, table.schema.key());
  Write(out, "definitions", table.attribute_definitions);
  Write(out, "created_at", table.created_at);
  out.Member("billing", NumberOf(table.billing));
  Write(out, "on_demand_since", table.on_demand_since);
  if (!table.on_demand_switches.empty()) {
    out.Key("on_demand_switches");
    out.BeginArray();
    for (const auto at : table.on_demand_switches) out.Integer(at.time_since_epoch().count());
    out.EndArray();
  }
  Write(out, "provisioned", table.provisioned);
  WriteUnits(out, "on_demand", table.on_demand);
  WriteUnits(out, "warm", table.warm);
  out.Member("class", NumberOf(table.table_class));
  Write(out, "class_changed_at", table.table_class_changed_at);
  out.Member("protected", table.deletion_protection);
  if (table.stream) out.Member("stream", NumberOf(*table.stream));
  if (!table.stream_label.empty()) out.Member("stream_label", table.stream_label);
  if (!table.streams.empty()) {
    out.Key("streams");
    out.BeginArray();
    for (const auto& stream : table.streams) Write(out, stream);
    out.EndArray();
  }
  if (table.next_shard > 0) out.Member("next_shard", std::int64_t{table.next_shard});
  if (table.ttl) Write(out, *table.ttl);
  Write(out, table.insights);
  if (table.sse_kms) out.Member("sse_kms", true);
  Write(out, "sse_key_arn", table.sse_key_arn);
  out.Key("tags");
  out.BeginArray();
  for (const auto& tag : table.tags) {
    out.BeginObject();
    out.Member("key", tag.key);
    out.Member("value", tag.value);
    out.EndObject();
  }
  out.EndArray();
  Write(out, table.policy);
  out.Key("indexes");
  out.BeginArray();
  for (std::size_t i = 0; i < table.index_states.size(); ++i) {
    Write(out, table.schema.indexes()[i], table.index_states[i]);
  }
  out.EndArray();
  out.Member("next_ordinal", std::int64_t{table.next_ordinal});
  out.Key("cells");
  out.BeginArray();
  for (const auto& slice : table.cells) {
    out.BeginObject();
    WriteHash(out, "hash_begin", slice.hash_begin);
    out.Member("cell", static_cast<std::int64_t>(slice.cell));
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  return row;
}

std::optional<Table> DecodeTable(std::string_view row) {
  JsonParser parser;
  const auto document = parser.Parse(row);
  if (!document || !document->is(JsonType::kObject)) return std::nullopt;
  bool sound = true;
  Reader in(document->object(), sound);
  if (in.Integer("version") != kVersion) return std::nullopt;

  Table table;
  table.key = {in.Require(in.Text("account")), in.Require(in.Text("region")),
               in.Require(in.Text("name"))};
  table.id = in.Require(in.Text("id"));
  table.number = in.Small("number");
  table.status = in.Enumerator<TableStatus>("status", 4);
  auto key = ReadKey(in);
  table.attribute_definitions = ReadAttributes(in, "definitions");
  table.created_at = in.Require(in.Time("created_at"));
  table.billing = in.Enumerator<BillingMode>("billing", 2);
  table.on_demand_since = in.Time("on_demand_since");
  table.on_demand_switches = ReadTimes(in, "on_demand_switches");
  table.provisioned = ReadProvisioned(in);
  table.on_demand = ReadUnits<OnDemandMaximum>(in, "on_demand");
  table.warm = ReadUnits<WarmThroughput>(in, "warm");
  table.table_class = in.Enumerator<TableClass>("class", 2);
  table.table_class_changed_at = in.Time("class_changed_at");
  table.deletion_protection = in.Flag("protected");
  if (in.Integer("stream")) table.stream = in.Enumerator<StreamView>("stream", 4);
  table.stream_label = in.Text("stream_label").value_or("");
  table.streams = ReadStreams(in);
  if (in.Integer("next_shard")) table.next_shard = in.Small("next_shard");
  table.ttl = ReadTimeToLive(in);
  table.insights = ReadInsights(in);
  table.sse_kms = in.Flag("sse_kms");
  table.sse_key_arn = in.Text("sse_key_arn");
  table.tags = ReadTags(in);
  table.policy = ReadPolicy(in);
  std::vector<IndexSchema> indexes;
  ReadIndexes(in, indexes, table.index_states);
  table.next_ordinal = in.Small("next_ordinal");
  table.cells = ReadCells(in);
  if (!in.sound()) return std::nullopt;
  table.schema = TableSchema::Make(std::move(key), std::move(indexes));
  return table;
}

}  // namespace kw::engine
