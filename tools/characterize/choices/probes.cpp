// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/choices/probes.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "ramjet/ramjet.hpp"
#include "tools/characterize/drift.hpp"
#include "tools/characterize/estimate.hpp"
#include "tools/characterize/remote/server.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {

std::uint64_t aggregated_sum = 0;
void on_aggregated(std::uint64_t value) { aggregated_sum += value; }

}  // namespace characterize

template <>
inline constexpr bool ramjet::aggregated<&characterize::on_aggregated> = true;

namespace characterize {
namespace {

using ramjet::base::figure;
using ramjet::base::machine_profile;

constexpr std::size_t kBytesMost = std::size_t{4} << 20;
constexpr std::size_t kBytesAtOnce = std::size_t{64} << 10;  // moved in a sample, at least
constexpr std::size_t kTimesMost = 32;
constexpr unsigned kItems = 20'000;
constexpr unsigned kPollsToNotice = 64;  // in which an engine takes a forced figure over
constexpr unsigned kReductions = 8;
constexpr unsigned kPaceSamples = 15;
constexpr unsigned kPaceTrips = 1000, kFarPaceTrips = 20, kPaceBarriers = 20;  // of a sample

// One sample: nanoseconds of one operation on `bytes` bytes.
using operation = std::function<double(std::size_t bytes)>;

// What is forced while this lives.
class forced_figure {
 public:
  forced_figure(figure f, std::uint64_t value) : before_(ramjet::base::profile_in_use()) {
    machine_profile now = before_;
    now.set(f, value);
    ramjet::base::use_profile(now);
  }
  ~forced_figure() { ramjet::base::use_profile(before_); }
  forced_figure(const forced_figure&) = delete;
  forced_figure& operator=(const forced_figure&) = delete;

