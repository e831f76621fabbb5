// SPDX-License-Identifier: Apache-2.0
// The functions of expressions: one row each in functions.cc, and what the parser checks of a call.
// For parsers: the ones here and partiql's.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "expr/operand.h"

namespace kw {

class TypeSet {
 public:
  constexpr TypeSet(std::initializer_list<AttributeType> types) {
    for (const AttributeType type : types) bits_ |= 1U << static_cast<unsigned>(type);
  }
  [[nodiscard]] constexpr bool Has(AttributeType type) const {
    return (bits_ >> static_cast<unsigned>(type) & 1U) != 0;
  }

 private:
  unsigned bits_ = 0;
};

inline constexpr TypeSet kAnyType = {AttributeType::kString,    AttributeType::kNumber,
                                     AttributeType::kBinary,    AttributeType::kBool,
                                     AttributeType::kNull,      AttributeType::kStringSet,
                                     AttributeType::kNumberSet, AttributeType::kBinarySet,
                                     AttributeType::kList,      AttributeType::kMap};
inline constexpr TypeSet kOrderedTypes = {AttributeType::kString, AttributeType::kNumber,
                                          AttributeType::kBinary};
inline constexpr TypeSet kSetTypes = {AttributeType::kStringSet, AttributeType::kNumberSet,
                                      AttributeType::kBinarySet};

// A function that is a condition by itself.
using Test = bool (*)(std::span<const Operand> arguments, const AttributeMap& item);
// A function that is an operand; the contract is Evaluate's.
using Compute = Result<const AttributeValue*> (*)(std::span<const Operand> arguments,
                                                  const AttributeMap& item,
                                                  AttributeValue& scratch);

enum class FunctionHome : std::uint8_t { kCondition, kUpdate };

// What a place in the argument list takes.
enum class ArgumentForm : std::uint8_t { kOperand, kPath, kValue };
struct Argument {
  ArgumentForm form = ArgumentForm::kOperand;
  TypeSet types = kAnyType;
};

struct Function {
  std::string_view name;
  FunctionHome home;
  std::size_t count;                    // of arguments
  std::array<Argument, 2> arguments;    // the first `count` of them
  std::optional<AttributeType> result;  // of a Compute that has always the same
  std::variant<Test, Compute> evaluator;
};

// Names are case-sensitive; null if there is none.
const Function* FindFunction(std::string_view name);

// Whether it is the wire name of a type ("S", "BOOL", ...).
bool IsTypeName(std::string_view name);

// Whether a value is within a container or a part of a string: the meaning of contains.
bool Contains(const AttributeValue& container, const AttributeValue& part);
// Whether a string or binary starts with another.
bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix);

}  // namespace kw
