// SPDX-License-Identifier: Apache-2.0
// A number is made by parsing, and is never a double.
#include "data/number.h"

kw::Result<kw::Number> Parsed() { return kw::Number::Parse("1.5"); }

#if BREAK == 1
kw::Number from_a_double = 1.5;
#elif BREAK == 2
double to_a_double = kw::Number::FromInteger(1);
#elif BREAK == 3
kw::Number from_text("1.5");
#elif BREAK == 4
kw::Number sum = kw::Number::FromInteger(1) + kw::Number::FromInteger(2);  // Add can fail
#endif
