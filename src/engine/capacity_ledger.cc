// SPDX-License-Identifier: Apache-2.0
#include "engine/capacity_ledger.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/bytes.h"
#include "data/key.h"
#include "data/limits.h"
#include "engine/throughput.h"

namespace kw::engine {
namespace {

constexpr std::chrono::seconds kSecond{1};

// Of each partition under heat: some keys that were asked for.
constexpr std::size_t kSamplesMax = 16;
constexpr std::size_t kSampleBytesMax = 128;

// Fills at a steady rate up to what may be saved. Counts ticks, thousandths of half a unit: a whole
// rate fills a whole number of them each millisecond.
class TokenBucket {
 public:
  TokenBucket(std::int64_t rate, std::chrono::seconds saved, TimePoint now)
      : rate_(rate), saved_(saved), at_(now), ticks_(TicksIn(kSecond)) {}

  void SetRate(std::int64_t rate, TimePoint now) {
    if (rate == rate_) return;
    Fill(now);
    rate_ = rate;
  }
  [[nodiscard]] bool HasAny(TimePoint now) {
    Fill(now);
    return ticks_ > 0;
  }
  void Take(HalfUnits units, TimePoint now) {
    Fill(now);
    ticks_ -= units.value() * kTicks;
  }

 private:
  static constexpr std::int64_t kTicks = 1000;
  // Of debts, too: none takes longer to fill.
  static constexpr std::chrono::milliseconds kFillMax{std::chrono::hours(240)};

  [[nodiscard]] std::int64_t TicksIn(std::chrono::milliseconds time) const {
    return 2 * rate_ * time.count();
  }
  void Fill(TimePoint now) {
    if (now <= at_) return;
    ticks_ = std::min(TicksIn(saved_), ticks_ + TicksIn(std::min(now - at_, kFillMax)));
    at_ = now;
  }

  std::int64_t rate_;  // units a second
  std::chrono::seconds saved_;
  TimePoint at_;
  std::int64_t ticks_;
};

// The busiest second, of those before the current half hour and of those within.
class Peak {
 public:
  explicit Peak(TimePoint now) : window_(now), second_(now) {}

  void Add(HalfUnits units, TimePoint now) {
    if (const auto second = std::chrono::floor<std::chrono::seconds>(now); second != second_) {
      second_ = second;
      used_ = HalfUnits();
    }
    used_ += units;
    highest_ = std::max(highest_, used_);
  }
  // Units a second that an on-demand table had reached half an hour ago, or before.
  [[nodiscard]] std::int64_t Settled(TimePoint now) {
    if (now - window_ >= kPeakWindow) {
      settled_ = std::max(settled_, highest_);
      highest_ = HalfUnits();
      window_ = now;
    }
    return settled_.value() / 2;
  }

 private:
  TimePoint window_;
  TimePoint second_;
  HalfUnits used_;
  HalfUnits highest_;
  HalfUnits settled_;
};

struct Partition {
  Partition(std::string from, TimePoint now)
      : begin(std::move(from)),
        read(kPartitionReadUnits, kSecond, now),
        write(kPartitionWriteUnits, kSecond, now) {}
  TokenBucket& bucket(Flow flow) { return flow == Flow::kRead ? read : write; }

  std::string begin;  // row keys from here to the next partition's
  TokenBucket read;
  TokenBucket write;
  // While it refuses.
  TimePoint hot_since;
  TimePoint refused_at;
  std::vector<std::string> samples;
  std::size_t next_sample = 0;
};

// What the catalog says of one structure's flow.
struct Grant {
  LimitType type;
  std::optional<std::int64_t> units;  // absent: nobody set a limit
  std::int64_t warm;
};

Grant GrantOf(const Table& table, std::optional<std::size_t> index, Flow flow) {
  const auto* state = index ? &table.index_states[*index] : nullptr;
  const auto& provisioned = state != nullptr ? state->provisioned : table.provisioned;
  const auto& maximum = state != nullptr ? state->on_demand : table.on_demand;
  const auto warm =
      RaiseWarm(state != nullptr ? state->warm : table.warm, table.billing, provisioned);
  const bool reads = flow == Flow::kRead;
  Grant grant{.type = LimitType::kProvisionedThroughput,
              .units = reads ? provisioned.read_units : provisioned.write_units,
              .warm = reads ? *warm.read_units : *warm.write_units};
  if (table.billing == BillingMode::kPayPerRequest) {
    grant.type = LimitType::kMaxOnDemandThroughput;
    grant.units.reset();
    if (maximum) grant.units = reads ? maximum->read_units : maximum->write_units;
  }
  return grant;
}

// One flow of a table or index as a whole.
class FlowMeter {
 public:
  explicit FlowMeter(TimePoint now) : peak_(now) {}

