// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "tools/pages/document.hpp"

namespace traces {
namespace {

using pages::kNoSlice;
using pages::kShares;
using pages::slice_kind;
using pages::stretch;

constexpr std::size_t kTimelineRowsMax = 1024;
constexpr std::size_t kBinsOfAllRows = 131'072, kBinsMax = 4096, kBinsMin = 64;
constexpr std::size_t kPathMax = 20'000;
constexpr std::size_t kStretchesOfWaits = 12, kStretchesOfPath = 8;

slice_kind kind_of(trace_kind kind) {
  switch (kind) {
    case trace_kind::handler:
    case trace_kind::reply:
      return slice_kind::handler;
    case trace_kind::wait:
      return slice_kind::wait;
    case trace_kind::collective:
      return slice_kind::collective;
    case trace_kind::thread:
      return slice_kind::thread;
    case trace_kind::send:
      return slice_kind::send;
    case trace_kind::access:
      break;
  }
  return slice_kind::access;
}

bool takes_time(const trace_event& e) {
  return e.kind != trace_kind::send && e.kind != trace_kind::access;
}

class chooser {
 public:
  chooser(const job_trace& job, const trace_analysis& analysis, std::size_t slices_max)
      : job_(job), analysis_(analysis), slices_max_(slices_max) {}
  job_timeline choose();

 private:
  void find_rows();
  void find_shares();
  void divide_row(std::uint32_t row, const std::vector<std::uint32_t>& events);
  void choose_slices();
  void choose_longest(std::size_t count);
  void choose_stretches(std::size_t count);
  void add_stretch(std::uint64_t around_ns, std::size_t count);
  bool is_exact(std::uint64_t begin_ns, std::uint64_t end_ns) const;
  void choose_senders();
  void copy_slices();
  void copy_path();
  void name_places();

  std::uint64_t begin_of(const trace_event& e) const { return e.begin_ns - analysis_.first_ns; }
  std::uint64_t end_of(const trace_event& e) const {
    return e.end_ns == kNoEnd ? analysis_.duration_ns : e.end_ns - analysis_.first_ns;
  }
  // kTimelineRowsMax for what has no row.
  std::uint32_t row_of(std::uint32_t rank, std::uint32_t endpoint) const {
    const auto at = rows_.find({rank, endpoint});
    return at == rows_.end() ? std::uint32_t(kTimelineRowsMax) : at->second;
  }
  std::uint32_t row_of(const trace_event& e) const { return row_of(e.rank, e.endpoint); }

