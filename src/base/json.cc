// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/bytes.h"
#include "base/check.h"

namespace kw {
namespace {

namespace dom = simdjson::dom;
using Place = std::array<std::byte, 16>;

// simdjson's handles are a document pointer and an index; the header keeps them as plain bytes so
// that only this file sees the library.
template <class Handle>
Place Pack(const Handle& handle) {
  static_assert(sizeof(Handle) == sizeof(Place) && std::is_trivially_copyable_v<Handle>);
  Place place;
  std::memcpy(place.data(), &handle, sizeof(place));
  return place;
}

template <class Handle>
Handle Unpack(const Place& place) {
  static_assert(sizeof(Handle) == sizeof(Place) && std::is_trivially_copyable_v<Handle>);
  Handle handle;
  std::memcpy(static_cast<void*>(&handle), place.data(), sizeof(place));
  return handle;
}

template <class T>
T Must(simdjson::simdjson_result<T> result) {
  T value;
  Check(std::move(result).get(value) == simdjson::SUCCESS, "a JSON value has the asked type");
  return value;
}

// How many characters at the front need no escape: many at a time, then one by one.
std::size_t PlainPrefix(std::string_view text) {
  // The compiler's own vectors, which every processor here has registers for.
  using Block = unsigned char __attribute__((vector_size(16)));
  using Words = std::uint64_t __attribute__((vector_size(16)));
  std::size_t at = 0;
  for (; at + sizeof(Block) <= text.size(); at += sizeof(Block)) {
    Block block;
    std::memcpy(&block, text.data() + at, sizeof(block));
    const auto escaped = reinterpret_cast<Words>((block < 0x20) | (block == '"') | (block == '\\'));
    if ((escaped[0] | escaped[1]) != 0) break;
  }
  for (; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 || c == '"' || c == '\\') break;
  }
  return at;
}

void AppendEscape(std::string& out, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15U];
  }
}

void AppendEscaped(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t plain = PlainPrefix(text);
    out.append(text, 0, plain);
    if (plain == text.size()) return;
    AppendEscape(out, static_cast<unsigned char>(text[plain]));
    text.remove_prefix(plain + 1);
  }
}

// The text with integers that simdjson refuses, as no 64 bits hold them, in scientific form:
// rounded, and cut to what a double holds.
std::string WithoutBigIntegers(std::string_view text) {
  constexpr std::size_t kDigitsKept = 18;
  constexpr std::size_t kExponentMax = 280;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (in_string && c == '\\') {
      out.append(text, at, 2);
      at += 2;
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string || !is_digit(c)) {
      out += c;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::size_t digits = at - begin;
    const bool before =
        begin > 0 && std::string_view(".eE+").find(text[begin - 1]) != std::string_view::npos;
    const bool after =
        at < text.size() && std::string_view(".eE").find(text[at]) != std::string_view::npos;
    if (digits <= kDigitsKept || before || after || c == '0') {
      out.append(text, begin, digits);
    } else {
      out.append(text, begin, kDigitsKept).append("e");
      out += std::to_string(std::min(digits - kDigitsKept, kExponentMax));
    }
  }
  return out;
}

}  // namespace

JsonType JsonValue::type() const {
  switch (Unpack<dom::element>(place_).type()) {
    case dom::element_type::ARRAY: return JsonType::kArray;
    case dom::element_type::OBJECT: return JsonType::kObject;
    case dom::element_type::INT64: return JsonType::kInteger;
    case dom::element_type::UINT64:  // only of what no int64 holds
    case dom::element_type::DOUBLE: return JsonType::kDouble;
    case dom::element_type::STRING: return JsonType::kString;
    case dom::element_type::BOOL: return JsonType::kBool;
    case dom::element_type::NULL_VALUE: return JsonType::kNull;
  }
  CheckFailed("a JSON type is one of seven", std::source_location::current());
}

bool JsonValue::boolean() const { return Must(Unpack<dom::element>(place_).get_bool()); }

std::string_view JsonValue::string() const {
  return Must(Unpack<dom::element>(place_).get_string());
}

std::int64_t JsonValue::integer() const { return Must(Unpack<dom::element>(place_).get_int64()); }

double JsonValue::number() const { return Must(Unpack<dom::element>(place_).get_double()); }

JsonArray JsonValue::array() const {
  JsonArray array;
  array.place_ = Pack(Must(Unpack<dom::element>(place_).get_array()));
  return array;
}

JsonObject JsonValue::object() const {
  JsonObject object;
  object.place_ = Pack(Must(Unpack<dom::element>(place_).get_object()));
  return object;
}

JsonValue JsonArray::Iterator::operator*() const {
  JsonValue value;
  value.place_ = Pack(*Unpack<dom::array::iterator>(place_));
  return value;
}

JsonArray::Iterator& JsonArray::Iterator::operator++() {
  auto iterator = Unpack<dom::array::iterator>(place_);
  ++iterator;
  place_ = Pack(iterator);
  return *this;
}

JsonArray::Iterator JsonArray::begin() const {
  Iterator iterator;
  iterator.place_ = Pack(Unpack<dom::array>(place_).begin());
  return iterator;
}

JsonArray::Iterator JsonArray::end() const {
  Iterator iterator;
  iterator.place_ = Pack(Unpack<dom::array>(place_).end());
  return iterator;
}

std::size_t JsonArray::size() const {
  constexpr std::size_t kSaturated = 0xFFFFFF;
  const std::size_t size = Unpack<dom::array>(place_).size();
  if (size < kSaturated) return size;
  std::size_t count = 0;
  for (auto it = begin(); it != end(); ++it) ++count;
  return count;
}

