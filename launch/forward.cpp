// SPDX-License-Identifier: Apache-2.0
#include "launch/forward.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/system.hpp"

namespace ramjet::launcher {
namespace {
constexpr std::size_t kReadBytes = 64 * 1024;  // a pipe's usual capacity
}

output_hub::output_hub(forward_options options)
    : options_(std::move(options)),
      out_(STDOUT_FILENO),
      err_own_(STDERR_FILENO),
      err_(same_stream(STDOUT_FILENO, STDERR_FILENO) ? &out_ : &err_own_),
      buffer_(kReadBytes) {}

output_hub::~output_hub() {
  for (stream& s : streams_) {
    if (s.fd >= 0) ::close(s.fd);
  }
  if (readable_ >= 0) ::close(readable_);
  if (epoll_ >= 0) ::close(epoll_);
}

problem output_hub::open() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  readable_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ >= 0 && readable_ >= 0) return {};
  return out_of_files("watch the ranks (epoll)");
}

line_source output_hub::source_for(unsigned rank, bool is_out) {
  if (is_out && options_.on_stdout) {
    return line_source(
        [take = options_.on_stdout, rank](std::string_view line) { take(int(rank), line); });
  }
  const bool raw = options_.single && !options_.tag;
  return line_source(is_out ? out_ : *err_, raw ? assembly::raw : assembly::lines,
                     options_.tag ? "[" + std::to_string(rank) + "] " : "");
}

problem output_hub::add_rank(int out, int err) {
  const auto rank = unsigned(streams_.size() / 2);
  for (const auto& [fd, is_out] : {std::pair{out, true}, std::pair{err, false}}) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = streams_.size();
    if (::epoll_ctl(readable_, EPOLL_CTL_ADD, fd, &event) != 0) note_watch_error();
    streams_.push_back({fd, source_for(rank, is_out)});
  }
  flush();  // arms epoll_
  return watch_error_ == 0 ? problem{} : problem{1, base::watch_problem(watch_error_)};
}

void output_hub::pump() {
  read_ready();
  flush();
}

void output_hub::read_ready() {
  epoll_event events[64];
  if (!watches_readable_) return;
  const int count = ::epoll_wait(readable_, events, 64, 0);
  for (int i = 0; i < count; ++i) read_some(streams_[events[i].data.u64]);
}

bool output_hub::read_some(stream& from) {
  if (from.fd < 0) return false;
  const ssize_t got = ::read(from.fd, buffer_.data(), buffer_.size());
  if (got > 0) {
    if (!silent_) from.lines.feed({buffer_.data(), std::size_t(got)});
    return true;
  }
  if (got < 0 && errno == EINTR) return true;
  // A grandchild that escaped may hold the pipe open: once all ranks are gone, empty is the end.
  if (got < 0 && errno == EAGAIN && !draining_) return false;
  if (!silent_) from.lines.finish();
  ::close(from.fd);  // leaves readable_ by itself
  from.fd = -1;
  return false;
}

void output_hub::forward_rank(unsigned rank) {
  for (unsigned i = 2 * rank; i < 2 * rank + 2 && i < streams_.size(); ++i) {
    // What a pipe can hold, and no more: a grandchild may go on writing.
    for (int rounds = 0; rounds < 16 && read_some(streams_[i]); ++rounds) {
    }
  }
}

void output_hub::show_unfinished(unsigned rank) {
  for (unsigned i = 2 * rank; i < 2 * rank + 2 && i < streams_.size(); ++i)
    streams_[i].lines.show_unfinished();
  forward_rank(rank);
  flush();
}

bool output_hub::drain() {
  draining_ = true;
  bool open = false;
  for (stream& s : streams_) {
    while (s.fd >= 0 && !out_.is_full() && !err_own_.is_full()) {
      read_some(s);
      if (out_.is_full() || err_own_.is_full()) flush();
    }
    open = open || s.fd >= 0;
  }
  flush();
  return !open && out_.is_empty() && err_own_.is_empty();
}

void output_hub::say(const std::string& sentence) { say_raw("ramjet: " + sentence + "\n"); }

void output_hub::say_raw(const std::string& lines) {
  if (!silent_) err_->write(this, lines);
  flush();
}

void output_hub::silence() { silent_ = true; }

void output_hub::flush() {
  if (const int error = out_.flush(); error != 0 && output_error_ == 0) output_error_ = error;
  err_own_.flush();  // if this fails nobody can learn of it
  const bool full = out_.is_full() || err_own_.is_full();
  watch(readable_, !full && !draining_, watches_readable_, EPOLLIN);
  watch(out_.descriptor(), !out_.is_empty(), watches_out_, EPOLLOUT);
  watch(err_own_.descriptor(), !err_own_.is_empty(), watches_err_, EPOLLOUT);
}

void output_hub::watch(int fd, bool wanted, bool& watched, unsigned events) {
  if (wanted == watched) return;
  epoll_event event{};
  event.events = events;
  if (::epoll_ctl(epoll_, wanted ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &event) == 0)
    watched = wanted;
  else
    note_watch_error();  // the next flush tries again
}

void output_hub::note_watch_error() {
  if (watch_error_ == 0) watch_error_ = errno;
}

}  // namespace ramjet::launcher
