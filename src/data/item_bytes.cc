// SPDX-License-Identifier: Apache-2.0
#include "data/item_bytes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/bytes.h"
#include "base/check.h"
#include "data/limits.h"

namespace kw {
namespace {

constexpr char kVersion = 1;
constexpr std::size_t kLengthBytes = 4;
// Far above what an item may have, so that only foreign bytes are ever refused for it.
constexpr int kNestingGuard = 256;

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  void Attributes(const AttributeMap& map) {
    AppendVarint(out_, map.size());
    for (const auto& [name, value] : map.entries()) {
      Bytes(name);
      (*this)(value);
    }
  }

  void operator()(const AttributeValue& value) {
    out_ += static_cast<char>(value.type());
    std::visit(*this, value.value());
  }
  void operator()(const std::string& value) { Bytes(value); }
  void operator()(const Binary& value) { Bytes(value.bytes); }
  void operator()(const Number& value) {
    const std::size_t length_at = out_.size();
    out_ += '\0';
    value.AppendKey(out_);
    out_[length_at] = static_cast<char>(out_.size() - length_at - 1);  // at most 21
  }
  void operator()(bool value) { out_ += value ? '\1' : '\0'; }
  void operator()(Null) {}
  void operator()(const StringSet& set) { Elements(set.values); }
  void operator()(const NumberSet& set) { Elements(set.values); }
  void operator()(const BinarySet& set) { Elements(set.values); }
  void operator()(const List& list) { Elements(list.values); }
  void operator()(const AttributeMap& map) {
    const std::size_t begin = BeginLength();
    Attributes(map);
    EndLength(begin);
  }

 private:
  void Bytes(std::string_view bytes) {
    AppendVarint(out_, bytes.size());
    out_ += bytes;
  }

  template <class T>
  void Elements(const std::vector<T>& values) {
    const std::size_t begin = BeginLength();
    AppendVarint(out_, values.size());
    for (const T& value : values) (*this)(value);
    EndLength(begin);
  }

  std::size_t BeginLength() {
    out_.append(kLengthBytes, '\0');
    return out_.size();
  }
  void EndLength(std::size_t begin) {
    std::size_t length = out_.size() - begin;
    Check(length <= std::numeric_limits<std::uint32_t>::max(), "a stored value is below 4 GB");
    for (std::size_t i = 1; i <= kLengthBytes; ++i) {
      out_[begin - i] = static_cast<char>(length & 0xFFU);
      length >>= 8;
    }
  }

  std::string& out_;
};

// Takes parts off the front. After the first fault, `ok` is false and nothing is left.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool done() const { return rest_.empty(); }

