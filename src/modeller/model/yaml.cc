// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/yaml.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/json.h"

namespace kw::modeller {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsBreak(char c) { return c == '\n' || c == '\r'; }

// Moves one byte on; columns count characters, CR LF is one break.
void Step(std::string_view text, std::size_t at, Position& position) {
  const char c = text[at];
  const bool crlf = c == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
  if (IsBreak(c) && !crlf) {
    ++position.line;
    position.column = 1;
  } else if (!Continues(c) && !crlf) {
    ++position.column;
  }
}

Position PositionOf(std::string_view text, std::size_t offset) {
  Position position;
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t i = begin; i < std::min(offset, text.size()); ++i) Step(text, i, position);
  return position;
}

Fault FaultAt(std::string_view text, std::size_t offset, std::string message,
              std::string suggestion) {
  return {.at = PositionOf(text, offset),
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

// What neither reader of the file may see differently: bytes that are no UTF-8, and the line breaks
// that YAML 1.1 knew and 1.2 does not.
std::optional<Fault> CheckCharacters(std::string_view text) {
  if (text.size() > kYamlBytesMax) {
    return Fault{.at = {}, .message = "The file is larger than 1 MB.", .suggestion = ""};
  }
  const bool utf8 = IsUtf8(text);
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    while (i + length < text.size() && length < 4 && Continues(text[i + length])) ++length;
    if (!utf8 && !IsUtf8(text.substr(i, length))) {
      return FaultAt(text, i, "This is not UTF-8.", "Save the file as UTF-8.");
    }
    const std::string_view character = text.substr(i, length);
    if (character == "\xC2\x85" || character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9") {
      return FaultAt(text, i, "A line separator other than a plain line break stands here.",
                     "Write \\N, \\L or \\P in a text in double quotes.");
    }
    i += length;
  }
  return std::nullopt;
}

std::string SuggestionFor(std::string_view problem, char at) {
  if (problem.find("cannot start any token") != problem.npos) {
    return at == '\t' ? "Indent with spaces." : "Put the text in quotes.";
  }
  if (problem.find("mapping values are not allowed") != problem.npos) {
    return "Put a text that holds ': ' in quotes, and indent the members of a mapping alike.";
  }
  if (problem.find("expected ',' or") != problem.npos) {
    return "Close the bracket, put a comma between members, or put a text with special characters "
           "in quotes.";
  }
  if (problem.find("could not find expected ':'") != problem.npos) {
    return "Write name: value.";
  }
  if (problem.find("unexpected end of stream") != problem.npos) return "Close the quotes.";
  return "";
}

YamlStyle StyleOf(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return YamlStyle::kSingleQuoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return YamlStyle::kDoubleQuoted;
    case YAML_LITERAL_SCALAR_STYLE: return YamlStyle::kLiteral;
    case YAML_FOLDED_SCALAR_STYLE: return YamlStyle::kFolded;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE: break;
  }
  return YamlStyle::kPlain;
}

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }
  yaml_event_t* operator->() { return &event_; }
  yaml_event_t* get() { return &event_; }

 private:
  yaml_event_t event_{};
};

}  // namespace

