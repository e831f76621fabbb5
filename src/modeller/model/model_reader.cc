// SPDX-License-Identifier: Apache-2.0
#include "modeller/model/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/int128.h"
#include "modeller/model/row_size.h"

namespace kw::modeller {
namespace {

constexpr std::size_t kNameMax = 255;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits with at most six of them behind a point.
std::optional<Ratio> ParseDecimal(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  Ratio ratio;
  bool point = false;
  bool digits = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!IsDigit(c) || ratio.count > kMost || (point && ratio.per == 1'000'000))
      return std::nullopt;
    ratio.count = ratio.count * 10 + (c - '0');
    if (point) ratio.per *= 10;
    digits = true;
  }
  if (!digits || ratio.count / ratio.per > kMost) return std::nullopt;
  return ratio;
}

}  // namespace

std::optional<Ratio> ParseAverage(std::string_view text) { return ParseDecimal(text); }

std::optional<Ratio> ParseRate(std::string_view text) {
  constexpr auto kUnits = std::to_array<std::pair<std::string_view, std::int64_t>>(
      {{"s", 1}, {"h", 3'600}, {"day", 86'400}});
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& known) {
    return known.first == text.substr(slash + 1);
  });
  auto ratio = ParseDecimal(text.substr(0, slash));
  if (!ratio || unit == kUnits.end()) return std::nullopt;
  ratio->per *= unit->second;
  return ratio;
}

