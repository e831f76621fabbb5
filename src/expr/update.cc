// SPDX-License-Identifier: Apache-2.0
#include "expr/update.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "data/limits.h"
#include "expr/parser.h"
#include "expr/path_set.h"
#include "expr/update_tree.h"

namespace kw {
namespace {

tl::unexpected<Error> InvalidPath() {
  return Invalid("The document path provided in the update expression is invalid for update");
}
tl::unexpected<Error> MissingAttribute() {
  return Invalid("The provided expression refers to an attribute that does not exist in the item");
}
tl::unexpected<Error> WrongType(UpdateDialect dialect) {
  switch (dialect) {
    case UpdateDialect::kExpression:
      return Invalid("An operand in the update expression has an incorrect data type");
    case UpdateDialect::kLegacy: return Invalid("Type mismatch for attribute to update");
  }
  return Invalid({});
}

// What an action makes of its target: a new value, nothing any more, or what it was.
struct Erase {};
struct Keep {};
using Effect = std::variant<AttributeValue, Erase, Keep>;

Result<AttributeValue> ValueOf(const Operand& operand, const Item& item) {
  AttributeValue scratch;
  TRY_ASSIGN(const AttributeValue* value, Evaluate(operand, item, scratch));
  if (value == nullptr) return MissingAttribute();
  if (value == &scratch) return scratch;
  return *value;
}

Result<Number> NumberOf(const Operand& operand, const Item& item) {
  AttributeValue scratch;
  TRY_ASSIGN(const AttributeValue* value, Evaluate(operand, item, scratch));
  if (value == nullptr) return MissingAttribute();
  const Number* number = value->As<Number>();
  if (number == nullptr) return WrongType(UpdateDialect::kExpression);
  return *number;
}

// Both sorted and free of duplicates, as is what comes out.
template <class Set>
Set Union(const Set& a, const Set& b) {
  Set all;
  std::ranges::set_union(a.values, b.values, std::back_inserter(all.values));
  return all;
}
template <class Set>
Set Without(const Set& a, const Set& b) {
  Set rest;
  // By search, as `b` may be much larger than any item.
  std::ranges::copy_if(a.values, std::back_inserter(rest.values), [&](const auto& value) {
    return !std::ranges::binary_search(b.values, value);
  });
  return rest;
}

template <class Set>
std::optional<AttributeValue> UnionIf(const AttributeValue& current, const AttributeValue& added) {
  const Set* have = current.As<Set>();
  const Set* more = added.As<Set>();
  if (have == nullptr || more == nullptr) return std::nullopt;
  return AttributeValue(Union(*have, *more));
}

template <class Set>
std::optional<Effect> WithoutIf(const AttributeValue& current, const AttributeValue& removed) {
  const Set* have = current.As<Set>();
  const Set* less = removed.As<Set>();
  if (have == nullptr || less == nullptr) return std::nullopt;
  Set rest = Without(*have, *less);
  if (rest.values.empty()) return Effect(Erase{});
  return Effect(AttributeValue(std::move(rest)));
}

Result<Effect> EffectOfAdd(const AttributeValue* current, const AttributeValue& added,
                           UpdateDialect dialect) {
  if (current == nullptr) return Effect(added);
  if (current->type() != added.type()) return WrongType(dialect);
  if (const Number* number = added.As<Number>()) {
    TRY_ASSIGN(Number sum, Number::Add(*current->As<Number>(), *number));
    return Effect(AttributeValue(sum));
  }
  if (auto all = UnionIf<StringSet>(*current, added)) return Effect(std::move(*all));
  if (auto all = UnionIf<NumberSet>(*current, added)) return Effect(std::move(*all));
  if (auto all = UnionIf<BinarySet>(*current, added)) return Effect(std::move(*all));
  const List* tail = added.As<List>();
  if (tail == nullptr) return WrongType(dialect);
  List list = *current->As<List>();
  list.values.insert(list.values.end(), tail->values.begin(), tail->values.end());
  return Effect(AttributeValue(std::move(list)));
}

Result<Effect> EffectOfDelete(const AttributeValue* current, const AttributeValue& removed,
                              UpdateDialect dialect) {
  if (current == nullptr) return Effect(Keep{});
  if (auto rest = WithoutIf<StringSet>(*current, removed)) return std::move(*rest);
  if (auto rest = WithoutIf<NumberSet>(*current, removed)) return std::move(*rest);
  if (auto rest = WithoutIf<BinarySet>(*current, removed)) return std::move(*rest);
  return WrongType(dialect);
}

struct EffectOf {
  const Item& before;
  const Path& target;
  UpdateDialect dialect;

