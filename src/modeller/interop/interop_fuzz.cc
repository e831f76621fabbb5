// SPDX-License-Identifier: Apache-2.0
// Any bytes are a blueprint of each format or none, and a blueprint is a model or not; what a
// format prints of it, the format reads back.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "modeller/interop/bridge.h"
#include "modeller/interop/formats.h"

namespace kw::modeller {
namespace {

void Try(std::string_view text) {
  static_cast<void>(DetectFormat(text));
  for (const auto& format : Formats()) {
    if (format.read == nullptr) continue;
    Notes notes;
    const auto blueprint = Read(format, text, notes);
    if (!blueprint) {
      Check(!blueprint.error().empty(), "what is not read says why");
      continue;
    }
    const auto files = ToModel(*blueprint, notes);
    if (files) {
      const auto model = Model::Parse(files->model);
      Check(model.has_value(), "an imported model reads");
      if (!files->design.empty()) {
        const auto design = Design::Parse(files->design, *model);
        Check(design.has_value(), "an imported design reads");
        static_cast<void>(FromModel(*model, &*design, notes));
      }
    }
    if (format.print == nullptr) continue;
    const auto printed = Print(format, *blueprint, notes);
    if (!printed) continue;
    Check(Read(format, *printed, notes).has_value(), "what a format prints it reads");
  }
}

}  // namespace
}  // namespace kw::modeller

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kw::modeller::Try(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
