// SPDX-License-Identifier: Apache-2.0
// What is wrong with an expression. The service names one fault, and which one depends on its kind
// first and on its place in the text second; so a parser goes on after a fault and the least kind
// wins.
#pragma once

#include <cstdint>
#include <string>

namespace kw {

// In the order in which the service reports them (assumed, but for syntax being first).
enum class FaultKind : std::uint8_t {
  kSyntax,
  kOperatorCount,
  kParentheses,
  kReservedWord,
  kFunctionName,
  kFunctionUse,
  kUndefinedName,
  kUndefinedValue,
  kSection,
  kListIndex,
  kPathDepth,
  kOperandCount,
  kPathNeeded,
  kOperandType,
  kSameOperand,
  kTypeName,
  kBetween,
  kPathClash,
  kNone,
};

class Faults {
 public:
  void Record(FaultKind kind, std::string message) {
    if (kind < kind_) {
      kind_ = kind;
      message_ = std::move(message);
    }
  }
  [[nodiscard]] bool none() const { return kind_ == FaultKind::kNone; }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  FaultKind kind_ = FaultKind::kNone;
  std::string message_;
};

}  // namespace kw
