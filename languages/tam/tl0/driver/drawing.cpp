// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/driver/drawing.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "languages/support/files.hpp"

namespace tl0::driver {
namespace {

struct close_file {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file = std::unique_ptr<std::FILE, close_file>;

file temporary_file() {
  file made(std::tmpfile());
  if (!made) throw frontend::failure(std::string("no temporary file: ") + std::strerror(errno));
  return made;
}

int run_dot(int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  char name[] = "dot", format[] = "-Tsvg";
  char* words[] = {name, format, nullptr};
  pid_t child = 0;
  const int wrong = posix_spawnp(&child, name, &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (wrong == ENOENT)
    throw frontend::failure(
        "--svg draws by Graphviz's command dot, which is not installed; --dot "
        "writes what it reads");
  if (wrong != 0) throw frontend::failure(std::string("dot: ") + std::strerror(wrong));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string drawing(const std::string& graph) {
  const file in = temporary_file(), out = temporary_file();
  if (std::fwrite(graph.data(), 1, graph.size(), in.get()) != graph.size() ||
      std::fflush(in.get()) != 0)
    throw frontend::failure(std::string("the graph cannot be written: ") + std::strerror(errno));
  std::rewind(in.get());
  if (run_dot(fileno(in.get()), fileno(out.get())) != 0) throw frontend::failure("dot has failed");
  std::rewind(out.get());
  std::string text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, out.get())) > 0;)
    text.append(part, n);
  return text;
}

}  // namespace tl0::driver
