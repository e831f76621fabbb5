// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"
#include "api/ops/expressions.h"
#include "api/ops/item_shapes.h"

namespace kw::api {

Result<Item> ParseItemDocument(JsonValue document) {
  TRY(CheckShape(kItemMap, document));
  return ParseItem(Dialect::kItemWrite, document);
}

}  // namespace kw::api
