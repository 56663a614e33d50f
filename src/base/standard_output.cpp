// SPDX-License-Identifier: Apache-2.0
#include "base/standard_output.hpp"

#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ramjet::base {

namespace {

// Signals that end a process by default and that a rank may meet: its own mistakes, the launcher's
// SIGTERM, limits, timers, the keyboard.
constexpr int kDeadly[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGSYS,  SIGTRAP, SIGTERM,
                           SIGINT,  SIGHUP, SIGQUIT, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGPIPE};

// The process whose output it is: a forked child has a copy of the unfinished line. Written before
// the handlers are installed.
pid_t owner = 0;

// A faulting instruction runs again when the handler returns, and faults again.
bool is_fault(int signal, const siginfo_t& info) {
  const bool can_fault =
      signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  return can_fault && info.si_code > 0;  // 0 and below: another process or thread has sent it
}

// The default action follows when this returns.
void on_deadly_signal(int signal, siginfo_t* info, void*) {
  const int kept = errno;
  write_pending_output();
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  if (!is_fault(signal, *info)) ::raise(signal);  // it is blocked until then
  errno = kept;
}

// An unbuffered stream of glibc has a buffer of one byte; an unused one has none yet.
bool is_unbuffered(std::FILE* stream) { return ::__fbufsize(stream) == 1; }

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
  owner = ::getpid();
  for (const int signal : kDeadly) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now = {};
    now.sa_sigaction = on_deadly_signal;
    now.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(signal, &now, nullptr);
  }
}

void write_pending_output() noexcept {
#if defined(__GLIBC__)
  if (owner != ::getpid()) return;
  const char* from = stdout->_IO_write_base;
  const char* const end = stdout->_IO_write_ptr;
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