  const job_trace& job_;
  const trace_analysis& analysis_;
  const std::size_t slices_max_;
  job_timeline out_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rows_;
  std::vector<std::vector<std::uint32_t>> events_;  // of each row, by begin
  std::vector<std::uint32_t> by_begin_;  // of all rows
  std::vector<bool> kept_;  // by event
};

// Endpoints that did something, and the first one of each rank.
void chooser::find_rows() {
  std::vector<bool> used(std::size_t{job_.ranks} * job_.endpoints);
  for (const trace_event& e : job_.events)
    used[std::size_t{e.rank} * job_.endpoints + e.endpoint] = true;
  for (std::uint32_t rank = 0; rank < job_.ranks; ++rank)
    for (std::uint32_t endpoint = 0; endpoint < job_.endpoints; ++endpoint) {
      if (endpoint != 0 && !used[std::size_t{rank} * job_.endpoints + endpoint]) continue;
      if (out_.rows_in_all++ >= kTimelineRowsMax) continue;
      rows_[{rank, endpoint}] = std::uint32_t(out_.times.size());
      out_.times.push_back({rank, endpoint, {}});
      out_.shown.rows.push_back(endpoint == 0 ? fmt::format("rank {}", rank)
                                              : fmt::format("rank {}, {}", rank, endpoint));
    }
  events_.resize(out_.times.size());
  for (std::uint32_t i = 0; i < job_.events.size(); ++i)
    if (const std::uint32_t row = row_of(job_.events[i]); row < kTimelineRowsMax)
      events_[row].push_back(i);
  for (auto& of_row : events_) {
    std::stable_sort(of_row.begin(), of_row.end(), [this](std::uint32_t a, std::uint32_t b) {
      return job_.events[a].begin_ns < job_.events[b].begin_ns;
    });
    by_begin_.insert(by_begin_.end(), of_row.begin(), of_row.end());
  }
  std::stable_sort(by_begin_.begin(), by_begin_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return job_.events[a].begin_ns < job_.events[b].begin_ns;
  });
}

// Handlers, waits and collectives overlap: from one's begin or end to the next, what counts is the
// first kind of which one is open.
void chooser::divide_row(std::uint32_t row, const std::vector<std::uint32_t>& events) {
  struct change {
    std::uint64_t ns;
    int kind, by;
  };
  std::vector<change> changes;
  for (const std::uint32_t i : events) {
    const trace_event& e = job_.events[i];
    const auto kind = std::size_t(kind_of(e.kind));
    if (kind >= kShares) continue;
    changes.push_back({begin_of(e), int(kind), 1});
    changes.push_back({end_of(e), int(kind), -1});
  }
  std::sort(changes.begin(), changes.end(),
            [](const change& a, const change& b) { return a.ns < b.ns; });
  pages::timeline& t = out_.shown;
  const double bin_ns = std::max(1.0, double(analysis_.duration_ns) / t.bins);
  std::vector<double> filled(kShares * t.bins);
  int open[kShares] = {};
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    open[changes[i].kind] += changes[i].by;
    const auto kind =
        std::size_t(std::find_if(open, open + kShares, [](int n) { return n > 0; }) - open);
    const std::uint64_t from = changes[i].ns, to = changes[i + 1].ns;
    if (kind == kShares || from == to) continue;
    out_.times[row].ns[kind] += to - from;
    for (double at = double(from); at < double(to);) {
      const auto bin = std::min(std::size_t(at / bin_ns), std::size_t(t.bins - 1));
      const double end =
          bin + 1 == t.bins ? double(to) : std::min(double(to), double(bin + 1) * bin_ns);
      filled[kind * t.bins + bin] += end - at;
      at = end > at ? end : double(to);
    }
  }
  for (std::size_t kind = 0; kind < kShares; ++kind)
    for (std::size_t bin = 0; bin < t.bins; ++bin) {
      const double share = std::min(1.0, filled[kind * t.bins + bin] / bin_ns);
      t.shares[(kind * t.rows.size() + row) * t.bins + bin] =
          std::uint8_t(std::lround(share * 255));
    }
}

void chooser::find_shares() {
  pages::timeline& t = out_.shown;
  if (t.rows.empty()) return;
  t.bins = std::uint32_t(std::clamp(kBinsOfAllRows / t.rows.size(), kBinsMin, kBinsMax));
  t.shares.resize(kShares * t.rows.size() * t.bins);
  for (std::uint32_t row = 0; row < t.rows.size(); ++row) divide_row(row, events_[row]);
}

void chooser::choose_longest(std::size_t count) {
  std::vector<std::uint32_t> slices;
  for (const std::uint32_t i : by_begin_)
    if (!kept_[i] && takes_time(job_.events[i])) slices.push_back(i);
  const auto last = slices.begin() + std::ptrdiff_t(std::min(count, slices.size()));
  std::nth_element(slices.begin(), last, slices.end(), [this](std::uint32_t a, std::uint32_t b) {
    const trace_event &x = job_.events[a], &y = job_.events[b];
    return end_of(x) - begin_of(x) > end_of(y) - begin_of(y);
  });
  for (auto at = slices.begin(); at != last; ++at) kept_[*at] = true;
}

