// SPDX-License-Identifier: Apache-2.0
#include "launcher/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.hpp"

namespace ramjet::launcher {

input_relay::~input_relay() {
  ranks_started();
  end();
}

problem input_relay::open(bool forward) {
  nothing_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing_ < 0) return out_of_files("open /dev/null");
  for_rank_0_ = forward ? STDIN_FILENO : nothing_;
  if (!forward || ::isatty(STDIN_FILENO) != 1) return {};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return out_of_files("make a pipe");
  for_rank_0_ = ends[0];
  pipe_ = ends[1];
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  return {};
}

void input_relay::ranks_started() {
  if (for_rank_0_ != nothing_ && for_rank_0_ != STDIN_FILENO && for_rank_0_ >= 0) {
    ::close(for_rank_0_);
  }
  if (nothing_ >= 0) ::close(nothing_);
  for_rank_0_ = nothing_ = -1;
}

int input_relay::watched() const {
  if (pipe_ < 0 || retry_ns_ != 0) return -1;
  return wants_room() ? pipe_ : STDIN_FILENO;
}

void input_relay::end() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  retry_ns_ = 0;
  pending_.clear();
}

void input_relay::pump() {
  constexpr std::uint64_t kPause = 200'000'000;
  if (pipe_ < 0) return;
  retry_ns_ = 0;
  if (pending_.empty()) {
    // None: it is not our session's terminal, and whoever has it open may read it.
    const pid_t foreground = ::tcgetpgrp(STDIN_FILENO);
    if (foreground >= 0 && foreground != ::getpgrp()) {
      retry_ns_ = base::now_ns() + kPause;
      return;
    }
    // In the background the shell may have taken what woke us: a read would block, and with it the
    // whole launcher.
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (::poll(&ready, 1, 0) <= 0) return;
    char buffer[4096];
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) return end();
    pending_.assign(buffer, std::size_t(got));
  }
  const ssize_t written = ::write(pipe_, pending_.data(), pending_.size());
  if (written >= 0) {
    pending_.erase(0, std::size_t(written));
  } else if (errno != EAGAIN && errno != EINTR) {
    end();  // rank 0 reads no more
  }
}

}  // namespace ramjet::launcher
