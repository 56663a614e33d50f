// SPDX-License-Identifier: Apache-2.0
// What can go wrong on the way to a result. Thrown in the main program of a rank, never in a
// handler; main.cpp sees to it that all ranks end and that one of them says why.
#pragma once

#include <stdexcept>
#include <string>

#include <ramjet/ramjet.hpp>

namespace kmer {

inline constexpr int kExitFailure = 1;  // the input, the output, or the job
inline constexpr int kExitUsage = 2;    // the command line

// The input is missing, unreadable or not what it should be; the text names the file.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The result cannot be written.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The job lost a rank.
class job_error : public std::runtime_error {
 public:
  explicit job_error(ramjet::status s)
      : std::runtime_error(std::string("the job cannot go on: ") + ramjet::to_string(s)) {}
};

// The cold half of require().
[[noreturn]] __attribute__((noinline, cold)) inline void fail_slow(ramjet::status s) {
  throw job_error(s);
}

inline void require(ramjet::status s) {
  if (s != ramjet::status::ok) [[unlikely]]
    fail_slow(s);
}

}  // namespace kmer