// `count` events, half of them before that time. What begins at the time of the first or the last
// one belongs to it.
void chooser::add_stretch(std::uint64_t around_ns, std::size_t count) {
  const auto middle = std::size_t(
      std::partition_point(by_begin_.begin(), by_begin_.end(),
                           [&](std::uint32_t i) { return begin_of(job_.events[i]) < around_ns; }) -
      by_begin_.begin());
  const std::size_t first = middle > count / 2 ? middle - count / 2 : 0;
  const std::size_t last = std::min(first + count, by_begin_.size()) - 1;
  const std::size_t from = last + 1 >= count ? std::min(first, last + 1 - count) : 0;
  out_.shown.exact.push_back({from == 0 ? 0 : begin_of(job_.events[by_begin_[from]]),
                              last + 1 == by_begin_.size()
                                  ? analysis_.duration_ns
                                  : begin_of(job_.events[by_begin_[last]])});
}

void chooser::choose_stretches(std::size_t count) {
  std::vector<std::uint64_t> around = {0, analysis_.duration_ns};
  for (std::size_t i = 0; i < std::min(kStretchesOfWaits / 2, analysis_.longest.size()); ++i) {
    around.push_back(analysis_.longest[i].begin_ns - analysis_.first_ns);
    around.push_back(analysis_.longest[i].end_ns - analysis_.first_ns);
  }
  std::vector<path_row> parts = analysis_.path;
  std::stable_sort(parts.begin(), parts.end(), [](const path_row& a, const path_row& b) {
    return a.end_ns - a.begin_ns > b.end_ns - b.begin_ns;
  });
  for (std::size_t i = 0; i < std::min(kStretchesOfPath, parts.size()); ++i)
    around.push_back(parts[i].end_ns - analysis_.first_ns);
  const std::size_t each = count / around.size();
  if (each == 0) return;
  for (const std::uint64_t ns : around) add_stretch(ns, each);
  std::vector<stretch>& all = out_.shown.exact;
  std::sort(all.begin(), all.end(),
            [](const stretch& a, const stretch& b) { return a.begin_ns < b.begin_ns; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].begin_ns <= all[last].end_ns)
      all[last].end_ns = std::max(all[last].end_ns, all[i].end_ns);
    else
      all[++last] = all[i];
  all.resize(last + 1);
}

bool chooser::is_exact(std::uint64_t begin_ns, std::uint64_t end_ns) const {
  const std::vector<stretch>& all = out_.shown.exact;
  const auto after = std::partition_point(all.begin(), all.end(),
                                          [&](const stretch& s) { return s.end_ns < begin_ns; });
  return after != all.end() && after->begin_ns <= end_ns;
}

// What sent to the handlers that are shown, so that arrows have a beginning.
void chooser::choose_senders() {
  std::unordered_map<std::uint64_t, std::uint32_t> senders;
  for (const std::uint32_t i : by_begin_)
    if (job_.events[i].flow != 0) senders[job_.events[i].flow] = i;
  std::vector<std::uint32_t> wanted;
  for (const std::uint32_t i : by_begin_) {
    const trace_event& e = job_.events[i];
    if (!kept_[i] || e.end_of_flow == 0 || !is_exact(begin_of(e), begin_of(e))) continue;
    if (const auto sender = senders.find(e.end_of_flow); sender != senders.end())
      wanted.push_back(sender->second);
  }
  for (const std::uint32_t i : wanted) kept_[i] = true;
}

void chooser::choose_slices() {
  kept_.resize(job_.events.size());
  if (by_begin_.size() <= slices_max_) {
    for (const std::uint32_t i : by_begin_) kept_[i] = true;
    out_.shown.exact = {{0, analysis_.duration_ns}};
    return;
  }
  choose_stretches(slices_max_ / 3 * 2);
  for (const std::uint32_t i : by_begin_)
    if (is_exact(begin_of(job_.events[i]), end_of(job_.events[i]))) kept_[i] = true;
  choose_senders();
  const auto kept = std::size_t(std::count(kept_.begin(), kept_.end(), true));
  if (kept < slices_max_) choose_longest(slices_max_ - kept);
}

