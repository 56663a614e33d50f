// SPDX-License-Identifier: Apache-2.0
#include "base/standard_output.hpp"

#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "base/deadly_signals.hpp"

namespace ramjet::base {

namespace {

// The process whose output it is: a forked child has a copy of the unfinished line.
pid_t output_owner = 0;

// An unbuffered stream of glibc has a buffer of one byte; an unused one has none yet.
bool is_unbuffered(std::FILE* stream) { return ::__fbufsize(stream) == 1; }

// Behind the last newline of a text that may be null.
std::ptrdiff_t unfinished_bytes(const char* from, const char* end) {
  const char* begin = end;
  while (begin != from && begin[-1] != '\n') --begin;
  return end - begin;
}

bool is_pipe_or_socket(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

}  // namespace

void print_lines_at_once() noexcept {
  if (is_pipe_or_socket(STDOUT_FILENO) && !is_unbuffered(stdout)) {
    std::fflush(stdout);
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  }
  output_owner = ::getpid();
  call_before_deadly_signal(write_pending_output);
}

void write_pending_output() noexcept {
#if defined(__GLIBC__)
  if (output_owner != ::getpid()) return;
  const char* from = stdout->_IO_write_base;
  const char* const end = stdout->_IO_write_ptr;
  // A line-buffered stream holds no whole line, unless this has interrupted it while it writes one.
  if (::__flbf(stdout) != 0) from = end - unfinished_bytes(from, end);
  while (from != nullptr && from < end) {
    const ssize_t written = ::write(STDOUT_FILENO, from, std::size_t(end - from));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    from += written;
  }
#endif
}

void end_process(int status) noexcept {
  write_pending_output();
  std::_Exit(status);
}

}  // namespace ramjet::base