bool SameInSql(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

Parsed<Model> ModelReader::Read() {
  const YamlNode& root = document_.root();
  constexpr std::string_view kForm = "model: shop, then entities:, questions: and changes:";
  if (reader_.ExpectFields(root, "The file", kForm,
                           {"model", "entities", "questions", "changes"})) {
    const YamlMember* name = root.Find("model");
    const YamlMember* entities = root.Find("entities");
    if (name == nullptr || entities == nullptr) {
      reader_.Report(root.at, "A model has a name and entities.", fmt::format("Write {}.", kForm));
    }
    if (name != nullptr && ReadName(name->value, "The model's name", true)) {
      model_.name_ = name->value.text;
    }
    if (entities != nullptr) ReadEntities(entities->value);
    const YamlMember* questions = root.Find("questions");
    if (questions != nullptr && !questions->value.is_null() &&
        reader_.ExpectMapping(questions->value, "questions", "questions: {profile: {sql: …}}")) {
      for (const YamlMember& member : questions->value.members) ReadQuestion(member);
    }
    const YamlMember* changes = root.Find("changes");
    if (changes != nullptr && !changes->value.is_null() &&
        reader_.ExpectMapping(changes->value, "changes", "changes: {sign-up: {sql: …}}")) {
      for (const YamlMember& member : changes->value.members) ReadChange(member);
    }
  }
  if (reader_.fault_count() > 0) return Unexpected(reader_.TakeFaults());
  StateAssumptions();
  return std::move(model_);
}

// Letters, digits and _, a letter first; hyphens too where SQL does not see the name.
bool ModelReader::ReadName(const YamlNode& key, std::string_view what, bool hyphens) {
  const std::string& name = key.text;
  const bool good = key.kind == YamlKind::kScalar && !name.empty() && name.size() <= kNameMax &&
                    (IsLetter(name.front()) || (!hyphens && name.front() == '_')) &&
                    std::all_of(name.begin(), name.end(), [&](char c) {
                      return IsLetter(c) || IsDigit(c) || c == '_' || (hyphens && c == '-');
                    });
  if (!good) {
    reader_.Report(
        key.at,
        fmt::format("{} is letters, digits{}, a letter first.", what,
                    hyphens ? ", _ and -" : " and _"),
        hyphens ? "Write a name such as recent-matches." : "Write a name such as playerId.");
  }
  return good;
}

std::optional<Ratio> ModelReader::ReadRate(const YamlNode& node, std::string_view what) {
  const auto rate = ParseRate(node.text);
  if (rate && rate->count > 0) return rate;
  reader_.Report(node.at, fmt::format("{} is how often, on average.", what),
                 fmt::format("Write {}: 500/s, 20/h or 2/day.", what));
  return std::nullopt;
}

template <class Described>
void ModelReader::ReadRates(const YamlNode& node, Described& described) {
  const YamlMember* peak = node.Find("peak");
  if (const YamlMember* rate = node.Find("rate")) described.rate = ReadRate(rate->value, "rate");
  if (peak != nullptr) described.peak = ReadRate(peak->value, "peak");
  if (described.rate && described.peak &&
      Int128{described.peak->count} * described.rate->per <
          Int128{described.rate->count} * described.peak->per) {
    reader_.Report(peak->value.at, "peak is less than the average rate.", "Swap them.");
  }
}
template void ModelReader::ReadRates(const YamlNode&, Question&);
template void ModelReader::ReadRates(const YamlNode&, Change&);

std::string ModelReader::SuggestValue(const Attribute& attribute, const Value& value) {
  std::vector<std::string> texts;
  for (const Value& known : attribute.values) texts.push_back(ValueText(attribute, known));
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  std::string suggestion = SuggestName(ValueText(attribute, value), names);
  if (!suggestion.empty() || names.empty()) return suggestion;
  return fmt::format("There are {}.", fmt::join(names, ", "));
}

void ModelReader::StateAssumptions() {
  auto& assumptions = model_.assumptions_;
  for (EntityId id = 0; id < model_.entities_.size(); ++id) {
    const Entity& entity = model_.entities_[id];
    if (entity.rows == 0) {
      assumptions.push_back(fmt::format("{}: how many rows there are is not known.", entity.name));
    }
    for (const DraftAttribute& draft : drafts_[id].attributes) {
      if (!draft.typed || draft.attribute.type != FieldType::kDecimal) continue;
      const YamlNode& node = draft.member->value;
      if (node.Find("scale") != nullptr || ShownPlaces(node) > 0) continue;
      assumptions.push_back(fmt::format("{}.{} has {} digits behind the point.", entity.name,
                                        draft.attribute.name, draft.attribute.scale));
    }
    if (entity.size) continue;
    for (const Attribute& attribute : entity.attributes) {
      if (!HasAssumedSize(attribute)) continue;
      assumptions.push_back(fmt::format("{}.{} has {} bytes on average.", entity.name,
                                        attribute.name, AssumedBytes(attribute)));
    }
  }
  for (const Question& question : model_.questions_) {
    if (question.rate) continue;
    assumptions.push_back(fmt::format("{}: how often it is asked is not known.", question.name));
  }
  for (const Change& change : model_.changes_) {
    if (change.rate) continue;
    assumptions.push_back(fmt::format("{}: how often it happens is not known.", change.name));
  }
}

std::optional<EntityId> ModelReader::Find(std::string_view entity) const {
  return model_.FindEntity(entity);
}

std::vector<std::string_view> ModelReader::EntityNames() const {
  std::vector<std::string_view> names;
  for (const Entity& entity : model_.entities_) names.push_back(entity.name);
  return names;
}

std::vector<std::string_view> ModelReader::AttributeNames(EntityId id) const {
  std::vector<std::string_view> names;
  for (const Attribute& attribute : model_.entities_[id].attributes) {
    names.push_back(attribute.name);
  }
  return names;
}

std::optional<EntityId> ModelReader::ReadEntityName(const YamlNode& node) {
  if (!reader_.ExpectText(node, "An entity's name", "the name of an entity")) return std::nullopt;
  if (const auto found = Find(node.text)) return found;
  reader_.Report(node.at, fmt::format("There is no entity '{}'.", node.text),
                 SuggestName(node.text, EntityNames()));
  return std::nullopt;
}

std::optional<AttributeId> Entity::Find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& known) { return known.name == attribute; });
  if (found == attributes.end()) return std::nullopt;
  return static_cast<AttributeId>(found - attributes.begin());
}

std::optional<EntityId> Model::FindEntity(std::string_view name) const {
  const auto found = std::find_if(entities_.begin(), entities_.end(),
                                  [&](const Entity& entity) { return entity.name == name; });
  if (found == entities_.end()) return std::nullopt;
  return static_cast<EntityId>(found - entities_.begin());
}

Parsed<Model> Model::Parse(std::string_view yaml) {
  TRY_ASSIGN(const YamlDocument document, YamlDocument::Parse(yaml));
  return ModelReader(document).Read();
}

}  // namespace kw::modeller
