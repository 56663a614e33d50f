// SPDX-License-Identifier: Apache-2.0
#include "launch/output.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/bounded_writer.hpp"

namespace ramjet::launcher {

sink::sink(int fd) : fd_(fd) {
  struct stat about{};
  if (::fstat(fd, &about) != 0) {
    broken_ = true;
    return;
  }
  const bool terminal = ::isatty(fd) == 1;
  if (!terminal && !S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)) return;
  const int again = base::open_again_nonblocking(fd);
  kind_ = again >= 0 ? kind::nonblocking : kind::in_small_pieces;
  if (again >= 0) {
    fd_ = again;
    owned_ = true;
  }
}

sink::~sink() {
  if (owned_) ::close(fd_);
}

void sink::write(const void* writer, std::string_view bytes) {
  if (broken_ || bytes.empty()) return;
  if (inside_line_ != nullptr && inside_line_ != writer) pending_ += '\n';
  pending_ += bytes;
  inside_line_ = bytes.back() == '\n' ? nullptr : writer;
}

int sink::flush() {
  while (!is_empty()) {
    std::size_t length = pending_bytes();
    if (kind_ == kind::in_small_pieces) {
      pollfd room{fd_, POLLOUT, 0};
      if (::poll(&room, 1, 0) == 0) break;
      length = std::min<std::size_t>(length, PIPE_BUF);
    }
    const ssize_t written = ::write(fd_, pending_.data() + flushed_, length);
    if (written >= 0) {
      flushed_ += std::size_t(written);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      const int error = errno;
      broken_ = true;
      pending_.clear();
      flushed_ = 0;
      return error;
    }
  }
  if (is_empty()) {
    pending_.clear();
    flushed_ = 0;
  } else if (flushed_ >= kFullBytes) {
    pending_.erase(0, flushed_);
    flushed_ = 0;
  }
  return 0;
}

bool same_stream(int a, int b) {
  struct stat of_a{}, of_b{};
  if (::fstat(a, &of_a) != 0 || ::fstat(b, &of_b) != 0) return false;
  return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino &&
         (S_ISFIFO(of_a.st_mode) || S_ISCHR(of_a.st_mode) || S_ISSOCK(of_a.st_mode));
}

void line_source::feed(std::string_view bytes) {
  if (how_ == assembly::raw) return to_->write(to_, bytes);  // both streams are one writer
  const bool redraws = to_ != nullptr && bytes.ends_with('\r');  // a line of progress, as it stands
  const std::size_t last = redraws ? bytes.size() - 1 : bytes.rfind('\n');
  const std::string_view whole =
      last == bytes.npos ? bytes.substr(0, 0) : bytes.substr(0, last + 1);
  bytes.remove_prefix(whole.size());
  if (!whole.empty()) {
    if (unfinished_.empty()) {
      pass_lines(whole);
    } else {  // join only the line that needs it
      const std::size_t first = std::min(whole.find('\n'), whole.size() - 1) + 1;
      unfinished_ += whole.substr(0, first);
      pass_lines(unfinished_);
      unfinished_.clear();
      if (first < whole.size()) pass_lines(whole.substr(first));
    }
  }
  unfinished_ += bytes;
  if (to_ != nullptr && (shows_unfinished_ || unfinished_.size() >= kPieceBytes)) finish();
}

void line_source::show_unfinished() {
  if (to_ == nullptr) return;
  shows_unfinished_ = true;
  finish();
}

void line_source::finish() {
  if (!unfinished_.empty()) pass_lines(unfinished_);
  unfinished_.clear();
}

void line_source::pass_lines(std::string_view bytes) {
  if (to_ != nullptr && tag_.empty()) return to_->write(this, bytes);
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(0, end);
    if (to_ != nullptr) {
      if (!to_->is_inside_line(this)) to_->write(this, tag_);
      to_->write(this, line);
    } else {
      take_(line.substr(0, line.size() - (line.back() == '\n')));
    }
    bytes.remove_prefix(end);
  }
}

}  // namespace ramjet::launcher
