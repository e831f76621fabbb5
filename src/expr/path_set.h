// SPDX-License-Identifier: Apache-2.0
// Several paths together: their order, whether two of them exclude each other, and the part of an
// item that lies at them. For parsers: the ones here and partiql's.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/path.h"

namespace kw {

// As messages show a path: "[a, b, [0]]".
std::string DisplayPath(const Path& path);

// By attribute, then step by step: a path before its extensions, names before indexes, indexes by
// number.
bool PathLess(const Path& a, const Path& b);

// Positions of the paths in that order.
std::vector<std::size_t> OrderOf(std::span<const Path> paths);

// The service's sentence about two paths of which one contains the other ("overlap") or asks for a
// member and an element of the same value ("conflict"); nothing if there are no such two.
std::optional<std::string> FindClash(std::span<const Path> paths,
                                     std::span<const std::size_t> order);

// Takes out what is at the paths, which are sorted and of which none contains another. All at once:
// indexes are those of the elements before, and a long list or map is closed up only once.
void EraseAll(AttributeMap& item, std::span<const Path> sorted);

// The part of the item at the paths, which are sorted: maps keep their way down, lists hold only
// the elements named, and what is missing leaves nothing behind.
AttributeMap Pick(const AttributeMap& item, std::span<const Path> sorted);

}  // namespace kw
