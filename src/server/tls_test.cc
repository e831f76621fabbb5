// SPDX-License-Identifier: Apache-2.0
// HTTPS with a certificate that the test signs itself.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/check.h"
#include "server/server.h"

namespace kw::server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Answers with the body it was sent.
class EchoBackend final : public Backend {
 public:
  std::span<const api::OperationInfo> Operations() const override { return kOperations; }
  const api::OperationInfo* Find(std::string_view target) const override {
    return target == "T.Echo" ? &kOperations[0] : nullptr;
  }
  api::Access AccessOf(const api::OperationInfo& operation,
                       std::string_view /*body*/) const override {
    return operation.access;
  }
  void Handle(const api::Request& request, std::function<void(api::Reply)> reply) override {
    reply({.body = std::string(request.body)});
  }
  api::Reply RenderError(const Error& error) const override {
    return {.status = 400, .body = error.message};
  }

 private:
  static constexpr std::array<api::OperationInfo, 1> kOperations = {{{"Echo", api::Access::kRead}}};
};

template <class T, void (*free)(T*)>
struct FreeWith {
  void operator()(T* object) const { free(object); }
};
template <class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, FreeWith<T, free>>;

// A key, and a certificate for 127.0.0.1 signed with it, as PEM files in a folder of their own.
class Certificate {
 public:
  Certificate() {
    std::string name = (std::filesystem::temp_directory_path() / "kw_tls_XXXXXX").string();
    Check(::mkdtemp(name.data()) != nullptr, "a temporary folder is made");
    folder_ = name;
    const Owned<EVP_PKEY, EVP_PKEY_free> key(EVP_EC_gen("P-256"));
    const Owned<X509, X509_free> certificate(X509_new());
    X509* x509 = certificate.get();
    X509_set_version(x509, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
    X509_set_pubkey(x509, key.get());
    X509_NAME* subject = X509_get_subject_name(x509);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("keywright"), -1, -1, 0);
    X509_set_issuer_name(x509, subject);
    const Owned<X509_EXTENSION, X509_EXTENSION_free> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"));
    X509_add_ext(x509, names.get(), -1);
    Check(X509_sign(x509, key.get(), EVP_sha256()) > 0, "the certificate is signed");
    Write("cert.pem", [&](std::FILE* file) { return PEM_write_X509(file, x509); });
    Write("key.pem", [&](std::FILE* file) {
      return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  ~Certificate() { std::filesystem::remove_all(folder_); }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  std::string certificate() const { return folder_ / "cert.pem"; }
  std::string key() const { return folder_ / "key.pem"; }

 private:
  template <class Writer>
  void Write(const char* name, const Writer& writer) {
    std::FILE* file = std::fopen((folder_ / name).c_str(), "w");
    Check(file != nullptr && writer(file) == 1, "a PEM file is written");
    std::fclose(file);
  }

  std::filesystem::path folder_;
};

class TlsTest : public testing::Test {
 protected:
  void Start(bool tls) {
    ServerOptions options;
    options.port = 0;
    options.threads = 1;
    if (tls) {
      options.tls = TlsFiles{.certificate = certificate_.certificate(), .key = certificate_.key()};
    }
    auto started = Server::Start(std::move(options), backend_, clock_);
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }

  int Connect() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
  }

  // A TLS client on a connected socket that trusts this certificate only; null if the two did not
  // come together.
  Owned<SSL, SSL_free> Shake(int socket, int version_max = TLS1_3_VERSION) {
    const Owned<SSL_CTX, SSL_CTX_free> context(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_load_verify_file(context.get(), certificate_.certificate().c_str());
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context.get(), version_max);
    Owned<SSL, SSL_free> tls(SSL_new(context.get()));
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls.get()), "127.0.0.1");
    SSL_set_fd(tls.get(), socket);
    if (SSL_connect(tls.get()) != 1) return nullptr;
    return tls;
  }

  static constexpr std::string_view kRequest =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
      "X-Amz-Target: T.Echo\r\nContent-Length: 5\r\n\r\nhello";

  Certificate certificate_;
  EchoBackend backend_;
  SystemClock clock_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, ServesRequests) {
  Start(true);
  const int socket = Connect();
  const auto tls = Shake(socket);
  ASSERT_NE(tls, nullptr);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(SSL_write(tls.get(), kRequest.data(), static_cast<int>(kRequest.size())),
              static_cast<int>(kRequest.size()));
    std::string answer;
    std::array<char, 4096> piece;
    while (!answer.ends_with("\r\n\r\nhello")) {
      const int got = SSL_read(tls.get(), piece.data(), static_cast<int>(piece.size()));
      ASSERT_GT(got, 0) << answer;
      answer.append(piece.data(), static_cast<std::size_t>(got));
    }
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("Connection: keep-alive\r\n"));
  }
  SSL_shutdown(tls.get());
  ::close(socket);
}

TEST_F(TlsTest, RefusesOldVersions) {
  Start(true);
  const int socket = Connect();
  EXPECT_EQ(Shake(socket, TLS1_1_VERSION), nullptr);
  ::close(socket);
}

TEST_F(TlsTest, TellsPlainHttpWhatToDo) {
  Start(true);
  const int socket = Connect();
  ASSERT_EQ(::send(socket, kRequest.data(), kRequest.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(kRequest.size()));
  std::string answer;
  std::array<char, 4096> piece;
  ssize_t got = 0;
  while ((got = ::recv(socket, piece.data(), piece.size(), 0)) > 0) {
    answer.append(piece.data(), static_cast<std::size_t>(got));
  }
  EXPECT_EQ(got, 0);  // the connection ended in order
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(answer, HasSubstr("This port speaks HTTPS: begin the endpoint with https://."));
  ::close(socket);
  const int next = Connect();
  EXPECT_NE(Shake(next), nullptr);
  ::close(next);
}

TEST_F(TlsTest, GarbageEndsItsConnectionOnly) {
  Start(true);
  const int socket = Connect();
  const std::string garbage(100, '\x01');
  ::send(socket, garbage.data(), garbage.size(), MSG_NOSIGNAL);
  std::array<char, 4096> piece;
  while (::recv(socket, piece.data(), piece.size(), 0) > 0) {
  }
  ::close(socket);
  const int next = Connect();
  EXPECT_NE(Shake(next), nullptr);
  ::close(next);
}

TEST_F(TlsTest, TlsAtAPlainPortIsRefusedAtOnce) {
  Start(false);
  const int socket = Connect();
  EXPECT_EQ(Shake(socket), nullptr);
  ::close(socket);
}

}  // namespace
}  // namespace kw::server
