// SPDX-License-Identifier: Apache-2.0
// What a page has of a trace, against what the trace has: random jobs, few slices.
#include "tools/trace/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace traces {
namespace {

constexpr unsigned kRanks = 5;

// Ranks that each handle, wait and send by turns; handlers are of sends of others.
job_trace random_job(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  job_trace job;
  job.ranks = kRanks;
  job.nodes = 1;
  job.names = {"solve", "barrier"};
  std::uint64_t now[kRanks] = {};
  std::vector<std::size_t> sends;
  for (std::size_t i = 0; i < count; ++i) {
    trace_event e;
    e.rank = std::uint32_t(random() % kRanks);
    e.begin_ns = 1000 + (now[e.rank] += random() % 100);
    const unsigned what = random() % 4;
    e.kind = what == 0   ? trace_kind::send
             : what == 1 ? trace_kind::handler
             : what == 2 ? trace_kind::collective
                         : trace_kind::wait;
    e.name = e.kind == trace_kind::wait;
    e.end_ns = e.begin_ns + (what == 0 ? 0 : random() % 1000);
    if (what == 0) {
      e.flow = i + 1;
      sends.push_back(i);
    } else if (what == 1 && !sends.empty()) {
      const trace_event& sent = job.events[sends.back()];
      if (sent.begin_ns <= e.begin_ns) e.end_of_flow = sent.flow, e.peer = std::int32_t(sent.rank);
    }
    if (e.kind != trace_kind::wait && what != 0) now[e.rank] += e.end_ns - e.begin_ns;
    job.events.push_back(e);
  }
  return job;
}

bool overlaps(const pages::timeline& t, std::uint64_t begin_ns, std::uint64_t end_ns) {
  return std::any_of(t.exact.begin(), t.exact.end(), [&](const pages::stretch& s) {
    return s.begin_ns <= end_ns && begin_ns <= s.end_ns;
  });
}

// What each nanosecond of a row counts as.
std::array<std::uint64_t, pages::kShares> times_of(const job_trace& job, const trace_analysis& a,
                                                   std::uint32_t rank) {
  std::vector<unsigned> counts(a.duration_ns, pages::kShares);
  for (const trace_event& e : job.events) {
    if (e.rank != rank || e.kind == trace_kind::send) continue;
    const unsigned as = e.kind == trace_kind::handler ? 0 : e.kind == trace_kind::wait ? 1 : 2;
    for (std::uint64_t ns = e.begin_ns; ns < e.end_ns; ++ns)
      counts[ns - a.first_ns] = std::min(counts[ns - a.first_ns], as);
  }
  std::array<std::uint64_t, pages::kShares> sums{};
  for (const unsigned as : counts)
    if (as < pages::kShares) ++sums[as];
  return sums;
}

TEST(Timeline, HasEverySliceOfItsExactStretches) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const job_trace job = random_job(seed, 4000);
    const trace_analysis a = analyse(job);
    const job_timeline t = timeline_of(job, a, 600);
    EXPECT_LT(t.shown.slices.size(), 1500u);
    EXPECT_GE(t.shown.slices.size(), 600u);
    EXPECT_EQ(t.shown.slices_in_all, job.events.size());
    using key = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, pages::slice_kind>;
    std::multimap<key, const pages::slice*> shown;
    for (const pages::slice& s : t.shown.slices)
      shown.insert({{s.row, s.begin_ns, s.end_ns, s.kind}, &s});
    std::size_t wanted = 0;
    for (const trace_event& e : job.events) {
      const std::uint64_t begin_ns = e.begin_ns - a.first_ns, end_ns = e.end_ns - a.first_ns;
      if (!overlaps(t.shown, begin_ns, end_ns)) continue;
      ++wanted;
      const auto kind = e.kind == trace_kind::send      ? pages::slice_kind::send
                        : e.kind == trace_kind::handler ? pages::slice_kind::handler
                        : e.kind == trace_kind::wait    ? pages::slice_kind::wait
                                                        : pages::slice_kind::collective;
      const auto at = shown.find({e.rank, begin_ns, end_ns, kind});
      ASSERT_NE(at, shown.end()) << begin_ns;
      if (e.end_of_flow != 0 && overlaps(t.shown, begin_ns, begin_ns)) {
        ASSERT_NE(at->second->sender, pages::kNoSlice);
        EXPECT_EQ(t.shown.slices[at->second->sender].kind, pages::slice_kind::send);
        EXPECT_LE(t.shown.slices[at->second->sender].begin_ns, begin_ns);
      }
      shown.erase(at);
    }
    EXPECT_GT(wanted, 100u);
  }
}

TEST(Timeline, HasTheBeginningTheEndAndTheLongestWaits) {
  const job_trace job = random_job(7, 4000);
  const trace_analysis a = analyse(job);
  const pages::timeline t = timeline_of(job, a, 600).shown;
  EXPECT_EQ(t.exact.front().begin_ns, 0u);
  EXPECT_EQ(t.exact.back().end_ns, a.duration_ns);
  for (std::size_t i = 1; i < t.exact.size(); ++i)
    EXPECT_GT(t.exact[i].begin_ns, t.exact[i - 1].end_ns);
  ASSERT_FALSE(a.longest.empty());
  EXPECT_TRUE(overlaps(t, a.longest[0].end_ns - a.first_ns, a.longest[0].end_ns - a.first_ns));
  ASSERT_GE(t.places.size(), a.longest.size());
  EXPECT_EQ(t.places[0].where.end_ns, a.longest[0].end_ns - a.first_ns);
}

TEST(Timeline, DividesTheTimeOfEachRow) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const job_trace job = random_job(seed, 500);
    const trace_analysis a = analyse(job);
    const job_timeline t = timeline_of(job, a, 600);
    ASSERT_EQ(t.times.size(), kRanks);
    for (std::uint32_t row = 0; row < kRanks; ++row) {
      EXPECT_EQ(t.times[row].ns, times_of(job, a, row));
      for (std::size_t kind = 0; kind < pages::kShares; ++kind) {
        double sum = 0;
        for (std::size_t bin = 0; bin < t.shown.bins; ++bin)
          sum += t.shown.shares[(kind * kRanks + row) * t.shown.bins + bin] / 255.0;
        const double share = double(t.times[row].ns[kind]) / double(a.duration_ns);
        EXPECT_NEAR(sum / t.shown.bins, share, 0.003);
      }
    }
  }
}

TEST(Timeline, OfAJobWithoutEvents) {
  job_trace job;
  job.ranks = 2;
  const trace_analysis a = analyse(job);
  const job_timeline t = timeline_of(job, a);
  EXPECT_EQ(t.shown.rows.size(), 2u);
  EXPECT_TRUE(t.shown.slices.empty());
  EXPECT_TRUE(t.shown.path.empty());
}

}  // namespace
}  // namespace traces