  void Follow(const Grant& grant, TimePoint now) {
    type_ = grant.type;
    SetRate(set_, grant.units, kBurst, now);
    const bool on_demand = grant.type == LimitType::kMaxOnDemandThroughput;
    reach_ = grant.warm;
    if (on_demand) reach_ = std::max(reach_, 2 * peak_.Settled(now));
    const auto if_on_demand = [&](std::int64_t rate) {
      return on_demand ? std::optional(rate) : std::nullopt;
    };
    SetRate(account_, if_on_demand(limits::kTableCapacityUnitsMax), kSecond, now);
    SetRate(scaled_, if_on_demand(reach_), kSecond, now);
  }
  // What it can serve at once: units a second.
  [[nodiscard]] std::int64_t reach() const { return reach_; }

  [[nodiscard]] std::optional<LimitType> Refuses(TimePoint now) {
    if (set_ && !set_->HasAny(now)) return type_;
    if (account_ && !account_->HasAny(now)) return LimitType::kAccountLimit;
    if (scaled_ && !scaled_->HasAny(now)) return LimitType::kKeyRangeThroughput;
    return std::nullopt;
  }
  void Take(HalfUnits units, TimePoint now) {
    for (auto* bucket : {&set_, &account_, &scaled_}) {
      if (*bucket) (*bucket)->Take(units, now);
    }
    if (units > HalfUnits()) peak_.Add(units, now);
  }

 private:
  static void SetRate(std::optional<TokenBucket>& bucket, std::optional<std::int64_t> rate,
                      std::chrono::seconds saved, TimePoint now) {
    if (!rate) return bucket.reset();
    if (bucket) return bucket->SetRate(*rate, now);
    bucket.emplace(*rate, saved, now);
  }

  LimitType type_ = LimitType::kProvisionedThroughput;
  std::optional<TokenBucket> set_;      // what is provisioned, or the maximum on demand
  std::optional<TokenBucket> account_;  // on demand
  std::optional<TokenBucket> scaled_;   // likewise: twice the peak of before
  std::int64_t reach_ = 0;
  Peak peak_;
};

std::uint64_t HashOfBegin(const std::string& begin) {
  return begin.size() < kRowHashBytes
             ? 0
             : ReadBigEndian64(std::string_view(begin).substr(0, kRowHashBytes));
}

std::string BeginAt(std::uint64_t hash) {
  std::string begin;
  if (hash != 0) AppendBigEndian64(begin, hash);
  return begin;
}

// The part of a row key under which one partition key's items lie; the whole if it is cut short.
std::string_view CollectionOf(const KeySchema& schema, std::string_view key) {
  auto rest = key.substr(std::min(kRowHashBytes, key.size()));
  for (const auto& attribute : schema.partition) {
    if (!TakeKeyPart(rest, attribute.type)) return key;
  }
  return key.substr(0, key.size() - rest.size());
}

// A table or a global index.
class Structure {
 public:
  explicit Structure(TimePoint now) : read_(now), write_(now) { partitions_.emplace_back("", now); }

  void Follow(const Table& table, std::optional<std::size_t> index, TimePoint now) {
    read_.Follow(GrantOf(table, index, Flow::kRead), now);
    write_.Follow(GrantOf(table, index, Flow::kWrite), now);
    const auto needed = [](std::int64_t units, std::int64_t each) {
      return static_cast<std::size_t>((units + each - 1) / each);
    };
    SplitUpTo(std::max(needed(read_.reach(), kPartitionReadUnits),
                       needed(write_.reach(), kPartitionWriteUnits)),
              now);
  }

