// SPDX-License-Identifier: Apache-2.0
#include "run_top.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "top.hpp"

namespace tools {

namespace {

// One stream of the job, where that is our terminal: kept in a file without a name while the screen
// is there.
class held_stream {
 public:
  explicit held_stream(int stream) : stream_(stream) {
    if (::isatty(stream) != 1) return;
    file_ = std::tmpfile();
    if (file_ != nullptr) ::fcntl(::fileno(file_), F_SETFD, FD_CLOEXEC);  // not the ranks'
  }
  ~held_stream() {
    if (file_ != nullptr) std::fclose(file_);
  }
  held_stream(const held_stream&) = delete;
  held_stream& operator=(const held_stream&) = delete;

  // In the job's process.
  void take_over() {
    if (file_ == nullptr) return;
    ::fcntl(::fileno(file_), F_SETFL, O_APPEND);
    ::dup2(::fileno(file_), stream_);
  }
  // Writes out what has come since the last time.
  void release() {
    if (file_ == nullptr) return;
    char buffer[16384];
    for (ssize_t got; (got = ::pread(::fileno(file_), buffer, sizeof buffer, done_)) > 0;) {
      for (ssize_t put = 0; put < got;) {
        const ssize_t now = ::write(stream_, buffer + put, std::size_t(got - put));
        if (now < 0 && errno != EINTR) return;
        if (now > 0) put += now;
      }
      done_ += got;
    }
  }

 private:
  const int stream_;
  FILE* file_ = nullptr;
  off_t done_ = 0;
};

pid_t start(const ramjet::launcher::launch_options& options, held_stream& out, held_stream& err) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t job = ::fork();
  if (job != 0) return job;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // the launcher ends the job, then
  if (::getppid() != parent) ::_exit(1);
  out.take_over();
  err.take_over();
  const int status = ramjet::launcher::launch(options);
  std::fflush(nullptr);
  ::_exit(status);
}

bool has_ended(pid_t job, int& status) {
  int how = 0;
  if (::waitpid(job, &how, WNOHANG) != job) return false;
  status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  return true;
}

pid_t passed_on_to = 0;  // the job's process; written before the handler is there

void pass_on(int signal) { ::kill(passed_on_to, signal); }

// SIGINT reaches the job, too: the terminal sends it to both. The others go to this process alone,
// and do what they do without a screen. ncurses leaves handlers alone that are there.
void pass_signals_on_to(pid_t job) {
  passed_on_to = job;
  ::signal(SIGINT, SIG_IGN);
  struct sigaction how{};
  how.sa_handler = pass_on;
  how.sa_flags = SA_RESTART;
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGXCPU, SIGPWR, SIGUSR1, SIGUSR2})
    ::sigaction(signal, &how, nullptr);
}

}  // namespace

bool has_terminal() {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

int launch_and_show(ramjet::launcher::launch_options options) {
  if (::isatty(STDIN_FILENO) == 1) options.forward_input = false;  // the keys are the screen's
  held_stream out(STDOUT_FILENO), err(STDERR_FILENO);
  const pid_t job = start(options, out, err);
  if (job < 0) {
    fmt::print(stderr, "ramjet run: cannot start a process for the job: {}\n",
               std::strerror(errno));
    return 1;
  }
  pass_signals_on_to(job);
  constexpr unsigned kTurnNs = 20'000'000;
  const timespec turn{0, kTurnNs};
  int status = 0;
  bool shown = false;
  while (!has_ended(job, status)) {
    std::string why;
    if (!shown) {
      auto found = ramjet::monitor::find_job_of(job, why);
      if (found != nullptr) {
        shown = true;
        top::live_job live(std::move(found));
        if (live.sample(why)) top::show_on_screen(live, {});
      }
    } else {
      out.release();
      err.release();
    }
    ::nanosleep(&turn, nullptr);
  }
  for (const int signal : {SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);  // the job is gone
  out.release();
  err.release();
  return status;
}

}  // namespace tools
