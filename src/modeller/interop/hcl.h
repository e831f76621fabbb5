// SPDX-License-Identifier: Apache-2.0
// The configuration language of Terraform as a tree: attributes are members, and each kind of block
// is a list of maps, whose labels stand under kHclLabels. An expression that is no plain value is a
// map of its text.
#pragma once

#include "modeller/interop/document.h"

namespace kw::modeller {

inline constexpr std::string_view kHclLabels = " labels";  // a name that no attribute has

// Errors: the line, and what is wrong there.
Expected<Node, std::string> ReadHcl(std::string_view text);

// A text in quotes, without a template in it.
std::string HclText(std::string_view text);

}  // namespace kw::modeller
