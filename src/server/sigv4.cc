// SPDX-License-Identifier: Apache-2.0
#include "server/sigv4.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

namespace kw::server {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTerminator = "aws4_request";
constexpr std::chrono::minutes kSkewMax{5};
constexpr std::size_t kDerivedKeysMax = 1024;
constexpr std::size_t kCredentialMax = 512;
constexpr std::size_t kSignedHeadersMax =
    4096;  // characters; each name costs a walk over the headers
constexpr std::size_t kCanonicalMax = std::size_t{64} << 10;  // twice what the headers may hold

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
std::string_view Text(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// The low-level calls of OpenSSL cost a third of the one-shot ones, and keyed states can be copied.
Digest Sha256(std::string_view text) {
  Digest digest;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, text.data(), text.size());
  SHA256_Final(digest.data(), &state);
  return digest;
}

// HMAC-SHA256 with both padded keys already absorbed.
class KeyedHmac {
 public:
  explicit KeyedHmac(std::string_view key) {
    std::array<unsigned char, SHA256_CBLOCK> block{};
    if (key.size() > block.size()) {
      const Digest digest = Sha256(key);
      std::copy(digest.begin(), digest.end(), block.begin());
    } else if (!key.empty()) {
      std::memcpy(block.data(), Bytes(key), key.size());
    }
    Absorb(inner_, block, 0x36);
    Absorb(outer_, block, 0x5C);
    OPENSSL_cleanse(block.data(), block.size());
  }

  [[nodiscard]] Digest Sign(std::string_view text) const {
    Digest digest;
    SHA256_CTX state = inner_;
    SHA256_Update(&state, text.data(), text.size());
    SHA256_Final(digest.data(), &state);
    state = outer_;
    SHA256_Update(&state, digest.data(), digest.size());
    SHA256_Final(digest.data(), &state);
    return digest;
  }

 private:
  static void Absorb(SHA256_CTX& state, std::array<unsigned char, SHA256_CBLOCK> block,
                     unsigned char pad) {
    for (unsigned char& byte : block) byte = static_cast<unsigned char>(byte ^ pad);
    SHA256_Init(&state);
    SHA256_Update(&state, block.data(), block.size());
    OPENSSL_cleanse(block.data(), block.size());
  }

  SHA256_CTX inner_;
  SHA256_CTX outer_;
};

void AppendHex(std::string& out, const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<char, 2 * SHA256_DIGEST_LENGTH> hex;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    hex[2 * i] = kDigits[digest[i] >> 4];
    hex[2 * i + 1] = kDigits[digest[i] & 0xF];
  }
  out.append(hex.data(), hex.size());
}

struct Scope {
  std::string_view access_key_id;
  std::string_view date;
  std::string_view region;
  std::string_view service;
  std::string_view terminator;
  std::string_view path;  // date/region/service/terminator, as the string to sign has it
};

struct Authorization {
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
};

Result<Authorization> ParseAuthorization(std::string_view header) {
  Authorization parsed;
  const auto not_a_pair = [&](std::string_view part) {
    // observed: github.com/iann0036/cloud9-sync/issues/10
    return Fail(ErrorCode::kIncompleteSignature,
                fmt::format("'{}' not a valid key=value pair (missing equal-sign) in "
                            "Authorization header: '{}'.",
                            part, header));
  };
  if (!header.starts_with(kAlgorithm)) return parsed;
  std::string_view rest = header.substr(kAlgorithm.size());
  // Parts stand apart by a comma, a blank, or both. (find_first_of is several times slower.)
  const auto separates = [](char c) { return c == ',' || c == ' '; };
  while (true) {
    rest.remove_prefix(static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), separates) - rest.begin()));
    if (rest.empty()) return parsed;
    const std::string_view part(rest.begin(), std::find_if(rest.begin(), rest.end(), separates));
    rest.remove_prefix(part.size());
    const std::size_t equals = part.find('=');
    if (equals == part.npos) return not_a_pair(part);
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "Credential") parsed.credential = value;
    if (name == "SignedHeaders") parsed.signed_headers = value;
    if (name == "Signature") parsed.signature = value;
  }
}

std::optional<Scope> ParseScope(std::string_view credential) {
  if (credential.size() > kCredentialMax) return std::nullopt;
  std::array<std::size_t, 4> slashes{};
  std::size_t from = credential.size();
  for (std::size_t i = slashes.size(); i-- > 0;) {
    if (from == 0) return std::nullopt;
    const std::size_t at = credential.rfind('/', from - 1);
    if (at == credential.npos) return std::nullopt;
    slashes[i] = at;
    from = at;
  }
  if (slashes[0] == 0 || credential.substr(0, slashes[0]).find('/') != credential.npos) {
    return std::nullopt;
  }
  const auto between = [&](std::size_t begin, std::size_t end) {
    return credential.substr(begin + 1, end - begin - 1);
  };
  return Scope{.access_key_id = credential.substr(0, slashes[0]),
               .date = between(slashes[0], slashes[1]),
               .region = between(slashes[1], slashes[2]),
               .service = between(slashes[2], slashes[3]),
               .terminator = credential.substr(slashes[3] + 1),
               .path = credential.substr(slashes[0] + 1)};
}