// Turns libyaml's events into the tree.
class YamlBuilder {
 public:
  explicit YamlBuilder(YamlDocument& document)
      : document_(document),
        begin_(document.text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0),
        byte_(begin_) {
    yaml_parser_initialize(&parser_);
    const std::string_view text = std::string_view(document.text_).substr(begin_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  }
  YamlBuilder(const YamlBuilder&) = delete;
  YamlBuilder& operator=(const YamlBuilder&) = delete;
  ~YamlBuilder() { yaml_parser_delete(&parser_); }

  // Fills the document's root; the faults, or none.
  std::vector<Fault> Build() {
    BuildDocument();
    return std::move(faults_);
  }

 private:
  bool BuildDocument() {
    Event stream;
    if (!Next(stream)) return false;
    Event start;
    if (!Next(start)) return false;
    if (start->type == YAML_STREAM_END_EVENT) return true;  // a root that is null
    Event first;
    if (!Next(first) || !BuildNode(first, document_.root_, 0)) return false;
    Event end;
    if (!Next(end)) return false;
    Event after;
    if (!Next(after)) return false;
    if (after->type != YAML_STREAM_END_EVENT) {
      return Fail(after->start_mark, "A second document begins here.",
                  "Keep one document in a file.");
    }
    return true;
  }

  bool BuildNode(Event& event, YamlNode& node, int depth) {
    node.at = PositionOf(event->start_mark);
    node.begin = ByteOf(event->start_mark);
    node.end = ByteOf(event->end_mark);
    switch (event->type) {
      case YAML_SCALAR_EVENT: return BuildScalar(event, node);
      case YAML_SEQUENCE_START_EVENT: return BuildSequence(event, node, depth + 1);
      case YAML_MAPPING_START_EVENT: return BuildMapping(event, node, depth + 1);
      case YAML_ALIAS_EVENT:
        return Fail(event->start_mark, "An alias (*name) is not used in these files.",
                    "Write the value again, or put a text that begins with * in quotes.");
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_STREAM_END_EVENT:
      case YAML_DOCUMENT_START_EVENT:
      case YAML_DOCUMENT_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: break;
    }
    return Fail(event->start_mark, "A value is missing here.", "");
  }

  bool CheckProperties(const yaml_mark_t& at, const unsigned char* anchor,
                       const unsigned char* tag) {
    if (anchor != nullptr) {
      return Fail(at, "An anchor (&name) is not used in these files.",
                  "Leave it out, or put a text that begins with & in quotes.");
    }
    if (tag != nullptr) {
      return Fail(at, "A tag (!name) is not used in these files.",
                  "Leave it out, or put a text that begins with ! in quotes.");
    }
    return true;
  }

  bool BuildScalar(Event& event, YamlNode& node) {
    auto& scalar = event->data.scalar;
    if (!CheckProperties(event->start_mark, scalar.anchor, scalar.tag)) return false;
    node.kind = YamlKind::kScalar;
    node.style = StyleOf(scalar.style);
    node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    return true;
  }

  bool CheckDepth(const yaml_mark_t& at, int depth) {
    if (depth <= kYamlDepthMax) return true;
    return Fail(at, fmt::format("This lies deeper than {} levels.", kYamlDepthMax), "");
  }

  bool BuildSequence(Event& event, YamlNode& node, int depth) {
    const auto& start = event->data.sequence_start;
    if (!CheckProperties(event->start_mark, start.anchor, start.tag)) return false;
    if (!CheckDepth(event->start_mark, depth)) return false;
    node.kind = YamlKind::kSequence;
    node.style = start.style == YAML_FLOW_SEQUENCE_STYLE ? YamlStyle::kFlow : YamlStyle::kBlock;
    for (;;) {
      Event next;
      if (!Next(next)) return false;
      if (next->type == YAML_SEQUENCE_END_EVENT) {
        if (node.style == YamlStyle::kFlow) node.end = ByteOf(next->end_mark);
        return true;
      }
      if (!BuildNode(next, node.items.emplace_back(), depth)) return false;
      node.end = std::max(node.end, node.items.back().end);
    }
  }

  bool BuildMapping(Event& event, YamlNode& node, int depth) {
    const auto& start = event->data.mapping_start;
    if (!CheckProperties(event->start_mark, start.anchor, start.tag)) return false;
    if (!CheckDepth(event->start_mark, depth)) return false;
    node.kind = YamlKind::kMapping;
    node.style = start.style == YAML_FLOW_MAPPING_STYLE ? YamlStyle::kFlow : YamlStyle::kBlock;
    std::set<std::string, std::less<>> keys;
    for (;;) {
      Event next;
      if (!Next(next)) return false;
      if (next->type == YAML_MAPPING_END_EVENT) {
        if (node.style == YamlStyle::kFlow) node.end = ByteOf(next->end_mark);
        return true;
      }
      if (next->type == YAML_SEQUENCE_START_EVENT || next->type == YAML_MAPPING_START_EVENT) {
        return Fail(next->start_mark, "A key is a single word or text.",
                    "Put a key that holds [, { or } in quotes.");
      }
      YamlMember& member = node.members.emplace_back();
      if (!BuildNode(next, member.key, depth)) return false;
      if (!keys.insert(member.key.text).second) {
        faults_.push_back({.at = member.key.at,
                           .message = fmt::format("'{}' stands here twice.", member.key.text),
                           .suggestion = "Keep one of the two."});
      }
      Event value;
      if (!Next(value) || !BuildNode(value, member.value, depth)) return false;
      node.end = std::max(node.end, member.value.end);
    }
  }

  bool Next(Event& event) {
    if (yaml_parser_parse(&parser_, event.get()) != 0) return true;
    const std::string_view problem =
        parser_.problem != nullptr ? parser_.problem : "it cannot be read";
    if (parser_.error == YAML_READER_ERROR) {
      faults_.push_back(FaultAt(document_.text_, begin_ + parser_.problem_offset,
                                "A character that no text may hold stands here.",
                                "Write it as an escape (\\x07) in double quotes."));
      return false;
    }
    const std::size_t byte = ByteOf(parser_.problem_mark);
    const char at = byte < document_.text_.size() ? document_.text_[byte] : '\0';
    return Fail(parser_.problem_mark, fmt::format("This is not YAML: {}.", problem),
                SuggestionFor(problem, at));
  }

  bool Fail(const yaml_mark_t& at, std::string message, std::string suggestion) {
    faults_.push_back(
        {.at = PositionOf(at), .message = std::move(message), .suggestion = std::move(suggestion)});
    return false;
  }

  static Position PositionOf(const yaml_mark_t& mark) {
    return {.line = static_cast<std::uint32_t>(mark.line + 1),
            .column = static_cast<std::uint32_t>(mark.column + 1)};
  }

  // libyaml counts characters. Marks come nearly in order, so the walk is short.
  std::size_t ByteOf(const yaml_mark_t& mark) {
    const std::string& text = document_.text_;
    while (character_ < mark.index && byte_ < text.size()) {
      do ++byte_;
      while (byte_ < text.size() && Continues(text[byte_]));
      ++character_;
    }
    while (character_ > mark.index) {
      do --byte_;
      while (Continues(text[byte_]));
      --character_;
    }
    return byte_;
  }

  YamlDocument& document_;
  yaml_parser_t parser_{};
  std::size_t begin_;
  std::size_t byte_;
  std::size_t character_ = 0;
  std::vector<Fault> faults_;
};

namespace {

// Walks a scalar's source and its decoded text side by side, up to a byte of the latter.
class ScalarWalk {
 public:
  ScalarWalk(std::string_view source, std::string_view text, YamlStyle style)
      : source_(source), text_(text), style_(style) {}

