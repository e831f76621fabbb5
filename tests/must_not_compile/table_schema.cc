// SPDX-License-Identifier: Apache-2.0
// A schema that exists is legal: it is made whole, and not changed afterwards.
#include "data/table_schema.h"

kw::TableSchema Made(kw::KeySchema key) { return kw::TableSchema::Make(std::move(key), {}); }

#if BREAK == 1
void Changed(kw::TableSchema& schema) { schema.key().partition.clear(); }
#elif BREAK == 2
kw::TableSchema Assembled(kw::KeySchema key) { return kw::TableSchema{key, {}, {}}; }
#elif BREAK == 3
kw::Projected flagged = true;
#endif
