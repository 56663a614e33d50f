// SPDX-License-Identifier: Apache-2.0
// A benchmark in a process of its own, before that joins its job: alternates blocks of ours with
// blocks of the raw limit, and hands the record to the command.
//
// Threads: the process's first one; what a block starts has ended when the block returns, or does
// nothing between blocks.
#pragma once

#include <functional>

#include "harness/benchmark.hpp"
#include "harness/samples.hpp"

namespace bench {

class solo {
 public:
  // Runs one block; what it returns is the sample.
  using block = std::function<double()>;

  explicit solo(const effort& how_much) : how_much_(how_much) {}

  unsigned count(unsigned full) const { return how_much_.count(full); }

  // Repeats ours and limit in turn, and reports the record.
  void measure(const block& ours, const block& limit);
  // Adds to the record's params. Before measure.
  template <class T>
  void note(const char* key, const T& value) {
    params_[key] = value;
  }

 private:
  effort how_much_;
  json params_ = json::object();
};

// What f() returns in a forked process. Before anything in this one has started a thread.
double in_fork(const std::function<double()>& f);

}  // namespace bench
