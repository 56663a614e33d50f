// SPDX-License-Identifier: Apache-2.0
// How a compiler ends before its time; each is one sentence.
#ifndef FRONTEND_FAILURE_HPP
#define FRONTEND_FAILURE_HPP

#include <stdexcept>

namespace frontend {

// A step cannot be done. Exit status 1.
class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The command line is wrong. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace frontend

#endif
