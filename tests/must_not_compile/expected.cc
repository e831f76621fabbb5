// SPDX-License-Identifier: Apache-2.0
// A result cannot be dropped in silence, nor an error pass for a value.
#include "data/error.h"

kw::Result<int> Half(int value) {
  if (value % 2 != 0) return kw::Invalid("odd");
  return value / 2;
}

kw::Result<int> Quarter(int value) {
  TRY_ASSIGN(const int half, Half(value));
  TRY(Half(half));
  return Half(half);
}

#if BREAK == 1
void Dropped() { Half(3); }
#elif BREAK == 2
int Unchecked() { return Half(4); }
#elif BREAK == 3
kw::Result<int> BareError() { return kw::Error{}; }
#elif BREAK == 4
int NotAResult() {
  TRY(Half(4));
  return 1;
}
#endif
