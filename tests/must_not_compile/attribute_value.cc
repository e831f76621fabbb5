// SPDX-License-Identifier: Apache-2.0
// A text is a string only when it says so: a pointer would become a bool, a number a double.
#include "data/attribute_value.h"

kw::AttributeValue Text() { return std::string("text"); }
kw::AttributeValue Truth() { return true; }
kw::AttributeValue Seven() { return kw::Number::FromInteger(7); }

#if BREAK == 1
kw::AttributeValue from_a_literal = "text";
#elif BREAK == 2
kw::AttributeValue From(const char* pointer) { return pointer; }
#elif BREAK == 3
kw::AttributeValue from_a_double = 1.5;
#elif BREAK == 4
kw::AttributeValue from_an_integer = 7;
#endif