  Result<Effect> operator()(const SetValue& set) const {
    TRY_ASSIGN(AttributeValue value, ValueOf(set.value, before));
    return Effect(std::move(value));
  }
  Result<Effect> operator()(const SetSum& sum) const {
    TRY_ASSIGN(const Number left, NumberOf(sum.left, before));
    TRY_ASSIGN(const Number right, NumberOf(sum.right, before));
    TRY_ASSIGN(Number value, Number::Add(left, right));
    return Effect(AttributeValue(value));
  }
  Result<Effect> operator()(const SetDifference& difference) const {
    TRY_ASSIGN(const Number left, NumberOf(difference.left, before));
    TRY_ASSIGN(const Number right, NumberOf(difference.right, before));
    TRY_ASSIGN(Number value, Number::Subtract(left, right));
    return Effect(AttributeValue(value));
  }
  Result<Effect> operator()(const Remove&) const {
    if (FindPath(before, target) == nullptr) return Effect(Keep{});
    return Effect(Erase{});
  }
  Result<Effect> operator()(const Add& add) const {
    return EffectOfAdd(FindPath(before, target), *add.value, dialect);
  }
  Result<Effect> operator()(const Delete& action) const {
    return EffectOfDelete(FindPath(before, target), *action.value, dialect);
  }
};

// The value that holds the last step of a path with steps; null if a step is missing or of the
// wrong type.
AttributeValue* FindParent(Item& item, const Path& path) {
  AttributeValue* value = item.Find(path.attribute);
  for (std::size_t i = 0; i + 1 < path.steps.size() && value != nullptr; ++i) {
    if (const auto* name = std::get_if<std::string>(&path.steps[i])) {
      auto* map = value->As<AttributeMap>();
      value = map == nullptr ? nullptr : map->Find(*name);
    } else {
      auto* list = value->As<List>();
      const std::uint64_t index = std::get<std::uint64_t>(path.steps[i]);
      value = list == nullptr || index >= list->values.size() ? nullptr : &list->values[index];
    }
  }
  if (value == nullptr) return nullptr;
  const bool fits = std::holds_alternative<std::string>(path.steps.back())
                        ? value->As<AttributeMap>() != nullptr
                        : value->As<List>() != nullptr;
  return fits ? value : nullptr;
}

// The name under which a map holds what the path leads to; null: it is an element of a list.
const std::string* NameOf(const Path& path) {
  return path.steps.empty() ? &path.attribute : std::get_if<std::string>(&path.steps.back());
}

// The map that holds what the path leads to by a name; null if there is none.
AttributeMap* FindMap(Item& item, const Path& path) {
  if (path.steps.empty()) return &item;
  AttributeValue* parent = FindParent(item, path);
  return parent == nullptr ? nullptr : parent->As<AttributeMap>();
}

bool HaveOneParent(const Path& a, const Path& b) {
  return a.steps.size() == b.steps.size() &&
         (a.steps.empty() || (a.attribute == b.attribute &&
                              std::equal(a.steps.begin(), a.steps.end() - 1, b.steps.begin())));
}

// Puts values into an item. A map takes all of its new members in one pass at the end, as each of
// them moves those behind it; that changes no path, since no target lies within another.
class Placing {
 public:
  explicit Placing(Item& item) : item_(item) {}

  // In the order of path_set.h. Beyond the end of a list the value is appended.
  Result<void> Put(const Path& path, AttributeValue value) {
    const std::string* name = NameOf(path);
    if (name == nullptr) return PutElement(path, std::move(value));
    AttributeMap* map = FindMap(item_, path);
    if (map == nullptr) return InvalidPath();
    if (AttributeValue* current = map->Find(*name)) {
      *current = std::move(value);
    } else {
      added_.push_back({&path, std::move(value)});
    }
    return {};
  }

  void Finish() {
    // Those of one map lie together then, sorted by name.
    std::ranges::stable_sort(added_, {}, [](const Added& one) { return one.path->steps.size(); });
    for (auto first = added_.begin(); first != added_.end();) {
      const auto end = std::find_if(first, added_.end(), [&](const Added& one) {
        return !HaveOneParent(*first->path, *one.path);
      });
      AttributeMap* map = FindMap(item_, *first->path);
      std::vector<AttributeMap::Entry> entries;
      entries.reserve(static_cast<std::size_t>(end - first));
      for (; first != end; ++first) {
        entries.emplace_back(*NameOf(*first->path), std::move(first->value));
      }
      map->Insert(std::move(entries));
    }
  }

