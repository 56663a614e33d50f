// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/probes.hpp"

#include <algorithm>
#include <random>

#include "ramjet/ramjet.hpp"
#include "tools/characterize/drift.hpp"
#include "tools/characterize/remote/server.hpp"
#include "tools/characterize/remote/transfers.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

using word = std::uint64_t;
using word_pointer = ramjet::global_ptr<word>;

constexpr std::size_t kWords = kServerBytes / sizeof(word);
constexpr std::size_t kLine = 64;
constexpr std::size_t kReadsMost = 4096;        // of a sample
constexpr std::size_t kFarReadsMost = 64;
constexpr unsigned kGroupMost = 32;
constexpr unsigned kBurst = 16;                 // messages that any ring has room for
constexpr unsigned kCollected = 128;
constexpr unsigned kRow = 20'000;               // messages of a long row
constexpr unsigned kFarRow = 4'000;
constexpr unsigned kBarriers = 200;
constexpr std::size_t kTransferBytes = std::size_t{2} << 20;  // of a sample, about
constexpr unsigned kTransfersMost = 64;
constexpr std::size_t kFarWordsMost = std::size_t{64} << 10;  // more takes for ever

std::uint64_t answers = 0;
void on_pong(ramjet::reply_token) { ++answers; }
void on_ping(ramjet::request_token t) { ramjet::reply<on_pong>(std::move(t)); }

// Rank 0's side.
class prober {
 public:
  prober(const remote_plan& plan, const server_place& other)
      : plan_(plan),
        other_(other),
        memory_(reinterpret_cast<word*>(other.address)),
        is_near_(is_near()) {}

  remote_results run();
  message_results run_messages();

 private:
  void begin();
  double median(const std::function<double()>& sample) {
    return measure(sample, plan_.each).median;
  }
  curve by_stride(double (prober::*sample)(std::size_t stride));
  double read_sample(std::size_t stride);
  double write_sample(std::size_t stride);
  curve by_group(double (prober::*sample)(unsigned group));
  double get_sample(unsigned group);
  double put_group_sample(unsigned group);
  double put_sample(std::size_t stride);
  double fetch_add_sample();
  double barrier_sample();
  message_costs messages();
  // How fast the two are together now.
  void look_for_drift() {
    drift_.note(median([&] { return trip_sample(); }));
  }
  double trip_sample();
  double send_sample();
  double gap_sample();
  std::vector<mechanism> by_size(const std::vector<transfer>& ways, bool reads);
  double transfer_sample(const transfer& way, std::size_t bytes, bool reads);

  const remote_plan& plan_;
  const server_place other_;
  const word_pointer memory_;
  const bool is_near_;
  std::byte* here_ = nullptr;  // as much of this rank's segment
  std::mt19937_64 random_{1};
  drift_watch drift_;
};

std::size_t accesses(bool is_near, std::size_t stride) {
  return std::min(kServerBytes / stride, is_near ? kReadsMost : kFarReadsMost);
}

// Where the next read is depends on what came.
double prober::read_sample(std::size_t stride) {
  const std::size_t count = accesses(is_near_, stride);
  ask_to_write(count * stride);
  std::size_t at = 0;
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i)
    at += stride / sizeof(word) + ramjet::read(memory_ + std::ptrdiff_t(at));
  return time.ns() / double(count);
}

double prober::write_sample(std::size_t stride) {
  const std::size_t count = accesses(is_near_, stride);
  ask_to_write(count * stride);
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i)
    ramjet::write(memory_ + std::ptrdiff_t(i * stride / sizeof(word)), 0);
  return time.ns() / double(count);
}

std::size_t groups_of(bool is_near, unsigned group) {
  return std::max<std::size_t>((is_near ? kReadsMost : kFarReadsMost) / group, 4);
}

double prober::get_sample(unsigned group) {
  const std::size_t groups = groups_of(is_near_, group);
  ask_to_write(kServerBytes);
  word got[kGroupMost] = {};
  std::size_t at = random_() % kWords;
  const stopwatch time;
  for (std::size_t i = 0; i < groups; ++i) {
    for (unsigned k = 0; k < group; ++k)
      ramjet::get(&got[k], memory_ + std::ptrdiff_t((at + k * 8191) % kWords), ramjet::more);
    ramjet::sync_all();
    for (unsigned k = 0; k < group; ++k) at += 127 * 8 + got[k];
  }
  return time.ns() / double(groups * group);
}

double prober::put_group_sample(unsigned group) {
  const std::size_t groups = groups_of(is_near_, group);
  ask_to_write(kServerBytes);
  std::size_t at = random_() % kWords;
  const stopwatch time;
  for (std::size_t i = 0; i < groups; ++i) {
    for (unsigned k = 0; k < group; ++k)
      ramjet::put(memory_ + std::ptrdiff_t((at + k * 8191) % kWords), 0);
    ramjet::sync_all();
    at += 127 * 8;
  }
  return time.ns() / double(groups * group);
}

// One sync behind them all.
double prober::put_sample(std::size_t stride) {
  const std::size_t count =
      std::min(kServerBytes / stride, is_near_ ? kReadsMost : 16 * kFarReadsMost);
  ask_to_write(count * stride);
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i)
    ramjet::put(memory_ + std::ptrdiff_t(i * stride / sizeof(word)), 0);
  ramjet::sync_all();
  return time.ns() / double(count);
}

