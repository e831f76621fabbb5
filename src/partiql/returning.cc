// SPDX-License-Identifier: Apache-2.0
#include "partiql/returning.h"

namespace kw::partiql {

Result<engine::UpdateReturn> ParseUpdateReturning(Parser& parser) {
  using enum engine::UpdateReturn;
  if (!parser.TakeWord("RETURNING")) return kNone;
  const bool all = parser.TakeWord("ALL");
  if (!all) TRY(parser.ExpectWord("MODIFIED"));
  const bool old = parser.TakeWord("OLD");
  if (!old) TRY(parser.ExpectWord("NEW"));
  TRY(parser.Expect(TokenKind::kStar));
  if (all) return old ? kAllOld : kAllNew;
  return old ? kUpdatedOld : kUpdatedNew;
}

Result<engine::DeleteReturn> ParseDeleteReturning(Parser& parser) {
  if (!parser.TakeWord("RETURNING")) return engine::DeleteReturn::kNone;
  TRY(parser.ExpectWord("ALL"));
  TRY(parser.ExpectWord("OLD"));
  TRY(parser.Expect(TokenKind::kStar));
  return engine::DeleteReturn::kAllOld;
}

}  // namespace kw::partiql
