// SPDX-License-Identifier: Apache-2.0
#include "harness/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/samples.hpp"

namespace bench {
namespace {

pid_t start(const std::vector<std::string>& words, int output_fd, bool show_errors) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output_fd >= 0) {
    ::posix_spawn_file_actions_adddup2(&actions, output_fd, STDOUT_FILENO);
  } else {
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  if (!show_errors)
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  if (::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) child = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return child;
}

// A signal that asks this process to end ends its commands; what called for them then cleans up.
volatile std::sig_atomic_t ending_signal = 0;

class ending_watch {
 public:
  ending_watch() {
    struct sigaction note{};
    note.sa_handler = [](int number) { ending_signal = number; };
    for (int i = 0; i < kCount; ++i) ::sigaction(kSignals[i], &note, &before_[i]);
  }
  ~ending_watch() {
    for (int i = 0; i < kCount; ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  ending_watch(const ending_watch&) = delete;
  ending_watch& operator=(const ending_watch&) = delete;

 private:
  static constexpr int kCount = 3;
  static constexpr int kSignals[kCount] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[kCount];
};

void throw_if_ending() {
  if (ending_signal != 0) throw interrupted{ending_signal};
}

int reap(pid_t child) {
  int status = 0;
  do {
    if (ending_signal != 0) ::kill(child, SIGTERM);
    if (::waitpid(child, &status, 0) == child) break;
  } while (errno == EINTR);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int fd) {
  std::string text;
  char piece[4096];
  for (ssize_t n; (n = ::read(fd, piece, sizeof piece)) != 0;) {
    if (n < 0 && (errno != EINTR || ending_signal != 0)) break;
    if (n > 0) text.append(piece, std::size_t(n));
  }
  return text;
}

}  // namespace

finished run_command_line(const std::vector<std::string>& words, output_of_command output,
                          bool show_errors) {
  const ending_watch watch;
  finished f;
  int ends[2] = {-1, -1};
  if (output == output_of_command::keep && ::pipe2(ends, O_CLOEXEC) != 0) return f;
  const double begin_ns = now_ns();
  const pid_t child = start(words, ends[1], show_errors);
  if (ends[1] >= 0) ::close(ends[1]);
  if (child > 0) {
    if (ends[0] >= 0) f.output = read_all(ends[0]);
    f.exit_status = reap(child);
    f.seconds = (now_ns() - begin_ns) / 1e9;
  }
  if (ends[0] >= 0) ::close(ends[0]);
  throw_if_ending();
  return f;
}

double run_side_by_side(const std::vector<std::string>& words, unsigned copies) {
  const ending_watch watch;
  const double begin_ns = now_ns();
  std::vector<pid_t> children;
  for (unsigned i = 0; i < copies; ++i) children.push_back(start(words, -1, true));
  bool well = true;
  for (pid_t child : children) well &= child > 0 && reap(child) == 0;
  throw_if_ending();
  return well ? (now_ns() - begin_ns) / 1e9 : -1;
}

console::json report_of(const std::vector<std::string>& words, const std::string& name) {
  const finished f = run_command_line(words, output_of_command::keep);
  if (f.exit_status != 0)
    throw std::runtime_error(name + " ended with status " + std::to_string(f.exit_status));
  std::optional<console::json> report = console::json::parse(f.output);
  if (!report) throw std::runtime_error(name + " printed no JSON");
  return *std::move(report);
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

scratch_folder::scratch_folder() {
  std::error_code none;
  std::string name = (std::filesystem::temp_directory_path(none) / "ramjet-bench-XXXXXX").string();
  if (!none && ::mkdtemp(name.data()) != nullptr) path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  if (exists()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace bench
