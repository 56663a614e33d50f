// SPDX-License-Identifier: Apache-2.0
#include "characterize/remote/crowd.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

#include "characterize/stopwatch.hpp"
#include "ramjet/ramjet.hpp"

namespace characterize {
namespace {

constexpr double kSampleNs = 5e6;
constexpr double kBarriersMost = 10'000;

void require(ramjet::status s) {
  if (s != ramjet::status::ok) std::abort();
}

double barriers_ns(double count) {
  const stopwatch since;
  for (double i = 0; i < count; ++i) require(ramjet::barrier());
  return since.ns() / count;
}

// All ranks do what rank 0 has found out.
double agreed(double value) {
  require(ramjet::broadcast(value, 0));
  return value;
}

// Everybody has a message of everybody: polls look at all that a rank has ever talked with.
void talk_to_all() {
  const std::vector<int> out(std::size_t(ramjet::size()));
  std::vector<int> in(out.size());
  require(ramjet::all_to_all(std::span<const int>(out), std::span<int>(in)));
}

}  // namespace

double probe_barriers(const patience& each) {
  talk_to_all();
  barriers_ns(10);  // pages are there, and every rank has run
  const double count = agreed(std::clamp(kSampleNs / barriers_ns(4), 4.0, kBarriersMost));
  const stopwatch since;
  std::vector<double> samples;
  double goes_on = 1;
  while (goes_on > 0) {
    samples.push_back(barriers_ns(count));
    const bool is_enough =
        samples.size() >= each.samples_min &&
        (since.seconds() > each.seconds || samples.size() >= 10 * each.samples_min);
    goes_on = agreed(is_enough ? 0 : 1);
  }
  return estimate_of(samples).median;
}

}  // namespace characterize
