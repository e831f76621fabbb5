// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/document.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <memory>

#include "base/json.h"
#include "modeller/model/yaml.h"

namespace kw::modeller {
namespace {

using Kind = Node::Kind;

Node Scalar(Kind kind, std::string text) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  return node;
}

Node FromJson(const JsonValue& value) {
  switch (value.type()) {
    case JsonType::kNull: return {};
    case JsonType::kBool: return Node::Boolean(value.boolean());
    case JsonType::kInteger: return Node::Integer(value.integer());
    case JsonType::kDouble: return Scalar(Kind::kNumber, fmt::format("{}", value.number()));
    case JsonType::kString: return Node::Text(value.string());
    case JsonType::kArray: {
      Node node = Node::List();
      for (const JsonValue item : value.array()) node.items.push_back(FromJson(item));
      return node;
    }
    case JsonType::kObject: {
      Node node = Node::Map();
      for (const auto& member : value.object().DistinctMembers()) {
        node.Add(member.name, FromJson(member.value));
      }
      return node;
    }
  }
  return {};
}

Node FromPlain(std::string text) {
  YamlNode plain;
  plain.text = text;
  if (plain.is_null()) return {};
  if (const auto boolean = plain.boolean()) return Node::Boolean(*boolean);
  if (plain.number()) return Scalar(Kind::kNumber, std::move(text));
  return Scalar(Kind::kText, std::move(text));
}

// Builds a tree from libyaml's events, without recursion.
class YamlTree {
 public:
  explicit YamlTree(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~YamlTree() { yaml_parser_delete(&parser_); }
  YamlTree(const YamlTree&) = delete;
  YamlTree& operator=(const YamlTree&) = delete;

  Expected<Node, std::string> Read() {
    for (;;) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser_, &event) == 0) {
        return Unexpected(Where(parser_.problem_mark.line) +
                          (parser_.problem != nullptr ? parser_.problem : "no YAML"));
      }
      const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owner(&event, yaml_event_delete);
      if (event.type == YAML_STREAM_END_EVENT) return std::move(root_);
      if (event.type == YAML_DOCUMENT_START_EVENT && ++documents_ > 1) {
        return Unexpected(Where(event.start_mark.line) + "a second document starts");
      }
      TRY(Take(event));
    }
  }

 private:
  struct Level {
    Node node;
    std::string tag;
    std::optional<std::string> key;  // of a map: the one whose value comes next
  };

  static std::string Where(std::size_t line) { return fmt::format("line {}: ", line + 1); }
  static std::string TagOf(const yaml_char_t* tag) {
    return tag == nullptr ? "" : reinterpret_cast<const char*>(tag);
  }

  Expected<void, std::string> Take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        return Unexpected(Where(event.start_mark.line) + "aliases are not followed");
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event.data.scalar;
        std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
        const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return Put(plain ? FromPlain(std::move(text)) : Scalar(Kind::kText, std::move(text)),
                   TagOf(scalar.tag), event.start_mark.line);
      }
      case YAML_SEQUENCE_START_EVENT:
        return Open(Node::List(), TagOf(event.data.sequence_start.tag), event.start_mark.line);
      case YAML_MAPPING_START_EVENT:
        return Open(Node::Map(), TagOf(event.data.mapping_start.tag), event.start_mark.line);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        Level level = std::move(levels_.back());
        levels_.pop_back();
        return Put(std::move(level.node), level.tag, event.start_mark.line);
      }
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_STREAM_END_EVENT:
      case YAML_DOCUMENT_START_EVENT:
      case YAML_DOCUMENT_END_EVENT: break;
    }
    return {};
  }

  Expected<void, std::string> Open(Node node, std::string tag, std::size_t line) {
    if (levels_.size() == kDocumentDepthMax) return Unexpected(Where(line) + "nested too deeply");
    levels_.push_back({.node = std::move(node), .tag = std::move(tag), .key = std::nullopt});
    return {};
  }

  Expected<void, std::string> Put(Node node, std::string_view tag, std::size_t line) {
    if (tag.starts_with('!') && tag.size() > 1) {
      tag.remove_prefix(1);
      const bool bare = tag == "Ref" || tag == "Condition";
      Node tagged = Node::Map();
      tagged.Add(bare ? std::string(tag) : fmt::format("Fn::{}", tag), std::move(node));
      node = std::move(tagged);
    }
    if (levels_.empty()) {
      root_ = std::move(node);
      return {};
    }
    Level& level = levels_.back();
    if (level.node.is(Kind::kList)) {
      level.node.items.push_back(std::move(node));
    } else if (!level.key) {
      if (node.is(Kind::kList) || node.is(Kind::kMap)) {
        return Unexpected(Where(line) + "a key is a name");
      }
      level.key = std::move(node.text);
    } else {
      level.node.Add(*level.key, std::move(node));
      level.key.reset();
    }
    return {};
  }

  yaml_parser_t parser_;
  std::vector<Level> levels_;
  Node root_;
  int documents_ = 0;
};

