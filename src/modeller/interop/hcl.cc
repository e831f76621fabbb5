// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/hcl.h"

#include <fmt/format.h>

#include <algorithm>

namespace kw::modeller {
namespace {

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

class HclReader {
 public:
  explicit HclReader(std::string_view text) : text_(text) {}

  Expected<Node, std::string> Read() {
    Node root = Node::Map();
    TRY(ReadBody(root, 0));
    if (at_ < text_.size()) return Fail("a bracket closes nothing");
    return root;
  }

 private:
  template <class Text>
  auto Fail(const Text& what) const -> decltype(Unexpected(std::string())) {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n') + 1;
    return Unexpected(fmt::format("That is no Terraform: line {}: {}.", line, what));
  }

  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool Starts(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }
  void SkipLine() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // Blanks and comments; lines end with them, but for values.
  void Skip(bool lines) {
    while (at_ < text_.size()) {
      if (Next() == '#' || Starts("//")) {
        SkipLine();
      } else if (Starts("/*")) {
        const auto end = text_.find("*/", at_ + 2);
        at_ = end == text_.npos ? text_.size() : end + 2;
      } else if (Next() == ' ' || Next() == '\t' || Next() == '\r' || (lines && Next() == '\n')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view Word() {
    const auto begin = at_;
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Expected<std::string, std::string> Quoted() {
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
      char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      } else if (Starts("$${") || Starts("%%{")) {
        ++at_;
      }
      out += c;
    }
    if (Next() != '"') return Fail("a text does not end");
    ++at_;
    return out;
  }

  Expected<void, std::string> ReadBody(Node& body, int depth) {
    if (depth > kDocumentDepthMax) return Fail("nested too deeply");
    for (Skip(true); at_ < text_.size() && Next() != '}'; Skip(true)) {
      std::string name;
      if (Next() == '"') {
        TRY_ASSIGN(name, Quoted());
      } else {
        name = std::string(Word());
      }
      if (name.empty()) return Fail("here should stand a name");
      Skip(false);
      if (Next() == '=' || Next() == ':') {
        ++at_;
        TRY_ASSIGN(Node value, ReadValue(depth + 1));
        body.Add(name, std::move(value));
        Skip(false);
        if (Next() == ',') ++at_;
        continue;
      }
      TRY(ReadBlock(body, name, depth));
    }
    return {};
  }

  Expected<void, std::string> ReadBlock(Node& body, const std::string& name, int depth) {
    Node labels = Node::List();
    while (Next() == '"') {
      TRY_ASSIGN(const std::string label, Quoted());
      labels.items.push_back(Node::Text(label));
      Skip(false);
    }
    if (Next() != '{') return Fail(fmt::format("behind {} should stand = or a block", name));
    ++at_;
    Node block = Node::Map();
    block.AddUnlessEmpty(kHclLabels, std::move(labels));
    TRY(ReadBody(block, depth + 1));
    if (Next() != '}') return Fail("a block does not end");
    ++at_;
    const auto found = std::ranges::find(body.members, name, &NodeMember::name);
    Node& list = found == body.members.end() ? body.Add(name, Node::List()) : found->value;
    list.items.push_back(std::move(block));
    return {};
  }

  Expected<Node, std::string> ReadValue(int depth) {
    if (depth > kDocumentDepthMax) return Fail("nested too deeply");
    Skip(true);
    const auto begin = at_;
    Node value;
    if (Next() == '"') {
      TRY_ASSIGN(const std::string text, Quoted());
      value = Node::Text(text);
      if (text_.substr(begin, at_ - begin).find("${") != text_.npos &&
          text_.substr(begin, at_ - begin).find("$${") == text_.npos) {
        value = Expression(begin);
      }
    } else if (Next() == '[') {
      ++at_;
      TRY_ASSIGN(value, ReadList(depth));
    } else if (Next() == '{') {
      ++at_;
      value = Node::Map();
      TRY(ReadBody(value, depth));
      if (Next() != '}') return Fail("a map does not end");
      ++at_;
    } else {
      value = PlainWord(Word());
    }
    Skip(false);
    const bool over =
        at_ == text_.size() || Next() == '\n' || Next() == ',' || Next() == '}' || Next() == ']';
    if (over && !value.is(Node::Kind::kNull)) return value;
    return RestOfExpression(begin);
  }

  Expected<Node, std::string> ReadList(int depth) {
    Node list = Node::List();
    for (Skip(true); at_ < text_.size() && Next() != ']'; Skip(true)) {
      TRY_ASSIGN(Node item, ReadValue(depth + 1));
      list.items.push_back(std::move(item));
      Skip(true);
      if (Next() == ',') {
        ++at_;
      } else if (Next() != ']') {
        return Fail("a list goes on without a comma");
      }
    }
    if (Next() != ']') return Fail("a list does not end");
    ++at_;
    return list;
  }

  // References and calls are no plain value: null.
  static Node PlainWord(std::string_view word) {
    if (word == "true" || word == "false") return Node::Boolean(word == "true");
    const bool digits = !word.empty() && std::ranges::all_of(word, [](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == '-';
    });
    Node number = Node::Text(word);
    number.kind = Node::Kind::kNumber;
    return digits ? number : Node();
  }

  Node Expression(std::size_t begin) const {
    return Node::Map({{"expression", Node::Text(text_.substr(begin, at_ - begin))}});
  }

  // Up to the end of the line outside brackets.
  Expected<Node, std::string> RestOfExpression(std::size_t begin) {
    int open = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        TRY(Quoted());
        --at_;
      } else if (c == '(' || c == '[' || c == '{') {
        ++open;
      } else if (open == 0 && (c == '\n' || c == ',' || c == ']' || c == '}')) {
        break;
      } else if (c == ')' || c == ']' || c == '}') {
        --open;
      }
    }
    if (at_ == begin) return Fail("here should stand a value");
    return Expression(begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Expected<Node, std::string> ReadHcl(std::string_view text) {
  if (text.size() > kDocumentBytesMax) return Unexpected(std::string("The file is too large."));
  return HclReader(text).Read();
}

std::string HclText(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    quoted += c;
    // Doubled, a mark in front of a brace is text.
    if ((c == '$' || c == '%') && text.substr(i + 1).starts_with('{')) quoted += c;
  }
  return quoted + '"';
}

}  // namespace kw::modeller
