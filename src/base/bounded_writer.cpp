// SPDX-License-Identifier: Apache-2.0
#include "base/bounded_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>

#include "base/clock.hpp"

namespace ramjet::base {

namespace {

constexpr std::uint64_t kPatienceNs = 1'000'000'000;

}  // namespace

int open_again_nonblocking(int fd) noexcept {
  struct stat about{};
  if (::fstat(fd, &about) != 0 || (!S_ISFIFO(about.st_mode) && ::isatty(fd) != 1)) return -1;
  char name[32] = "/proc/self/fd/";
  char* const number = name + std::strlen(name);
  *std::to_chars(number, name + sizeof name - 1, fd).ptr = 0;
  return ::open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

bounded_writer::bounded_writer(int fd) noexcept : fd_(fd), again_(open_again_nonblocking(fd)) {
  struct stat about{};
  is_socket_ = ::fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode);
}

bounded_writer::~bounded_writer() {
  if (again_ >= 0) ::close(again_);
}

// A file always has it.
bool bounded_writer::wait_for_room(std::uint64_t deadline_ns) const noexcept {
  for (std::uint64_t now = now_ns(); now < deadline_ns; now = now_ns()) {
    pollfd room{again_ >= 0 ? again_ : fd_, POLLOUT, 0};
    const int found = ::poll(&room, 1, int((deadline_ns - now) / 1'000'000) + 1);
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return false;
  }
  return false;
}

long bounded_writer::write_some(std::string_view bytes) const noexcept {
  if (is_socket_) return ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (again_ >= 0) return ::write(again_, bytes.data(), bytes.size());
  return ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

void bounded_writer::write(std::string_view bytes) noexcept {
  std::uint64_t deadline_ns = now_ns() + kPatienceNs;
  while (!bytes.empty() && !gave_up_) {
    const long wrote = wait_for_room(deadline_ns) ? write_some(bytes) : 0;
    if (wrote > 0) {
      bytes.remove_prefix(std::size_t(wrote));
      deadline_ns = now_ns() + kPatienceNs;
    } else if (wrote == 0 || (errno != EINTR && errno != EAGAIN)) {
      gave_up_ = true;
    }
  }
}

}  // namespace ramjet::base