void AppendJson(const Node& node, std::size_t indent, std::string& out) {
  const auto line = [&](std::size_t depth) {
    out += '\n';
    out.append(depth * 2, ' ');
  };
  switch (node.kind) {
    case Kind::kNull: out += "null"; return;
    case Kind::kBoolean:
    case Kind::kNumber: out += node.text; return;
    case Kind::kText: JsonWriter(out).String(node.text); return;
    case Kind::kList: {
      out += '[';
      for (const Node& item : node.items) {
        if (&item != &node.items.front()) out += ',';
        line(indent + 1);
        AppendJson(item, indent + 1, out);
      }
      if (!node.items.empty()) line(indent);
      out += ']';
      return;
    }
    case Kind::kMap: {
      out += '{';
      for (const NodeMember& member : node.members) {
        if (&member != &node.members.front()) out += ',';
        line(indent + 1);
        JsonWriter(out).String(member.name);
        out += ": ";
        AppendJson(member.value, indent + 1, out);
      }
      if (!node.members.empty()) line(indent);
      out += '}';
      return;
    }
  }
}

// Other tools still read YAML 1.1, where more plain words are no text: N, off, 2010-09-09.
std::string QuoteForAll(std::string_view text) {
  constexpr std::array<std::string_view, 8> kBooleans = {"y",  "n",   "yes",  "no",
                                                         "on", "off", "true", "false"};
  const bool boolean = std::ranges::any_of(kBooleans, [&](std::string_view word) {
    return std::ranges::equal(text, word, [](char a, char b) { return (a | 0x20) == b; });
  });
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  auto quoted = QuoteYaml(text);
  if ((boolean || digit) && quoted == text) quoted = '"' + quoted + '"';
  return quoted;
}

// What stands behind `name:` or `-`, with its line end.
void AppendYaml(const Node& node, std::size_t indent, bool in_list, std::string& out) {
  switch (node.kind) {
    case Kind::kNull: out += " null\n"; return;
    case Kind::kBoolean:
    case Kind::kNumber: out += " " + node.text + "\n"; return;
    case Kind::kText: out += " " + QuoteForAll(node.text) + "\n"; return;
    case Kind::kList: {
      if (node.items.empty()) out += " []\n";
      if (!node.items.empty()) out += '\n';
      for (const Node& item : node.items) {
        out.append(indent * 2, ' ');
        out += '-';
        AppendYaml(item, indent + 1, true, out);
      }
      return;
    }
    case Kind::kMap: {
      if (node.members.empty()) out += " {}\n";
      if (!node.members.empty()) out += in_list ? ' ' : '\n';
      for (const NodeMember& member : node.members) {
        if (!in_list || &member != &node.members.front()) out.append(indent * 2, ' ');
        out += QuoteForAll(member.name) + ":";
        AppendYaml(member.value, indent + 1, false, out);
      }
      return;
    }
  }
}

const std::vector<Node> kNoItems;

}  // namespace

Node Node::Text(std::string_view text) { return Scalar(Kind::kText, std::string(text)); }
Node Node::Integer(std::int64_t number) { return Scalar(Kind::kNumber, std::to_string(number)); }
Node Node::Boolean(bool value) { return Scalar(Kind::kBoolean, value ? "true" : "false"); }

Node Node::List(std::vector<Node> items) {
  Node node;
  node.kind = Kind::kList;
  node.items = std::move(items);
  return node;
}

