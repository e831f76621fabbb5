// SPDX-License-Identifier: Apache-2.0
#include "partiql/arithmetic.h"

namespace kw::partiql {
namespace {

using Arguments = std::span<const Operand>;

template <auto Operation>
Result<const AttributeValue*> Compute(Arguments arguments, const AttributeMap& item,
                                      AttributeValue& scratch) {
  AttributeValue left_scratch;
  AttributeValue right_scratch;
  TRY_ASSIGN(const AttributeValue* left, Evaluate(arguments[0], item, left_scratch));
  TRY_ASSIGN(const AttributeValue* right, Evaluate(arguments[1], item, right_scratch));
  // The sentences are those of update expressions.
  if (left == nullptr || right == nullptr) {
    return Invalid(
        "The provided expression refers to an attribute that does not exist in the item");
  }
  const auto* a = left->As<Number>();
  const auto* b = right->As<Number>();
  if (a == nullptr || b == nullptr) {
    return Invalid("An operand in the update expression has an incorrect data type");
  }
  TRY_ASSIGN(scratch, Operation(*a, *b));
  return &scratch;
}

template <auto Operation>
Result<const AttributeValue*> ComputeIfPossible(Arguments arguments, const AttributeMap& item,
                                                AttributeValue& scratch) {
  const auto value = Compute<Operation>(arguments, item, scratch);
  return value ? *value : nullptr;
}

template <auto Operation>
Function Make(std::string_view name, FunctionHome home) {
  const kw::Compute compute =
      home == FunctionHome::kUpdate ? &Compute<Operation> : &ComputeIfPossible<Operation>;
  return {name, home, 2, {}, AttributeType::kNumber, compute};
}

const Function kSum = Make<&Number::Add>("+", FunctionHome::kCondition);
const Function kDifference = Make<&Number::Subtract>("-", FunctionHome::kCondition);
const Function kUpdateSum = Make<&Number::Add>("+", FunctionHome::kUpdate);
const Function kUpdateDifference = Make<&Number::Subtract>("-", FunctionHome::kUpdate);

}  // namespace

const Function& FunctionOf(Arithmetic operation, FunctionHome home) {
  const bool updates = home == FunctionHome::kUpdate;
  switch (operation) {
    case Arithmetic::kAdd: return updates ? kUpdateSum : kSum;
    case Arithmetic::kSubtract: return updates ? kUpdateDifference : kDifference;
  }
  return kSum;
}

}  // namespace kw::partiql
