// SPDX-License-Identifier: Apache-2.0
// The names are in a table of fixed size, for the signal handler. It is written before the file can
// exist, and its count last.
#include "languages/support/toolchain/temporary_files.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "languages/support/files.hpp"

namespace frontend {
namespace {

constexpr int kFilesMax = 4096;
constexpr std::size_t kNameMax = 512;
constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGQUIT, SIGXCPU};
// A defect of ours: said, and the files removed all the same.
constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
constexpr std::size_t kHandlerStackBytes = 64 * 1024;

// Written by the main thread alone, read by it and by the handler in it.
char* g_names[kFilesMax];
std::atomic<int> g_name_count{0};
char g_folder[kNameMax];
std::atomic<pid_t> g_child{0};
const char* g_tool = "";

void remove_all() {
  for (int i = 0; i < g_name_count; ++i) unlink(g_names[i]);
  if (g_folder[0] != 0) rmdir(g_folder);
}

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void end_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void on_signal(int signal_number) {
  if (g_child > 0) kill(g_child, signal_number);
  remove_all();
  end_by(signal_number);
}

void on_crash(int signal_number) {
  say(g_tool);
  say(": internal error: ");
  say(strsignal(signal_number));
  say("; please report it, with the source\n");
  remove_all();
  end_by(signal_number);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction old{};
  sigaction(signal_number, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;  // as under nohup
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

temporary_files::temporary_files(const char* tool) {
  g_tool = tool;
  static char stack[kHandlerStackBytes];
  stack_t handler_stack{};
  handler_stack.ss_sp = stack;
  handler_stack.ss_size = sizeof stack;
  sigaltstack(&handler_stack, nullptr);
  signal(SIGCHLD, SIG_DFL);  // a program started with it ignored cannot learn how a child ended
  for (int s : kSignals) handle(s, on_signal);
  for (int s : kCrashes) handle(s, on_crash);
}

temporary_files::~temporary_files() {
  remove_all();
  g_folder[0] = 0;
  g_name_count = 0;
}

std::string temporary_files::name(const std::string& stem, const std::string& ending) {
  if (g_folder[0] == 0) {
    const char* asked = std::getenv("TMPDIR");
    std::string folder = std::string(asked && *asked ? asked : "/tmp") + "/" + g_tool + "-XXXXXX";
    const held_signals held;  // the folder is not left behind
    if (folder.size() >= kNameMax || !mkdtemp(folder.data()))
      throw failure("no temporary folder " + folder + ": " + std::strerror(errno));
    std::memcpy(g_folder, folder.c_str(), folder.size() + 1);
  }
  const int next = g_name_count;
  if (next == kFilesMax) throw failure("too many temporary files; compile fewer sources at once");
  const std::string full =
      std::string(g_folder) + "/" + std::to_string(count_++) + "-" + stem + ending;
  free(g_names[next]);
  g_names[next] = strdup(full.c_str());
  g_name_count = next + 1;
  return full;
}

void set_running_child(pid_t child) { g_child = child; }

held_signals::held_signals() {
  sigset_t held;
  sigemptyset(&held);
  for (int s : kSignals) sigaddset(&held, s);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}
held_signals::~held_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace frontend
