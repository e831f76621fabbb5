// SPDX-License-Identifier: Apache-2.0
#include "partiql/columns.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "data/item_bytes.h"

namespace kw::partiql {
namespace {

// A path is named after its last member; what has no name gets one from its place.
// Source: the PartiQL specification, "SELECT", column names; that the service follows it is
// assumed.
std::string NameOf(const Operand& operand, std::size_t place) {
  const auto* path = std::get_if<Path>(&operand.what);
  if (path != nullptr) {
    if (path->steps.empty()) return path->attribute;
    if (const auto* member = std::get_if<std::string>(&path->steps.back())) return *member;
  }
  return fmt::format("_{}", place);
}

}  // namespace

Result<Columns> Columns::Parse(Parser& parser) {
  Columns columns;
  if (parser.Take(TokenKind::kStar)) return columns;
  do {
    TRY_ASSIGN(Operand value, parser.ParseOperand(FunctionHome::kCondition));
    const auto* path = std::get_if<Path>(&value.what);
    if (path == nullptr || !path->steps.empty()) columns.are_attributes_ = false;
    std::string name = NameOf(value, columns.columns_.size() + 1);
    columns.columns_.push_back({std::move(value), std::move(name)});
  } while (parser.Take(TokenKind::kComma));
  return columns;
}

std::optional<Projection> Columns::Needed() const {
  if (columns_.empty()) return std::nullopt;
  AttributeNames names;
  for (const Column& column : columns_) CollectAttributes(column.value, names);
  auto projection = Projection::OfAttributes({names.begin(), names.end()});
  Check(projection.has_value(), "no name is there twice");
  return std::move(*projection);
}

std::string Columns::Show(std::string stored) const {
  if (columns_.empty()) return stored;
  const Item item = LoadItem(stored);
  std::vector<AttributeMap::Entry> entries;
  for (const Column& column : columns_) {
    AttributeValue scratch;
    const AttributeValue* value = Read(column.value, item, scratch);
    if (value != nullptr) entries.emplace_back(column.name, *value);
  }
  return StoreItem(Item::FromEntries(std::move(entries)));
}

}  // namespace kw::partiql
