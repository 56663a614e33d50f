// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/crowd.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "ramjet/ramjet.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

constexpr double kSampleNs = 5e6;
constexpr double kBarriersMost = 10'000;
constexpr std::size_t kBatchBytes = 8192;
constexpr double kBytesOfRank = 4 << 20;  // sent by each rank in a round

std::uint64_t sum_of_all = 0;  // of what has come: so that it is read

void on_batch(ramjet::payload batch) {
  const std::span<const std::uint64_t> words = batch.as<const std::uint64_t>();
  sum_of_all = std::accumulate(words.begin(), words.end(), sum_of_all);
}

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

// Collective: the median of samples, of which all ranks take as many.
double median_of(const std::function<double()>& sample, const patience& each) {
  const stopwatch since;
  std::vector<double> samples;
  double goes_on = 1;
  while (goes_on > 0) {
    samples.push_back(sample());
    const bool is_enough =
        samples.size() >= each.samples_min &&
        (since.seconds() > each.seconds || samples.size() >= 10 * each.samples_min);
    goes_on = agreed(is_enough ? 0 : 1);
  }
  return estimate_of(samples).median;
}

double barrier_ns(const patience& each) {
  barriers_ns(10);  // pages are there, and every rank has run
  const double count = agreed(std::clamp(kSampleNs / barriers_ns(4), 4.0, kBarriersMost));
  return median_of([count] { return barriers_ns(count); }, each);
}

// The time in which every rank sends so many batches to each other one.
double round_ns(unsigned batches) {
  const std::vector<std::uint64_t> batch(kBatchBytes / sizeof(std::uint64_t));
  require(ramjet::barrier());
  const stopwatch since;
  for (unsigned i = 0; i < batches; ++i)
    for (int apart = 1; apart < ramjet::size(); ++apart)
      require(ramjet::request_medium<&on_batch>((ramjet::rank() + apart) % ramjet::size(),
                                                batch.data(), kBatchBytes));
  require(ramjet::quiesce());
  return since.ns();
}

double byte_ns(unsigned cores, const patience& each) {
  const double others = ramjet::size() - 1;
  const auto batches = unsigned(std::max(1.0, kBytesOfRank / others / kBatchBytes));
  const double empty_ns = median_of([] { return round_ns(0); }, each);
  // All pages of the rings of all pairs are there before anything is measured.
  for (std::uint64_t sent = 0; sent < 2 * kRingBytes; sent += batches * kBatchBytes)
    round_ns(batches);
  const double full_ns = median_of([batches] { return round_ns(batches); }, each);
  const double bytes = others * batches * kBatchBytes;
  const double processors = std::min(1.0, double(cores) / ramjet::size());  // that a rank has
  return std::max(0.0, full_ns - empty_ns) * processors / bytes;
}

}  // namespace

crowd_costs probe_crowd(unsigned cores, bool with_bytes, const patience& each) {
  talk_to_all();
  const double barrier = barrier_ns(each);
  return {.barrier_ns = barrier, .byte_ns = with_bytes ? byte_ns(cores, each) : 0};
}

}  // namespace characterize
