// SPDX-License-Identifier: Apache-2.0
// What is wrong or dear about a model and its design, though both can be read: one rule for each
// pitfall, in one list. docs/guides/pitfalls.md teaches each of them under its id.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "modeller/model/model.h"
#include "modeller/plan/plan.h"

namespace kw::modeller {

enum class Grade : std::uint8_t {
  kError,    // a question gets no answer, or a wrong one
  kWarning,  // it works, until it grows or changes
  kNote,     // worth knowing
};
std::string_view WordOf(Grade grade);  // "error", "warning", "note"

enum class SourceFile : std::uint8_t { kModel, kDesign };

struct Finding {
  std::string rule = {};  // "unpadded-number"
  Grade grade = Grade::kNote;
  SourceFile file = SourceFile::kModel;
  Position at = {};
  std::string message = {};  // a sentence about this model
  std::string example = {};  // the smallest item or request that shows it
  std::string fix = {};      // what to write
};

// What a rule looks at. Without a plan only the model is judged.
struct Subject {
  const Model& model;
  const Plan* plan = nullptr;
};

struct Rule {
  std::string_view id;
  Grade grade;
  std::string_view title;
  // Appends the findings; the id and the grade are filled in by Advise.
  void (*look)(const Subject& subject, std::vector<Finding>& findings);
};
std::span<const Rule> Rules();

// Every finding: errors first, then as the rules stand.
std::vector<Finding> Advise(const Subject& subject);

}  // namespace kw::modeller