  std::string_view Take(std::size_t count) {
    if (count > rest_.size()) return Fail();
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  unsigned char Byte() {
    const auto taken = Take(1);
    return taken.empty() ? 0 : static_cast<unsigned char>(taken[0]);
  }
  std::uint64_t Varint() {
    // Nearly every length is below 128.
    if (!rest_.empty() && static_cast<unsigned char>(rest_[0]) < 0x80) return Byte();
    const auto value = TakeVarint(rest_);
    if (!value) Fail();
    return value.value_or(0);
  }
  std::string_view Bytes() { return Take(Varint()); }
  // How many elements follow; each takes at least one byte, which bounds what a caller reserves.
  std::size_t Count() {
    const std::uint64_t count = Varint();
    if (count > rest_.size()) Fail();
    return ok_ ? count : 0;
  }
  // The bytes of a container, after its length.
  Reader Inside() {
    const auto length = Take(kLengthBytes);
    return Reader(length.empty() ? length : Take(ReadBigEndian32(length)));
  }
  AttributeType Type() {
    const unsigned char tag = Byte();
    if (tag > static_cast<unsigned char>(AttributeType::kMap)) Fail();
    return ok_ ? static_cast<AttributeType>(tag) : AttributeType::kNull;
  }
  Number TakeNumber() {
    auto key = Bytes();
    const auto number = Number::TakeKey(key);
    if (!number || !key.empty()) Fail();
    return number.value_or(Number());
  }
  // A container's end must be where its length says.
  void Join(const Reader& inside) {
    if (!inside.ok_ || !inside.done()) Fail();
  }
  std::string_view Fail() {
    ok_ = false;
    rest_ = {};
    return {};
  }

  void SkipValue() {
    switch (Type()) {
      case AttributeType::kString:
      case AttributeType::kNumber:
      case AttributeType::kBinary: Bytes(); return;
      case AttributeType::kBool: Byte(); return;
      case AttributeType::kNull: return;
      case AttributeType::kStringSet:
      case AttributeType::kNumberSet:
      case AttributeType::kBinarySet:
      case AttributeType::kList:
      case AttributeType::kMap: Inside(); return;
    }
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// The version, and the size that is returned.
ByteCount TakeFront(Reader& reader) {
  if (reader.Byte() != kVersion) reader.Fail();
  return ByteCount(static_cast<std::int64_t>(reader.Varint()));
}

template <class T>
T TakeElement(Reader& reader);
template <>
std::string TakeElement<std::string>(Reader& reader) {
  return std::string(reader.Bytes());
}
template <>
Number TakeElement<Number>(Reader& reader) {
  return reader.TakeNumber();
}
template <>
Binary TakeElement<Binary>(Reader& reader) {
  return Binary{std::string(reader.Bytes())};
}

template <class Set, class T>
Set DecodeSet(Reader& reader) {
  Reader inside = reader.Inside();
  const std::size_t count = inside.Count();
  if (count == 0) inside.Fail();
  Set set;
  set.values.reserve(count);
  for (std::size_t i = 0; i < count && inside.ok(); ++i) {
    set.values.push_back(TakeElement<T>(inside));
    if (i > 0 && !(set.values[i - 1] < set.values[i])) inside.Fail();
  }
  reader.Join(inside);
  return set;
}

AttributeValue DecodeValue(Reader& reader, int depth);

AttributeMap DecodeAttributes(Reader& reader, int depth) {
  const std::size_t count = reader.Count();
  std::vector<AttributeMap::Entry> entries;
  // Foreign bytes may claim many attributes: grow beyond this only with those that are there.
  constexpr std::size_t kReserveMax = 1024;
  entries.reserve(std::min(count, kReserveMax));
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const auto name = reader.Bytes();
    if (i > 0 && entries.back().first >= name) reader.Fail();
    entries.emplace_back(name, DecodeValue(reader, depth));
  }
  return AttributeMap::FromEntries(std::move(entries));
}

List DecodeList(Reader& reader, int depth) {
  const std::size_t count = reader.Count();
  List list;
  constexpr std::size_t kReserveMax = 1024;
  list.values.reserve(std::min(count, kReserveMax));
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    list.values.push_back(DecodeValue(reader, depth));
  }
  return list;
}

AttributeValue DecodeValue(Reader& reader, int depth) {
  if (depth > kNestingGuard) reader.Fail();
  switch (reader.Type()) {
    case AttributeType::kString: return std::string(reader.Bytes());
    case AttributeType::kNumber: return reader.TakeNumber();
    case AttributeType::kBinary: return Binary{std::string(reader.Bytes())};
    case AttributeType::kBool: return reader.Byte() != 0;
    case AttributeType::kNull: return Null{};
    case AttributeType::kStringSet: return DecodeSet<StringSet, std::string>(reader);
    case AttributeType::kNumberSet: return DecodeSet<NumberSet, Number>(reader);
    case AttributeType::kBinarySet: return DecodeSet<BinarySet, Binary>(reader);
    case AttributeType::kList: {
      Reader inside = reader.Inside();
      List list = DecodeList(inside, depth + 1);
      reader.Join(inside);
      return list;
    }
    case AttributeType::kMap: {
      Reader inside = reader.Inside();
      AttributeMap map = DecodeAttributes(inside, depth + 1);
      reader.Join(inside);
      return map;
    }
  }
  return Null{};
}

// Nothing if the bytes are not a whole item with its names and sets in order.
std::optional<Item> Decode(std::string_view bytes) {
  Reader reader(bytes);
  TakeFront(reader);
  Item item = DecodeAttributes(reader, 0);
  if (!reader.ok() || !reader.done()) return std::nullopt;
  return item;
}

void WriteNumber(Reader& reader, JsonWriter& out) {
  std::array<char, Number::kTextMax> text;
  out.String({text.data(), reader.TakeNumber().Print(text)});
}

template <class WriteElement>
void WriteArray(Reader& reader, JsonWriter& out, const WriteElement& write) {
  Reader inside = reader.Inside();
  const std::size_t count = inside.Count();
  out.BeginArray();
  for (std::size_t i = 0; i < count && inside.ok(); ++i) write(inside);
  out.EndArray();
  reader.Join(inside);
}

void WriteValue(Reader& reader, JsonWriter& out);

void WriteAttributes(Reader& reader, JsonWriter& out) {
  const std::size_t count = reader.Count();
  out.BeginObject();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    out.Key(reader.Bytes());
    WriteValue(reader, out);
  }
  out.EndObject();
}

void WriteContent(AttributeType type, Reader& reader, JsonWriter& out) {
  switch (type) {
    case AttributeType::kString: out.String(reader.Bytes()); return;
    case AttributeType::kNumber: WriteNumber(reader, out); return;
    case AttributeType::kBinary: out.Base64String(reader.Bytes()); return;
    case AttributeType::kBool: out.Bool(reader.Byte() != 0); return;
    case AttributeType::kNull: out.Bool(true); return;
    case AttributeType::kStringSet:
      WriteArray(reader, out, [&](Reader& inside) { out.String(inside.Bytes()); });
      return;
    case AttributeType::kNumberSet:
      WriteArray(reader, out, [&](Reader& inside) { WriteNumber(inside, out); });
      return;
    case AttributeType::kBinarySet:
      WriteArray(reader, out, [&](Reader& inside) { out.Base64String(inside.Bytes()); });
      return;
    case AttributeType::kList:
      WriteArray(reader, out, [&](Reader& inside) { WriteValue(inside, out); });
      return;
    case AttributeType::kMap: {
      Reader inside = reader.Inside();
      WriteAttributes(inside, out);
      reader.Join(inside);
      return;
    }
  }
}

