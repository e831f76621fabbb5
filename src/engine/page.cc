// SPDX-License-Identifier: Apache-2.0
// Query and Scan: what to read (Source), over which row keys, and one page of it (PageReader).
#include <algorithm>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "data/item_bytes.h"
#include "data/key.h"
#include "data/limits.h"
#include "engine/access.h"
#include "engine/key_bounds.h"
#include "engine/operations.h"
#include "engine/traffic.h"

namespace kw::engine {
namespace {

// A local index's entries whose items must be fetched, at once.
constexpr std::size_t kFetchedAtOnce = 32;

// A filter may look at so many bytes of its own values for the items of a page, a tenth of a second
// or so; the page then ends early, as any page may. On an event loop it may look at far fewer.
constexpr std::int64_t kFilterBytesMax = std::int64_t{256} * 1024 * 1024;
constexpr std::int64_t kMemoryOnlyFilterBytesMax = std::int64_t{8} * 1024 * 1024;

// What a page reads: a table, or one of its indexes.
struct Source {
  TablePtr table;
  std::size_t position = 0;            // of the index, if there is one
  const IndexSchema* index = nullptr;  // null: the table itself
  bool fetches = false;                // entries of a local index lack what was asked for

  [[nodiscard]] const KeySchema& key() const {
    return index != nullptr ? index->key : table->schema.key();
  }
  [[nodiscard]] bool global() const {
    return index != nullptr && index->scope == IndexScope::kGlobal;
  }
  [[nodiscard]] std::string prefix() const {
    return index != nullptr ? IndexPrefix(*table, position) : std::string(kItemPrefix);
  }
  [[nodiscard]] storage::RowKey RowOf(const AttributeMap& keys) const {
    return index != nullptr ? IndexRowKey(*table, position, keys) : ItemRow(*table, keys);
  }
};

template <class Visit>
void ForEachAttribute(const KeySchema& key, Visit visit) {
  for (const auto& attribute : key.partition) visit(attribute);
  for (const auto& attribute : key.sort) visit(attribute);
}

// The attributes of a cursor: the table's key and the index's, in any order, each once.
std::vector<const KeyAttribute*> CursorAttributes(const Source& source) {
  std::vector<const KeyAttribute*> attributes;
  const auto add = [&](const KeyAttribute& attribute) { attributes.push_back(&attribute); };
  ForEachAttribute(source.table->schema.key(), add);
  if (source.index != nullptr) {
    ForEachAttribute(source.index->key, [&](const KeyAttribute& attribute) {
      if (!source.table->schema.key().Has(attribute.name)) add(attribute);
    });
  }
  return attributes;
}

bool Holds(const Source& source, std::string_view attribute) {
  if (source.table->schema.key().Has(attribute) || source.index->key.Has(attribute)) return true;
  if (std::holds_alternative<ProjectAll>(source.index->projected)) return true;
  const auto* include = std::get_if<ProjectInclude>(&source.index->projected);
  return include != nullptr &&
         std::ranges::find(include->attributes, attribute) != include->attributes.end();
}

// What an index cannot show of what was asked for: an error where it is global, a reason to fetch
// the item where it is local.
Result<void> CheckProjected(const PageRequest& request, Source& source) {
  const auto& index = *source.index;
  if (request.select == Select::kAllAttributes &&
      !std::holds_alternative<ProjectAll>(index.projected)) {
    if (source.global()) {
      return Invalid(
          "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
          "for global secondary index " +
          index.name + " because its projection type is not ALL");
    }
    source.fetches = true;
  }
  std::string missing;
  if (request.projection) {
    std::set<std::string_view> seen;
    for (const auto& path : request.projection->paths()) {
      if (Holds(source, path.attribute) || !seen.insert(path.attribute).second) continue;
      missing.append(missing.empty() ? "" : ", ").append(path.attribute);
    }
  }
  if (source.global()) {
    if (missing.empty()) return {};
    return Invalid("One or more parameter values were invalid: Global secondary index " +
                   index.name + " does not project [" + missing + "]");
  }
  if (!missing.empty()) source.fetches = true;
  if (request.filter) {
    for (const auto& attribute : request.filter->Attributes()) {
      if (!Holds(source, attribute)) source.fetches = true;
    }
  }
  return {};
}

Result<Source> FindSource(const Catalog& catalog, const PageRequest& request) {
  Source source;
  TRY_ASSIGN(source.table, FindUsable(catalog, request.table));
  if (!request.index) return source;

  const auto& indexes = source.table->schema.indexes();
  const auto found = std::ranges::find(indexes, *request.index, &IndexSchema::name);
  source.position = static_cast<std::size_t>(found - indexes.begin());
  if (found == indexes.end() ||
      source.table->index_states[source.position].status == IndexStatus::kDeleting) {
    return Invalid("The table does not have the specified index: " + *request.index);
  }
  source.index = &*found;
  if (source.table->index_states[source.position].status == IndexStatus::kCreating) {
    return Invalid("Cannot read from backfilling global secondary index: " + *request.index);
  }
  if (source.global() && request.consistent) {
    return Invalid("Consistent reads are not supported on global secondary indexes");
  }
  TRY(CheckProjected(request, source));
  return source;
}

// The row at which the last page ended; the page goes on behind it.
Result<storage::RowKey> StartRow(const Source& source, const Item& start,
                                 std::string_view mismatch) {
  const auto attributes = CursorAttributes(source);
  bool fits = start.size() == attributes.size();
  for (const auto* attribute : attributes) {
    const auto* value = start.Find(attribute->name);
    fits = fits && value != nullptr && value->type() == AttributeTypeOf(attribute->type);
  }
  if (!fits) return Invalid(std::string(mismatch));
  return source.RowOf(start);
}

// Cuts off what lies before a start row, in reading order.
void GoOnBehind(const std::string& row, storage::Range& range) {
  if (range.reverse) {
    range.end = row;
  } else {
    range.begin = row;
    range.begin.push_back('\0');
  }
}

// Where a range begins to be read, as draws have it.
std::string FirstKeyOf(const Source& source, const storage::Range& range) {
  auto key = range.begin;
  if (range.reverse && !range.end.empty()) {
    // Just below the end.
    key = range.end;
    const auto last = static_cast<unsigned char>(key.back());
    key.pop_back();
    if (last > 0) key.append({static_cast<char>(last - 1), '\xff'});
  }
  return key.substr(std::min(source.prefix().size(), key.size()));
}

// A page's way past the ledger: all of it is drawn where its reading begins.
class PageToll {
 public:
  PageToll(Engine& engine, const Source& source) : engine_(engine), source_(source) {}

