// SPDX-License-Identifier: Apache-2.0
#include "metrics.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/clock.hpp"
#include "launch/monitor/openmetrics.hpp"
#include "tools/cli/command_line.hpp"

namespace tools {

namespace {

constexpr unsigned kConnectionsMax = 16, kPatienceS = 10;

struct socket_address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

bool read_address(const std::string& text, unsigned port, socket_address& out) {
  auto* four = reinterpret_cast<sockaddr_in*>(&out.storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&out.storage);
  if (::inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(std::uint16_t(port));
    out.bytes = sizeof *four;
    return true;
  }
  if (::inet_pton(AF_INET6, text.c_str(), &six->sin6_addr) != 1) return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(std::uint16_t(port));
  out.bytes = sizeof *six;
  return true;
}

unsigned port_of(int descriptor) {
  socket_address bound;
  bound.bytes = sizeof bound.storage;
  if (::getsockname(descriptor, bound.get(), &bound.bytes) != 0) return 0;
  return ntohs(bound.storage.ss_family == AF_INET
                   ? reinterpret_cast<sockaddr_in*>(&bound.storage)->sin_port
                   : reinterpret_cast<sockaddr_in6*>(&bound.storage)->sin6_port);
}

MHD_Result answer_with(MHD_Connection* connection, unsigned status, std::string_view text,
                       const char* type) {
  MHD_Response* response = ::MHD_create_response_from_buffer(
      text.size(), const_cast<char*>(text.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  ::MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
    ::MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
  const MHD_Result queued = ::MHD_queue_response(connection, status, response);
  ::MHD_destroy_response(response);
  return queued;
}

MHD_Result answer(void* server, MHD_Connection* connection, const char* path, const char* method,
                  const char*, const char*, std::size_t* upload_bytes, void**) {
  constexpr const char* kPlain = "text/plain; charset=utf-8";
  *upload_bytes = 0;
  if (std::strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
      std::strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
    return answer_with(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET /metrics\n", kPlain);
  if (std::strcmp(path, "/metrics") != 0)
    return answer_with(connection, MHD_HTTP_NOT_FOUND, "the counters are at /metrics\n", kPlain);
  const std::string text = static_cast<metrics_server*>(server)->text();
  return answer_with(connection, MHD_HTTP_OK, text, ramjet::monitor::kOpenMetricsType);
}

}  // namespace

std::optional<std::string> read_metrics_place(const std::string& port, const std::string& address,
                                              metrics_place& out) {
  constexpr long long kPortsMax = 65535;
  long long number = 0;
  if (!console::read_number(port, number) || number < 0 || number > kPortsMax)
    return "--metrics-port " + port + ": give a port from 1 to 65535, or 0 for a free one";
  out.port = unsigned(number);
  if (address.empty()) return {};
  socket_address unused;
  out.address = address;
  if (!read_address(address, out.port, unused))
    return "--metrics-address " + address + ": give an address as numbers, such as 0.0.0.0 or ::1";
  return {};
}

metrics_server::~metrics_server() {
  if (daemon_ != nullptr) ::MHD_stop_daemon(daemon_);
}

bool metrics_server::open(const metrics_place& place) {
  socket_address address;
  read_address(place.address, place.port, address);
  const int listening =
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  if (listening < 0 || ::setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(listening, address.get(), address.bytes) != 0 ||
      ::listen(listening, int(kConnectionsMax)) != 0) {
    const int error = errno;
    if (listening >= 0) ::close(listening);
    fmt::print(stderr, "ramjet run: cannot serve metrics at {}, port {}: {}; choose another port\n",
               place.address, place.port, std::strerror(error));
    return false;
  }
  daemon_ =
      ::MHD_start_daemon(MHD_USE_EPOLL, 0, nullptr, nullptr, answer, this, MHD_OPTION_LISTEN_SOCKET,
                         listening, MHD_OPTION_CONNECTION_LIMIT, kConnectionsMax,
                         MHD_OPTION_CONNECTION_TIMEOUT, kPatienceS, MHD_OPTION_END);
  const MHD_DaemonInfo* about =
      daemon_ == nullptr ? nullptr : ::MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD);
  if (about == nullptr) {
    if (daemon_ == nullptr) ::close(listening);
    fmt::print(stderr, "ramjet run: cannot serve metrics: libmicrohttpd cannot use epoll here\n");
    return false;
  }
  descriptor_ = about->epoll_fd;
  if (place.port == 0)
    fmt::print(stderr, "ramjet: metrics at http://{}:{}/metrics\n",
               address.storage.ss_family == AF_INET ? place.address : "[" + place.address + "]",
               port_of(listening));
  return true;
}

std::uint64_t metrics_server::serve(const ramjet::report::readable_job& job) {
  job_ = &job;
  constexpr unsigned kTurnsMax = 64;  // the job's own matters come in between
  MHD_UNSIGNED_LONG_LONG left_ms = 0;
  bool waits = true;
  // At its limit of connections it does not listen, and after that only from the turn on that
  // follows the one that has ended some: the last turn is one that finds nothing to do.
  for (unsigned idle = 0, turn = 0; idle < 2 && turn < kTurnsMax; ++turn) {
    ::MHD_run(daemon_);
    waits = ::MHD_get_timeout(daemon_, &left_ms) == MHD_YES;
    idle = waits && left_ms == 0 ? 0 : idle + 1;
  }
  job_ = nullptr;
  return waits ? ramjet::base::now_ns() + left_ms * 1'000'000 : 0;
}

std::string metrics_server::text_of(const ramjet::report::readable_job& job) {
  return ramjet::monitor::openmetrics_text(sampler_.take(job));
}

}  // namespace tools