  // How many bytes into the source the byte `offset` of the text comes from.
  std::size_t Find(std::size_t offset) {
    switch (style_) {
      case YamlStyle::kSingleQuoted:
      case YamlStyle::kDoubleQuoted: at_ = 1; break;
      case YamlStyle::kLiteral:
      case YamlStyle::kFolded: SkipHeader(); break;
      case YamlStyle::kPlain:
      case YamlStyle::kFlow:
      case YamlStyle::kBlock: break;
    }
    while (done_ < offset && at_ < source_.size()) Advance();
    // A break may lie between: the byte itself stands behind it.
    if (style_ == YamlStyle::kDoubleQuoted && at_ + 1 < source_.size() && source_[at_] == '\\' &&
        IsBreak(source_[at_ + 1])) {
      AdvanceEscape();
    }
    if (done_ < text_.size() && !IsBlank(text_[done_]) && !IsBreak(text_[done_])) SkipFold();
    return std::min(at_, source_.size());
  }

 private:
  void SkipHeader() {
    while (at_ < source_.size() && !IsBreak(source_[at_])) ++at_;
    SkipFold();
    SkipBlanksOfText();
  }

  // Passes blanks that hold a line break, with the indentation behind them.
  bool SkipFold() {
    std::size_t end = at_;
    bool broken = false;
    while (end < source_.size() && (IsBlank(source_[end]) || IsBreak(source_[end]))) {
      broken = broken || IsBreak(source_[end]);
      ++end;
    }
    if (!broken) return false;
    at_ = end;
    return true;
  }