 private:
  const machine_profile before_;
};

std::vector<std::size_t> sizes_from(std::size_t first, std::size_t last, const choice_plan& plan) {
  std::vector<std::size_t> sizes;
  for (std::size_t s = plan.checks ? 8 : first; s <= last; s *= plan.quick ? 4 : 2)
    sizes.push_back(s);
  if (sizes.back() != last) sizes.push_back(last);
  return sizes;
}

// Which values are forced: for a check the one in use first.
std::vector<std::uint64_t> values_of(figure f, std::vector<std::uint64_t> others,
                                     const choice_plan& plan) {
  if (!plan.checks) return others;
  const std::uint64_t used = ramjet::base::machine(f);
  std::erase(others, used);
  others.insert(others.begin(), used);
  return others;
}

std::vector<std::uint64_t> limits_of(figure f) {
  const auto& row = ramjet::base::all_figures()[std::size_t(f)];
  return {row.least, row.most};
}

// Others on the machine only ever add: what a quarter of the samples kept below is less theirs than
// the median is.
double lower_quartile(std::span<double> samples) {
  const auto at = samples.begin() + std::ptrdiff_t(samples.size() / 4);
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

double distance_of_halves(std::span<double> samples) {
  const std::size_t half = samples.size() / 2;
  return std::abs(
      std::log(lower_quartile(samples.first(half)) / lower_quartile(samples.subspan(half))));
}

comparison compare(figure f, std::string what, std::vector<std::uint64_t> values,
                   const std::vector<std::size_t>& sizes, const choice_plan& plan,
                   const operation& sample) {
  comparison c{f, std::move(what), {}};
  for (const std::uint64_t value : values_of(f, std::move(values), plan))
    c.forced.push_back({value, {}});
  for (const std::size_t bytes : sizes) {
    std::vector<std::vector<double>> samples(c.forced.size());
    for (unsigned round = 0; round <= plan.rounds; ++round)
      for (std::size_t v = 0; v < c.forced.size(); ++v) {
        const forced_figure now(f, c.forced[v].value);
        const double ns = sample(bytes);
        if (round != 0) samples[v].push_back(ns);  // the first is a rehearsal
      }
    for (std::size_t v = 0; v < c.forced.size(); ++v) {
      c.noise += distance_of_halves(samples[v]) / double(sizes.size() * c.forced.size());
      c.forced[v].times.push_back({double(bytes), lower_quartile(samples[v])});
    }
  }
  return c;
}

// How fast the ranks are together now, in ns.
double pace_ns(const std::function<double()>& sample) {
  std::vector<double> samples;
  while (samples.size() < kPaceSamples) samples.push_back(sample());
  return estimate_of(samples).median;
}

// --- Two ranks ----------------------------------------------------------------------------------

class pair_prober {
 public:
  pair_prober(const choice_plan& plan, const server_place& other)
      : plan_(plan), memory_(reinterpret_cast<std::byte*>(other.address)) {}
  compared run();

 private:
  void add(comparison c);
  std::size_t times(std::size_t bytes) const {
    return std::clamp<std::size_t>(kBytesAtOnce / bytes, 1, is_near() ? kTimesMost : 4);
  }
  double read_sample(std::size_t bytes);
  double write_sample(std::size_t bytes);
  double item_sample();
  double message_sample();

  const choice_plan& plan_;
  const ramjet::global_ptr<std::byte> memory_;
  std::byte* here_ = nullptr;
  compared found_;
  drift_watch drift_;
};

volatile std::uint64_t nobody_reads;  // so that what is summed up is

void read_all(const std::byte* bytes, std::size_t count) {
  std::uint64_t sum = 0, word;
  for (std::size_t at = 0; at + sizeof word <= count; at += sizeof word) {
    std::memcpy(&word, bytes + at, sizeof word);
    sum += word;
  }
  nobody_reads = sum;
}

// With the reader's use of what came: that is where a way past the caches is paid for.
double pair_prober::read_sample(std::size_t bytes) {
  const std::size_t count = times(bytes);
  ask_to_write(count * bytes);
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * bytes;
    ramjet::bulk_read(here_ + at, ramjet::global_ptr<const void>(memory_ + std::ptrdiff_t(at)),
                      bytes);
    if (is_near()) read_all(here_ + at, bytes);
  }
  return time.ns() / double(count);
}

// With the owner's use of what was written.
double pair_prober::write_sample(std::size_t bytes) {
  const std::size_t count = times(bytes);
  read_all(here_, count * bytes);
  if (is_near()) ask_to_read(count * bytes);
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * bytes;
    ramjet::bulk_write(ramjet::global_ptr<void>(memory_ + std::ptrdiff_t(at)), here_ + at, bytes);
  }
  if (is_near()) ask_to_read(count * bytes);
  return time.ns() / double(count);
}

double pair_prober::item_sample() {
  await_counted();
  const stopwatch time;
  for (unsigned i = 0; i < kItems; ++i) ramjet::request<on_aggregated>(1, std::uint64_t(i));
  send_counted();  // behind them
  await_counted();
  return time.ns() / kItems;
}

double pair_prober::message_sample() {
  await_counted();
  for (unsigned i = 0; i < kPollsToNotice; ++i) ramjet::poll();
  const stopwatch time;
  for (unsigned i = 0; i < kItems; ++i) send_counted();
  await_counted();
  return time.ns() / kItems;
}

void pair_prober::add(comparison c) {
  found_.all.push_back(std::move(c));
  drift_.note(pace_ns([] { return counted_trip_ns(is_near() ? kPaceTrips : kFarPaceTrips); }));
}

compared pair_prober::run() {
  here_ = static_cast<std::byte*>(ramjet::segment_allocate(kServerBytes));
  if (here_ == nullptr) throw std::runtime_error("the segment has no room for 8 MiB");
  std::memset(here_, 0, kServerBytes);
  const operation reads = [this](std::size_t bytes) { return read_sample(bytes); };
  const operation writes = [this](std::size_t bytes) { return write_sample(bytes); };
  const auto sizes = [this](std::size_t first) { return sizes_from(first, kBytesMost, plan_); };
  if (is_near()) {
    constexpr auto kReads = figure::near_read_streaming_bytes;
    constexpr auto kWrites = figure::near_write_streaming_bytes;
    add(compare(kReads, "reads of near memory", limits_of(kReads), sizes(1024), plan_, reads));
    add(compare(kWrites, "writes to near memory", limits_of(kWrites), sizes(1024), plan_, writes));
    add(compare(figure::lines_ahead, "short messages to a near rank", {1, 4, 8, 16}, {8}, plan_,
                [this](std::size_t) { return message_sample(); }));
  } else {
    add(compare(figure::far_read_part_bytes, "reads of far memory",
                {16 << 10, 32 << 10, 48 << 10, 60 << 10}, sizes(32 << 10), plan_, reads));
    add(compare(figure::far_write_part_bytes, "writes to far memory",
                {64 << 10, 256 << 10, 1 << 20, 4 << 20}, sizes(64 << 10), plan_, writes));
  }
  add(compare(figure::block_bytes,
              std::string("aggregated messages to a ") + (is_near() ? "near" : "far") +
                  " rank, 8 bytes each",
              {512, 1 << 10, 2 << 10, 4 << 10, 8 << 10}, {8}, plan_,
              [this](std::size_t) { return item_sample(); }));
  ask_to_end();
  found_.measured.drift = drift_.ratio();
  return std::move(found_);
}

// --- Collectives --------------------------------------------------------------------------------

std::vector<std::uint64_t> values_to_reduce;

double reduce_sample(std::size_t bytes) {
  const std::span<std::uint64_t> values(values_to_reduce.data(), bytes / sizeof(std::uint64_t));
  ramjet::barrier();
  const stopwatch time;
  for (unsigned i = 0; i < kReductions; ++i)
    ramjet::all_reduce(values, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return time.ns() / kReductions;
}

// Collective.
double barrier_sample() {
  const stopwatch time;
  for (unsigned i = 0; i < kPaceBarriers; ++i) ramjet::barrier();
  return time.ns() / kPaceBarriers;
}

}  // namespace

compared compare_for_pair(const choice_plan& plan) {
  const server_place other = begin_serving();
  if (ramjet::rank() == 0) return pair_prober(plan, other).run();
  serve();
  return {};
}

compared compare_for_crowd(const choice_plan& plan) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  values_to_reduce.assign(kMost / sizeof(std::uint64_t), 1);
  const auto parts_first = [&plan] {
    // By pairs or in parts: where the hub is out of the way, unless a check leaves it as it is.
    const forced_figure no_hub(figure::hub_bytes, plan.checks
                                                      ? ramjet::base::machine(figure::hub_bytes)
                                                      : limits_of(figure::hub_bytes).front());
    return compare(figure::parts_bytes, "long reductions", limits_of(figure::parts_bytes),
                   sizes_from(1024, kMost, plan), plan, reduce_sample);
  };
  drift_watch drift;
  drift.note(pace_ns(barrier_sample));
  std::vector<comparison> all{parts_first()};
  drift.note(pace_ns(barrier_sample));
  std::uint64_t parts = plan.checks ? ramjet::base::machine(figure::parts_bytes) : best_value(all);
  ramjet::broadcast(parts, 0);
  const forced_figure chosen(figure::parts_bytes, parts);  // what the hub is compared with
  all.push_back(compare(figure::hub_bytes, "reductions where ranks outnumber cores",
                        limits_of(figure::hub_bytes), sizes_from(64, kMost, plan), plan,
                        reduce_sample));
  drift.note(pace_ns(barrier_sample));
  return {std::move(all), {.drift = drift.ratio()}};
}

double lone_yield_ns() {
  constexpr unsigned kYields = 1000;
  std::vector<double> samples;
  for (unsigned i = 0; i < kYields; ++i) {
    const stopwatch time;
    ::sched_yield();
    samples.push_back(time.ns());
  }
  return estimate_of(samples).median;
}

}  // namespace characterize
