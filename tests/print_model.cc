// SPDX-License-Identifier: Apache-2.0
// Prints the API's operations, input shapes and errors: what tools/model.py reads.
#include <cstdio>

#include "api/api.h"

int main() { std::puts(kw::api::ModelAsJson().c_str()); }
