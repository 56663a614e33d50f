// SPDX-License-Identifier: Apache-2.0
// Time of what all ranks do together. Ways of doing it are taken in turn, so that a disturbance
// meets all of them, and each is told by its median. Collective throughout.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "program.hpp"
#include "progress.hpp"

namespace measured {

// Seconds from the ranks' meeting before body() to their meeting after it: those of the slowest
// rank, the same result in all.
template <class Body>
double seconds_together(Body&& body) {
  using clock = std::chrono::steady_clock;
  require(ramjet::barrier());
  const clock::time_point begin = clock::now();
  body();
  require(ramjet::barrier());
  double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  require(ramjet::all_reduce(seconds, [](double a, double b) { return std::max(a, b); }));
  return seconds;
}

// The sum over all ranks of what each of them has.
inline std::uint64_t sum_over_ranks(std::uint64_t value) {
  require(ramjet::all_reduce(value, std::plus<>()));
  return value;
}

// Of at least one value.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The median of what each way returns, in `repeats` turns. One turn before them is not counted: it
// faults pages in and warms the caches.
inline std::vector<double> medians_in_turn(std::uint64_t repeats,
                                           const std::vector<std::function<double()>>& ways) {
  std::vector<std::vector<double>> samples(ways.size());
  progress shown;
  for (std::uint64_t turn = 0; turn <= repeats; ++turn) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      shown.show([&] {
        return turn == 0
                   ? fmt::format("warming up: {} of {}", way + 1, ways.size())
                   : fmt::format("repeat {} of {}: {} of {}", turn, repeats, way + 1, ways.size());
      });
      const double sample = ways[way]();
      if (turn > 0) samples[way].push_back(sample);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& of_way : samples) medians.push_back(median(std::move(of_way)));
  return medians;
}

}  // namespace measured