JsonObject::Member JsonObject::Iterator::operator*() const {
  const auto iterator = Unpack<dom::object::iterator>(place_);
  JsonValue value;
  value.place_ = Pack(iterator.value());
  return {iterator.key(), value};
}

JsonObject::Iterator& JsonObject::Iterator::operator++() {
  auto iterator = Unpack<dom::object::iterator>(place_);
  ++iterator;
  place_ = Pack(iterator);
  return *this;
}

JsonObject::Iterator JsonObject::begin() const {
  Iterator iterator;
  iterator.place_ = Pack(Unpack<dom::object>(place_).begin());
  return iterator;
}

JsonObject::Iterator JsonObject::end() const {
  Iterator iterator;
  iterator.place_ = Pack(Unpack<dom::object>(place_).end());
  return iterator;
}

std::size_t JsonObject::size() const {
  std::size_t count = 0;
  for (auto it = begin(); it != end(); ++it) ++count;
  return count;
}

std::vector<JsonObject::Member> JsonObject::DistinctMembers() const {
  std::vector<Member> members;
  for (const Member member : *this) members.push_back(member);
  std::vector<std::size_t> places(members.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, {}, [&](std::size_t i) { return members[i].name; });
  std::vector<bool> replaced(members.size());
  for (std::size_t i = 1; i < places.size(); ++i) {
    replaced[places[i - 1]] = members[places[i - 1]].name == members[places[i]].name;
  }
  std::size_t i = 0;
  std::erase_if(members, [&](const Member& /*member*/) { return replaced[i++]; });
  return members;
}

std::optional<JsonValue> JsonObject::Find(std::string_view name) const {
  std::optional<JsonValue> found;
  for (const auto [key, value] : *this) {
    if (key == name) found = value;
  }
  return found && found->is(JsonType::kNull) ? std::nullopt : found;
}

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

struct JsonParser::Impl {
  dom::parser parser;
  std::size_t depth_max;
};

JsonParser::JsonParser(std::size_t depth_max) : impl_(std::make_unique<Impl>()) {
  impl_->depth_max = depth_max;
}
JsonParser::~JsonParser() = default;
JsonParser::JsonParser(JsonParser&&) noexcept = default;
JsonParser& JsonParser::operator=(JsonParser&&) noexcept = default;

Expected<JsonValue, JsonError> JsonParser::Parse(std::string_view text) {
  // simdjson grows its tape to the text and never shrinks it: one 16 MB request must not stay.
  constexpr std::size_t kKeepCapacity = std::size_t{1} << 20;
  if (impl_->parser.capacity() > kKeepCapacity && text.size() <= kKeepCapacity) {
    impl_->parser = dom::parser();
  }
  if (impl_->parser.max_depth() != impl_->depth_max || impl_->parser.capacity() < text.size()) {
    if (const auto error =
            impl_->parser.allocate(std::max<std::size_t>(text.size(), 4096), impl_->depth_max)) {
      return Unexpected(JsonError{simdjson::error_message(error)});
    }
  }
  dom::element root;
  auto error = impl_->parser.parse(text.data(), text.size()).get(root);
  if (error == simdjson::NUMBER_ERROR) {
    const std::string again = WithoutBigIntegers(text);
    if (again != text) error = impl_->parser.parse(again).get(root);
  }
  if (error) return Unexpected(JsonError{simdjson::error_message(error)});
  JsonValue value;
  value.place_ = Pack(root);
  return value;
}

void JsonWriter::Open(std::string_view mark) {
  if (comma_) out_ += ',';
  out_ += mark;
  comma_ = true;
}

void JsonWriter::BeginObject() {
  Open("{");
  comma_ = false;
}

void JsonWriter::EndObject() {
  out_ += '}';
  comma_ = true;
}

void JsonWriter::BeginArray() {
  Open("[");
  comma_ = false;
}

void JsonWriter::EndArray() {
  out_ += ']';
  comma_ = true;
}

void JsonWriter::Quoted(std::string_view text, std::string_view end) {
  constexpr std::size_t kShort = 128;
  if (text.size() > kShort || PlainPrefix(text) != text.size()) {
    Open("\"");
    AppendEscaped(out_, text);
    out_ += end;
    return;
  }
  // Nearly every one, in one step.
  const std::size_t at = out_.size();
  out_.resize(at + (comma_ ? 2 : 1) + text.size() + end.size());
  char* to = out_.data() + at;
  if (comma_) *to++ = ',';
  *to++ = '"';
  to = std::copy(text.begin(), text.end(), to);
  std::copy(end.begin(), end.end(), to);
}

void JsonWriter::Key(std::string_view name) {
  Quoted(name, "\":");
  comma_ = false;
}

void JsonWriter::String(std::string_view value) {
  Quoted(value, "\"");
  comma_ = true;
}

void JsonWriter::Base64String(std::string_view bytes) {
  Open("\"");
  AppendBase64(out_, bytes);
  out_ += '"';
}

void JsonWriter::Integer(std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
  Open({digits.begin(), end});
}

void JsonWriter::Double(double value) {
  Check(std::isfinite(value), "JSON has no infinities");
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
  Open({digits.begin(), end});
}

void JsonWriter::Bool(bool value) { Open(value ? "true" : "false"); }

void JsonWriter::Null() { Open("null"); }

void JsonWriter::Raw(std::string_view json) { Open(json); }

void JsonWriter::RawPrefix(std::string_view start) {
  Open(start);
  comma_ = false;
}

}  // namespace kw
