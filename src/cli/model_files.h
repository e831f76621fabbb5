// SPDX-License-Identifier: Apache-2.0
// How the files of a model are named.
#pragma once

#include <string>

namespace kw::cli {

// shop.design.yaml beside shop.kw.yaml.
std::string DesignBeside(const std::string& model);

}  // namespace kw::cli
