// SPDX-License-Identifier: Apache-2.0
#include "api/ops/expressions.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace kw::api {
namespace {

// "{Expected, ConditionalOperator}": those that were sent, in the order of the list.
std::string NamesOf(std::initializer_list<SentParameter> parameters) {
  std::vector<std::string_view> names;
  for (const SentParameter& parameter : parameters) {
    if (parameter.sent) names.push_back(parameter.name);
  }
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

bool AnySent(std::initializer_list<SentParameter> parameters) {
  return std::ranges::any_of(parameters, &SentParameter::sent);
}

}  // namespace

Result<void> CheckNotMixed(Dialect dialect, std::initializer_list<SentParameter> old_parameters,
                           std::initializer_list<SentParameter> expressions) {
  if (!AnySent(old_parameters) || !AnySent(expressions)) return {};
  return Worded<void>(
      dialect, Fault::kRequest,
      Invalid(fmt::format("Can not use both expression and non-expression parameters in the same "
                          "request: Non-expression parameters: {} Expression parameters: {}",
                          NamesOf(old_parameters), NamesOf(expressions))));
}

Result<Placeholders> ParsePlaceholders(Dialect dialect, const JsonValue* names,
                                       const JsonValue* values, bool any_expression) {
  if (!any_expression && (names != nullptr || values != nullptr)) {
    return Worded<Placeholders>(
        dialect, Fault::kRequest,
        Invalid(fmt::format(
            "{} can only be specified when using expressions",
            names != nullptr ? "ExpressionAttributeNames" : "ExpressionAttributeValues")));
  }
  Placeholders::Input input;
  input.has_names = names != nullptr;
  input.has_values = values != nullptr;
  if (names != nullptr) {
    for (const auto [placeholder, name] : names->object().DistinctMembers()) {
      input.names.emplace_back(placeholder, name.string());
    }
  }
  if (values != nullptr) {
    TRY_ASSIGN(input.values, ParseExpressionValues(dialect, *values));
  }
  return Worded(dialect, Fault::kRequest, Placeholders::Make(std::move(input)));
}

Result<std::optional<Projection>> ParseProjection(Dialect dialect,
                                                  std::optional<std::string_view> expression,
                                                  const JsonValue* attributes_to_get,
                                                  Placeholders& placeholders) {
  if (expression) {
    return Worded(dialect, Fault::kRequest, Projection::Parse(*expression, placeholders));
  }
  if (attributes_to_get == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const JsonValue name : attributes_to_get->array()) names.emplace_back(name.string());
  return Worded(dialect, Fault::kRequest, Projection::OfAttributes(std::move(names)));
}

}  // namespace kw::api