void WriteValue(Reader& reader, JsonWriter& out) {
  // In one piece: this is the program's hottest loop.
  constexpr std::array<std::string_view, 10> kStarts = {
      R"({"S":)",  R"({"N":)",  R"({"B":)",  R"({"BOOL":)", R"({"NULL":)",
      R"({"SS":)", R"({"NS":)", R"({"BS":)", R"({"L":)",    R"({"M":)"};
  const AttributeType type = reader.Type();
  out.RawPrefix(kStarts[static_cast<std::size_t>(type)]);
  WriteContent(type, reader, out);
  out.EndObject();
}

void WriteItem(std::string_view stored, JsonWriter& out) {
  Reader reader(stored);
  TakeFront(reader);
  WriteAttributes(reader, out);
  Check(reader.ok() && reader.done(), "stored bytes are an item");
}

// Most items' JSON is a little longer than they are; what is not makes its own room.
std::size_t JsonBytesGuess(std::size_t stored_bytes) {
  constexpr std::size_t kRest = 128;  // of the answer
  return stored_bytes + stored_bytes / 4 + kRest;
}

// The strings that must be UTF-8: names and values.
struct AllUtf8 {
  bool operator()(const std::string& value) const { return IsUtf8(value); }
  bool operator()(const Number&) const { return true; }
  bool operator()(const Binary&) const { return true; }
  bool operator()(bool) const { return true; }
  bool operator()(Null) const { return true; }
  bool operator()(const StringSet& set) const { return Each(set.values); }
  bool operator()(const NumberSet&) const { return true; }
  bool operator()(const BinarySet&) const { return true; }
  bool operator()(const List& list) const { return Each(list.values); }
  bool operator()(const AttributeValue& value) const { return std::visit(*this, value.value()); }
  bool operator()(const AttributeMap& map) const {
    return std::all_of(map.entries().begin(), map.entries().end(), [this](const auto& entry) {
      return IsUtf8(entry.first) && (*this)(entry.second);
    });
  }

 private:
  template <class T>
  [[nodiscard]] bool Each(const std::vector<T>& values) const {
    return std::all_of(values.begin(), values.end(), *this);
  }
};

}  // namespace

std::string StoreItem(const Item& item) {
  const auto size = static_cast<std::uint64_t>(SizeOf(item).value());
  std::string out;
  // What the billed size leaves out: lengths, counts and tags.
  constexpr std::size_t kFront = 16;
  constexpr std::size_t kPerAttribute = 6;
  out.reserve(kFront + size + kPerAttribute * item.size());
  out += kVersion;
  AppendVarint(out, size);
  Encoder(out).Attributes(item);
  return out;
}

Item LoadItem(std::string_view stored) {
  auto item = Decode(stored);
  Check(item.has_value(), "stored bytes are an item");
  return std::move(*item);
}

ByteCount StoredItemSize(std::string_view stored) {
  Reader reader(stored);
  const ByteCount size = TakeFront(reader);
  Check(reader.ok(), "stored bytes begin with an item's size");
  return size;
}

std::optional<AttributeValue> LoadAttribute(std::string_view stored, std::string_view name) {
  Reader reader(stored);
  TakeFront(reader);
  const std::size_t count = reader.Count();
  std::optional<AttributeValue> found;
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const int order = reader.Bytes().compare(name);
    if (order > 0) break;
    if (order == 0) {
      found = DecodeValue(reader, 0);
      break;
    }
    reader.SkipValue();
  }
  Check(reader.ok(), "stored bytes are an item");
  return found;
}

void WriteStoredItem(std::string_view stored, JsonWriter& out) {
  out.Reserve(JsonBytesGuess(stored.size()));
  WriteItem(stored, out);
}

void WriteStoredItems(const StoredItems& items, JsonWriter& out) {
  out.Reserve(JsonBytesGuess(items.bytes()));
  out.BeginArray();
  for (const auto stored : items) WriteItem(stored, out);
  out.EndArray();
}

bool IsStoredItem(std::string_view bytes) {
  const auto item = Decode(bytes);
  if (!item || !AllUtf8{}(*item)) return false;
  for (const auto& [name, value] : item->entries()) {
    if (NestingOf(value) > limits::kNestingMax) return false;
  }
  // Canonical: the one form that StoreItem writes.
  return StoreItem(*item) == bytes;
}

}  // namespace kw
