// SPDX-License-Identifier: Apache-2.0
// The frame of a program that runs alike in every rank: it joins the job, runs, says once what went
// wrong, and leaves with the status for it.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include <ramjet/ramjet.hpp>

namespace kernel {

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

// The exit status of body(), in which the program does everything between joining and leaving.
template <class Body>
int exit_status_of(const char* name, Body&& body) {
  const auto complain = [name](const std::string& what, int status) {
    if (ramjet::rank() == kRoot) std::fprintf(stderr, "%s: %s\n", name, what.c_str());
    return status;
  };
  try {
    try {
      body();
    } catch (const help_wanted& help) {
      print_at_root(help.what());
    }
  } catch (const usage_error& e) {
    return complain(std::string(e.what()) + " (see " + name + " --help)", kExitUsage);
  } catch (const failure& e) {
    return complain(e.what(), kExitFailure);
  } catch (const std::exception& e) {
    // The others do not learn of it: leaving the job is what ends it.
    std::fprintf(stderr, "%s: rank %d: %s\n", name, ramjet::rank(), e.what());
    std::_Exit(kExitFailure);
  }
  return 0;
}

template <class Body>
int run(const char* name, int argc, char** argv, Body&& body) {
  ramjet::init(argc, argv);
  const int status = exit_status_of(name, body);
  ramjet::finalize();
  return status;
}

}  // namespace kernel
