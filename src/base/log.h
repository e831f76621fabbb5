// SPDX-License-Identifier: Apache-2.0
// The structured log: one line an event on standard error, `key=value` fields or JSON.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace kw {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::int64_t, double, bool> value;
};

// Set once, before threads start.
void ConfigureLog(LogLevel least, LogFormat format);

// Thread-safe; a line is written whole. `event` is a short fixed text.
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace kw