  Result<void> Admit(const storage::Range& first, KeyExtent extent) {
    if (!IsMetered(engine_, *source_.table)) return {};
    draw_.extent = extent;
    if (source_.global()) draw_.index = source_.position;
    draw_.key = FirstKeyOf(source_, first);
    return AdmitRead(engine_, *source_.table, draw_);
  }
  void Charge(const Capacity& capacity) {
    if (!IsMetered(engine_, *source_.table)) return;
    draw_.units = capacity.read_total();
    ChargeRead(engine_, *source_.table, draw_);
  }

 private:
  Engine& engine_;
  const Source& source_;
  Draw draw_;
};

// Reads rows until the page is full.
class PageReader {
 public:
  PageReader(Engine& engine, const CallContext& call, const Source& source,
             const PageRequest& request)
      : engine_(engine),
        wait_(call.wait),
        source_(source),
        request_(request),
        mode_(request.consistent ? ReadMode::kStrong : ReadMode::kEventual),
        filter_bytes_(request.filter ? request.filter->LiteralBytes().value() : 0) {}

  Result<void> Read(storage::Range range) {
    return source_.fetches ? ReadAndFetch(std::move(range)) : ReadRows(range);
  }
  [[nodiscard]] bool full() const { return page_.last_key.has_value(); }
  PageOutcome Finish() &&;

 private:
  Result<void> ReadRows(const storage::Range& range);
  Result<void> ReadAndFetch(storage::Range range);
  Result<void> FetchItems(const std::vector<std::string>& entries);
  void Take(std::string_view stored);
  // Whether the page goes on behind this row; if not, it is the last.
  bool GoOn(std::string_view entry);
  bool too_long_to_wait() const {
    return wait_ == storage::Wait::kMemoryOnly && (bytes_ + fetched_bytes_ > kMemoryOnlyBytesMax ||
                                                   filtered_bytes_ > kMemoryOnlyFilterBytesMax);
  }

