// SPDX-License-Identifier: Apache-2.0
// The modeller, as the page asks it: models and designs come as texts.
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "modeller/check/examine.h"
#include "modeller/model/model.h"
#include "modeller/plan/plan.h"
#include "modeller/prove/prove.h"
#include "modeller/prove/report.h"
#include "studio/endpoint.h"
#include "studio/local_engine.h"

namespace kw::studio {
namespace {

Result<std::string_view> Text(JsonValue body, std::string_view name) {
  const auto found = body.object().Find(name);
  if (found && found->is(JsonType::kString)) return found->string();
  return Invalid(std::string(name) + " must be the text of a file.");
}

}  // namespace

Result<void> CheckModel(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  TRY_ASSIGN(const std::string_view model, Text(body, "model"));
  std::optional<std::string_view> design;
  if (body.object().Find("design")) {
    TRY_ASSIGN(design, Text(body, "design"));
  }
  out.Raw(modeller::ExaminationJson(modeller::Examine(model, design),
                                    {.model = "model", .design = "design"}));
  return {};
}

Result<void> ProveModel(const Context& /*context*/, JsonValue body, JsonWriter& out) {
  TRY_ASSIGN(const std::string_view model_text, Text(body, "model"));
  TRY_ASSIGN(const std::string_view design_text, Text(body, "design"));
  const auto seed = body.object().Find("seed");
  if (seed && !seed->is(JsonType::kInteger)) return Invalid("seed must be a whole number.");

  const auto model = modeller::Model::Parse(model_text);
  if (!model) return Invalid(modeller::Describe(model.error(), "model"));
  const auto design = modeller::Design::Parse(design_text, *model);
  if (!design) return Invalid(modeller::Describe(design.error(), "design"));
  const auto plan = modeller::Plan::Compile(*model, *design);
  if (!plan) return Invalid(modeller::Describe(plan.error(), "design"));

  // A proof takes a core for a while: one at a time.
  static std::mutex proving;
  const std::unique_lock lock(proving, std::try_to_lock);
  if (!lock) return Fail(ErrorCode::kLimitExceeded, "Another proof is running. Try again shortly.");
  const auto engine = LocalEngine::Open();
  if (!engine) return Fail(ErrorCode::kInternalServerError, engine.error());
  const modeller::Database database(engine->sender());
  const auto proof =
      modeller::Prove(*plan, database,
                      {.seed = static_cast<std::uint64_t>(seed ? seed->integer() : 1), .asks = 12});
  if (!proof) return Fail(ErrorCode::kInternalServerError, proof.error());
  out.Raw(modeller::ProofJson(*plan, *proof));
  return {};
}

}  // namespace kw::studio
