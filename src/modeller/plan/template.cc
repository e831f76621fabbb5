// SPDX-License-Identifier: Apache-2.0
#include "modeller/plan/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/int128.h"

namespace kw::modeller {
namespace {

constexpr int kWidthMax = 19;  // characters: what 64 bits count

Fault At(Position at, std::string message, std::string suggestion = {}) {
  return {.at = at, .message = std::move(message), .suggestion = std::move(suggestion)};
}

std::string NamesOf(const Entity& entity) {
  std::string names;
  for (const auto& attribute : entity.attributes) {
    names.append(names.empty() ? "" : ", ").append(attribute.name);
  }
  return names;
}

std::int64_t Power10(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

int ScaleOf(const Attribute& attribute) {
  return attribute.type == FieldType::kDecimal ? attribute.scale : 0;
}

bool IsNumber(FieldType type) { return type == FieldType::kInteger || type == FieldType::kDecimal; }
bool IsTime(FieldType type) { return type == FieldType::kTimestamp || type == FieldType::kDate; }

// What padding can hold, in units of the last place; from zero, after the offset.
std::int64_t PaddedMax(const PaddedFormat& format) {
  return Power10(format.width - (format.places > 0 ? 1 : 0)) - 1;
}

// A number's steps in units of the format's last place, offset; too large to say in 128 bits never.
Int128 PaddedUnits(const Attribute& attribute, const PaddedFormat& format, std::int64_t steps) {
  return Int128{steps} * Power10(format.places - ScaleOf(attribute)) + format.offset;
}

std::string PaddedText(const PaddedFormat& format, std::int64_t units) {
  if (format.places == 0) return fmt::format("{:0{}}", units, format.width);
  const auto point = Power10(format.places);
  return fmt::format("{:0{}}.{:0{}}", units / point, format.width - format.places - 1,
                     units % point, format.places);
}

void InvertDigits(std::string& text) {
  for (char& c : text) {
    if (c >= '0' && c <= '9') c = static_cast<char>('0' + '9' - c);
  }
}

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// Reads one `{…}`.
class FieldParser {
 public:
  FieldParser(const Entity& entity, Position at, std::string_view inside)
      : entity_(entity), at_(at), inside_(inside) {}

  Parsed<TemplateField> Parse() {
    const auto name = Take();
    const auto found = entity_.Find(name);
    if (!found) {
      return Wrong(fmt::format("{} has no attribute `{}`.", entity_.name, name),
                   "It has: " + NamesOf(entity_));
    }
    field_.attribute = *found;
    const auto& attribute = entity_.attributes[*found];
    if (attribute.type == FieldType::kList || attribute.type == FieldType::kMap) {
      return Wrong(fmt::format("`{}` is a list or a map, which no key holds.", name));
    }
    while (!inside_.empty()) TRY(Option(attribute, Take()));
    TRY(CheckRange(attribute));
    if (field_.descending && !FixedWidth(attribute)) {
      return Wrong(fmt::format("The order of `{}` cannot be inverted in text.", name),
                   IsNumber(attribute.type)
                       ? fmt::format("Pad it: {{{}:{}:desc}}", name, PaddingFor(attribute))
                       : "Leave `desc` out and read the key backwards.");
    }
    return field_;
  }

 private:
  std::string_view Take() {
    const auto colon = std::min(inside_.find(':'), inside_.size());
    const auto word = inside_.substr(0, colon);
    inside_.remove_prefix(std::min(colon + 1, inside_.size()));
    return word;
  }
  [[nodiscard]] bool FixedWidth(const Attribute& attribute) const {
    return IsTime(attribute.type) || std::holds_alternative<PaddedFormat>(field_.format);
  }
  [[nodiscard]] tl::unexpected<std::vector<Fault>> Wrong(std::string message,
                                                         std::string suggestion = {}) const {
    return Unexpected(std::vector<Fault>{At(at_, std::move(message), std::move(suggestion))});
  }

  Parsed<std::monostate> Option(const Attribute& attribute, std::string_view word) {
    if (word == "desc") {
      field_.descending = true;
      return std::monostate();
    }
    if (!std::holds_alternative<PlainFormat>(field_.format)) {
      return Wrong(fmt::format("`{}` has more than one format.", attribute.name));
    }
    if (word.starts_with('0')) return Padding(attribute, word);
    for (const auto& [text, bucket] : kBuckets) {
      if (word != text) continue;
      if (!IsTime(attribute.type) ||
          (attribute.type == FieldType::kDate && bucket == Bucket::kHour)) {
        return Wrong(fmt::format("`{}` has no {}.", attribute.name, word));
      }
      field_.format = BucketFormat{bucket};
      return std::monostate();
    }
    return Wrong(fmt::format("`{}` is no format.", word),
                 "Formats are: 05, 08.2, month, date, hour, desc.");
  }

  Parsed<std::monostate> Padding(const Attribute& attribute, std::string_view word) {
    if (!IsNumber(attribute.type)) {
      return Wrong(fmt::format("`{}` is no number, and `{}` pads numbers.", attribute.name, word));
    }
    PaddedFormat format;
    const auto digits = [](std::string_view text, int& value) {
      for (const char c : text) {
        if (c < '0' || c > '9' || value > kWidthMax) return false;
        value = value * 10 + (c - '0');
      }
      return !text.empty();
    };
    const auto point = std::min(word.find('.'), word.size());
    const bool good = digits(word.substr(0, point), format.width) &&
                      (point == word.size() || digits(word.substr(point + 1), format.places));
    if (!good || format.width < 1 || format.width >= kWidthMax ||
        (format.places > 0 && format.width < format.places + 2)) {
      return Wrong(fmt::format("`{}` is no padding.", word),
                   fmt::format("Write {{{}:{}}}", attribute.name, PaddingFor(attribute)));
    }
    if (format.places < ScaleOf(attribute)) {
      return Wrong(fmt::format("`{}` drops digits of `{}`, which has {} behind the point.", word,
                               attribute.name, ScaleOf(attribute)),
                   fmt::format("Write {{{}:{}}}", attribute.name, PaddingFor(attribute)));
    }
    field_.format = format;
    return std::monostate();
  }

  // The declared range fits; a range below zero becomes the format's offset.
  Parsed<std::monostate> CheckRange(const Attribute& attribute) {
    auto* format = std::get_if<PaddedFormat>(&field_.format);
    if (format == nullptr) return std::monostate();
    const auto fits = [&](std::int64_t steps) {
      const auto units = PaddedUnits(attribute, *format, steps);
      return units >= 0 && units <= PaddedMax(*format);
    };
    if (attribute.min && attribute.min->negative()) {
      const auto units = PaddedUnits(attribute, *format, StepsOf(attribute, *attribute.min)->count);
      format->offset = static_cast<std::int64_t>(
          std::min<Int128>(-units, std::numeric_limits<std::int64_t>::max()));
    }
    for (const auto& bound : {attribute.min, attribute.max}) {
      if (!bound || fits(StepsOf(attribute, *bound)->count)) continue;
      return Wrong(fmt::format("{} characters cannot hold `{}`, which reaches {}.", format->width,
                               attribute.name, bound->ToString()),
                   fmt::format("Write {{{}:{}}}", attribute.name, PaddingFor(attribute)));
    }
    return std::monostate();
  }

  static constexpr std::pair<std::string_view, Bucket> kBuckets[] = {
      {"month", Bucket::kMonth}, {"date", Bucket::kDate}, {"hour", Bucket::kHour}};

  const Entity& entity_;
  const Position at_;
  std::string_view inside_;
  TemplateField field_;
};

bool IsFixedWidth(const Attribute& attribute, const TemplateField& field) {
  return IsTime(attribute.type) || std::holds_alternative<PaddedFormat>(field.format);
}

// The literal text behind the last field.
std::string_view LiteralSuffix(const Template& text) {
  const auto* last = text.parts.empty() ? nullptr : std::get_if<std::string>(&text.parts.back());
  return last != nullptr ? std::string_view(*last) : std::string_view();
}

bool IsLiteral(const Template& text) {
  return text.parts.empty() ||
         (text.parts.size() == 1 && std::holds_alternative<std::string>(text.parts.front()));
}

}  // namespace

std::string PaddingFor(const Attribute& attribute) {
  const int scale = ScaleOf(attribute);
  std::int64_t span = attribute.max ? StepsOf(attribute, *attribute.max)->count : 999'999'999;
  if (attribute.min && attribute.min->negative()) {
    const auto low = StepsOf(attribute, *attribute.min)->count;
    if (span < std::numeric_limits<std::int64_t>::max() + low) span -= low;
  }
  int width = scale + 1;
  while (width < kWidthMax - 1 && Power10(width) <= span) ++width;
  return scale == 0 ? fmt::format("0{}", width) : fmt::format("0{}.{}", width + 1, scale);
}

Bucket TemplateField::bucket() const {
  const auto* of_time = std::get_if<BucketFormat>(&format);
  return of_time != nullptr ? of_time->bucket : Bucket::kNone;
}

Parsed<Template> Template::Parse(std::string_view text, const Entity& entity, Position at) {
  Template result;
  std::string literal;
  const auto wrong = [&](std::string message, std::string suggestion) {
    return Unexpected(std::vector<Fault>{At(at, std::move(message), std::move(suggestion))});
  };
  const auto flush = [&] {
    if (!literal.empty()) result.parts.emplace_back(std::exchange(literal, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      literal.push_back(c);
      ++i;
    } else if (c == '}') {
      return wrong(fmt::format("`{}` closes a brace that is not open.", text), "Write }} for }.");
    } else if (c != '{') {
      literal.push_back(c);
    } else {
      const auto end = text.find('}', i);
      if (end == std::string_view::npos) {
        return wrong(fmt::format("`{}` opens a brace and does not close it.", text),
                     "Write {attribute}, or {{ for {.");
      }
      flush();
      TRY_ASSIGN(auto field, FieldParser(entity, at, text.substr(i + 1, end - i - 1)).Parse());
      if (!result.parts.empty()) {
        const auto* before = std::get_if<TemplateField>(&result.parts.back());
        if (before != nullptr && !IsFixedWidth(entity.attributes[before->attribute], *before)) {
          return wrong(
              fmt::format("Nothing parts two attributes in `{}`: ab and c would be a and bc.",
                          text),
              "Put a delimiter between them: }#{");
        }
      }
      result.parts.emplace_back(std::move(field));
      i = end;
    }
  }
  flush();
  if (result.parts.empty()) return wrong("A key is never empty.", "Write a text or {attribute}.");
  return result;
}

std::string Template::ToText(const Entity& entity) const {
  std::string text;
  for (const auto& part : parts) {
    if (const auto* field = std::get_if<TemplateField>(&part)) {
      text += FieldText(*field, entity.attributes[field->attribute].name);
      continue;
    }
    for (const char c : std::get<std::string>(part)) {
      if (c == '{' || c == '}') text.push_back(c);
      text.push_back(c);
    }
  }
  return text;
}

std::optional<std::string> Template::Render(const Entity& entity, const Row& row) const {
  std::string text;
  for (const auto& part : parts) {
    if (const auto* literal = std::get_if<std::string>(&part)) {
      text += *literal;
      continue;
    }
    const auto& field = std::get<TemplateField>(part);
    auto value = FormatValue(entity.attributes[field.attribute], field, row[field.attribute]);
    if (!value) return std::nullopt;
    text += *value;
  }
  return text;
}

std::string_view Template::literal_prefix() const {
  const auto* first = parts.empty() ? nullptr : std::get_if<std::string>(&parts.front());
  return first != nullptr ? std::string_view(*first) : std::string_view();
}

std::vector<DelimitedField> Template::delimited_fields(const Entity& entity) const {
  std::vector<DelimitedField> fields;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto* field = std::get_if<TemplateField>(&parts[i]);
    if (field == nullptr || entity.attributes[field->attribute].type != FieldType::kString) {
      continue;
    }
    // Behind a text stands a literal: Parse has seen to that.
    fields.push_back({field->attribute, std::get<std::string>(parts[i + 1]).front()});
  }
  return fields;
}

std::optional<std::string> FormatValue(const Attribute& attribute, const TemplateField& field,
                                       const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (attribute.type != FieldType::kString) return std::nullopt;
    return *text;
  }
  if (const auto* bytes = std::get_if<Bytes>(&value)) {
    if (attribute.type != FieldType::kBinary) return std::nullopt;
    return Hex(bytes->bytes);
  }
  const auto steps = StepsOf(attribute, value);
  if (!steps) return std::nullopt;
  if (const auto* padded = std::get_if<PaddedFormat>(&field.format)) {
    const auto units = PaddedUnits(attribute, *padded, steps->count);
    if (!steps->exact || units < 0 || units > PaddedMax(*padded)) return std::nullopt;
  } else if (const auto* number = std::get_if<Number>(&value)) {
    return number->ToString();
  } else if (!steps->exact && field.bucket() == Bucket::kNone) {
    return std::nullopt;  // finer than the attribute's precision
  }
  return FormatSteps(attribute, field, steps->count);
}

std::string FormatSteps(const Attribute& attribute, const TemplateField& field,
                        std::int64_t steps) {
  std::string text;
  if (const auto* padded = std::get_if<PaddedFormat>(&field.format)) {
    const auto units =
        std::clamp<Int128>(PaddedUnits(attribute, *padded, steps), 0, PaddedMax(*padded));
    text = PaddedText(*padded, static_cast<std::int64_t>(units));
  } else if (IsTime(attribute.type)) {
    text = TimeText(attribute, field.bucket(), steps);
  } else if (attribute.type == FieldType::kBoolean) {
    text = steps != 0 ? "true" : "false";
  } else {
    text = std::get<Number>(ValueOf(attribute, steps)).ToString();
  }
  if (field.descending) InvertDigits(text);
  return text;
}

Interval HeldBy(const Attribute& attribute, const PaddedFormat& format) {
  const auto factor = Power10(format.places - ScaleOf(attribute));
  return {.low = -(format.offset / factor), .high = (PaddedMax(format) - format.offset) / factor};
}

bool KeepsOrder(const Attribute& attribute, const TemplateField& field) {
  return !IsNumber(attribute.type) || std::holds_alternative<PaddedFormat>(field.format);
}

std::string FieldText(const TemplateField& field, std::string_view name) {
  std::string text = "{" + std::string(name);
  if (const auto* padded = std::get_if<PaddedFormat>(&field.format)) {
    text += fmt::format(":0{}", padded->width);
    if (padded->places > 0) text += fmt::format(".{}", padded->places);
  }
  switch (field.bucket()) {
    case Bucket::kNone: break;
    case Bucket::kMonth: text += ":month"; break;
    case Bucket::kDate: text += ":date"; break;
    case Bucket::kHour: text += ":hour"; break;
  }
  if (field.descending) text += ":desc";
  return text + "}";
}

bool MayMeet(const Template& a, const Template& b) {
  const auto prefix_a = a.literal_prefix();
  const auto prefix_b = b.literal_prefix();
  if (IsLiteral(a) && IsLiteral(b)) return prefix_a == prefix_b;
  if (IsLiteral(a))
    return MayStartWith(b, prefix_a) && prefix_a.size() >= prefix_b.size() &&
           prefix_a.ends_with(LiteralSuffix(b));
  if (IsLiteral(b)) return MayMeet(b, a);
  const auto suffix_a = LiteralSuffix(a);
  const auto suffix_b = LiteralSuffix(b);
  return MayStartWith(a, prefix_b) &&
         (suffix_a.ends_with(suffix_b) || suffix_b.ends_with(suffix_a));
}

bool MayStartWith(const Template& text, std::string_view prefix) {
  const auto literal = text.literal_prefix();
  if (literal.starts_with(prefix)) return true;
  return !IsLiteral(text) && prefix.starts_with(literal);
}

}  // namespace kw::modeller
