// SPDX-License-Identifier: Apache-2.0
#include "trace/file/node_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/process_label.hpp"
#include "trace/recorder.hpp"

namespace ramjet::trace {

namespace {

constexpr std::uint64_t kTakeEveryNs = 50'000'000;

part_head head_of(const job::membership& job, unsigned endpoints) {
  part_head head{};
  std::memcpy(head.magic, kPartMagic, sizeof head.magic);
  head.version = kPartVersion;
  head.ranks = job.ranks;
  head.nodes = job.nodes;
  head.node = job.node;
  head.endpoints = endpoints;
  head.sample = std::max<std::uint64_t>(1, job.settings.trace_sample);
  head.board = job.shared->number;
  const ssize_t length = ::readlink("/proc/self/exe", head.program, sizeof head.program - 1);
  if (length < 0) std::strcpy(head.program, "program");
  return head;
}

// The program may change its folder.
std::string absolute(const std::string& file) {
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::absolute(file, none);
  return none ? file : whole.string();
}

// Of the events in a part: the trace has three times as many bytes for each.
std::uint64_t part_bytes(const job::membership& job) {
  return job.settings.trace_limit / (trace_writer::kUsualBytes / sizeof(event)) / job.nodes;
}

}  // namespace

std::unique_ptr<node_trace> node_trace::open(const job::membership& job, int object) {
  const std::uint64_t bytes = ring_bytes(job.settings, job.ranks);
  if (job.launched || job.settings.trace_file.empty() || ring_events(bytes) == 0) {
    if (object >= 0) ::close(object);
    return nullptr;
  }
  return std::unique_ptr<node_trace>(new node_trace(job, object, bytes));
}

node_trace::node_trace(const job::membership& job, int object, std::uint64_t ring_bytes)
    : job_(job),
      object_(object),
      memory_(object, job.shared, job.node_of, job.node),
      file_(absolute(job.settings.trace_file)),
      path_(part_path(file_, job.node)),
      taker_(ring_events(ring_bytes), part_) {}

node_trace::~node_trace() { ::close(object_); }

bool node_trace::is_mine() const {
  for (unsigned r = 0; int(r) < job_.rank; ++r) {
    if (!job_.near(r)) continue;
    const auto state = node::rank_state(job_.line(r).state.load(std::memory_order_relaxed));
    if (state == node::rank_state::joined) return false;
  }
  return true;
}

// The part is opened when this rank first writes: empty, or where a rank before it has ended.
bool node_trace::begin() {
  if (begun_) return part_.error() == 0;
  unsigned endpoints = 0;
  if (!taker_.find(memory_, job_.node, endpoints)) return false;
  begun_ = true;
  bool is_first = true;
  for (unsigned r = 0; int(r) < job_.rank; ++r) is_first = is_first && !job_.near(r);
  const part_head head = head_of(job_, endpoints);
  if (is_first || !part_.resume(path_, head, part_bytes(job_), taker_.rings()))
    part_.open(path_, head, part_bytes(job_));
  part_.reserve(part_bytes(job_) / 2);
  part_.add_clock({read_clocks(), {}, 0, 0});
  say_if_failed();
  return part_.error() == 0;
}

std::uint64_t node_trace::take(std::uint64_t now_ns) {
  const std::lock_guard lock(mutex_);
  if (finished_) return 0;
  if (now_ns < next_ns_) return next_ns_;
  next_ns_ = now_ns + kTakeEveryNs;
  if (!is_mine() || !begin()) return next_ns_;
  if (taker_.take_filled(0)) part_.add_clock({read_clocks(), {}, 0, 0});
  say_if_failed();
  return next_ns_;
}

// Of a rank that has neither died nor left, nobody knows whether it writes on.
ring_life node_trace::life_of(const traced_ring& ring) const {
  const node::rank_line& line = memory_.line(ring.rank);
  const auto state =
      node::rank_state(line.state.load(std::memory_order_acquire));  // pairs: job.left
  return state == node::rank_state::joined ? ring_life::read_last : ring_life::ended;
}

void node_trace::take_all() {
  part_.reserve(0);
  // Each ring has its part of the room, for its latest events.
  std::size_t left = taker_.rings().size();
  for (traced_ring& ring : taker_.rings()) {
    const std::uint64_t room = part_.left() / left-- / (sizeof(event) + 1);
    const std::uint64_t written = taker_.written_in(ring);
    if (written > room) taker_.drop_before(ring, written - room);
    taker_.take_from(ring, life_of(ring));
    part_.add_end(ring, std::max(written, ring.next));
  }
  part_.add_clock({read_clocks(), {}, 0, 0});
}

void node_trace::note_death(unsigned rank) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  if (!is_mine()) {
    constexpr unsigned kTurnUs = 50'000;  // for the rank whose turn it is, before this one ends
    if (!job_.carry_on) ::usleep(kTurnUs);
    return;
  }
  if (!begin()) return;
  if (job_.carry_on) {
    for (traced_ring& ring : taker_.rings())
      if (ring.rank == rank) taker_.take_from(ring, ring_life::ended);
    return say_if_failed();
  }
  finished_ = true;
  // Said first: another rank may end this one while it writes.
  if (job_.shared->job_ended.load(std::memory_order_relaxed) == 0) say_stays("a rank has died");
  take_all();
  say_if_failed();
}

void node_trace::add_clock(const part_clock& clock, std::uint64_t job) {
  const std::lock_guard lock(mutex_);
  if (!is_mine() || !begin()) return;
  part_.add_clock(clock);
  part_.add_job(job);
}

void node_trace::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_ || !is_mine() || !begin()) return;
  finished_ = true;
  take_all();
  say_if_failed();
}

void node_trace::leave_to_others() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
}

bool node_trace::is_written() const {
  const std::lock_guard lock(mutex_);
  return finished_ && part_.is_open() && part_.error() == 0;
}

bool node_trace::is_begun() const {
  const std::lock_guard lock(mutex_);
  return part_.is_open();
}

void node_trace::say_it_stays(const char* why) const {
  const std::lock_guard lock(mutex_);
  if (finished_ && part_.is_open() && part_.error() == 0) say_stays(why);
}

void node_trace::say_stays(const char* why) const {
  if (std::exchange(stays_said_, true)) return;
  std::fprintf(stderr,
               "%s: the trace %s: %s, so it stays in parts, one on each machine: here %s; "
               "`ramjet trace --join` makes one file of them\n",
               base::process_label(), file_.c_str(), why, path_.c_str());
}

void node_trace::say_if_failed() {
  if (part_.error() == 0 || failure_said_) return;
  failure_said_ = true;
  part_.remove_if_useless();
  std::fprintf(stderr,
               "%s: cannot write the trace's part %s: %s; the job goes on, and this machine's part "
               "ends here\n",
               base::process_label(), path_.c_str(), std::strerror(part_.error()));
}

}  // namespace ramjet::trace