 private:
  struct Added {
    const Path* path;
    AttributeValue value;
  };

  Result<void> PutElement(const Path& path, AttributeValue value) {
    AttributeValue* parent = FindParent(item_, path);
    if (parent == nullptr) return InvalidPath();
    auto& values = parent->As<List>()->values;
    const std::uint64_t index = std::get<std::uint64_t>(path.steps.back());
    if (index < values.size()) {
      values[index] = std::move(value);
    } else {
      values.push_back(std::move(value));
    }
    return {};
  }

  Item& item_;
  std::vector<Added> added_;
};

// What the target and its value take of the item after, at the least.
ByteCount SizeWithName(const Path& target, const AttributeValue& value) {
  const std::string* name = NameOf(target);
  return SizeOf(value) + ByteCount(name == nullptr ? 0 : std::ssize(*name));
}

int CountActions(const UpdateTree& tree, bool clearing) {
  return static_cast<int>(std::ranges::count_if(tree.actions, [&](const UpdateAction& action) {
    const bool clears =
        std::holds_alternative<Remove>(action) || std::holds_alternative<Delete>(action);
    return clears == clearing;
  }));
}

}  // namespace

Result<Update> Update::Parse(std::string_view text, Placeholders& placeholders) {
  TRY_ASSIGN(UpdateTree tree, ParseUpdateTree(text, placeholders));
  return Update(std::make_shared<const UpdateTree>(std::move(tree)));
}

Result<Item> Update::Apply(const Item& before) const {
  std::vector<Effect> effects;
  effects.reserve(tree_->actions.size());
  ByteCount placed;
  for (std::size_t i = 0; i < tree_->actions.size(); ++i) {
    TRY_ASSIGN(Effect effect,
               std::visit(EffectOf{before, tree_->targets[i], tree_->dialect}, tree_->actions[i]));
    if (const auto* value = std::get_if<AttributeValue>(&effect)) {
      placed += SizeWithName(tree_->targets[i], *value);
    }
    if (placed.value() > limits::kItemBytesMax) return UpdateTooLarge();
    effects.push_back(std::move(effect));
  }

  // Values go in by rising index, so that those beyond a list's end are appended in that order;
  // then others go out together, so that every index means what it meant before.
  Item after = before;
  Placing placing(after);
  for (const std::size_t i : tree_->order) {
    const Path& path = tree_->targets[i];
    if (auto* value = std::get_if<AttributeValue>(&effects[i])) {
      if (std::ssize(path.steps) + NestingOf(*value) > limits::kNestingMax) {
        return Invalid(
            "Nesting Levels have exceeded supported limits: Attributes nested deeper than 32 "
            "levels");
      }
      TRY(placing.Put(path, std::move(*value)));
    } else if (!path.steps.empty() && FindParent(after, path) == nullptr) {
      return InvalidPath();
    }
  }
  placing.Finish();
  std::vector<Path> erased;
  for (const std::size_t i : tree_->order) {
    if (std::holds_alternative<Erase>(effects[i])) erased.push_back(tree_->targets[i]);
  }
  EraseAll(after, erased);
  return after;
}

const std::vector<Path>& Update::Targets() const { return tree_->targets; }

std::set<std::string, std::less<>> Update::Attributes() const {
  AttributeNames names;
  for (const Path& target : tree_->targets) names.insert(target.attribute);
  for (const UpdateAction& action : tree_->actions) {
    if (const auto* set = std::get_if<SetValue>(&action)) {
      CollectAttributes(set->value, names);
    } else if (const auto* sum = std::get_if<SetSum>(&action)) {
      CollectAttributes(sum->left, names);
      CollectAttributes(sum->right, names);
    } else if (const auto* difference = std::get_if<SetDifference>(&action)) {
      CollectAttributes(difference->left, names);
      CollectAttributes(difference->right, names);
    }
  }
  return names;
}

int Update::SettingActions() const { return CountActions(*tree_, false); }

int Update::ClearingActions() const { return CountActions(*tree_, true); }

bool Update::IsLegacy() const { return tree_->dialect == UpdateDialect::kLegacy; }

tl::unexpected<Error> UpdateTooLarge() {
  return Invalid("Item size to update has exceeded the maximum allowed size");
}

AttributeMap PickPaths(const Item& item, const std::vector<Path>& paths) {
  std::vector<Path> sorted = paths;
  std::ranges::sort(sorted, PathLess);
  return Pick(item, sorted);
}

}  // namespace kw