  Engine& engine_;
  const storage::Wait wait_;
  const Source& source_;
  const PageRequest& request_;
  const ReadMode mode_;
  const std::int64_t filter_bytes_;  // looked at for each item
  PageOutcome page_;
  std::int64_t bytes_ = 0;           // billed, of the rows read
  std::int64_t fetched_bytes_ = 0;   // of the items fetched for a local index
  std::int64_t filtered_bytes_ = 0;  // of the filter's values, looked at
  HalfUnits fetched_units_;
};

Result<void> PageReader::ReadRows(const storage::Range& range) {
  const auto visited =
      engine_.store.Visit(range, wait_, [this](std::string_view /*key*/, std::string_view stored) {
        bytes_ += StoredItemSize(stored).value();
        Take(stored);
        return GoOn(stored) && !too_long_to_wait();
      });
  if (!visited) return Unexpected(ErrorOf(visited.error()));
  if (!full() && too_long_to_wait()) {
    return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
  }
  return {};
}

Result<void> PageReader::ReadAndFetch(storage::Range range) {
  while (!full()) {
    std::vector<std::string> entries;
    std::string last;
    const auto visited =
        engine_.store.Visit(range, wait_, [&](std::string_view key, std::string_view stored) {
          entries.emplace_back(stored);
          last.assign(key);
          return entries.size() < kFetchedAtOnce;
        });
    if (!visited) return Unexpected(ErrorOf(visited.error()));
    TRY(FetchItems(entries));
    if (entries.size() < kFetchedAtOnce) return {};
    GoOnBehind(last, range);
  }
  return {};
}

Result<void> PageReader::FetchItems(const std::vector<std::string>& entries) {
  std::vector<storage::RowKey> rows;
  rows.reserve(entries.size());
  for (const auto& entry : entries) rows.push_back(ItemRow(*source_.table, LoadItem(entry)));
  const auto& sort = source_.index->key.sort.front().name;
  auto items = engine_.store.Get(rows, wait_);
  if (!items) return Unexpected(ErrorOf(items.error()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    bytes_ += StoredItemSize(entries[i]).value();
    const auto& item = (*items)[i];
    const auto size = item ? StoredItemSize(*item) : ByteCount();
    fetched_bytes_ += size.value();
    fetched_units_ += ReadUnits(size, mode_);
    if (too_long_to_wait()) return Unexpected(ErrorOf(storage::StoreError::kWouldBlock));
    // An item that left the entry's place since that was read is as if it had never been there.
    if (item && LoadAttribute(*item, sort) == LoadAttribute(entries[i], sort)) Take(*item);
    if (!GoOn(entries[i])) return {};
  }
  return {};
}

void PageReader::Take(std::string_view stored) {
  ++page_.scanned;
  std::optional<Item> item;
  if (request_.filter || request_.projection) item = LoadItem(stored);
  filtered_bytes_ += filter_bytes_;
  if (request_.filter && !request_.filter->Holds(*item)) return;
  ++page_.count;
  if (request_.select == Select::kCount) return;
  if (request_.projection) {
    page_.items.Add(StoreItem(request_.projection->Apply(*item)));
  } else if (source_.fetches && request_.select != Select::kAllAttributes) {
    // Only the filter asked for more than the index holds.
    // Source: aws-doc API_Query, Select: ALL_PROJECTED_ATTRIBUTES is the default for an index.
    page_.items.Add(StoreItem(*source_.table->schema.EntryOf(*source_.index, *item)));
  } else {
    page_.items.Add(stored);
  }
}

bool PageReader::GoOn(std::string_view entry) {
  const bool full = (request_.limit && page_.scanned >= *request_.limit) ||
                    bytes_ + fetched_bytes_ > limits::kPageBytesMax ||
                    filtered_bytes_ > kFilterBytesMax;
  if (!full) return true;
  Item key;
  for (const auto* attribute : CursorAttributes(source_)) {
    key.Set(attribute->name, *LoadAttribute(entry, attribute->name));
  }
  page_.last_key = std::move(key);
  return false;
}

PageOutcome PageReader::Finish() && {
  const auto units = ReadUnits(ByteCount(bytes_), mode_);
  auto& capacity = page_.capacity;
  if (source_.index == nullptr) {
    capacity.table_read = units;
  } else if (source_.global()) {
    capacity.global[source_.index->name].read = units;
  } else {
    capacity.local[source_.index->name].read = units;
    capacity.table_read = fetched_units_;
  }
  return std::move(page_);
}

Result<void> CheckFilter(const PageRequest& request, const KeySchema& key) {
  if (!request.filter || request.filter_scope == FilterScope::kAnyAttribute) return {};
  for (const auto& attribute : request.filter->Attributes()) {
    if (!key.Has(attribute)) continue;
    return Invalid((request.legacy_filter ? "QueryFilter" : "Filter Expression") +
                   std::string(" can only contain non-primary key attributes: Primary key "
                               "attribute: ") +
                   attribute);
  }
  return {};
}

// The bounds that a query starts with, behind its start key.
Result<storage::Range> QueryRange(const Source& source, const QueryRequest& request) {
  TRY_ASSIGN(const auto keys, request.key_condition.Resolve(source.key()));
  const auto partition = PartitionBounds(source.prefix(), keys);
  auto bounds = SortBounds(partition, keys);
  storage::Range range{.cell = 0, .begin = {}, .end = {}, .reverse = !request.forward};
  range.cell =
      source.global()
          ? source.table->IndexCell(source.table->index_states[source.position])
          : source.table->CellOf(ReadBigEndian64(
                std::string_view(partition.begin).substr(source.prefix().size(), kRowHashBytes)));
  range.begin = bounds.begin;
  range.end = bounds.end;
  if (!request.page.start) return range;

  TRY_ASSIGN(const auto start,
             StartRow(source, *request.page.start, "The provided starting key is invalid"));
  if (!partition.Holds(start.key)) {
    return Invalid(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  if (!bounds.Holds(start.key)) {
    return Invalid("The provided starting key does not match the range key predicate");
  }
  GoOnBehind(start.key, range);
  return range;
}

// The parts of a segment in each cell, in the order of hashes.
std::vector<storage::Range> ScanRanges(const Source& source, const HashSlice& segment) {
  std::vector<storage::Range> ranges;
  const auto prefix = source.prefix();
  const auto add = [&](storage::CellId cell, const HashSlice& slice) {
    auto bounds = SliceBounds(prefix, slice);
    ranges.push_back({.cell = cell,
                      .begin = std::move(bounds.begin),
                      .end = std::move(bounds.end),
                      .reverse = false});
  };
  if (source.global()) {
    add(source.table->IndexCell(source.table->index_states[source.position]), segment);
    return ranges;
  }
  const auto& cells = source.table->cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto cell_last = i + 1 < cells.size() ? cells[i + 1].hash_begin - 1 : ~std::uint64_t{0};
    const HashSlice slice{.first = std::max(segment.first, cells[i].hash_begin),
                          .last = std::min(segment.last, cell_last)};
    if (slice.first <= slice.last) add(cells[i].cell, slice);
  }
  return ranges;
}

Result<void> CheckStartInSegment(const ScanRequest& request, const HashSlice& segment,
                                 std::uint64_t hash) {
  if (segment.Holds(hash)) return {};
  return Invalid(
      "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
      "ExclusiveStartKey with correct Segment. TotalSegments: " +
      std::to_string(request.segments) + " Segment: " + std::to_string(request.segment));
}

}  // namespace

Result<PageOutcome> Query(Engine& engine, const CallContext& call, const QueryRequest& request) {
  TRY_ASSIGN(const auto source, FindSource(engine.catalog, request.page));
  TRY(CheckFilter(request.page, source.key()));
  TRY_ASSIGN(auto range, QueryRange(source, request));
  PageToll toll(engine, source);
  TRY(toll.Admit(range, KeyExtent::kPartition));
  PageReader reader(engine, call, source, request.page);
  TRY(reader.Read(std::move(range)));
  auto page = std::move(reader).Finish();
  toll.Charge(page.capacity);
  return page;
}

Result<PageOutcome> Scan(Engine& engine, const CallContext& call, const ScanRequest& request) {
  TRY_ASSIGN(const auto source, FindSource(engine.catalog, request.page));
  auto slice = SegmentSlice(request.segment, request.segments);
  std::string start;
  if (request.page.start) {
    TRY_ASSIGN(auto row, StartRow(source, *request.page.start,
                                  "The provided starting key is invalid: The provided key element "
                                  "does not match the schema"));
    const auto hash =
        ReadBigEndian64(std::string_view(row.key).substr(source.prefix().size(), kRowHashBytes));
    TRY(CheckStartInSegment(request, slice, hash));
    slice.first = hash;
    start = std::move(row.key);
  }
  PageReader reader(engine, call, source, request.page);
  auto ranges = ScanRanges(source, slice);
  if (!start.empty() && !ranges.empty()) GoOnBehind(start, ranges.front());
  PageToll toll(engine, source);
  if (!ranges.empty()) TRY(toll.Admit(ranges.front(), KeyExtent::kNone));
  for (auto& range : ranges) {
    TRY(reader.Read(std::move(range)));
    if (reader.full()) break;
  }
  auto page = std::move(reader).Finish();
  toll.Charge(page.capacity);
  return page;
}

}  // namespace kw::engine
