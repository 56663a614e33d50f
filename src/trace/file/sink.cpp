// SPDX-License-Identifier: Apache-2.0
#include "trace/file/sink.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "trace/file/perfetto.hpp"

namespace ramjet::trace {

void remove_open_file(int fd, const std::string& path) {
  struct stat opened {}, named {};
  if (::fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
      ::lstat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
      named.st_ino == opened.st_ino)
    ::unlink(path.c_str());
}

trace_sink::~trace_sink() {
  if (fd_ < 0) return;
  struct stat about {};
  if (::fstat(fd_, &about) == 0 && about.st_size == 0) remove_open_file(fd_, path_);
  ::close(fd_);
}

bool trace_sink::open(const std::string& path, std::uint64_t bytes_max) {
  path_ = path;
  bytes_max_ = bytes_max;
  constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  fd_ = ::open(path.c_str(), kHow, 0666);
  if (fd_ < 0) error_ = errno;
  return fd_ >= 0;
}

void trace_sink::add_packet(std::string_view packet) {
  constexpr std::size_t kPieceBytes = 256 * 1024;
  const std::size_t before = gathered_.size();
  perfetto::put_text(gathered_, perfetto::field::kPacket, packet);
  bytes_ += gathered_.size() - before;
  if (gathered_.size() >= kPieceBytes) flush();
}

void trace_sink::flush() {
  while (written_ != gathered_.size() && error_ == 0) {
    const ssize_t wrote = ::write(fd_, gathered_.data() + written_, gathered_.size() - written_);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) return;
    if (wrote < 0) error_ = errno;
    if (wrote == 0) error_ = ENOSPC;
    if (wrote > 0) written_ += std::size_t(wrote);
  }
  gathered_.clear();
  written_ = 0;
}

void trace_sink::finish() {
  constexpr int kPatienceMs = 2000;
  for (flush(); !gathered_.empty(); flush()) {
    pollfd room{fd_, POLLOUT, 0};
    if (::poll(&room, 1, kPatienceMs) == 0) error_ = ETIMEDOUT;
  }
}

}  // namespace ramjet::trace