  // `collections_split`: where the sort key may decide the partition as well.
  [[nodiscard]] std::optional<LimitType> Refuses(const Draw& draw, const KeySchema& schema,
                                                 bool collections_split, TimePoint now) {
    if (const auto limit = Meter(draw.flow).Refuses(now)) return limit;
    const auto place = PlaceOf(draw.key);
    if (partitions_[place].bucket(draw.flow).HasAny(now)) return std::nullopt;
    const auto key =
        collections_split ? std::string_view(draw.key) : CollectionOf(schema, draw.key);
    NoteHeat(place, key.substr(0, kSampleBytesMax), now);
    return LimitType::kKeyRangeThroughput;
  }
  void Take(const Draw& draw, HalfUnits units, TimePoint now) {
    Meter(draw.flow).Take(units, now);
    partitions_[PlaceOf(draw.key)].bucket(draw.flow).Take(units, now);
  }

  // The widest first; all come out equal where the count doubles.
  void SplitUpTo(std::size_t count, TimePoint now) {
    count = std::min(count, kPartitionsMax);
    if (partitions_.size() == 1 && partitions_[0].begin.empty()) {
      for (std::size_t i = 1; i < count; ++i) {
        partitions_.emplace_back(BeginAt(~std::uint64_t{0} / count * i), now);
      }
    }
    while (partitions_.size() < count) {
      std::size_t widest = 0;
      std::uint64_t width = 0;
      for (std::size_t i = 0; i < partitions_.size(); ++i) {
        const auto end =
            i + 1 < partitions_.size() ? HashOfBegin(partitions_[i + 1].begin) : ~std::uint64_t{0};
        const auto wide = end - HashOfBegin(partitions_[i].begin);
        if (wide > width) widest = i, width = wide;
      }
      if (width < 2) return;
      SplitAt(widest, BeginAt(HashOfBegin(partitions_[widest].begin) + width / 2), now);
    }
  }
  [[nodiscard]] std::size_t partitions() const { return partitions_.size(); }

 private:
  FlowMeter& Meter(Flow flow) { return flow == Flow::kRead ? read_ : write_; }

  [[nodiscard]] std::size_t PlaceOf(std::string_view key) const {
    const auto after = std::ranges::upper_bound(partitions_, key, std::less<>(), &Partition::begin);
    return static_cast<std::size_t>(after - partitions_.begin()) - 1;
  }

  void SplitAt(std::size_t place, std::string begin, TimePoint now) {
    Cool(partitions_[place]);
    partitions_.emplace(partitions_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                        std::move(begin), now);
  }

  static void Cool(Partition& partition) {
    partition.samples = {};
    partition.next_sample = 0;
  }

  void NoteHeat(std::size_t place, std::string_view key, TimePoint now) {
    auto& partition = partitions_[place];
    if (partition.samples.empty() || now - partition.refused_at > kHeatGap) {
      Cool(partition);
      partition.hot_since = now;
    }
    partition.refused_at = now;
    if (partition.samples.size() < kSamplesMax) {
      partition.samples.emplace_back(key);
    } else {
      partition.samples[partition.next_sample++ % kSamplesMax].assign(key);
    }
    if (now - partition.hot_since >= kHeatBeforeSplit) SplitForHeat(place, now);
  }

  // At the key that halves what was asked for. A single key stays whole, however hot.
  void SplitForHeat(std::size_t place, TimePoint now) {
    auto& partition = partitions_[place];
    partition.hot_since = now;  // if it cannot be split, not to be tried at each refusal
    if (partitions_.size() >= kPartitionsMax) return;
    auto samples = partition.samples;
    std::ranges::sort(samples);
    auto half = samples[samples.size() / 2];
    if (half == samples.front()) {
      const auto next = std::ranges::upper_bound(samples, half);
      if (next == samples.end()) return;
      half = *next;
    }
    if (half > partition.begin) SplitAt(place, std::move(half), now);
  }

