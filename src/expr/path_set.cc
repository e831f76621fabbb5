// SPDX-License-Identifier: Apache-2.0
#include "expr/path_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace kw {
namespace {

// "overlap", "conflict", or nothing.
std::optional<std::string_view> ClashOf(const Path& a, const Path& b) {
  if (a.attribute != b.attribute) return std::nullopt;
  const std::size_t shared = std::min(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (a.steps[i] == b.steps[i]) continue;
    if (a.steps[i].index() != b.steps[i].index()) return "conflict";
    return std::nullopt;
  }
  return "overlap";
}

std::optional<AttributeValue> PickInside(const AttributeValue& value, std::span<const Path> sorted,
                                         std::size_t depth);

// Calls `visit` with each run of paths that are the same at `step`.
template <class StepOf, class Visit>
void ForEachGroup(std::span<const Path> sorted, StepOf step, Visit visit) {
  while (!sorted.empty()) {
    const auto end = std::ranges::find_if(
        sorted, [&](const Path& path) { return step(path) != step(sorted.front()); });
    const auto length = static_cast<std::size_t>(end - sorted.begin());
    visit(sorted.first(length));
    sorted = sorted.subspan(length);
  }
}

AttributeMap PickMembers(const AttributeMap& map, std::span<const Path> sorted, std::size_t depth) {
  std::vector<AttributeMap::Entry> entries;
  ForEachGroup(
      sorted, [&](const Path& path) -> const PathStep& { return path.steps[depth]; },
      [&](std::span<const Path> group) {
        const auto* name = std::get_if<std::string>(&group.front().steps[depth]);
        const AttributeValue* member = name == nullptr ? nullptr : map.Find(*name);
        if (member == nullptr) return;
        if (auto picked = PickInside(*member, group, depth + 1)) {
          entries.emplace_back(*name, std::move(*picked));
        }
      });
  return AttributeMap::FromEntries(std::move(entries));
}

List PickElements(const List& list, std::span<const Path> sorted, std::size_t depth) {
  List elements;
  ForEachGroup(
      sorted, [&](const Path& path) -> const PathStep& { return path.steps[depth]; },
      [&](std::span<const Path> group) {
        const auto* index = std::get_if<std::uint64_t>(&group.front().steps[depth]);
        if (index == nullptr || *index >= list.values.size()) return;
        if (auto picked = PickInside(list.values[*index], group, depth + 1)) {
          elements.values.push_back(std::move(*picked));
        }
      });
  return elements;
}

// The paths agree in their first `depth` steps.
std::optional<AttributeValue> PickInside(const AttributeValue& value, std::span<const Path> sorted,
                                         std::size_t depth) {
  if (sorted.front().steps.size() == depth) return value;
  if (const auto* map = value.As<AttributeMap>()) {
    AttributeMap members = PickMembers(*map, sorted, depth);
    if (!members.empty()) return AttributeValue(std::move(members));
  } else if (const auto* list = value.As<List>()) {
    List elements = PickElements(*list, sorted, depth);
    if (!elements.values.empty()) return AttributeValue(std::move(elements));
  }
  return std::nullopt;
}

void EraseInside(AttributeValue& value, std::span<const Path> sorted, std::size_t depth);

// `name_of` is what a path calls the member, to which its first `depth` steps lead.
template <class NameOf>
void EraseMembers(AttributeMap& map, std::span<const Path> sorted, NameOf name_of,
                  std::size_t depth) {
  std::vector<std::string_view> erased;
  ForEachGroup(
      sorted, [&](const Path& path) { return std::string_view(name_of(path)); },
      [&](std::span<const Path> group) {
        const std::string_view name = name_of(group.front());
        if (group.front().steps.size() == depth) {
          erased.push_back(name);
        } else if (AttributeValue* member = map.Find(name)) {
          EraseInside(*member, group, depth);
        }
      });
  map.RemoveAll(erased);
}

void EraseElements(List& list, std::span<const Path> sorted, std::size_t depth) {
  auto& values = list.values;
  std::vector<std::size_t> erased;
  ForEachGroup(
      sorted, [&](const Path& path) { return std::get<std::uint64_t>(path.steps[depth - 1]); },
      [&](std::span<const Path> group) {
        const auto index = std::get<std::uint64_t>(group.front().steps[depth - 1]);
        if (index >= values.size()) return;
        if (group.front().steps.size() == depth) {
          erased.push_back(index);
        } else {
          EraseInside(values[index], group, depth);
        }
      });
  if (erased.empty()) return;
  std::size_t kept = erased.front();
  auto next = erased.begin();
  for (std::size_t i = erased.front(); i < values.size(); ++i) {
    if (next != erased.end() && *next == i) {
      ++next;
    } else {
      values[kept++] = std::move(values[i]);
    }
  }
  values.resize(kept);
}

// The paths agree in their first `depth` steps, which lead to the value, and go on.
void EraseInside(AttributeValue& value, std::span<const Path> sorted, std::size_t depth) {
  // Paths of which one said a name here and another an index would have clashed.
  if (std::holds_alternative<std::string>(sorted.front().steps[depth])) {
    if (auto* map = value.As<AttributeMap>()) {
      EraseMembers(
          *map, sorted,
          [&](const Path& path) -> const std::string& {
            return std::get<std::string>(path.steps[depth]);
          },
          depth + 1);
    }
  } else if (auto* list = value.As<List>()) {
    EraseElements(*list, sorted, depth + 1);
  }
}

}  // namespace

void EraseAll(AttributeMap& item, std::span<const Path> sorted) {
  EraseMembers(
      item, sorted, [](const Path& path) -> const std::string& { return path.attribute; }, 0);
}

std::string DisplayPath(const Path& path) {
  std::string text = "[" + path.attribute;
  for (const PathStep& step : path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      text += ", " + *name;
    } else {
      text += fmt::format(", [{}]", std::get<std::uint64_t>(step));
    }
  }
  return text + "]";
}

bool PathLess(const Path& a, const Path& b) {
  if (a.attribute != b.attribute) return a.attribute < b.attribute;
  return a.steps < b.steps;
}

std::vector<std::size_t> OrderOf(std::span<const Path> paths) {
  std::vector<std::size_t> order(paths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return paths[a] == paths[b] ? a < b : PathLess(paths[a], paths[b]);
  });
  return order;
}

std::optional<std::string> FindClash(std::span<const Path> paths,
                                     std::span<const std::size_t> order) {
  // Paths that clash have neighbours in this order that clash.
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto [one, two] = std::minmax(order[i - 1], order[i]);
    if (const auto clash = ClashOf(paths[one], paths[two])) {
      return fmt::format(
          "Two document paths {} with each other; must remove or rewrite one of these paths; path "
          "one: {}, path two: {}",
          *clash, DisplayPath(paths[one]), DisplayPath(paths[two]));
    }
  }
  return std::nullopt;
}

AttributeMap Pick(const AttributeMap& item, std::span<const Path> sorted) {
  std::vector<AttributeMap::Entry> entries;
  ForEachGroup(
      sorted, [](const Path& path) -> const std::string& { return path.attribute; },
      [&](std::span<const Path> group) {
        const AttributeValue* value = item.Find(group.front().attribute);
        if (value == nullptr) return;
        if (auto picked = PickInside(*value, group, 0)) {
          entries.emplace_back(group.front().attribute, std::move(*picked));
        }
      });
  return AttributeMap::FromEntries(std::move(entries));
}

}  // namespace kw
