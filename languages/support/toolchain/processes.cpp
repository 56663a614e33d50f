// SPDX-License-Identifier: Apache-2.0
#include "languages/support/toolchain/processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "languages/support/files.hpp"
#include "languages/support/toolchain/temporary_files.hpp"

namespace frontend {
namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr int kPipeBytes = 1024 * 1024;
constexpr int kBySignal = 128;

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct pipe_ends {
  descriptor read, write;
};

pipe_ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw failure(std::string("no pipe: ") + std::strerror(errno));
  fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);  // refused: it is smaller
  return {descriptor(ends[0]), descriptor(ends[1])};
}

// An input of unknown size in an unnamed file: no pipe that could block both sides.
descriptor file_with(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (!file) throw failure(std::string("no temporary file: ") + std::strerror(errno));
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  descriptor copy(fcntl(fileno(file), F_DUPFD_CLOEXEC, 3));
  std::fclose(file);
  if (!written || copy.get() < 0 || lseek(copy.get(), 0, SEEK_SET) != 0)
    throw failure(std::string("a temporary file cannot be written: ") + std::strerror(errno));
  return copy;
}

// Appends what there is; false at the end.
bool read_some(int fd, std::string& to) {
  const std::size_t before = to.size();
  to.resize(before + kReadBytes);
  const ssize_t got = read(fd, to.data() + before, kReadBytes);
  to.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return got > 0 || (got < 0 && errno == EINTR);
}

void read_both(pipe_ends& output, pipe_ends& errors, run_result& result) {
  result.output.reserve(kPipeBytes);
  pollfd ends[] = {{output.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}};
  std::string* texts[] = {&result.output, &result.errors};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < 2; ++i)
      if (ends[i].fd >= 0 && ends[i].revents != 0 && !read_some(ends[i].fd, *texts[i]))
        ends[i].fd = -1;
  }
}

pid_t start(const command& words, int input, int output, int errors, const sigset_t& held_there) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &held_there);
  pid_t child = 0;
  const int wrong =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (wrong != 0)
    throw failure("the C compiler '" + words[0] + "' cannot be run: " + std::strerror(wrong) +
                  "; RAMJET_CC names another");
  return child;
}

// What waitpid() says of it.
int wait_for(pid_t child) {
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
    continue;
  const held_signals held;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  set_running_child(0);
  return status;
}

bool is_plain(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c >= 0x7f; }

}  // namespace

run_result run(const command& words, bool catch_output, const std::string* input) {
  run_result result;
  pipe_ends output, errors;
  descriptor in;
  if (input) in = file_with(*input);
  if (catch_output) {
    output = make_pipe();
    errors = make_pipe();
  }
  const pid_t child = [&] {
    const held_signals held;
    const pid_t started =
        start(words, in.get(), output.write.get(), errors.write.get(), held.before());
    set_running_child(started);
    return started;
  }();
  output.write.close();
  errors.write.close();
  if (catch_output) read_both(output, errors, result);
  const int status = wait_for(child);
  result.status = WIFSIGNALED(status) ? kBySignal + WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status))
    throw failure("'" + words[0] + "' was ended by signal " + std::to_string(WTERMSIG(status)) +
                  " (" + strsignal(WTERMSIG(status)) + ")");
  return result;
}

std::string in_shell_words(const command& words) {
  constexpr std::string_view kSafe = "_-+=./,:@%^";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool plain = !word.empty() && std::ranges::all_of(word, [&](char c) {
      return is_plain(c) || kSafe.find(c) != std::string_view::npos;
    });
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) line += c == '\'' ? "'\\''" : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace frontend
