// SPDX-License-Identifier: Apache-2.0
#include "client/endpoint.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/json.h"

namespace kw::client {
namespace {

constexpr long kTimeoutSeconds = 60;
constexpr std::size_t kAnswerBytesMax = std::size_t{64} << 20;
constexpr int kTries = 7;
constexpr std::chrono::milliseconds kFirstPause{50};

struct CloseHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// libcurl's callback: size is 1 by its contract.
std::size_t Collect(char* data, std::size_t size, std::size_t count, void* out) {
  auto& text = *static_cast<std::string*>(out);
  if (text.size() + size * count > kAnswerBytesMax) return 0;
  text.append(data, size * count);
  return size * count;
}

CallFault FaultOf(long status, std::string_view body) {
  JsonParser parser;
  const auto json = parser.Parse(body);
  if (!json || !json->is(JsonType::kObject)) return {"", fmt::format("HTTP status {}", status)};
  const auto text = [&](std::string_view name) {
    const auto found = json->object().Find(name);
    return std::string(found && found->is(JsonType::kString) ? found->string() : "");
  };
  const std::string type = text("__type");
  const std::string message = text("message");
  return {type.substr(type.find('#') + 1), message.empty() ? text("Message") : message};
}

bool IsPassing(long status, const CallFault& fault) {
  return status >= 500 || fault.code == "ThrottlingException" ||
         fault.code == "ProvisionedThroughputExceededException" ||
         fault.code == "RequestLimitExceeded";
}

}  // namespace

struct Endpoint::Impl {
  Options options;
  std::unique_ptr<CURL, CloseHandle> handle;
  std::array<char, CURL_ERROR_SIZE> error{};

  template <class Value>
  void Set(CURLoption option, Value value) {
    curl_easy_setopt(handle.get(), option, value);
  }

  // Status and body. Errors: no answer came.
  Expected<std::pair<long, std::string>, CallFault> Send(std::string_view operation,
                                                         std::string_view body) {
    std::unique_ptr<curl_slist, FreeList> headers;
    const auto add = [&](const std::string& header) {
      curl_slist* longer = curl_slist_append(headers.get(), header.c_str());
      static_cast<void>(headers.release());
      headers.reset(longer);
    };
    add("Content-Type: application/x-amz-json-1.0");
    add(fmt::format("X-Amz-Target: DynamoDB_20120810.{}", operation));
    add("Expect:");
    if (!options.profile.credentials.session_token.empty()) {
      add("X-Amz-Security-Token: " + options.profile.credentials.session_token);
    }
    std::string answer;
    Set(CURLOPT_HTTPHEADER, headers.get());
    Set(CURLOPT_POSTFIELDS, body.data());
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    Set(CURLOPT_WRITEDATA, &answer);
    error[0] = '\0';
    const CURLcode code = curl_easy_perform(handle.get());
    if (code != CURLE_OK) {
      return Unexpected(
          CallFault{"", fmt::format("{} does not answer: {}", options.url,
                                    error[0] != '\0' ? error.data() : curl_easy_strerror(code))});
    }
    long status = 0;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    return std::pair(status, std::move(answer));
  }
};

Endpoint::Endpoint(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Endpoint::~Endpoint() = default;
Endpoint::Endpoint(Endpoint&&) noexcept = default;
Endpoint& Endpoint::operator=(Endpoint&&) noexcept = default;

Expected<Endpoint, std::string> Endpoint::Open(Options options) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (!(options.url.starts_with("http://") || options.url.starts_with("https://")) ||
      curl_url_set(url.get(), CURLUPART_URL, options.url.c_str(), 0) != CURLUE_OK) {
    return Unexpected(
        fmt::format("'{}' is no endpoint: write http://localhost:8000.", options.url));
  }
  auto impl = std::make_unique<Impl>();
  impl->options = std::move(options);
  impl->handle.reset(curl_easy_init());
  if (!impl->handle) return Unexpected(std::string("libcurl gives no handle"));
  const Profile& profile = impl->options.profile;
  impl->Set(CURLOPT_URL, impl->options.url.c_str());
  impl->Set(CURLOPT_POST, 1L);
  impl->Set(CURLOPT_NOSIGNAL, 1L);
  impl->Set(CURLOPT_TIMEOUT, kTimeoutSeconds);
  impl->Set(CURLOPT_ERRORBUFFER, impl->error.data());
  impl->Set(CURLOPT_WRITEFUNCTION, &Collect);
  impl->Set(CURLOPT_AWS_SIGV4, fmt::format("aws:amz:{}:dynamodb", profile.region).c_str());
  impl->Set(CURLOPT_USERNAME, profile.credentials.access_key.c_str());
  impl->Set(CURLOPT_PASSWORD, profile.credentials.secret_key.c_str());
  return Endpoint(std::move(impl));
}

Expected<std::string, CallFault> Endpoint::Call(std::string_view operation, std::string_view body) {
  auto pause = kFirstPause;
  for (int tried = 1;; ++tried) {
    TRY_ASSIGN(auto answered, impl_->Send(operation, body));
    if (answered.first == 200) return std::move(answered.second);
    CallFault fault = FaultOf(answered.first, answered.second);
    if (tried == kTries || !impl_->options.retry || !IsPassing(answered.first, fault)) {
      return Unexpected(std::move(fault));
    }
    std::this_thread::sleep_for(pause);
    pause *= 2;
  }
}

}  // namespace kw::client
