// SPDX-License-Identifier: Apache-2.0
// The frame of a program that runs alike in every rank: it joins the job, runs, says once what went
// wrong, and leaves with the status for it.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <ramjet/ramjet.hpp>

#include "tools/cli/printable.hpp"

namespace measured {

inline constexpr int kRoot = 0;  // the rank that reports

inline constexpr int kExitFailure = 1;  // the result, the output, or the job
inline constexpr int kExitUsage = 2;  // the command line

// Found out by all ranks together: all of them throw it, and one says it.
class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// The command line is wrong, which all ranks see.
class usage_error : public failure {
 public:
  using failure::failure;
};
// The command line asks for the text that this carries.
class help_wanted : public failure {
 public:
  using failure::failure;
};

inline void require(ramjet::status s) {
  if (s != ramjet::status::ok) [[unlikely]]
    throw failure(std::string("the job cannot go on: ") + ramjet::to_string(s));
}

// Prints at the root; after the last thing that ranks do together, as nobody waits for it then.
inline void print_at_root(const std::string& text) {
  if (ramjet::rank() != kRoot) return;
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw failure(std::string("cannot write standard output: ") + std::strerror(errno));
}

struct program {
  const char* name;
  const char* sized_by;  // the options to lower if there is not enough memory
};

// Of this rank alone. The others do not learn of it: leaving the job is what ends it.
[[noreturn]] inline void leave(const program& p, const std::string& what) {
  std::fprintf(stderr, "%s: rank %d: %s\n", p.name, ramjet::rank(),
               console::printable(what).c_str());
  std::_Exit(kExitFailure);
}

// The exit status of body(), in which the program does everything between joining and leaving.
template <class Body>
int exit_status_of(const program& p, Body&& body) {
  const auto complain = [&p](const std::string& what, int status) {
    if (ramjet::rank() == kRoot)
      std::fprintf(stderr, "%s: %s\n", p.name, console::printable(what).c_str());
    return status;
  };
  try {
    try {
      body();
    } catch (const help_wanted& help) {
      print_at_root(help.what());
    }
  } catch (const usage_error& e) {
    return complain(std::string(e.what()) + " (see " + p.name + " --help)", kExitUsage);
  } catch (const failure& e) {
    return complain(e.what(), kExitFailure);
  } catch (const std::bad_alloc&) {
    leave(p, std::string("not enough memory for this: ask for less by ") + p.sized_by);
  } catch (const std::exception& e) {
    leave(p, e.what());
  }
  return 0;
}

template <class Body>
int run(const program& p, int argc, char** argv, Body&& body) {
  ramjet::init(argc, argv);
  const int status = exit_status_of(p, body);
  ramjet::finalize();
  return status;
}

}  // namespace measured
