// SPDX-License-Identifier: Apache-2.0
// Tags and the resources that bear them, off the wire.
// Sentences: observed in October 2026 (ack-api-quirks DDB-TABLE-442), but where they say otherwise.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "engine/engine.h"

namespace kw::api {

// Errors: Validation for keys and values of the wrong length, the service's own prefix, a key given
// twice, too many tags.
Result<std::vector<engine::Tag>> ParseTags(JsonValue json);

// The table that an ARN names. Errors: Validation for ARNs of anything else.
Result<engine::TableKey> ParseTaggedResource(std::string_view arn, const engine::CallContext& call);

// The rows of a table's tags, changed. Errors: ResourceNotFound, Validation over the limit.
Result<void> ChangeTags(engine::Engine& engine, const engine::TableKey& table,
                        const std::function<void(std::vector<engine::Tag>&)>& change);
// Errors: ResourceNotFound.
Result<engine::TablePtr> FindTagged(const engine::Engine& engine, const engine::TableKey& table);

}  // namespace kw::api
