// SPDX-License-Identifier: Apache-2.0
// Whom waits and collectives are put down to, against a search through all that a rank has; and
// that long traces are no search through all.
#include "tools/trace/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace traces {
namespace {

constexpr unsigned kRanks = 4, kEndpoints = 2;

trace_event slice(trace_kind kind, std::uint32_t rank, std::uint64_t begin_ns,
                  std::uint64_t end_ns) {
  trace_event e;
  e.kind = kind;
  e.rank = rank;
  e.begin_ns = begin_ns;
  e.end_ns = end_ns;
  return e;
}

// Slices of several threads of a rank overlap in any way; half the handlers' sends are lost.
job_trace random_job(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  job_trace job;
  job.ranks = kRanks;
  job.endpoints = kEndpoints;
  job.names = {"solve"};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t begin_ns = random() % 4000;
    trace_event e = slice(trace_kind(random() % 5), std::uint32_t(random() % kRanks), begin_ns,
                          begin_ns + random() % 200);
    e.endpoint = std::uint32_t(random() % kEndpoints);
    if (e.kind == trace_kind::send) e.flow = i + 1;
    if (e.kind == trace_kind::handler) e.end_of_flow = random() % count + 1;
    if (e.kind == trace_kind::collective) e.call = random() % (count / 16) + 1;
    job.events.push_back(e);
  }
  return job;
}

struct cause {
  std::uint64_t begin_ns, end_ns;
};

// How long others waited for each rank: what trace_analysis::late says.
class by_search {
 public:
  explicit by_search(const job_trace& job) : job_(job), known_(job.ranks), late_(job.ranks) {
    for (const trace_event& e : job_.events)
      if (e.kind == trace_kind::wait) search_message(e);
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<const trace_event*>> calls;
    for (const trace_event& e : job_.events)
      if (e.kind == trace_kind::collective) calls[{e.call, e.endpoint}].push_back(&e);
    for (const auto& [call, members] : calls) meet(members);
  }
  const std::vector<std::uint64_t>& late() const { return late_; }

 private:
  void search_message(const trace_event& wait) {
    const trace_event *last = nullptr, *sent = nullptr;
    for (const trace_event& e : job_.events) {
      if (e.kind != trace_kind::handler && e.kind != trace_kind::reply) continue;
      if (e.rank != wait.rank || e.endpoint != wait.endpoint || e.begin_ns > wait.end_ns ||
          (last != nullptr && e.begin_ns < last->begin_ns))
        continue;
      for (const trace_event& s : job_.events)
        if (s.flow != 0 && s.flow == e.end_of_flow && s.rank != e.rank) last = &e, sent = &s;
    }
    if (last == nullptr || sent->begin_ns <= wait.begin_ns || sent->begin_ns > last->begin_ns)
      return;
    add(wait, sent->rank, sent->begin_ns);
  }

  void meet(const std::vector<const trace_event*>& members) {
    const trace_event& last = **std::max_element(
        members.begin(), members.end(),
        [](const trace_event* a, const trace_event* b) { return a->begin_ns < b->begin_ns; });
    for (const trace_event* e : members) {
      if (e->rank == last.rank || last.begin_ns <= e->begin_ns || last.begin_ns >= e->end_ns)
        continue;
      const bool is_known = std::any_of(
          known_[e->rank].begin(), known_[e->rank].end(),
          [e](const cause& c) { return c.begin_ns >= e->begin_ns && c.end_ns <= e->end_ns; });
      if (!is_known) add(*e, last.rank, last.begin_ns);
    }
  }

  void add(const trace_event& e, std::uint32_t rank, std::uint64_t cause_ns) {
    known_[e.rank].push_back({e.begin_ns, e.end_ns});
    late_[rank] += cause_ns - e.begin_ns;
  }

  const job_trace& job_;
  std::vector<std::vector<cause>> known_;
  std::vector<std::uint64_t> late_;
};

TEST(Analysis, FindsTheCausesThatASearchFinds) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const job_trace job = random_job(seed, 400);
    std::vector<std::uint64_t> late(kRanks);
    for (const late_row& row : analyse(job).late) late[row.rank] = row.total_ns;
    EXPECT_EQ(late, by_search(job).late());
  }
}

// Collectives, and waits in which nothing is handled whose sender is known.
TEST(Analysis, IsNearLinear) {
  constexpr std::size_t kTimes = 200'000;
  job_trace job;
  job.ranks = 2;
  job.names = {"barrier"};
  for (std::size_t i = 0; i < kTimes; ++i) {
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      job.events.push_back(
          slice(trace_kind::collective, rank, 1000 * i + 100 * rank, 1000 * i + 500));
      job.events.back().call = i + 1;
    }
    job.events.push_back(slice(trace_kind::handler, 0, 1000 * i + 600, 1000 * i + 700));
    job.events.push_back(slice(trace_kind::wait, 0, i, 1000 * kTimes));
  }
  const auto begin = std::chrono::steady_clock::now();
  const trace_analysis a = analyse(job);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_EQ(a.late.size(), 1u);
  EXPECT_EQ(a.late[0].total_ns, 100 * kTimes);
}

}  // namespace
}  // namespace traces