void chooser::copy_slices() {
  pages::timeline& t = out_.shown;
  std::unordered_map<std::uint64_t, std::uint32_t> senders;  // by flow: the slice
  for (std::uint32_t row = 0; row < events_.size(); ++row)
    for (const std::uint32_t i : events_[row]) {
      const trace_event& e = job_.events[i];
      if (!kept_[i]) continue;
      if (e.flow != 0) senders[e.flow] = std::uint32_t(t.slices.size());
      t.slices.push_back({begin_of(e), end_of(e), row, e.name, e.peer, e.bytes, kNoSlice,
                          kind_of(e.kind), e.end_ns == kNoEnd});
    }
  std::size_t at = 0;
  for (const auto& of_row : events_)
    for (const std::uint32_t i : of_row) {
      if (!kept_[i]) continue;
      pages::slice& s = t.slices[at++];
      const auto sender = senders.find(job_.events[i].end_of_flow);
      if (job_.events[i].end_of_flow != 0 && sender != senders.end() && sender->second != at - 1)
        s.sender = sender->second;
    }
}

// A path of very many parts keeps its long ones; the others are joined with their predecessors.
void chooser::copy_path() {
  const std::vector<path_row>& path = analysis_.path;
  std::uint64_t least_ns = 0;
  if (path.size() > kPathMax) {
    std::vector<std::uint64_t> lengths;
    for (const path_row& p : path) lengths.push_back(p.end_ns - p.begin_ns);
    std::nth_element(lengths.begin(), lengths.begin() + kPathMax, lengths.end(), std::greater<>());
    least_ns = lengths[kPathMax] + 1;
  }
  for (const path_row& p : path) {
    const std::uint32_t row = row_of(p.rank, 0);
    if (row < kTimelineRowsMax && p.end_ns - p.begin_ns >= least_ns)
      out_.shown.path.push_back(
          {row, p.begin_ns - analysis_.first_ns, p.end_ns - analysis_.first_ns});
  }
}

void chooser::name_places() {
  const auto add = [this](std::string name, std::uint32_t row, std::uint64_t begin_ns,
                          std::uint64_t end_ns) {
    if (row < kTimelineRowsMax)
      out_.shown.places.push_back(
          {std::move(name), row, {begin_ns - analysis_.first_ns, end_ns - analysis_.first_ns}});
  };
  for (const long_wait& w : analysis_.longest)
    add(fmt::format("wait of {}: rank {}, {}", pages::duration(double(w.end_ns - w.begin_ns)),
                    w.rank, w.name),
        row_of(w.rank, w.endpoint), w.begin_ns, w.end_ns);
  std::vector<path_row> parts = analysis_.path;
  std::stable_sort(parts.begin(), parts.end(), [](const path_row& a, const path_row& b) {
    return a.end_ns - a.begin_ns > b.end_ns - b.begin_ns;
  });
  for (std::size_t i = 0; i < std::min(kStretchesOfPath, parts.size()); ++i)
    add(fmt::format("critical path: {} on rank {}, until {}",
                    pages::duration(double(parts[i].end_ns - parts[i].begin_ns)), parts[i].rank,
                    parts[i].sent),
        row_of(parts[i].rank, 0), parts[i].begin_ns, parts[i].end_ns);
}

job_timeline chooser::choose() {
  pages::timeline& t = out_.shown;
  t.duration_ns = analysis_.duration_ns;
  t.names = job_.names;
  t.slices_in_all = job_.events.size();
  find_rows();
  find_shares();
  if (!by_begin_.empty()) choose_slices();
  copy_slices();
  copy_path();
  name_places();
  return std::move(out_);
}

}  // namespace

job_timeline timeline_of(const job_trace& job, const trace_analysis& analysis,
                         std::size_t slices_max) {
  return chooser(job, analysis, slices_max).choose();
}

}  // namespace traces
