// SPDX-License-Identifier: Apache-2.0
// Update expressions: SET, REMOVE, ADD and DELETE, resolved; applied to an item as one pure step.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"

namespace kw {

struct UpdateTree;  // update_tree.h, private to the module

// Immutable and cheap to copy.
class Update {
 public:
  // Errors: Validation, messages "Invalid UpdateExpression: ...": empty, syntax, a section twice,
  // overlapping or conflicting paths, reserved words, undefined placeholders, wrong operand types.
  static Result<Update> Parse(std::string_view text, Placeholders& placeholders);

  // The item after. Every right side sees `before`.
  // Errors: Validation: "The document path provided in the update expression is invalid for
  // update", a missing attribute in an operand, a wrong operand type, a number out of range,
  // nesting over 32 levels, and, so that no work is wasted on it, values that by themselves make
  // the item too large. Other size checks and key checks are the engine's.
  [[nodiscard]] Result<Item> Apply(const Item& before) const;

  // The paths it writes, in the order written; for key checks and for UPDATED_OLD / UPDATED_NEW.
  [[nodiscard]] const std::vector<Path>& Targets() const;
  // Every top-level attribute that it writes or reads.
  [[nodiscard]] std::set<std::string, std::less<>> Attributes() const;
  // How many actions set a value (SET, ADD) and how many clear one (REMOVE, DELETE): the size rule
  // of UpdateItem counts them.
  [[nodiscard]] int SettingActions() const;
  [[nodiscard]] int ClearingActions() const;

  // Whether it was sent as AttributeUpdates, whose faults have words of their own.
  [[nodiscard]] bool IsLegacy() const;

  explicit Update(std::shared_ptr<const UpdateTree> tree) : tree_(std::move(tree)) {}

 private:
  std::shared_ptr<const UpdateTree> tree_;
};

// What an update is answered that makes an item larger than limits::kItemBytesMax.
tl::unexpected<Error> UpdateTooLarge();

// The part of `item` that lies at those paths, shaped as UPDATED_OLD and UPDATED_NEW show it
// (nested maps keep their way down; lists hold only the named elements).
AttributeMap PickPaths(const Item& item, const std::vector<Path>& paths);

}  // namespace kw
