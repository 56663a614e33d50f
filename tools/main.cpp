// SPDX-License-Identifier: Apache-2.0
// The command `ramjet`: finds the subcommand and hands over.
#include <cstdio>
#include <exception>
#include <string_view>

#include "commands.hpp"
#include "ramjet/version.hpp"

namespace {

constexpr int kUsageStatus = 2;

struct subcommand {
  std::string_view name;
  int (*run)(int argc, char** argv);
  const char* purpose;
};

constexpr subcommand kSubcommands[] = {
    {"run", run_command, "start a program on several ranks of this machine"},
    {"bench", bench_command, "measure this machine's message costs beside their limits"},
    {"info", info_command, "show what this machine, its limits and this build offer"},
};

const subcommand* find(std::string_view name) {
  for (const subcommand& s : kSubcommands) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

void print_help(std::FILE* to) {
  std::fputs(
      "Active Messages on many-core machines.\n\n"
      "usage: ramjet COMMAND [options]\n\n",
      to);
  for (const subcommand& s : kSubcommands) {
    std::fprintf(to, "  %-8.*s %s\n", int(s.name.size()), s.name.data(), s.purpose);
  }
  std::fputs(
      "  help     show the options of a command: ramjet help run\n\n"
      "  --version, --help\n\n"
      "A first job:  ramjet run -n 4 PROGRAM [arguments]\n",
      to);
}

int unknown(std::string_view name) {
  std::fprintf(stderr, "ramjet: there is no command '%.*s'; `ramjet --help` lists them\n",
               int(name.size()), name.data());
  return kUsageStatus;
}

int help(int argc, char** argv) {
  if (argc < 2) {
    print_help(stdout);
    return 0;
  }
  const subcommand* s = find(argv[1]);
  if (s == nullptr) return unknown(argv[1]);
  char option[] = "--help";
  char* arguments[] = {argv[1], option, nullptr};
  return s->run(2, arguments);
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    print_help(stderr);
    return kUsageStatus;
  }
  const std::string_view name = argv[1];
  if (name == "--version" || name == "-V" || name == "version") {
    std::puts("ramjet " RAMJET_VERSION);
    return 0;
  }
  if (name == "--help" || name == "-h") return help(1, argv + 1);
  if (name == "help") return help(argc - 1, argv + 1);
  const subcommand* s = find(name);
  return s == nullptr ? unknown(name) : s->run(argc - 1, argv + 1);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = dispatch(argc, argv);
    if (std::fflush(stdout) != 0 && status == 0) return 1;
    return status;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ramjet: %s\n", e.what());
    return 1;
  }
}
