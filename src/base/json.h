// SPDX-License-Identifier: Apache-2.0
// JSON in and out. Reading hides simdjson (a checked tape, no allocation per value); writing
// appends straight to a string, so that no tree is ever built for an answer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/expected.h"

namespace kw {

// kInteger: what an int64 holds. Every other number is a kDouble, if need be rounded.
enum class JsonType : std::uint8_t { kNull, kBool, kInteger, kDouble, kString, kArray, kObject };

class JsonArray;
class JsonObject;

// A place in a parsed document; valid while its parser holds that document.
class JsonValue {
 public:
  [[nodiscard]] JsonType type() const;
  [[nodiscard]] bool is(JsonType type) const { return this->type() == type; }
  // Each of these needs the type it names.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::string_view string() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] double number() const;  // of an integer or a double
  [[nodiscard]] JsonArray array() const;
  [[nodiscard]] JsonObject object() const;

 private:
  friend class JsonArray;
  friend class JsonObject;
  friend class JsonParser;
  alignas(8) std::array<std::byte, 16> place_{};
};

class JsonArray {
 public:
  class Iterator {
   public:
    using value_type = JsonValue;
    using difference_type = std::ptrdiff_t;
    JsonValue operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class JsonArray;
    alignas(8) std::array<std::byte, 16> place_{};
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;
  [[nodiscard]] std::size_t size() const;  // walks arrays of more than 2^24 elements

 private:
  friend class JsonValue;
  alignas(8) std::array<std::byte, 16> place_{};
};

class JsonObject {
 public:
  struct Member {
    std::string_view name;
    JsonValue value;
  };
  class Iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    Member operator*() const;
    Iterator& operator++();
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class JsonObject;
    alignas(8) std::array<std::byte, 16> place_{};
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;
  [[nodiscard]] std::size_t size() const;
  // The members without those whose name comes again later: what a client's map means.
  [[nodiscard]] std::vector<Member> DistinctMembers() const;
  // The last member of that name; a linear walk. A member that is null counts as absent.
  [[nodiscard]] std::optional<JsonValue> Find(std::string_view name) const;

 private:
  friend class JsonValue;
  alignas(8) std::array<std::byte, 16> place_{};
};

[[nodiscard]] bool IsUtf8(std::string_view text);

// Why a text is not JSON, in a few words.
struct JsonError {
  std::string message;
};

// Reuses its memory from one document to the next: keep one for each thread.
// Checks grammar, UTF-8 and depth of the whole text.
class JsonParser {
 public:
  explicit JsonParser(std::size_t depth_max = 256);
  ~JsonParser();
  JsonParser(JsonParser&&) noexcept;
  JsonParser& operator=(JsonParser&&) noexcept;

  // The result is valid until the next Parse. `text` need not outlive the call.
  Expected<JsonValue, JsonError> Parse(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Appends JSON to a string. Commas are its business, balance is the caller's.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void BeginObject();
  void EndObject();
  void BeginArray();
  void EndArray();
  void Key(std::string_view name);
  void String(std::string_view value);  // value is UTF-8
  void Base64String(std::string_view bytes);
  void Integer(std::int64_t value);
  void Double(double value);  // shortest form that reads back the same
  void Bool(bool value);
  void Null();
  void Raw(std::string_view json);         // already JSON
  void RawPrefix(std::string_view start);  // the start of a value, up to where another follows

  // Makes room for so many more bytes at once.
  void Reserve(std::size_t bytes) { out_.reserve(out_.size() + bytes); }

  // The member forms most code wants.
  void Member(std::string_view name, std::string_view value) { Key(name), String(value); }
  void Member(std::string_view name, const char* value) { Key(name), String(value); }
  void Member(std::string_view name, std::int64_t value) { Key(name), Integer(value); }
  void Member(std::string_view name, int value) { Key(name), Integer(value); }
  void Member(std::string_view name, bool value) { Key(name), Bool(value); }

 private:
  void Open(std::string_view mark);  // a comma if one is due, and the mark
  void Quoted(std::string_view text, std::string_view end);
  std::string& out_;
  bool comma_ = false;
};

}  // namespace kw
