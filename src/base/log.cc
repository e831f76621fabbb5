// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "base/json.h"

namespace kw {
namespace {

LogLevel least_level = LogLevel::kInfo;
LogFormat log_format = LogFormat::kText;

std::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return "debug";
    case LogLevel::kInfo: return "info";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kError: return "error";
  }
  return "error";
}

std::string Timestamp() {
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  return fmt::format("{:%FT%T}Z", now);
}

void WriteValue(JsonWriter& json, const LogField& field) {
  std::visit(
      [&](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string_view>) json.String(value);
        if constexpr (std::is_same_v<Value, std::int64_t>) json.Integer(value);
        if constexpr (std::is_same_v<Value, double>) json.Double(value);
        if constexpr (std::is_same_v<Value, bool>) json.Bool(value);
      },
      field.value);
}

}  // namespace

void ConfigureLog(LogLevel least, LogFormat format) {
  least_level = least;
  log_format = format;
}

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < least_level) return;
  std::string line;
  if (log_format == LogFormat::kJson) {
    JsonWriter json(line);
    json.BeginObject();
    json.Member("time", Timestamp());
    json.Member("level", NameOf(level));
    json.Member("event", event);
    for (const LogField& field : fields) {
      json.Key(field.name);
      WriteValue(json, field);
    }
    json.EndObject();
  } else {
    line = fmt::format("{} {:5} {}", Timestamp(), NameOf(level), event);
    for (const LogField& field : fields) {
      line += ' ';
      line += field.name;
      line += '=';
      JsonWriter json(line);
      WriteValue(json, field);
    }
  }
  line += '\n';
  // One write a line keeps lines whole; a log that cannot be written has nobody to tell.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace kw
