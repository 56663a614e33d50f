// SPDX-License-Identifier: Apache-2.0
// The command `ramjet`: finds the subcommand and hands over.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/out_of_memory.hpp"
#include "ramjet/version.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/command/run.hpp"
#include "tools/command/subcommand_program.hpp"

int run_command(int argc, char** argv) {
  return tools::run_job(argc, argv, [](const tools::shown_job&, char** same) {
    return tools::become_program("run", same);
  });
}

namespace {

struct subcommand {
  std::string_view name;
  int (*run)(int argc, char** argv);  // null: it is a program of its own
  const char* purpose;
};

constexpr subcommand kSubcommands[] = {
    {"run", run_command, "start a program on several ranks, here or on other machines"},
    {"bench", bench_command, "measure this machine's message costs beside their limits"},
    {"characterize", nullptr, "find out what this machine does, by measuring it"},
    {"tam", nullptr, "regenerate the study of the schedulers of the threaded abstract machine"},
    {"top", nullptr, "show what the ranks of a running job do"},
    {"trace", nullptr, "say what a traced job did: waits, late senders, critical path"},
    {"model", nullptr, "say how long a program takes on more ranks, by simulating it"},
    {"report", nullptr, "make one page of what these have found, with plots and tables"},
    {"papers", nullptr, "show five papers' tables and figures beside this machine's"},
    {"info", info_command, "show what this machine, its limits and this build offer"},
};

const subcommand* find(std::string_view name) {
  for (const subcommand& s : kSubcommands) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

int start(const subcommand& s, int argc, char** argv) {
  return s.run == nullptr ? tools::become_program(std::string(s.name), argv) : s.run(argc, argv);
}

std::string overview() {
  std::string text =
      "Active Messages on many-core machines.\n\n"
      "usage: ramjet COMMAND [options]\n\n";
  for (const subcommand& s : kSubcommands) text += fmt::format("  {:<13} {}\n", s.name, s.purpose);
  return text +
         "  help          show the options of a command: ramjet help run\n\n"
         "  --version, --help\n\n"
         "A first job:  ramjet run -n 4 PROGRAM [arguments]\n";
}

int unknown(std::string_view name) {
  fmt::print(stderr, "ramjet: there is no command '{}'; `ramjet --help` lists them\n", name);
  return kUsageStatus;
}

int unexpected(std::string_view word) {
  fmt::print(stderr, "ramjet: unexpected argument '{}' (see ramjet --help)\n", word);
  return kUsageStatus;
}

// argv[0] is "help".
int help(int argc, char** argv) {
  if (argc > 2) return unexpected(argv[2]);
  const std::string_view name = argc == 2 ? argv[1] : "help";
  if (name == "help") return tools::print(overview());
  const subcommand* s = find(name);
  if (s == nullptr) return unknown(name);
  char option[] = "--help";
  char* arguments[] = {argv[1], option, nullptr};
  return start(*s, 2, arguments);
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "{}", overview());
    return kUsageStatus;
  }
  const std::string_view name = argv[1];
  if (name == "help") return help(argc - 1, argv + 1);
  const bool is_version = name == "--version";
  if (is_version || name == "--help" || name == "-h") {
    if (argc > 2) return unexpected(argv[2]);
    return tools::print(is_version ? "ramjet " RAMJET_VERSION "\n" : overview());
  }
  const subcommand* s = find(name);
  return s == nullptr ? unknown(name) : start(*s, argc - 1, argv + 1);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::base::report_uncaught_bad_alloc();
  try {
    return dispatch(argc, argv);
  } catch (const std::bad_alloc&) {
    ramjet::base::report_out_of_memory("ramjet");
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ramjet: %s\n", e.what());
    return 1;
  }
}
