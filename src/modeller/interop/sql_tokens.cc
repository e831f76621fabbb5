// SPDX-License-Identifier: Apache-2.0
#include "modeller/interop/sql_tokens.h"

#include <algorithm>

namespace kw::modeller {
namespace {

using Kind = SchemaToken::Kind;

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<SqlScript> Split() {
    while (at_ < text_.size()) Step();
    End();
    return std::move(scripts_);
  }

 private:
  [[nodiscard]] bool Starts(std::string_view start) const {
    return text_.substr(at_).starts_with(start);
  }

  void End() {
    if (!script_.tokens.empty()) scripts_.push_back(std::move(script_));
    script_ = {};
  }

  void Add(Kind kind, std::string_view text) {
    script_.tokens.push_back({kind, std::string(text)});
  }

  std::string_view While(bool (*holds)(char)) {
    const auto begin = at_;
    while (at_ < text_.size() && holds(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void Step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
    } else if (Starts("--") || c == '#') {
      Comment();
    } else if (Starts("/*")) {
      const auto end = text_.find("*/", at_ + 2);
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else if (c == '\'') {
      Quoted('\'', Kind::kText);
    } else if (c == '"' || c == '`') {
      Quoted(c, Kind::kName);
    } else if (c == '[' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
      Quoted(']', Kind::kName);
    } else if (IsDigit(c)) {
      Add(Kind::kNumber, While([](char d) { return IsWord(d) || d == '.'; }));
    } else if (IsWord(c)) {
      Add(Kind::kWord, While(IsWord));
    } else {
      Mark(c);
    }
  }

  void Comment() {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const auto line = text_.substr(at_, end - at_);
    constexpr std::string_view kName = "name:";
    if (const auto name = line.find(kName); name != line.npos && script_.tokens.empty()) {
      auto rest = line.substr(name + kName.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      script_.name = rest.substr(0, rest.find_first_of(" \t\r"));
    }
    at_ = end;
  }

  // A doubled quote stands for one.
  void Quoted(char quote, Kind kind) {
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      }
      out += text_[at_];
    }
    ++at_;
    Add(kind, out);
  }

  void Mark(char c) {
    ++at_;
    if (c == ';') {
      End();
    } else if (c == '?') {
      Add(Kind::kParameter, "");
    } else if (c == '%' && at_ < text_.size() && text_[at_] == 's') {
      ++at_;
      Add(Kind::kParameter, "");
    } else if (c == '$' || c == '@' || (c == ':' && at_ < text_.size() && IsWord(text_[at_]))) {
      const auto name = While(IsWord);
      Add(Kind::kParameter, !name.empty() && IsDigit(name.front()) ? "" : name);
    } else if (c == ':' && at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      Add(Kind::kMark, "::");
    } else if ((c == '<' || c == '>' || c == '!') && at_ < text_.size() &&
               (text_[at_] == '=' || (c == '<' && text_[at_] == '>'))) {
      Add(Kind::kMark, text_.substr(at_ - 1, 2));
      ++at_;
    } else {
      Add(Kind::kMark, std::string_view(&c, 1));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SqlScript script_;
  std::vector<SqlScript> scripts_;
};

}  // namespace

bool SchemaToken::Is(std::string_view word) const {
  return (kind == Kind::kWord || kind == Kind::kMark) &&
         std::ranges::equal(text, word, [](char a, char b) { return Upper(a) == Upper(b); });
}

std::vector<SqlScript> SplitSql(std::string_view text) { return Splitter(text).Split(); }

}  // namespace kw::modeller
