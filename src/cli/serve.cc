// SPDX-License-Identifier: Apache-2.0
// `keywright serve`: opens the store, builds the engine, starts the server and waits for a signal.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "api/api.h"
#include "base/clock.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "engine/capacity_ledger.h"
#include "engine/index_applier.h"
#include "engine/key_insights.h"
#include "engine/sweeper.h"
#include "engine/traffic.h"
#include "engine/upkeep.h"
#include "server/server.h"
#include "server/users.h"
#include "storage/open.h"
#include "studio/endpoints.h"

namespace kw::cli {
namespace {

constexpr std::chrono::seconds kGrace{10};

struct ServeOptions {
  server::ServerOptions server;
  storage::OpenOptions storage;
  engine::EngineOptions engine;
  std::string data = "./data";
  bool memory = false;
  bool throttle = false;
  std::string store;  // a URL; wins over data and memory
  std::string tls_certificate;
  std::string tls_key;
  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kText;
};

// One of a few words.
template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};
template <class Value, std::size_t n>
Parsed Choose(std::string_view word, const Choice<Value> (&choices)[n], Value& out) {
  std::string words;
  for (const Choice<Value>& choice : choices) {
    if (choice.word == word) {
      out = choice.value;
      return {};
    }
    words += fmt::format("{}{}", words.empty() ? "" : ", ", choice.word);
  }
  return Unexpected(UsageError{fmt::format("'{}' is none of: {}.", word, words)});
}

template <class Number>
Parsed SetNumber(std::string_view text, std::int64_t least, std::int64_t most, Number& out) {
  TRY_ASSIGN(const std::int64_t number, ParseNumber(text, least, most));
  out = Number(number);
  return {};
}

Option Text(std::string_view name, std::string_view placeholder, std::string_view help,
            std::string& out) {
  return {.name = name,
          .kind = OptionKind::kValue,
          .placeholder = placeholder,
          .help = help,
          .set = [&out](std::string_view value) -> Parsed {
            out = value;
            return {};
          }};
}

Option Switch(std::string_view name, std::string_view help, std::function<void(bool)> set) {
  return {.name = name,
          .kind = OptionKind::kSwitch,
          .placeholder = "",
          .help = help,
          .set = [set = std::move(set)](std::string_view value) -> Parsed {
            set(value == "true");
            return {};
          }};
}

Option List(std::string_view name, std::string_view placeholder, std::string_view help,
            std::vector<std::string>& out) {
  return {.name = name,
          .kind = OptionKind::kList,
          .placeholder = placeholder,
          .help = help,
          .set = [&out](std::string_view value) -> Parsed {
            out.emplace_back(value);
            return {};
          }};
}

Option Custom(std::string_view name, std::string_view placeholder, std::string_view help,
              std::function<Parsed(std::string_view)> set) {
  return {.name = name,
          .kind = OptionKind::kValue,
          .placeholder = placeholder,
          .help = help,
          .set = std::move(set)};
}

Parsed LoadKeys(std::string_view path, server::KeyRing& out) {
  const std::filesystem::path file(path);
  TRY_ASSIGN(const std::string text, ReadFile(file.string()));
  // The file's own names of files are seen from its folder.
  const auto read = [&](std::string_view name) -> Expected<std::string, server::KeyFileError> {
    auto policy = ReadFile((file.parent_path() / name).string());
    if (!policy) return Unexpected(server::KeyFileError{policy.error().message});
    return *std::move(policy);
  };
  auto keys = server::ParseKeyFile(text, read);
  if (!keys) return Unexpected(UsageError{fmt::format("{}: {}.", path, keys.error().message)});
  out = std::move(*keys);
  return {};
}

std::vector<Option> OptionsOf(ServeOptions& o) {
  return {
      Custom("port", "N", "Port to listen on, 0 for any free one (8000)",
             [&o](std::string_view v) { return SetNumber(v, 0, 65535, o.server.port); }),
      Text("address", "IP", "Address to listen on (127.0.0.1, and ::1 with it)", o.server.address),
      Text("data", "FOLDER", "Where the tables are kept (./data)", o.data),
      Switch("memory", "Keep the tables in memory only; they end with the program",
             [&o](bool on) { o.memory = on; }),
      Text("store", "URL", "Storage engine: rocksdb:FOLDER or memory: (rocksdb:./data)", o.store),
      Custom("durability", "full|relaxed",
             "full: an answered write is on disk. relaxed: a crash of the machine may lose seconds "
             "(full)",
             [&o](std::string_view v) {
               static constexpr Choice<storage::Durability> kChoices[] = {
                   {"full", storage::Durability::kFull},
                   {"relaxed", storage::Durability::kRelaxed}};
               return Choose(v, kChoices, o.storage.durability);
             }),
      Custom("cache-size", "BYTES", "Memory for blocks of tables, such as 512M (256M)",
             [&o](std::string_view v) -> Parsed {
               TRY_ASSIGN(const std::int64_t bytes, ParseBytes(v));
               o.storage.cache_bytes = static_cast<std::size_t>(bytes);
               return {};
             }),
      Custom("index-lag", "MS", "Let global indexes follow their table by this long (0: none)",
             [&o](std::string_view v) { return SetNumber(v, 0, 3'600'000, o.engine.index_lag); }),
      Switch("throttle", "Hold tables to their capacity, with the service's exceptions",
             [&o](bool on) { o.throttle = on; }),
      Custom("stream-shard-records", "N",
             "Split a stream's shard that has taken so many records (1000000)",
             [&o](std::string_view v) {
               return SetNumber(v, 1, 1'000'000'000, o.engine.shard_records);
             }),
      Custom("keys", "FILE",
             "Check signatures. Lines of ACCESS_KEY_ID SECRET [ACCOUNT], or users with policies in "
             "JSON",
             [&o](std::string_view v) { return LoadKeys(v, o.server.keys); }),
      Custom("regions", "shared|separate",
             "separate: own tables for each account and region (shared)",
             [&o](std::string_view v) {
               static constexpr Choice<server::Regions> kChoices[] = {
                   {"shared", server::Regions::kShared}, {"separate", server::Regions::kSeparate}};
               return Choose(v, kChoices, o.server.regions);
             }),
      Switch("unsafe-no-auth", "Listen beyond this machine without checking signatures",
             [&o](bool on) {
               o.server.open_access = on ? server::OpenAccess::kAllow : server::OpenAccess::kRefuse;
             }),
      List("allow-host", "NAME", "A further name of this server in requests, * for any",
           o.server.allow_hosts),
      List("allow-origin", "ORIGIN", "A site whose pages may use this server, * for any",
           o.server.allow_origins),
      Text("tls-cert", "FILE", "Serve HTTPS with this certificate chain (PEM)", o.tls_certificate),
      Text("tls-key", "FILE", "The certificate's private key (PEM)", o.tls_key),
      Custom("max-connections", "N", "Further clients are turned away (10000)",
             [&o](std::string_view v) {
               return SetNumber(v, 1, 1'000'000, o.server.connections_max);
             }),
      Custom("threads", "N", "Event loops (0: one a core)",
             [&o](std::string_view v) { return SetNumber(v, 0, 1024, o.server.threads); }),
      Custom("log-level", "LEVEL", "debug, info, warn or error (info)",
             [&o](std::string_view v) {
               static constexpr Choice<LogLevel> kChoices[] = {{"debug", LogLevel::kDebug},
                                                               {"info", LogLevel::kInfo},
                                                               {"warn", LogLevel::kWarn},
                                                               {"error", LogLevel::kError}};
               return Choose(v, kChoices, o.log_level);
             }),
      Custom("log-format", "text|json", "Form of the log on standard error (text)",
             [&o](std::string_view v) {
               static constexpr Choice<LogFormat> kChoices[] = {{"text", LogFormat::kText},
                                                                {"json", LogFormat::kJson}};
               return Choose(v, kChoices, o.log_format);
             }),
      Switch("log-requests", "Log every request", [&o](bool on) { o.server.log_requests = on; }),
  };
}

void PrintHelp(std::span<const Option> options) {
  fmt::print(
      "Runs the database.\n\nUsage: keywright serve [OPTIONS]\n\n{}\n"
      "Each option is also an environment variable, {} for --index-lag.\n"
      "A flag beats the environment, which beats the config file.\n",
      DescribeOptions(options), EnvironmentName("index-lag"));
}

Expected<ServeOptions, UsageError> ParseServeOptions(std::span<const std::string_view> arguments) {
  ServeOptions chosen;
  const std::vector<Option> options = OptionsOf(chosen);
  TRY(ParseOptions(options, arguments, [](const char* name) { return std::getenv(name); }));
  if (chosen.tls_certificate.empty() != chosen.tls_key.empty()) {
    return Unexpected(UsageError{"--tls-cert and --tls-key go together: give both."});
  }
  if (!chosen.tls_key.empty()) {
    chosen.server.tls = {.certificate = chosen.tls_certificate, .key = chosen.tls_key};
  }
  if (chosen.store.empty()) chosen.store = chosen.memory ? "memory:" : "rocksdb:" + chosen.data;
  return chosen;
}

// The API and the studio's own calls on one engine.
class EngineBackend final : public server::Backend {
 public:
  explicit EngineBackend(engine::Engine& engine) : engine_(engine) {
    for (const auto list : {api::Operations(), studio::Endpoints()}) {
      operations_.insert(operations_.end(), list.begin(), list.end());
    }
  }
  [[nodiscard]] std::span<const api::OperationInfo> Operations() const override {
    return operations_;
  }
  [[nodiscard]] const api::OperationInfo* Find(std::string_view target) const override {
    if (const auto* found = api::FindOperation(target)) {
      return &operations_[static_cast<std::size_t>(found - api::Operations().data())];
    }
    if (const auto* found = studio::FindEndpoint(target)) {
      return &operations_[api::Operations().size() +
                          static_cast<std::size_t>(found - studio::Endpoints().data())];
    }
    return nullptr;
  }
  [[nodiscard]] api::Access AccessOf(const api::OperationInfo& operation,
                                     std::string_view body) const override {
    const auto at = static_cast<std::size_t>(&operation - operations_.data());
    if (at >= api::Operations().size()) return operation.access;  // one of the studio's
    return api::AccessOf(api::Operations()[at], body);
  }
  void Handle(const api::Request& request, std::function<void(api::Reply)> reply) override {
    if (request.target.starts_with(studio::kEndpointPrefix)) {
      return studio::Handle(engine_, request, std::move(reply));
    }
    api::Handle(engine_, request, std::move(reply));
  }
  [[nodiscard]] api::Reply RenderError(const Error& error) const override {
    return api::RenderError(error);
  }
  [[nodiscard]] std::string Metrics() const override { return engine::RenderThrottles(engine_); }
  [[nodiscard]] std::vector<storage::Gauge> StoreGauges() const override {
    return engine_.store.Gauges();
  }

 private:
  engine::Engine& engine_;
  std::vector<api::OperationInfo> operations_;  // the API's, then the studio's
};

ExitCode Fail(ExitCode code, std::string_view message) {
  fmt::print(stderr, "keywright: {}\n", message);
  return code;
}

// Ten thousand connections need more descriptors than the usual soft limit has.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);  // best effort: connections over the limit wait
}

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

void AwaitStopSignal() {
  const sigset_t signals = StopSignals();
  int signal = 0;
  sigwait(&signals, &signal);
  Log(LogLevel::kInfo, "stopping", {{"signal", std::int64_t{signal}}});
  // Another one ends the program at once.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

std::string Greeting(const ServeOptions& options, std::uint16_t port, bool durable) {
  const std::string& address = options.server.address;
  const bool everywhere = address == "0.0.0.0" || address == "::";
  const std::string host = everywhere || address == "127.0.0.1" ? "localhost"
                           : address.find(':') != address.npos  ? fmt::format("[{}]", address)
                                                                : address;
  const std::string url =
      fmt::format("{}://{}:{}", options.server.tls ? "https" : "http", host, port);
  std::string text = fmt::format("Keywright {} listens on {}\n", kVersion, url);
  if (everywhere) text += "  It accepts connections on every address of this machine.\n";
  text += durable ? fmt::format("  Tables are kept by {}\n", options.store)
                  : "  Tables are kept in memory and end with this program.\n";
  if (durable && options.storage.durability == storage::Durability::kRelaxed) {
    text += "  Durability is relaxed: a crash of the machine may lose the last seconds.\n";
  }
  text += options.server.keys.empty()
              ? "  Signatures are not checked: any credentials will do.\n"
              : fmt::format("  Requests must be signed by one of {} keys.\n",
                            options.server.keys.size());
  text += fmt::format(
      "Try:\n"
      "  {0} in a browser: the studio, with four examples to load\n"
      "  aws dynamodb list-tables --endpoint-url {0} --region us-east-1\n"
      "  python3 -c 'import boto3; print(boto3.client(\"dynamodb\", endpoint_url=\"{0}\", "
      "region_name=\"us-east-1\").list_tables())'\n"
      "Ctrl-C stops it.\n",
      url);
  return text;
}

ExitCode Run(const ServeOptions& options) {
  ConfigureLog(options.log_level, options.log_format);
  RaiseFileLimit();
  std::signal(SIGPIPE, SIG_IGN);
  // Threads inherit the mask, so that only this one hears of these signals.
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  auto store = storage::Open(options.store, options.storage);
  if (!store) return Fail(ExitCode::kWorldFailed, store.error().message);
  auto catalog = engine::Catalog::Load(**store);
  if (!catalog) return Fail(ExitCode::kWorldFailed, catalog.error().message);
  const SystemClock clock;
  engine::Engine engine{
      .store = **store, .catalog = **catalog, .clock = clock, .options = options.engine};
  engine::IndexApplier index_applier(engine);
  // An earlier run with a lag may have left something to apply.
  if (auto applied = index_applier.RunOnce(); !applied) {
    return Fail(ExitCode::kWorldFailed, applied.error().message);
  }
  if (options.engine.index_lag.count() > 0) {
    engine.index_applier = &index_applier;
    index_applier.Start();
  }
  engine::KeyInsights insights;
  engine.insights = &insights;
  engine::CapacityLedger capacity(clock);
  if (options.throttle) engine.capacity = &capacity;
  engine::Upkeep upkeep(engine);
  engine.upkeep = &upkeep;
  const engine::Sweeper sweeper(engine);

  EngineBackend backend(engine);
  auto server = server::Server::Start(options.server, backend, clock);
  if (!server) return Fail(ExitCode::kWorldFailed, server.error().message);
  const std::string greeting =
      Greeting(options, (*server)->port(), (*store)->capabilities().durable);
  std::fwrite(greeting.data(), 1, greeting.size(), stdout);
  std::fflush(stdout);
  Log(LogLevel::kInfo, "started",
      {{"address", std::string_view(options.server.address)},
       {"port", std::int64_t{(*server)->port()}},
       {"store", (*store)->capabilities().name}});

  AwaitStopSignal();
  const bool finished = (*server)->Stop(kGrace);
  Log(finished ? LogLevel::kInfo : LogLevel::kWarn, "stopped", {{"all_answered", finished}});
  // A call that does not end would keep the program; what was answered is in the store already.
  if (!finished) std::_Exit(static_cast<int>(ExitCode::kDone));
  return ExitCode::kDone;
}

}  // namespace

ExitCode Serve(std::span<const std::string_view> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      ServeOptions defaults;
      PrintHelp(OptionsOf(defaults));
      return ExitCode::kDone;
    }
  }
  const auto options = ParseServeOptions(arguments);
  if (!options) {
    return Fail(ExitCode::kWrongUsage, fmt::format("{} `keywright serve --help` lists the options.",
                                                   options.error().message));
  }
  return Run(*options);
}

}  // namespace kw::cli