  void SkipBlanksOfText() {
    while (done_ < text_.size() && (IsBlank(text_[done_]) || IsBreak(text_[done_]))) ++done_;
  }

  void Advance() {
    const char c = source_[at_];
    if (SkipFold()) {
      // The text has one space, or the breaks, where the source has breaks and indentation.
      SkipBlanksOfText();
      return;
    }
    if (style_ == YamlStyle::kDoubleQuoted && c == '\\') {
      AdvanceEscape();
      return;
    }
    at_ += style_ == YamlStyle::kSingleQuoted && c == '\'' ? 2 : 1;
    ++done_;
  }

  void AdvanceEscape() {
    const char kind = at_ + 1 < source_.size() ? source_[at_ + 1] : '\0';
    at_ += kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
    if (IsBreak(kind)) {  // a joined line: nothing in the text
      while (at_ < source_.size() && (IsBlank(source_[at_]) || IsBreak(source_[at_]))) ++at_;
      return;
    }
    ++done_;
    while (done_ < text_.size() && Continues(text_[done_])) ++done_;
  }

  std::string_view source_;
  std::string_view text_;
  YamlStyle style_;
  std::size_t at_ = 0;
  std::size_t done_ = 0;
};

bool IsNull(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

// [-+]? ( . digits | digits ( . digits? )? ) ( [eE] [-+]? digits )?, the core schema's numbers.
bool IsNumber(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - begin;
  };
  const auto sign = [&] {
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  };
  sign();
  const std::size_t whole = digits();
  std::size_t fraction = 0;
  if (i < text.size() && text[i] == '.') {
    ++i;
    fraction = digits();
  }
  if (whole + fraction == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    sign();
    if (digits() == 0) return false;
  }
  return i == text.size();
}

// The other numbers of the core schema, which no file of ours needs.
bool IsOddNumber(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0o")) {
    return text.size() > 2 &&
           text.substr(2).find_first_not_of("0123456789abcdefABCDEF") == text.npos;
  }
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" ||
         text == ".NAN";
}

}  // namespace

const YamlMember* YamlNode::Find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const YamlMember& member) { return member.key.text == key; });
  return found == members.end() ? nullptr : &*found;
}

bool YamlNode::is_null() const {
  return kind == YamlKind::kScalar && style == YamlStyle::kPlain && IsNull(text);
}

std::optional<bool> YamlNode::boolean() const {
  if (kind != YamlKind::kScalar || style != YamlStyle::kPlain) return std::nullopt;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

std::optional<Number> YamlNode::number() const {
  if (kind != YamlKind::kScalar || style != YamlStyle::kPlain || !IsNumber(text)) {
    return std::nullopt;
  }
  auto number = Number::Parse(text);
  if (!number) return std::nullopt;
  return *number;
}

bool YamlNode::is_text() const {
  if (kind != YamlKind::kScalar) return false;
  if (style != YamlStyle::kPlain) return true;
  return !is_null() && !boolean() && !IsNumber(text) && !IsOddNumber(text);
}

Parsed<YamlDocument> YamlDocument::Parse(std::string_view text) {
  if (auto fault = CheckCharacters(text)) return Unexpected(std::vector<Fault>{*std::move(fault)});
  YamlDocument document;
  document.text_ = text;
  YamlBuilder builder(document);
  std::vector<Fault> faults = builder.Build();
  if (!faults.empty()) return Unexpected(std::move(faults));
  return document;
}

Position YamlDocument::PositionIn(const YamlNode& scalar, std::size_t offset) const {
  const std::string_view source =
      std::string_view(text_).substr(scalar.begin, scalar.end - scalar.begin);
  const std::size_t length = ScalarWalk(source, scalar.text, scalar.style).Find(offset);
  Position position = scalar.at;
  for (std::size_t i = 0; i < length; ++i) Step(text_, scalar.begin + i, position);
  return position;
}

}  // namespace kw::modeller
