// SPDX-License-Identifier: Apache-2.0
#include "launch/monitor/sample.hpp"

#include <algorithm>
#include <span>

#include "lane/shared_lane.hpp"
#include "launch/monitor/usage.hpp"
#include "report/text.hpp"

namespace ramjet::monitor {
namespace {

using node::geometry;
using node::rank_state;
using report::node_memory;

activity of_state(const report::rank_view& view, const process_usage& process) {
  if (!view.seen && view.state == rank_state::joined) return activity::unseen;
  switch (view.state) {
    case rank_state::absent:
      return view.seen ? activity::starting : activity::unseen;
    case rank_state::finalized:
      return activity::left;
    case rank_state::failed:
      return activity::failed;
    case rank_state::joined:
      break;
  }
  if (!process.lives) return view.pid > 0 ? activity::failed : activity::starting;
  if (process.state == 'T' || process.state == 't') return activity::stopped;
  return process.state == 'R' ? activity::computing : activity::blocked;
}

bool is_asleep(const job_snapshot& waits, unsigned rank) {
  const report::port_view* wait = waits.longest_wait(rank);
  return wait != nullptr && wait->asleep;
}

void fill_rank(const job_snapshot& waits, unsigned rank, rank_sample& into) {
  const report::rank_view& view = waits.ranks[rank];
  const process_usage process = view.seen ? read_usage(view.pid) : process_usage{};
  into.seen = view.seen;
  into.node = view.node;
  into.pid = view.pid;
  into.cpu_ns = process.cpu_ns;
  into.resident_bytes = process.resident_bytes;
  into.threads = process.threads;
  into.does = of_state(view, process);
  const bool runs = into.does == activity::computing || into.does == activity::blocked;
  const report::port_view* wait = runs ? waits.longest_wait(rank) : nullptr;
  if (wait == nullptr) return;
  into.does = is_asleep(waits, rank) ? activity::asleep : activity::waiting;
  into.call = wait->call;
  into.target = wait->target;
  into.waited_ns = waits.now_ns - std::min(wait->since_ns, waits.now_ns);
}

// Calls visit(row, column, line) for each element that is not zero of a region of ports x ports
// lines, in the rows that this node's ranks write.
template <class Line, class Visit>
void for_each_line(const node_memory& memory, const geometry& layout, const char* region,
                   Visit&& visit) {
  const std::uint64_t offset =
      node_memory::region_offset<Line>(layout, region, std::uint64_t(layout.ports) * layout.ports);
  if (offset == 0) return;
  std::vector<Line> row(layout.ports);
  for (unsigned i = 0; i < layout.ports; ++i) {
    if (!memory.is_home_of(i / layout.endpoints)) continue;
    const auto bytes = std::as_writable_bytes(std::span(row));
    memory.read(offset + i * bytes.size(), bytes);
    for (unsigned j = 0; j < layout.ports; ++j) visit(i, j, row[j]);
  }
}

double per_second(std::uint64_t before, std::uint64_t after, double seconds) {
  return after > before ? double(after - before) / seconds : 0;
}

double seconds_between(const job_sample& before, const job_sample& after) {
  constexpr double kLeast = 1e-6;
  const std::uint64_t ns = after.taken_ns - std::min(before.taken_ns, after.taken_ns);
  return std::max(double(ns) * 1e-9, kLeast);
}

}  // namespace

const char* name_of(activity what) {
  constexpr const char* kNames[] = {"unseen",   "starting", "computing", "polling",
                                    "handling", "waiting",  "asleep",    "blocked",
                                    "stopped",  "left",     "failed"};
  static_assert(std::size(kNames) == kActivities);
  return kNames[unsigned(what)];
}

unsigned job_sample::count(activity what) const {
  return unsigned(std::count_if(ranks.begin(), ranks.end(),
                                [what](const rank_sample& r) { return r.does == what; }));
}

job_sample sampler::take(const readable_job& job) {
  job_sample sample;
  sample.waits = report::read_waits(job);
  sample.taken_ns = sample.waits.now_ns;
  sample.nodes = job.nodes();
  sample.ranks.resize(job.ranks());
  for (unsigned r = 0; r < job.ranks(); ++r) fill_rank(sample.waits, r, sample.ranks[r]);
  keep_processor_times(sample);
  if (!sample.waits.ports.empty()) {
    add_lanes(job, sample);
    add_bytes(job, sample);
  }
  judge(sample);
  handled_.resize(job.ranks());
  for (unsigned r = 0; r < job.ranks(); ++r) handled_[r] = sample.ranks[r].in.handled;
  return sample;
}

void sampler::keep_processor_times(job_sample& into) {
  times_.resize(into.ranks.size());
  for (std::size_t r = 0; r < into.ranks.size(); ++r) {
    rank_sample& rank = into.ranks[r];
    if (rank.pid == times_[r].pid) rank.cpu_ns = std::max(rank.cpu_ns, times_[r].ns);
    times_[r] = {rank.pid, rank.cpu_ns};
  }
}

void sampler::add_lanes(const readable_job& job, job_sample& into) {
  report::gather_lanes(job, into.waits);
  for (const report::lane_view& lane : into.waits.lanes) {
    const unsigned from = into.waits.rank_of(lane.from), to = into.waits.rank_of(lane.to);
    pair_sample& pair = into.pairs[{from, to}];
    pair.moved.sent += lane.sent();
    pair.moved.handled += lane.handled();
    pair.queued += lane.in_flight();
    pair.chained += lane.chained;
    rank_sample &sender = into.ranks[from], &receiver = into.ranks[to];
    sender.out.sent += lane.sent();
    sender.out.handled += lane.handled();
    sender.chained += lane.chained;
    receiver.in.sent += lane.sent();
    receiver.in.handled += lane.handled();
    receiver.queued += lane.in_flight();
    receiver.in_handler += lane.in_handler();
    if (sender.node == receiver.node) continue;
    sender.far_sent += lane.sent();
    receiver.far_handled += lane.handled();
  }
}

void sampler::add_bytes(const readable_job& job, job_sample& into) {
  const auto add = [&into](unsigned from, unsigned to, std::uint64_t bytes) {
    into.pairs[{from, to}].moved.bytes += bytes;
    into.ranks[from].out.bytes += bytes;
    into.ranks[to].in.bytes += bytes;
  };
  for (const node_memory* memory : job.memories) {
    geometry layout;
    if (memory == nullptr || !memory->read_layout(layout) ||
        layout.endpoints != into.waits.endpoints)
      continue;
    const auto rank_of = [&layout](unsigned port) { return port / layout.endpoints; };
    for_each_line<detail::credit_line>(
        *memory, layout, lane::credits.name(),
        [&](unsigned receiver, unsigned sender, const detail::credit_line& line) {
          const auto words = std::uint32_t(line.freed.load(std::memory_order_relaxed));
          // The receiver of the lane this way waits for room in the lane the other way.
          if (line.room_wanted.load(std::memory_order_relaxed) != 0)
            ++into.ranks[rank_of(receiver)].full_lanes;
          if (words == 0 && !records_.contains({sender, receiver})) return;
          lane_bytes& lane = records_[{sender, receiver}];
          lane.bytes += std::uint64_t{words - lane.record_words} * sizeof(detail::word);
          lane.record_words = words;
          if (lane.bytes != 0) add(rank_of(sender), rank_of(receiver), lane.bytes);
        });
    for_each_line<detail::consumed_line>(
        *memory, layout, lane::consumed.name(),
        [&](unsigned taker, unsigned from, const detail::consumed_line& line) {
          const std::uint64_t bytes = line.payload_taken.load(std::memory_order_relaxed);
          if (bytes != 0) add(rank_of(from), rank_of(taker), bytes);
        });
  }
}

// What a rank does that shows no wait, by what it has handled since the sample before.
void sampler::judge(job_sample& into) const {
  if (handled_.size() != into.ranks.size()) return;
  for (unsigned r = 0; r < into.ranks.size(); ++r) {
    rank_sample& rank = into.ranks[r];
    if (rank.does != activity::computing) continue;
    if (rank.in.handled != handled_[r]) {
      rank.does = activity::polling;
    } else if (rank.in_handler != 0) {
      rank.does = activity::handling;
    }
  }
}

std::vector<rates> rates_between(const job_sample& before, const job_sample& after) {
  const double seconds = seconds_between(before, after);
  std::vector<rates> all(after.ranks.size());
  for (std::size_t r = 0; r < std::min(all.size(), before.ranks.size()); ++r) {
    const rank_sample &was = before.ranks[r], &is = after.ranks[r];
    all[r].sent = per_second(was.out.sent, is.out.sent, seconds);
    all[r].handled = per_second(was.in.handled, is.in.handled, seconds);
    all[r].bytes_out = per_second(was.out.bytes, is.out.bytes, seconds);
    all[r].bytes_in = per_second(was.in.bytes, is.in.bytes, seconds);
    all[r].far_sent = per_second(was.far_sent, is.far_sent, seconds);
    all[r].far_handled = per_second(was.far_handled, is.far_handled, seconds);
    if (was.pid == is.pid) all[r].cpu = per_second(was.cpu_ns, is.cpu_ns, seconds) * 1e-9;
  }
  return all;
}

std::map<pair_key, pair_rates> pair_rates_between(const job_sample& before,
                                                  const job_sample& after) {
  const double seconds = seconds_between(before, after);
  std::map<pair_key, pair_rates> all;
  for (const auto& [key, pair] : after.pairs) {
    const auto was = before.pairs.find(key);
    const traffic old = was == before.pairs.end() ? traffic{} : was->second.moved;
    all[key] = {per_second(old.sent, pair.moved.sent, seconds),
                per_second(old.bytes, pair.moved.bytes, seconds)};
  }
  return all;
}

std::vector<std::string> chain_of_waits(const job_sample& sample, unsigned rank) {
  std::vector<std::string> lines;
  std::vector<unsigned> met;
  for (unsigned at = rank;;) {
    const rank_sample& it = sample.ranks[at];
    met.push_back(at);
    if (it.call.empty()) {
      lines.push_back(report::text("rank %u does not wait: %s", at, name_of(it.does)));
      return lines;
    }
    const std::string whom = it.target < 0 ? "any rank" : report::text("rank %d", it.target);
    lines.push_back(report::text("rank %u waits in %s for %s, for %s (%s)", at, it.call.c_str(),
                                 whom.c_str(), report::duration_text(it.waited_ns).c_str(),
                                 name_of(it.does)));
    if (it.target < 0) return lines;
    at = unsigned(it.target);
    if (at >= sample.ranks.size()) return lines;
    if (std::find(met.begin(), met.end(), at) != met.end()) {
      lines.push_back(report::text("rank %u again: they wait for each other in a circle", at));
      return lines;
    }
  }
}

}  // namespace ramjet::monitor
