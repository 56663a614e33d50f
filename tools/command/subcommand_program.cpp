// SPDX-License-Identifier: Apache-2.0
#include "tools/command/subcommand_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace tools {

namespace fs = std::filesystem;

namespace {

constexpr int kNotStarted = 127;  // as shells have it

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

// Beside the command where it was built, in RAMJET_LIBEXEC, relative to it, where it is installed.
int become_program(const std::string& name, char** argv) {
  const fs::path here = own_folder();
  std::string program = "ramjet-" + name;
  argv[0] = program.data();
  const fs::path installed = (here / RAMJET_LIBEXEC).lexically_normal();
  for (const fs::path& folder : {here, installed}) {
    ::execv((folder / program).c_str(), argv);
    if (errno == ENOENT) continue;
    fmt::print(stderr, "ramjet: cannot start {}: {}\n", (folder / program).string(),
               std::strerror(errno));
    return kNotStarted;
  }
  fmt::print(stderr,
             "ramjet: `ramjet {0}` is the program {1}, which is neither in {2} nor in {3}: install "
             "the whole of Ramjet, or build it with `make build`\n",
             name, program, here.string(), installed.string());
  return kNotStarted;
}

fs::path command_path() {
  const fs::path beside = own_folder() / "ramjet";
  std::error_code error;
  return fs::exists(beside, error) ? beside
                                   : (own_folder() / RAMJET_BIN / "ramjet").lexically_normal();
}

}  // namespace tools
