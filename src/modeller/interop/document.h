// SPDX-License-Identifier: Apache-2.0
// JSON and YAML of other tools as one tree, and back. CloudFormation's short tags (`!Ref x`) become
// its long forms (`{Ref: x}`). Fields takes a map apart and reports each member that nobody took.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "modeller/interop/notes.h"

namespace kw::modeller {

inline constexpr std::size_t kDocumentBytesMax = std::size_t{8} << 20;
inline constexpr int kDocumentDepthMax = 64;

struct NodeMember;

struct Node {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kText, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;  // of a scalar; "true", "12.5"
  std::vector<Node> items;
  std::vector<NodeMember> members;

  static Node Text(std::string_view text);
  static Node Integer(std::int64_t number);
  static Node Boolean(bool value);
  static Node List(std::vector<Node> items = {});
  static Node Texts(const std::vector<std::string>& texts);
  static Node Map(std::initializer_list<NodeMember> members = {});

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  [[nodiscard]] const Node* Find(std::string_view name) const;
  // Of a map: adds a member behind the others.
  Node& Add(std::string_view name, Node value);
  // Of a map: adds a list unless it would be empty.
  void AddUnlessEmpty(std::string_view name, Node list);
};

struct NodeMember {
  std::string name;
  Node value;
};

// Errors: why the text is neither; a text that starts with a brace or bracket is JSON.
Expected<Node, std::string> ReadDocument(std::string_view text);
// Two blanks a level.
std::string PrintJson(const Node& node);
std::string PrintYaml(const Node& node);

// The members of a map, taken one by one.
class Fields {
 public:
  // Reports a node that is no map; all members are absent then.
  Fields(const Node& node, std::string where, Notes& notes);
  // Reports the members that were not taken as lost.
  ~Fields();
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // Null if it is absent or null.
  const Node* Take(std::string_view name);
  // Each reports a member of another kind, which counts as absent.
  std::optional<std::string> TakeText(std::string_view name);  // numbers and booleans also
  std::optional<std::int64_t> TakeInteger(std::string_view name);
  bool TakeFlag(std::string_view name);                      // false if absent
  std::vector<Node> const& TakeList(std::string_view name);  // empty if absent
  std::vector<std::string> TakeTexts(std::string_view name);
  // Members whose loss is none.
  void Ignore(std::initializer_list<std::string_view> names);

  [[nodiscard]] std::string At(std::string_view name) const;
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] Notes& notes() { return notes_; }

 private:
  void WrongKind(std::string_view name, std::string_view expected);

  const Node& node_;
  std::string where_;
  Notes& notes_;
  std::vector<bool> taken_;
};

}  // namespace kw::modeller
