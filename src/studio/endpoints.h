// SPDX-License-Identifier: Apache-2.0
// What the studio asks of the server beyond the DynamoDB API: `POST /studio/v1/<name>`, JSON in and
// out, faults in the API's form. The list of them is in endpoints.cc.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "api/api.h"

namespace kw::studio {

inline constexpr std::string_view kEndpointPrefix = "/studio/v1/";

// Every endpoint, sorted by name; its target is the request's path.
std::span<const api::OperationInfo> Endpoints();
// Null: no such path.
const api::OperationInfo* FindEndpoint(std::string_view path);

// As api::Handle; the target is a path.
void Handle(engine::Engine& engine, const api::Request& request,
            std::function<void(api::Reply)> reply);

}  // namespace kw::studio
