// SPDX-License-Identifier: Apache-2.0
// Plays scenario files in process, each on a fresh store: scenario_runner [--bless] STORE
// FILE-OR-FOLDER... where STORE is `memory` or `rocksdb`.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "api/api.h"
#include "base/check.h"
#include "base/clock.h"
#include "engine/capacity_ledger.h"
#include "scenario.h"
#include "storage/open.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  Check(in.good(), "a file that a scenario names can be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A name without a service is no operation's: the API refuses it as such.
std::string TargetOf(const std::string& operation) {
  for (const api::OperationInfo& info : api::Operations()) {
    if (info.name == operation) return std::string(info.target) + operation;
  }
  return operation;
}

// One engine on its own store; the folder of a durable one goes with it.
class LocalService {
 public:
  explicit LocalService(const std::string& store_kind) {
    std::string url = "memory:";
    if (store_kind == "rocksdb") {
      std::string path = (fs::temp_directory_path() / "kw_scenario_XXXXXX").string();
      Check(mkdtemp(path.data()) != nullptr, "a temporary folder can be made");
      folder_ = path;
      url = "rocksdb:" + path;
    }
    auto opened = storage::Open(url, {.durability = storage::Durability::kRelaxed});
    Check(opened.has_value(), "the store opens");
    store_ = std::move(*opened);
    auto loaded = engine::Catalog::Load(*store_);
    Check(loaded.has_value(), "the catalog loads");
    catalog_ = std::move(*loaded);
    engine_.emplace(
        engine::Engine{.store = *store_, .catalog = *catalog_, .clock = clock_, .options = {}});
  }
  ~LocalService() {
    engine_.reset();
    catalog_.reset();
    store_.reset();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  LocalService(const LocalService&) = delete;
  LocalService& operator=(const LocalService&) = delete;

  CallReply Call(const std::string& operation, const std::string& body) {
    std::promise<api::Reply> promise;
    api::Handle(*engine_,
                {.target = TargetOf(operation),
                 .body = body,
                 .call = {.account = "000000000000", .region = "us-east-1"}},
                [&promise](api::Reply reply) { promise.set_value(std::move(reply)); });
    const api::Reply reply = promise.get_future().get();
    return {.status = reply.status, .body = reply.body};
  }
  void Advance(std::chrono::seconds by) { clock_.Advance(by); }
  void Throttle() { engine_->capacity = &capacity_; }

 private:
  fs::path folder_;
  ManualClock clock_{TimePoint(std::chrono::milliseconds(1'780'000'000'000))};
  engine::CapacityLedger capacity_{clock_};
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<engine::Catalog> catalog_;
  std::optional<engine::Engine> engine_;
};

std::vector<fs::path> ScenarioFiles(const std::vector<std::string>& arguments) {
  std::vector<fs::path> files;
  for (const std::string& argument : arguments) {
    if (!fs::is_directory(argument)) {
      files.emplace_back(argument);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.path().extension() == ".scn") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

// Number of faults.
std::size_t PlayFile(const fs::path& file, const std::string& store_kind, Bless bless) {
  LocalService service(store_kind);
  const ScenarioTarget target{
      .call = [&](const auto& operation,
                  const auto& body) { return service.Call(operation, body); },
      .advance = [&](std::chrono::seconds by) { service.Advance(by); },
      .throttle = [&] { service.Throttle(); },
      .read_file =
          [](const std::string& path) { return ReadFile(fs::path(KW_SOURCE_DIR) / path); }};
  const std::string text = ReadFile(file);
  const ScenarioOutcome outcome = PlayScenario(text, target, bless);
  for (const ScenarioFault& fault : outcome.faults) {
    fmt::print("{}:{}: {}\n", file.string(), fault.line, fault.message);
  }
  if (bless == Bless::kYes && outcome.blessed != text) std::ofstream(file) << outcome.blessed;
  return outcome.faults.size();
}

int Run(std::vector<std::string> arguments) {
  Bless bless = Bless::kNo;
  if (std::erase(arguments, "--bless") > 0) bless = Bless::kYes;
  if (arguments.size() < 2 || (arguments[0] != "memory" && arguments[0] != "rocksdb")) {
    fmt::print("usage: scenario_runner [--bless] memory|rocksdb FILE-OR-FOLDER...\n");
    return 2;
  }
  const std::string store_kind = arguments[0];
  arguments.erase(arguments.begin());
  const auto files = ScenarioFiles(arguments);
  std::size_t failed = 0;
  for (const fs::path& file : files) failed += PlayFile(file, store_kind, bless) > 0 ? 1 : 0;
  // tools/run_tests.py counts by this line.
  fmt::print("{} passed, {} failed, 0 skipped\n", files.size() - failed, failed);
  return files.empty() || failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace kw::test

int main(int argc, char** argv) { return kw::test::Run({argv + 1, argv + argc}); }