double prober::fetch_add_sample() {
  const std::size_t count = is_near_ ? kReadsMost : kFarReadsMost;
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i) ramjet::fetch_add(memory_, 0);
  return time.ns() / double(count);
}

double prober::barrier_sample() {
  ask_for_barriers(kBarriers + 1);
  ramjet::barrier();  // both are there
  const stopwatch time;
  for (unsigned i = 0; i < kBarriers; ++i) ramjet::barrier();
  const double ns = time.ns() / kBarriers;
  await_task();
  return ns;
}

curve prober::by_stride(double (prober::*sample)(std::size_t)) {
  curve c;
  for (std::size_t stride = sizeof(word); stride <= 64 * 1024; stride *= stride < 128 ? 2 : 4)
    c.push_back({double(stride), median([&] { return (this->*sample)(stride); })});
  return c;
}

curve prober::by_group(double (prober::*sample)(unsigned)) {
  curve c;
  for (unsigned group = 1; group <= kGroupMost; group *= 2)
    c.push_back({double(group), median([&] { return (this->*sample)(group); })});
  return c;
}

double prober::trip_sample() {
  const unsigned count = is_near_ ? 1000 : kFarReadsMost;
  const stopwatch time;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t due = answers + 1;
    ramjet::request<on_ping>(1);
    ramjet::wait_until([due] { return answers == due; }, "characterize: a reply");
  }
  return time.ns() / count;
}

// A few messages that are sent while the other one has nothing else to handle.
double prober::send_sample() {
  await_counted();
  const stopwatch time;
  for (unsigned i = 0; i < kBurst; ++i) send_counted();
  return time.ns() / kBurst;
}

double prober::gap_sample() {
  const unsigned count = is_near_ ? kRow : kFarRow;
  await_counted();
  const stopwatch time;
  for (unsigned i = 0; i < count; ++i) send_counted();
  await_counted();
  return time.ns() / count;
}

message_costs prober::messages() {
  message_costs m;
  m.round_trip_ns = median([&] { return trip_sample(); });
  m.send_ns = median([&] { return send_sample(); });
  m.receive_ns = median([&] { return ask_to_collect(kCollected); });
  m.gap_ns = median([&] { return gap_sample(); });
  return m;
}

// Other bytes each time, so that none of them lie in this core's caches from before.
double prober::transfer_sample(const transfer& way, std::size_t bytes, bool reads) {
  const std::size_t count =
      std::clamp<std::size_t>(kTransferBytes / bytes, 1, is_near_ ? kTransfersMost : 8);
  const std::size_t apart = std::max<std::size_t>(bytes, 4096) + 64;
  const std::size_t room = kServerBytes - bytes;
  if (reads) ask_to_write(std::min(kServerBytes, count * apart + bytes));
  const stopwatch time;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = room == 0 ? 0 : i * apart % room / 64 * 64;
    way.move(here_ + at, at, bytes);
  }
  return time.ns() / double(count);
}

std::vector<mechanism> prober::by_size(const std::vector<transfer>& ways, bool reads) {
  std::vector<mechanism> found;
  for (const transfer& way : ways) {
    curve c;
    const std::size_t most = way.name == "words" && !is_near_ ? kFarWordsMost : plan_.bytes_most;
    for (std::size_t bytes = 8; bytes <= most; bytes *= 2)
      c.push_back({double(bytes), median([&] { return transfer_sample(way, bytes, reads); })});
    found.push_back({way.name, c});
  }
  return found;
}

void prober::begin() {
  here_ = static_cast<std::byte*>(ramjet::segment_allocate(kServerBytes));
  if (here_ == nullptr) throw std::runtime_error("the segment has no room for 8 MiB");
  look_for_drift();
}

message_results prober::run_messages() {
  begin();
  message_results r{.costs = messages()};
  const transfer by_message = ways_to_write(other_)[kMessageWay];
  const std::size_t bytes = plan_.bytes_most;
  r.costs.byte_ns =
      median([&] { return transfer_sample(by_message, bytes, false); }) / double(bytes);
  look_for_drift();
  ask_to_end();
  r.drift = drift_.ratio();
  return r;
}

remote_results prober::run() {
  begin();
  remote_results r;
  r.reads = by_stride(&prober::read_sample);
  r.writes = by_stride(&prober::write_sample);
  look_for_drift();
  r.gets = by_group(&prober::get_sample);
  r.puts = by_group(&prober::put_group_sample);
  r.puts_by_stride = by_stride(&prober::put_sample);
  r.put_ns = median([&] { return put_sample(kLine); });
  r.fetch_add_ns = median([&] { return fetch_add_sample(); });
  r.barrier_ns = median([&] { return barrier_sample(); });
  look_for_drift();
  r.messages = messages();
  r.bulk_reads = by_size(ways_to_read(other_), true);
  look_for_drift();
  r.bulk_writes = by_size(ways_to_write(other_), false);
  look_for_drift();
  r.drift = drift_.ratio();
  const mechanism& longest = r.bulk_writes[kMessageWay];
  r.messages.byte_ns = longest.transfers.back().ns / longest.transfers.back().x;
  ask_to_end();
  return r;
}

}  // namespace

remote_results probe_remote(const remote_plan& plan) {
  const server_place other = begin_serving();
  if (ramjet::rank() == 0) return prober(plan, other).run();
  serve();
  return {};
}

message_results probe_messages(const remote_plan& plan) {
  const server_place other = begin_serving();
  if (ramjet::rank() == 0) return prober(plan, other).run_messages();
  serve();
  return {};
}

}  // namespace characterize
