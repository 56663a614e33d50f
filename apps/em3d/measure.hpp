// SPDX-License-Identifier: Apache-2.0
// Runs the versions in rounds, takes their time, and checks what they leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"

namespace em3d {

// Times of the same run.
class timings {
 public:
  void add(double ns_per_edge) { ns_.push_back(ns_per_edge); }
  double median() const;
  double least() const;
  double most() const;

 private:
  std::vector<double> ns_;
};

// A version at a percentage. The time is that of the slowest rank, by the edges that each rank
// brings up to date.
struct result {
  std::string version;
  unsigned remote_percent = 0;
  std::size_t remote_edges = 0;  // of all ranks
  std::size_t ghosts = 0;        // of all ranks
  timings ns_per_edge;
  std::uint64_t checksum = 0;  // of the fields after the last run
  bool correct = true;         // in all runs
};

// Known at kRoot; elsewhere without checksums, and all correct.
struct measurement {
  std::vector<result> results;  // by percentage, then by version
  timings serial;               // local_graph::run, in every round, at every percentage
  std::optional<std::string> wrong;  // what the first wrong run did
};

// Collective. Throws measured::failure.
measurement measure(const options& o);

}  // namespace em3d