Node Node::Texts(const std::vector<std::string>& texts) {
  Node node = List();
  for (const std::string& text : texts) node.items.push_back(Text(text));
  return node;
}

Node Node::Map(std::initializer_list<NodeMember> members) {
  Node node;
  node.kind = Kind::kMap;
  node.members = members;
  return node;
}

const Node* Node::Find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &NodeMember::name);
  return found == members.end() ? nullptr : &found->value;
}

Node& Node::Add(std::string_view name, Node value) {
  members.push_back({std::string(name), std::move(value)});
  return members.back().value;
}

void Node::AddUnlessEmpty(std::string_view name, Node list) {
  if (!list.items.empty()) Add(name, std::move(list));
}

Expected<Node, std::string> ReadDocument(std::string_view text) {
  if (text.size() > kDocumentBytesMax) return Unexpected(std::string("The file is too large."));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return Unexpected(std::string("The file is empty."));
  if (text[start] == '{' || text[start] == '[') {
    JsonParser parser(kDocumentDepthMax);
    const auto value = parser.Parse(text);
    if (value) return FromJson(*value);
    return Unexpected(fmt::format("That is no JSON: {}.", value.error().message));
  }
  auto tree = YamlTree(text).Read();
  if (!tree) return Unexpected(fmt::format("That is no YAML: {}.", tree.error()));
  return tree;
}

std::string PrintJson(const Node& node) {
  std::string out;
  AppendJson(node, 0, out);
  return out + '\n';
}

std::string PrintYaml(const Node& node) {
  std::string out;
  AppendYaml(node, 0, false, out);
  return out.starts_with('\n') ? out.substr(1) : out;
}

Fields::Fields(const Node& node, std::string where, Notes& notes)
    : node_(node), where_(std::move(where)), notes_(notes), taken_(node.members.size()) {
  if (!node.is(Kind::kMap)) notes_.Lost(where_, "Here should stand a map.");
}

Fields::~Fields() {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i] || node_.members[i].value.is(Kind::kNull)) continue;
    notes_.Lost(At(node_.members[i].name), "This is not carried over.");
  }
}

std::string Fields::At(std::string_view name) const {
  return where_.empty() ? std::string(name) : fmt::format("{}.{}", where_, name);
}

void Fields::WrongKind(std::string_view name, std::string_view expected) {
  notes_.Lost(At(name), fmt::format("Here should stand {}.", expected));
}

const Node* Fields::Take(std::string_view name) {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (node_.members[i].name != name) continue;
    taken_[i] = true;
    return node_.members[i].value.is(Kind::kNull) ? nullptr : &node_.members[i].value;
  }
  return nullptr;
}

std::optional<std::string> Fields::TakeText(std::string_view name) {
  const Node* node = Take(name);
  if (node == nullptr) return std::nullopt;
  if (!node->is(Kind::kList) && !node->is(Kind::kMap)) return node->text;
  WrongKind(name, "a text");
  return std::nullopt;
}

std::optional<std::int64_t> Fields::TakeInteger(std::string_view name) {
  const Node* node = Take(name);
  if (node == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const char* end = node->text.data() + node->text.size();
  const auto read = std::from_chars(node->text.data(), end, number);
  if (!node->text.empty() && read.ec == std::errc() && read.ptr == end) return number;
  WrongKind(name, "a whole number");
  return std::nullopt;
}

bool Fields::TakeFlag(std::string_view name) {
  const Node* node = Take(name);
  if (node == nullptr) return false;
  if (node->text != "true" && node->text != "false") WrongKind(name, "true or false");
  return node->text == "true";
}

const std::vector<Node>& Fields::TakeList(std::string_view name) {
  const Node* node = Take(name);
  if (node == nullptr) return kNoItems;
  if (!node->is(Kind::kList)) WrongKind(name, "a list");
  return node->items;
}

std::vector<std::string> Fields::TakeTexts(std::string_view name) {
  std::vector<std::string> texts;
  for (const Node& item : TakeList(name)) {
    if (item.is(Kind::kList) || item.is(Kind::kMap)) {
      WrongKind(name, "a list of texts");
    } else {
      texts.push_back(item.text);
    }
  }
  return texts;
}

void Fields::Ignore(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) Take(name);
}

}  // namespace kw::modeller
