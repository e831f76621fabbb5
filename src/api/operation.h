// SPDX-License-Identifier: Apache-2.0
// What an operation is, and how a table of operations is made of types. An operation parses a
// checked body into an engine request, runs it, and renders the outcome; this header does all the
// rest.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "api/api.h"
#include "api/authorize.h"
#include "api/shapes.h"
#include "base/json.h"

namespace kw::api {

using ReplyFunction = std::function<void(Reply)>;

// What Parse makes of a body: what the engine needs, and what only the answer needs (which parts of
// it were asked for, names as they were sent).
template <class Request, class Echo>
struct Parsed {
  Request request;
  Echo echo;
};

// Answers at once; it blocks only as CallContext::wait allows.
template <class Op>
concept ImmediateOperation = requires(engine::Engine& engine, const engine::CallContext& call,
                                      typename Op::Request request) {
  { Op::Run(engine, call, std::move(request)) } -> std::same_as<Result<typename Op::Response>>;
};

// Answers by calling back once, from any thread.
template <class Op>
concept DeferredOperation =
    requires(engine::Engine& engine, const engine::CallContext& call, typename Op::Request request,
             engine::Done<typename Op::Response> done) {
      { Op::Run(engine, call, std::move(request), std::move(done)) } -> std::same_as<void>;
    };

template <class Op>
concept Operation =
    (ImmediateOperation<Op> || DeferredOperation<Op>) &&
    requires(JsonValue body, const engine::CallContext& call, const typename Op::Echo& echo,
             const typename Op::Response& response, JsonWriter& out) {
      { Op::kName } -> std::convertible_to<std::string_view>;
      { Op::kAccess } -> std::convertible_to<Access>;
      { Op::kInput } -> std::convertible_to<const Shape&>;
      {
        Op::Parse(body, call)
      } -> std::same_as<Result<Parsed<typename Op::Request, typename Op::Echo>>>;
      { Op::Render(echo, response, out) } -> std::same_as<void>;
    };

template <Operation Op>
Reply RenderReply(const typename Op::Echo& echo, const Result<typename Op::Response>& response) {
  if (!response) return RenderError(response.error());
  Reply reply;
  JsonWriter out(reply.body);
  Op::Render(echo, *response, out);
  return reply;
}

// `body` has passed CheckShape(Op::kInput) and is not needed once this returns.
template <Operation Op>
void Serve(engine::Engine& engine, const engine::CallContext& call, JsonValue body,
           ReplyFunction reply) {
  auto parsed = Op::Parse(body, call);
  if (!parsed) return reply(RenderError(parsed.error()));
  if (call.principal != nullptr) {
    const auto allowed =
        AuthorizeCall<Op>({.engine = engine, .call = call, .body = body}, parsed->request);
    if (!allowed) return reply(RenderError(allowed.error()));
  }
  if constexpr (ImmediateOperation<Op>) {
    reply(RenderReply<Op>(parsed->echo, Op::Run(engine, call, std::move(parsed->request))));
  } else {
    Op::Run(
        engine, call, std::move(parsed->request),
        [echo = std::move(parsed->echo), reply = std::move(reply)](
            Result<typename Op::Response> response) { reply(RenderReply<Op>(echo, response)); });
  }
}

// What stands before the name in X-Amz-Target: of streams, they say so themselves.
template <Operation Op>
constexpr std::string_view TargetOf() {
  if constexpr (requires { Op::kTarget; }) {
    return Op::kTarget;
  } else {
    return "DynamoDB_20120810.";
  }
}

// Where the body tells what a request does; any JSON may come.
template <Operation Op>
constexpr Access (*AccessReader())(JsonValue body) {
  if constexpr (requires { Op::AccessOf; }) {
    return &Op::AccessOf;
  } else {
    return nullptr;
  }
}

struct Row {
  OperationInfo info;
  Access (*access_of)(JsonValue);  // null: as `info` says
  void (*serve)(engine::Engine&, const engine::CallContext&, JsonValue, ReplyFunction);
};

// Names in strictly rising order, or it does not compile.
template <Operation... Ops>
consteval std::array<Row, sizeof...(Ops)> MakeTable() {
  const std::array<Row, sizeof...(Ops)> rows{
      Row{{Ops::kName, Ops::kAccess, TargetOf<Ops>(), &Ops::kInput},
          AccessReader<Ops>(),
          &Serve<Ops>}...};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!(rows[i - 1].info.name < rows[i].info.name)) throw "operations must be sorted and unique";
  }
  return rows;
}

}  // namespace kw::api
