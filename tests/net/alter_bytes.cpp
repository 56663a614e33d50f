// SPDX-License-Identifier: Apache-2.0
// A network that alters bytes, as a library that is loaded before others (LD_PRELOAD): one bit of
// what this process sends by one of its TCP connections is turned on its way.
//
//   ALTER_RANK        the rank whose bytes are altered
//   ALTER_CONNECTION  the number of the connection, in the order of the first bytes sent
//   ALTER_POSITION    of the byte among all that are sent by the connection, the handshake too
//   ALTER_CALL, ALTER_FROM_END  instead of the position: of the byte in what this call sends, of
//                     all calls for this connection or later ones, and how far from its end
//   ALTER_BIT         0 to 7
//   ALTER_NO_HEARTBEATS  datagrams vanish, so that control connections carry the signs of life
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr int kFilesMax = 4096;

struct plan {
  bool is_here = number("ALTER_RANK", kNone) == number("RAMJET_RANK", kNone - 1);
  std::uint64_t connection = number("ALTER_CONNECTION", kNone);
  std::uint64_t position = number("ALTER_POSITION", kNone);
  std::uint64_t call = number("ALTER_CALL", kNone);
  std::uint64_t from_end = number("ALTER_FROM_END", 1);
  unsigned bit = unsigned(number("ALTER_BIT", 0));
  bool no_heartbeats = std::getenv("ALTER_NO_HEARTBEATS") != nullptr;
};
const plan& the_plan() {
  static const plan p;
  return p;
}

struct connection_count {
  std::uint64_t number = kNone;
  std::uint64_t sent = 0;
};
std::mutex mutex;
connection_count counts[kFilesMax];
std::uint64_t connections = 0;
std::uint64_t calls = 0;  // for connections from the plan's on

int type_of(int fd) {
  int type = 0;
  socklen_t bytes = sizeof type;
  sockaddr_storage at{};
  socklen_t at_bytes = sizeof at;
  if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &at_bytes) != 0)
    return 0;
  return at.ss_family == AF_INET || at.ss_family == AF_INET6 ? type : 0;
}

// The function that this one stands before.
template <class F>
F* real(F*, const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

// Sends a copy in which the bit is turned, if it is among these bytes, else the bytes themselves.
template <class Send>
ssize_t send_altered(int fd, const iovec* parts, std::size_t count, Send&& send) {
  const plan& p = the_plan();
  if (!p.is_here || fd < 0 || fd >= kFilesMax || type_of(fd) != SOCK_STREAM)
    return send(parts, count);
  const std::lock_guard lock(mutex);
  connection_count& c = counts[fd];
  if (c.number == kNone) c.number = connections++;
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const from = static_cast<const std::byte*>(parts[i].iov_base);
    all.insert(all.end(), from, from + parts[i].iov_len);
  }
  const bool may = c.number >= p.connection && c.number != kNone;
  const bool in_call = may && calls == p.call && p.from_end <= all.size();
  const std::uint64_t at = in_call ? c.sent + all.size() - p.from_end : p.position;
  if ((in_call || c.number == p.connection) && c.sent <= at && at - c.sent < all.size()) {
    all[at - c.sent] ^= std::byte(1u << p.bit);
    std::fprintf(stderr, "alters byte %llu of connection %llu\n",  // or tries to
                 static_cast<unsigned long long>(at), static_cast<unsigned long long>(c.number));
  }
  iovec whole{all.data(), all.size()};
  const ssize_t sent = send(&whole, 1);
  if (sent > 0) c.sent += std::uint64_t(sent);
  calls += may && sent > 0;
  return sent;
}

bool is_lost(int fd) { return the_plan().no_heartbeats && type_of(fd) == SOCK_DGRAM; }

}  // namespace

extern "C" {

ssize_t send(int fd, const void* bytes, size_t count, int flags) {
  static const auto next = real(&::send, "send");
  const iovec one{const_cast<void*>(bytes), count};
  return send_altered(fd, &one, 1, [&](const iovec* p, std::size_t) {
    return next(fd, p->iov_base, p->iov_len, flags);
  });
}

ssize_t sendto(int fd, const void* bytes, size_t count, int flags, const sockaddr* to,
               socklen_t to_bytes) {
  static const auto next = real(&::sendto, "sendto");
  if (is_lost(fd)) return ssize_t(count);
  const iovec one{const_cast<void*>(bytes), count};
  return send_altered(fd, &one, 1, [&](const iovec* p, std::size_t) {
    return next(fd, p->iov_base, p->iov_len, flags, to, to_bytes);
  });
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  static const auto next = real(&::sendmsg, "sendmsg");
  if (is_lost(fd)) return 0;
  return send_altered(fd, message->msg_iov, message->msg_iovlen,
                      [&](const iovec* p, std::size_t n) {
                        msghdr altered = *message;
                        altered.msg_iov = const_cast<iovec*>(p);
                        altered.msg_iovlen = n;
                        return next(fd, &altered, flags);
                      });
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static const auto next = real(&::writev, "writev");
  return send_altered(fd, parts, std::size_t(count), [&](const iovec* p, std::size_t n) {
    return next(fd, p, int(n));
  });
}

int close(int fd) {
  static const auto next = real(&::close, "close");
  if (fd >= 0 && fd < kFilesMax) {
    const std::lock_guard lock(mutex);
    counts[fd] = {};
  }
  return next(fd);
}

}  // extern "C"
