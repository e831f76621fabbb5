// SPDX-License-Identifier: Apache-2.0
#include "server/service.h"

#include <fmt/format.h>

#include "base/json.h"
#include "server/page.h"
#include "studio/endpoints.h"

namespace kw::server {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";
// assumed: regional endpoints answer GET / with this line and a blank at its end.
constexpr std::string_view kHealthText = "healthy: dynamodb.us-east-1.amazonaws.com ";

// What SDKs in browsers send beyond the safe headers, and what they want to read.
constexpr std::string_view kCorsAnswer =
    "Access-Control-Allow-Methods: GET, POST, OPTIONS\r\n"
    "Access-Control-Allow-Headers: authorization, content-type, x-amz-content-sha256, x-amz-date, "
    "x-amz-security-token, x-amz-target, x-amz-user-agent, amz-sdk-invocation-id, amz-sdk-request, "
    "*\r\n"
    "Access-Control-Max-Age: 600\r\n";

std::string CorsLines(const HttpRequest& request) {
  const std::optional<std::string_view> origin = request.Find("origin");
  if (!origin) return {};
  return fmt::format(
      "Access-Control-Allow-Origin: {}\r\n"
      "Access-Control-Expose-Headers: x-amzn-RequestId, x-amz-crc32, Date\r\nVary: Origin\r\n",
      *origin);
}

engine::ArnScope ArnsOf(Regions regions) {
  switch (regions) {
    case Regions::kShared: return engine::ArnScope::kAny;
    case Regions::kSeparate: break;
  }
  return engine::ArnScope::kOwn;
}

Decision Say(int status, std::string_view type, std::string body, std::string headers = {}) {
  return {.what = Answer{.status = status, .content_type = type, .body = std::move(body)},
          .headers = std::move(headers)};
}

Decision Preflight(const HttpRequest& request) {
  std::string headers(kCorsAnswer);
  if (request.Find("access-control-request-private-network")) {
    headers += "Access-Control-Allow-Private-Network: true\r\n";
  }
  return Say(200, kText, {}, std::move(headers));
}

}  // namespace

Service::Service(const ServerOptions& options, const Backend& backend, const Clock& clock,
                 std::function<std::string()> metrics)
    : options_(options),
      backend_(backend),
      metrics_(std::move(metrics)),
      guard_({.allow_hosts = options.allow_hosts,
              .allow_origins = options.allow_origins,
              .tls = options.tls.has_value()}),
      verifier_(options.keys, clock) {}

Decision Service::Refuse(int status, const Error& error) const {
  api::Reply reply = backend_.RenderError(error);
  Decision decision =
      Say(status == 0 ? reply.status : status, kApiContentType, std::move(reply.body));
  decision.refused = true;
  return decision;
}

Decision Service::Decide(const HttpRequest& request, std::string_view peer) {
  const auto refuse = [this](Guard::Refusal& refusal) {
    return Refuse(
        refusal.status,
        {.code = ErrorCode::kAccessDenied, .message = std::move(refusal.message), .detail = {}});
  };
  // A page that may not use the server may not read why either; every other page may.
  if (auto refusal = guard_.CheckOrigin(request)) return refuse(*refusal);
  Decision decision = [&] {
    if (auto refusal = guard_.CheckHost(request)) return refuse(*refusal);
    switch (request.method) {
      case HttpMethod::kPost: return DecidePost(request, peer);
      case HttpMethod::kGet:
      case HttpMethod::kHead: return DecideGet(request);
      case HttpMethod::kOptions: return Preflight(request);
      case HttpMethod::kOther: break;
    }
    return Say(405, kText, "This method is not served.\n", "Allow: GET, HEAD, POST, OPTIONS\r\n");
  }();
  decision.headers += CorsLines(request);
  return decision;
}

Result<Caller> Service::Identify(const HttpRequest& request) {
  Caller caller{.account = std::string(kDefaultAccount), .region = std::string(kDefaultRegion)};
  if (!options_.keys.empty()) {
    TRY_ASSIGN(Caller signer, verifier_.Verify(request));
    if (options_.regions == Regions::kSeparate) return signer;
    caller.principal = signer.principal;
    return caller;
  }
  if (options_.regions == Regions::kShared) return caller;
  const auto claimed = ReadClaimedCredential(request.Find("authorization").value_or(""));
  if (claimed) {
    caller.account = AccountOf(claimed->access_key_id);
    caller.region = claimed->region;
  }
  return caller;
}

Decision Service::DecidePost(const HttpRequest& request, std::string_view peer) {
  const bool studio = request.path.starts_with(studio::kEndpointPrefix);
  if (request.path != "/" && !studio) return Say(404, kText, "The API is at /.\n");
  if (auto refusal = Guard::CheckContentType(request)) {
    return Refuse(refusal->status, {.code = ErrorCode::kUnknownOperation,
                                    .message = std::move(refusal->message),
                                    .detail = {}});
  }
  ApiCall call;
  call.target = studio ? request.path : request.Find("x-amz-target").value_or(std::string_view());
  call.operation = backend_.Find(call.target);
  // An unknown operation is answered as such to anybody, and does nothing.
  if (call.operation != nullptr) {
    Result<Caller> caller = Identify(request);
    if (!caller) return Refuse(0, caller.error());
    call.call.account = std::move(caller->account);
    call.call.region = std::move(caller->region);
    call.call.arns = ArnsOf(options_.regions);
    call.call.principal = caller->principal;
    if (caller->principal != nullptr) call.call.peer = peer;
    call.call.encrypted = options_.tls.has_value();
    call.call.host = request.Find("host").value_or(std::string_view());
  }
  return {.what = std::move(call), .headers = {}};
}

Decision Service::DecideGet(const HttpRequest& request) const {
  if (request.path == "/healthz") return Say(200, kText, "ok\n");
  if (request.path == "/metrics") {
    return Say(200, "text/plain; version=0.0.4; charset=utf-8", metrics_());
  }
  if (auto page = AnswerPage(request)) {
    return Say(page->status, page->content_type, std::move(page->body), std::move(page->headers));
  }
  if (request.path != "/") return Say(404, kText, "There is nothing at this path.\n");
  return Say(200, kText, std::string(kHealthText));
}

Answer Service::Malformed(int status, std::string_view reason) {
  // assumed: the service's own answers to malformed HTTP come from its load balancer.
  Answer answer{.status = status, .content_type = kApiContentType, .body = {}};
  JsonWriter json(answer.body);
  json.BeginObject();
  json.Member("__type", status == 413 ? "com.amazon.coral.service#RequestEntityTooLargeException"
                                      : "com.amazon.coral.service#SerializationException");
  json.Member("message", reason);
  json.EndObject();
  return answer;
}

}  // namespace kw::server
