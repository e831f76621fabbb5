// SPDX-License-Identifier: Apache-2.0
#include "server/page.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/bytes.h"

namespace kw::server {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark;
  --paper: #fbfaf7; --ink: #1d2320; --soft: #5c6661; --line: #dedbd2; --card: #ffffff; --mark: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #121614; --ink: #e8ece9; --soft: #9aa5a0; --line: #2a312d; --card: #1a1f1c; --mark: #5fd0a5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(2rem, 8vw, 5rem) 1.25rem 4rem; }
.state { display: inline-flex; align-items: center; gap: .5rem; color: var(--mark); font-size: .875rem;
  font-weight: 600; }
.state::before { content: ""; width: .55rem; height: .55rem; border-radius: 50%; background: var(--mark); }
h1 { margin: .4rem 0 .2rem; font-size: clamp(2rem, 7vw, 2.9rem); line-height: 1.1;
  letter-spacing: -.03em; }
p { margin: .4rem 0 1rem; color: var(--soft); }
.note { margin-top: 1.2rem; }
h2 { margin: 2.2rem 0 .5rem; font-size: 1rem; }
pre { margin: 0; padding: 1rem 1.1rem; overflow-x: auto; background: var(--card);
  border: 1px solid var(--line); border-radius: .6rem;
  font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 2; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--ink); }
a { color: var(--mark); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--mark); outline-offset: 3px; border-radius: 2px; }
footer { margin-top: 2.6rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9rem; }
)css";

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string RenderHomePage(std::string_view origin) {
  return fmt::format(R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keywright</title>
<style>{style}</style>
</head>
<body>
<main>
<div class="state">Running</div>
<h1>Keywright</h1>
<p>A database that speaks the DynamoDB API. Any AWS SDK, command line or library works with it once its
endpoint is <code>{origin}</code>.</p>

<h2>Command line</h2>
<pre tabindex="0"><code>aws dynamodb list-tables \
  --endpoint-url {origin} \
  --region us-east-1</code></pre>

<h2>Python</h2>
<pre tabindex="0"><code>import boto3
db = boto3.resource(
    "dynamodb",
    endpoint_url="{origin}",
    region_name="us-east-1",
)
print(list(db.tables.all()))</code></pre>

<h2>JavaScript</h2>
<pre tabindex="0"><code>import {{ DynamoDB }} from "@aws-sdk/client-dynamodb";
const db = new DynamoDB({{
  endpoint: "{origin}",
  region: "us-east-1",
}});
console.log(await db.listTables());</code></pre>

<p class="note">SDKs want some credentials even where they are not checked: set <code>AWS_ACCESS_KEY_ID</code> and
<code>AWS_SECRET_ACCESS_KEY</code> to any word, unless the server was started with keys.</p>

<footer><a href="/metrics">Metrics</a> for Prometheus &middot; <a href="/healthz">Health</a></footer>
</main>
</body>
</html>
)html",
                     fmt::arg("style", kStyle), fmt::arg("origin", Escape(origin)));
}

const std::string& HomePagePolicy() {
  static const std::string policy = [] {
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned length = 0;
    EVP_Digest(kStyle.data(), kStyle.size(), reinterpret_cast<unsigned char*>(digest.data()),
               &length, EVP_sha256(), nullptr);
    digest.resize(length);
    return fmt::format(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
        Base64(digest));
  }();
  return policy;
}

}  // namespace kw::server