// 20150830T123600Z and nothing else.
std::optional<std::chrono::sys_seconds> ParseBasicTime(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(begin, length)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const int month = number(4, 2);
  const int day = number(6, 2);
  const int hour = number(9, 2);
  const int minute = number(11, 2);
  const int second = number(13, 2);
  const std::chrono::year_month_day date(std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (month < 0 || day < 0 || !date.ok() || number(0, 4) < 0 || hour < 0 || hour > 23 ||
      minute < 0 || minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::string BasicTime(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

tl::unexpected<Error> InvalidSignature(std::string message) {
  return Fail(ErrorCode::kInvalidSignature, std::move(message));
}

// Sorted by name, then value; a name alone gets its equal-sign. Escapes stay as they were sent.
void AppendCanonicalQuery(std::string& out, std::string_view query) {
  if (query.empty()) return;
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
  }
  std::sort(pairs.begin(), pairs.end());
  bool first = true;
  for (const auto& [name, value] : pairs) {
    if (!std::exchange(first, false)) out += '&';
    out += name;
    out += '=';
    out += value;
  }
}

// Runs of blanks become one; those at the ends are gone already.
void AppendHeaderValue(std::string& out, std::string_view value) {
  if (value.find("  ") == value.npos) {
    out += value;
    return;
  }
  char last = 0;
  for (const char c : value) {
    if (c != ' ' || last != ' ') out += c;
    last = c;
  }
}

std::string_view NameOf(HttpMethod method) {
  switch (method) {
    case HttpMethod::kGet: return "GET";
    case HttpMethod::kHead: return "HEAD";
    case HttpMethod::kPost: return "POST";
    case HttpMethod::kOptions: return "OPTIONS";
    case HttpMethod::kOther: return "OTHER";
  }
  return "OTHER";
}

}  // namespace

struct SigV4Verifier::Impl {
  struct DerivedKey {
    KeyedHmac hmac;
    const AccessKey* key;
  };

  const KeyRing& keys;
  const Clock& clock;
  std::string service;
  std::unordered_map<std::string, DerivedKey, StringHash, std::equal_to<>>
      derived;  // by credential
  std::string canonical;
  std::string to_sign;
  std::string expected;

  Result<void> CheckComplete(const Authorization& sent, const HttpRequest& request,
                             std::string_view header) const {
    // observed: github.com/aws-samples/amazon-elasticsearch-service-with-authentication/issues/4
    std::string missing;
    const auto demand = [&](std::string_view value, std::string_view name) {
      if (value.empty())
        missing += fmt::format("Authorization header requires '{}' parameter. ", name);
    };
    demand(sent.credential, "Credential");
    demand(sent.signature, "Signature");
    demand(sent.signed_headers, "SignedHeaders");
    if (!request.Find("x-amz-date") && !request.Find("date")) {
      missing +=
          "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
    }
    if (missing.empty()) return {};
    return Fail(ErrorCode::kIncompleteSignature,
                fmt::format("{}Authorization={}", missing, header));
  }

  // Returns the time as sent, which the string to sign repeats.
  Result<std::string_view> CheckTime(const HttpRequest& request, const Scope& scope) const {
    const std::string_view sent =
        request.Find("x-amz-date").value_or(request.Find("date").value_or(std::string_view()));
    const auto time = ParseBasicTime(sent);
    if (!time) {
      return Fail(ErrorCode::kIncompleteSignature,
                  fmt::format("Date must be in ISO-8601 'basic format'. Got '{}'. See "
                              "http://en.wikipedia.org/wiki/ISO_8601",
                              sent));  // assumed
    }
    if (scope.date != sent.substr(0, 8)) {
      // aws-doc: IAM User Guide, "Troubleshoot Signature Version 4 signing"; the figures assumed
      return InvalidSignature(
          fmt::format("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of "
                      "date from HTTP: '{}' != '{}', from '{}'.",
                      scope.date, sent.substr(0, 8), sent));
    }
    const auto now = std::chrono::floor<std::chrono::seconds>(clock.Now());
    if (*time < now - kSkewMax) {  // observed: github.com/hassy/artillery-dino/issues/2
      return InvalidSignature(
          fmt::format("Signature expired: {} is now earlier than {} ({} - 5 min.)", sent,
                      BasicTime(now - kSkewMax), BasicTime(now)));
    }
    if (*time > now + kSkewMax) {  // observed: github.com/s12v/awsbeats/issues/48
      return InvalidSignature(
          fmt::format("Signature not yet current: {} is still later than {} ({} + 5 min.)", sent,
                      BasicTime(now + kSkewMax), BasicTime(now)));
    }
    return sent;
  }

  Result<const DerivedKey*> Derive(std::string_view credential, const Scope& scope) {
    if (const auto found = derived.find(credential); found != derived.end()) return &found->second;
    const auto key = keys.find(scope.access_key_id);
    if (key == keys.end()) {
      return Fail(ErrorCode::kUnrecognizedClient,
                  "The security token included in the request is invalid.");
    }
    Digest digest = KeyedHmac("AWS4" + key->second.secret).Sign(scope.date);
    for (const std::string_view part : {scope.region, scope.service, scope.terminator}) {
      digest = KeyedHmac(Text(digest)).Sign(part);
    }
    // Old dates and made-up regions go out with all the others, which are cheap to derive again.
    if (derived.size() >= kDerivedKeysMax) derived.clear();
    const auto [made, fresh] = derived.emplace(
        credential, DerivedKey{.hmac = KeyedHmac(Text(digest)), .key = &key->second});
    OPENSSL_cleanse(digest.data(), digest.size());
    return &made->second;
  }

  // Errors: a header that is listed but absent, or one that must be listed and is not.
  Result<void> BuildCanonicalRequest(const HttpRequest& request, std::string_view signed_headers) {
    if (signed_headers.size() > kSignedHeadersMax) {
      return InvalidSignature("SignedHeaders is too long.");
    }
    canonical.clear();
    canonical += NameOf(request.method);
    canonical += '\n';
    canonical += request.path;  // one that the server knows, so it needs no encoding
    canonical += '\n';
    AppendCanonicalQuery(canonical, request.query);
    canonical += '\n';
    bool host = false;
    bool target = !request.Find("x-amz-target");
    for (std::string_view rest = signed_headers; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (name == "host") host = true;
      if (name == "x-amz-target") target = true;
      canonical += name;
      canonical += ':';
      bool first = true;
      for (const HttpHeader& header : request.headers) {
        if (header.name != name) continue;
        if (!std::exchange(first, false)) canonical += ',';
        AppendHeaderValue(canonical, header.value);
      }
      canonical += '\n';
      if (canonical.size() > kCanonicalMax) return InvalidSignature("SignedHeaders is too long.");
    }
    if (!host) {
      return InvalidSignature(
          "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
    }
    if (!target) {
      return InvalidSignature("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
    }
    canonical += '\n';
    canonical += signed_headers;
    canonical += '\n';
    AppendHex(canonical, Sha256(request.body));
    return {};
  }
};

SigV4Verifier::SigV4Verifier(const KeyRing& keys, const Clock& clock, std::string_view service)
    : impl_(new Impl{.keys = keys,
                     .clock = clock,
                     .service = std::string(service),
                     .derived = {},
                     .canonical = {},
                     .to_sign = {},
                     .expected = {}}) {}

SigV4Verifier::~SigV4Verifier() = default;

Result<Caller> SigV4Verifier::Verify(const HttpRequest& request) {
  Impl& impl = *impl_;
  const std::optional<std::string_view> header = request.Find("authorization");
  if (!header || header->empty()) {
    return Fail(ErrorCode::kMissingAuthenticationToken, "Request is missing Authentication Token");
  }
  TRY_ASSIGN(const Authorization sent, ParseAuthorization(*header));
  TRY(impl.CheckComplete(sent, request, *header));

  const std::optional<Scope> scope = ParseScope(sent.credential);
  if (!scope) {  // assumed
    return Fail(ErrorCode::kIncompleteSignature,
                fmt::format("Credential must have exactly 5 slash-delimited elements, e.g. "
                            "keyid/date/region/service/term, got '{}'",
                            sent.credential));
  }
  TRY_ASSIGN(const Impl::DerivedKey* key, impl.Derive(sent.credential, *scope));
  if (scope->terminator != kTerminator) {  // assumed
    return InvalidSignature(fmt::format(
        "Credential should be scoped with a valid terminator: 'aws4_request', not '{}'.",
        scope->terminator));
  }
  if (scope->service != impl.service) {  // assumed
    return InvalidSignature(
        fmt::format("Credential should be scoped to correct service: '{}'. ", impl.service));
  }
  TRY_ASSIGN(const std::string_view time, impl.CheckTime(request, *scope));
  TRY(impl.BuildCanonicalRequest(request, sent.signed_headers));

  impl.to_sign.clear();
  impl.to_sign.append(kAlgorithm).append("\n").append(time).append("\n").append(scope->path);
  impl.to_sign += '\n';
  AppendHex(impl.to_sign, Sha256(impl.canonical));
  impl.expected.clear();
  AppendHex(impl.expected, key->hmac.Sign(impl.to_sign));
  if (sent.signature.size() != impl.expected.size() ||
      CRYPTO_memcmp(sent.signature.data(), impl.expected.data(), impl.expected.size()) != 0) {
    return InvalidSignature(
        "The request signature we calculated does not match the signature you provided. Check your "
        "AWS Secret Access Key and signing method. Consult the service documentation for details.");
  }
  return Caller{.account = key->key->account,
                .region = std::string(scope->region),
                .principal = key->key->principal.get()};
}

std::optional<ClaimedCredential> ReadClaimedCredential(std::string_view authorization) {
  const Result<Authorization> parsed = ParseAuthorization(authorization);
  if (!parsed) return std::nullopt;
  const std::optional<Scope> scope = ParseScope(parsed->credential);
  if (!scope || scope->region.empty()) return std::nullopt;
  return ClaimedCredential{.access_key_id = scope->access_key_id, .region = scope->region};
}

}  // namespace kw::server
