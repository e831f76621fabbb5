// SPDX-License-Identifier: Apache-2.0
#include "partiql/update.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "expr/path_set.h"
#include "expr/update_tree.h"
#include "partiql/returning.h"

namespace kw::partiql {
namespace {

// set_add(path, set) and set_delete(path, set). The path is the target's: the service knows no
// union of two attributes (assumed).
template <class Action>
Result<UpdateAction> ParseSetChange(Parser& parser, const Path& target) {
  parser.TakeWord(Action::kWord);
  TRY(parser.Expect(TokenKind::kOpenParenthesis));
  TRY_ASSIGN(const Path path, parser.ParsePath());
  TRY(parser.Expect(TokenKind::kComma));
  TRY_ASSIGN(AttributeValue value, parser.ParseValue());
  TRY(parser.Expect(TokenKind::kCloseParenthesis));
  // assumed: the wording of both.
  if (path != target) {
    return Invalid(
        fmt::format("The first operand of {} must be the path that is set", Action::kWord));
  }
  if (!kSetTypes.Has(value.type())) {
    return Invalid(
        fmt::format("Incorrect operand type for operator or function; operator: {}, operand type: "
                    "{}",
                    Action::kWord, WireName(value.type())));
  }
  return UpdateAction(
      typename Action::Type{std::make_shared<const AttributeValue>(std::move(value))});
}

struct SetAdd {
  using Type = kw::Add;
  static constexpr std::string_view kWord = "SET_ADD";
};
struct SetDelete {
  using Type = kw::Delete;
  static constexpr std::string_view kWord = "SET_DELETE";
};

Result<UpdateAction> ParseData(Parser& parser, const Path& target) {
  if (parser.AtCall(SetAdd::kWord)) return ParseSetChange<SetAdd>(parser, target);
  if (parser.AtCall(SetDelete::kWord)) return ParseSetChange<SetDelete>(parser, target);
  TRY_ASSIGN(Operand value, parser.ParseOperand(FunctionHome::kUpdate));
  return UpdateAction(SetValue{std::move(value)});
}

Result<void> ParseAssignments(Parser& parser, UpdateTree& tree) {
  do {
    TRY_ASSIGN(Path target, parser.ParsePath());
    TRY(parser.Expect(TokenKind::kEqual));
    TRY_ASSIGN(UpdateAction action, ParseData(parser, target));
    tree.targets.push_back(std::move(target));
    tree.actions.push_back(std::move(action));
  } while (parser.Take(TokenKind::kComma));
  return {};
}

Result<void> ParseRemovals(Parser& parser, UpdateTree& tree) {
  do {
    TRY_ASSIGN(Path target, parser.ParsePath());
    tree.targets.push_back(std::move(target));
    tree.actions.emplace_back(Remove{});
  } while (parser.Take(TokenKind::kComma));
  return {};
}

Result<kw::Update> ParseChanges(Parser& parser) {
  UpdateTree tree;
  while (true) {
    if (parser.TakeWord("SET")) {
      TRY(ParseAssignments(parser, tree));
    } else if (parser.TakeWord("REMOVE")) {
      TRY(ParseRemovals(parser, tree));
    } else {
      break;
    }
  }
  // observed: awsdocs/aws-sdk-for-javascript-v3 issue 98, without a position.
  if (tree.targets.empty()) {
    return Invalid("Statement wasn't well formed, can't be processed: Expected data manipulation");
  }
  tree.order = OrderOf(tree.targets);
  if (auto clash = FindClash(tree.targets, tree.order)) return Invalid(std::move(*clash));
  return kw::Update(std::make_shared<const UpdateTree>(std::move(tree)));
}

}  // namespace

Result<UpdateStatement> ParseUpdate(Parser& parser) {
  TRY_ASSIGN(Target target, parser.ParseTarget());
  if (target.index) return parser.Unexpected();
  TRY_ASSIGN(kw::Update changes, ParseChanges(parser));
  TRY_ASSIGN(Conjuncts where, parser.ParseWhere());
  TRY_ASSIGN(const engine::UpdateReturn returns, ParseUpdateReturning(parser));
  return UpdateStatement{std::move(target), std::move(changes), std::move(where), returns};
}

// The item must be there.
// Source: aws-doc ql-reference.update ("does not evaluate to true for any item ...
// ConditionalCheckFailedException is returned").
Result<engine::UpdateRequest> RequestOf(UpdateStatement update, const KeySchema& key) {
  auto item_key = TakeKey(update.where, key);
  if (!item_key) return KeyIsMissing();
  update.where.insert(update.where.begin(), Exists(key.partition.front().name));
  return engine::UpdateRequest{.table = {},
                               .key = std::move(*item_key),
                               .update = std::move(update.changes),
                               .condition = ConditionOf(std::move(update.where)),
                               .returns = update.returns,
                               .size_rule = engine::UpdateSizeRule::kItemAlone};
}

}  // namespace kw::partiql