  FlowMeter read_;
  FlowMeter write_;
  std::vector<Partition> partitions_;  // by `begin`; the first begins at the empty key
};

bool HasLocalIndex(const TableSchema& schema) {
  return std::ranges::any_of(
      schema.indexes(), [](const IndexSchema& index) { return index.scope == IndexScope::kLocal; });
}

}  // namespace

// The structures of one table.
struct CapacityLedger::Meters {
  std::mutex mutex;                               // guards `structures`
  std::map<std::uint32_t, Structure> structures;  // 0: the table; else 1 + the index's ordinal

  Structure& Of(const Table& table, std::optional<std::size_t> index, TimePoint now) {
    const auto name = index ? 1 + table.index_states[*index].ordinal : 0;
    auto& structure = structures.try_emplace(name, now).first->second;
    structure.Follow(table, index, now);
    return structure;
  }

  std::optional<Refusal> Check(const Table& table, std::span<const Draw> draws, TimePoint now) {
    for (std::size_t i = 0; i < draws.size(); ++i) {
      const auto& draw = draws[i];
      const auto& schema =
          draw.index ? table.schema.indexes()[*draw.index].key : table.schema.key();
      const bool collections_split = draw.index || !HasLocalIndex(table.schema);
      const auto limit = Of(table, draw.index, now).Refuses(draw, schema, collections_split, now);
      if (limit) return Refusal{.draw = i, .limit = *limit};
    }
    return std::nullopt;
  }
  void Take(const Table& table, std::span<const Draw> draws, std::int64_t times, TimePoint now) {
    for (const auto& draw : draws) {
      Of(table, draw.index, now).Take(draw, draw.units * times, now);
    }
  }
};

struct CapacityLedger::Impl {
  explicit Impl(const Clock& the_clock) : clock(the_clock) {}

  const Clock& clock;
  std::shared_mutex mutex;                                            // guards `tables`
  std::unordered_map<std::uint32_t, std::shared_ptr<Meters>> tables;  // by number
};

CapacityLedger::CapacityLedger(const Clock& clock) : impl_(std::make_unique<Impl>(clock)) {}
CapacityLedger::~CapacityLedger() = default;

std::shared_ptr<CapacityLedger::Meters> CapacityLedger::MetersOf(const Table& table) {
  {
    const std::shared_lock lock(impl_->mutex);
    if (const auto found = impl_->tables.find(table.number); found != impl_->tables.end()) {
      return found->second;
    }
  }
  const std::unique_lock lock(impl_->mutex);
  auto& meters = impl_->tables[table.number];
  if (!meters) meters = std::make_shared<Meters>();
  return meters;
}

std::optional<Refusal> CapacityLedger::Check(const Table& table, std::span<const Draw> draws) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  return meters->Check(table, draws, impl_->clock.Now());
}

std::optional<Refusal> CapacityLedger::Take(const Table& table, std::span<const Draw> draws) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  const auto now = impl_->clock.Now();
  const auto refusal = meters->Check(table, draws, now);
  if (!refusal) meters->Take(table, draws, 1, now);
  return refusal;
}

void CapacityLedger::Charge(const Table& table, std::span<const Draw> draws) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  meters->Take(table, draws, 1, impl_->clock.Now());
}

void CapacityLedger::GiveBack(const Table& table, std::span<const Draw> draws) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  meters->Take(table, draws, -1, impl_->clock.Now());
}

void CapacityLedger::Grow(const Table& table, std::optional<std::size_t> index, ByteCount size) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  const auto now = impl_->clock.Now();
  const auto count = (size.value() + kPartitionBytes - 1) / kPartitionBytes;
  meters->Of(table, index, now)
      .SplitUpTo(static_cast<std::size_t>(std::max(count, std::int64_t{1})), now);
}

std::size_t CapacityLedger::Partitions(const Table& table, std::optional<std::size_t> index) {
  const auto meters = MetersOf(table);
  const std::lock_guard lock(meters->mutex);
  return meters->Of(table, index, impl_->clock.Now()).partitions();
}

void CapacityLedger::KeepOnly(std::span<const TablePtr> tables) {
  std::unordered_set<std::uint32_t> kept;
  for (const auto& table : tables) kept.insert(table->number);
  const std::unique_lock lock(impl_->mutex);
  std::erase_if(impl_->tables, [&](const auto& entry) { return !kept.contains(entry.first); });
}

}  // namespace kw::engine
