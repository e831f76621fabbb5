// SPDX-License-Identifier: Apache-2.0
// A table in the words of CreateTable, which describe-table, CloudFormation and the templates made
// of it share.
#pragma once

#include <string>

#include "base/expected.h"
#include "modeller/interop/blueprint.h"
#include "modeller/interop/document.h"

namespace kw::modeller {

// Takes the members of CreateTable's input. Errors: no usable key.
Expected<PhysicalTable, std::string> TakeTable(Fields& fields);
// The members of CreateTable's input, without TableName where there is none.
Node TableForm(const PhysicalTable& table);

// Parts that several formats write the same way.
std::optional<Throughput> TakeThroughput(Fields& fields, std::string_view name);
Node ThroughputForm(const Throughput& throughput);
Projected TakeProjection(Fields& fields, std::string_view name);
Node ProjectionForm(const Projected& projected);

// Checks the names that a key needs. Errors: which one is missing or told twice.
Expected<void, std::string> CheckTable(const PhysicalTable& table);

}  // namespace kw::modeller
