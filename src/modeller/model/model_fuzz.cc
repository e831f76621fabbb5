// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model, as SQL and as a document to edit.
#include <array>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "modeller/model/model.h"
#include "modeller/model/sql.h"
#include "modeller/model/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kw::modeller::Describe;
  using kw::modeller::EntityId;
  using kw::modeller::Model;
  using kw::modeller::ParseSelect;
  using kw::modeller::ParseStatement;
  using kw::modeller::RowSize;
  using kw::modeller::SetYamlValue;
  using kw::modeller::YamlDocument;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(ParseSelect(text));
  static_cast<void>(ParseStatement(text));
  constexpr std::array<std::string_view, 2> kPath = {"entities", "added"};
  if (const auto edited = SetYamlValue(text, kPath, "{x: 1}")) {
    kw::Check(YamlDocument::Parse(*edited).has_value(), "an edited document reads");
  }
  const auto model = Model::Parse(text);
  if (!model) {
    kw::Check(!model.error().empty(), "what does not read has a fault");
    static_cast<void>(Describe(model.error(), "model"));
    return 0;
  }
  for (EntityId id = 0; id < model->entities().size(); ++id) static_cast<void>(RowSize(*model, id));
  return 0;
}
