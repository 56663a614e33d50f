// SPDX-License-Identifier: Apache-2.0
// What can go wrong on the way to a result. main.cpp sees to it that all ranks end and that one of
// them says why.
#pragma once

#include <stdexcept>
#include <string>

#include <ramjet/ramjet.hpp>

namespace em3d {

inline constexpr int kRoot = 0;  // the rank that checks and reports

inline constexpr int kExitFailure = 1;  // a wrong field, no memory, the output, or the job
inline constexpr int kExitUsage = 2;    // the command line

// The graph does not fit. Thrown in all ranks.
class memory_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The job lost a rank.
class job_error : public std::runtime_error {
 public:
  explicit job_error(ramjet::status s)
      : std::runtime_error(std::string("the job cannot go on: ") + ramjet::to_string(s)) {}
};

inline void require(ramjet::status s) {
  if (s != ramjet::status::ok) [[unlikely]]
    throw job_error(s);
}

}  // namespace em3d
