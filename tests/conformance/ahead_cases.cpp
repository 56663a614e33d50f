// SPDX-License-Identifier: Apache-2.0
// Members that run ahead of one that polls and does not call: what it keeps of them has a bound,
// which they reach, and all of it is right.
#include <algorithm>
#include <vector>

#include "spmd.hpp"

#include "am/collectives/ahead.hpp"
#include "am/engine_cold.hpp"

namespace {

using ramjet::team;
using ramjet::detail::cost_of_message;
using ramjet::detail::half_bytes;
using word = std::uint64_t;

word add(word a, word b) { return a + b; }

// What is kept here of a member, as it counts for the bound.
std::size_t kept_bytes(const ramjet::detail::source& s) {
  std::size_t sum = 0;
  for (std::size_t i = s.first; i < s.early.size(); ++i) sum += cost_of_message(s.early[i].bytes);
  return sum;
}
// The most that is kept here of any member of the team.
std::size_t most_kept(const team& t) {
  std::size_t most = 0;
  for (const auto& s : state_of(t)->sources) most = std::max(most, kept_bytes(s));
  return most;
}
// What may be kept of one, if each message has that many bytes.
std::size_t bound(const team& t, std::size_t bytes) {
  return 2 * std::max<std::size_t>(half_bytes(t.size()), cost_of_message(bytes));
}

// Polls until somebody is as far ahead as it can be: it has sent a whole half at least, and no more
// comes for a while. Nobody's messages are ever over the bound.
void let_others_run_ahead(const team& t, std::size_t bytes) {
  constexpr double kQuietMs = 10;
  const std::size_t cost = cost_of_message(bytes);
  const std::size_t whole_half = std::max<std::size_t>(half_bytes(t.size()) / cost, 1) * cost;
  std::size_t kept = 0;
  for (spmd::stopwatch since; kept < whole_half || since.undisturbed() < kQuietMs;) {
    ramjet::poll();
    const std::size_t now = most_kept(t);
    if (now != kept) since = {};
    kept = now;
    EXPECT(kept <= bound(t, bytes));
  }
}

// Roots that members may run ahead of with a short value: all that they send it to directly. Up a
// tree it comes to root 0, and from there to another only with that one's own.
int roots(const team& t) { return spmd::is_crowded() || t.size() <= 8 ? t.size() : 1; }

// More calls than messages may be kept.
std::size_t more_than_fit(const team& t, std::size_t bytes) {
  return bound(t, bytes) / cost_of_message(bytes) * 5 / 4 + 3;
}

void reduce_to(int root, const team& t, std::size_t calls) {
  const auto n = unsigned(t.size());
  for (word i = 0; i < calls; ++i) {
    word value = i + unsigned(t.rank());
    EXPECT_OK(ramjet::reduce(value, add, root, t));
    if (t.rank() == root) EXPECT_EQUAL(value, i * n + n * (n - 1) / 2);
  }
}

}  // namespace

SPMD_CASE(collectives, a_root_keeps_little_of_those_who_run_ahead) {
  if (spmd::size() == 1) return spmd::skip("needs somebody who runs ahead");
  const team& world = team::world();
  for (const int root : {0, roots(world) - 1}) {
    if (spmd::rank() == root) let_others_run_ahead(world, sizeof(word));
    reduce_to(root, world, std::max(more_than_fit(world, sizeof(word)), spmd::scaled(100'000)));
    EXPECT_OK(ramjet::barrier());
  }
}

SPMD_CASE(collectives, a_leaf_keeps_little_of_a_root_that_runs_ahead) {
  if (spmd::size() == 1) return spmd::skip("needs somebody who runs ahead");
  const team& world = team::world();
  const std::size_t calls = more_than_fit(world, sizeof(word));
  if (spmd::rank() == spmd::size() - 1) let_others_run_ahead(world, sizeof(word));
  for (word i = 0; i < calls; ++i) {
    word value = spmd::rank() == 0 ? i * 3 + 1 : 0;
    EXPECT_OK(ramjet::broadcast(value));
    EXPECT_EQUAL(value, i * 3 + 1);
  }
  EXPECT_OK(ramjet::barrier());
}

// Several in a half, and such as are longer than a half by themselves.
SPMD_CASE(collectives, long_values_that_come_early_have_a_bound_too) {
  if (spmd::size() == 1) return spmd::skip("needs somebody who runs ahead");
  const team& world = team::world();
  const auto n = std::size_t(spmd::size());
  if (n > 8) return spmd::skip("would take long");
  for (const std::size_t bytes : {std::size_t{20'000}, std::size_t{300'001}}) {
    const std::size_t calls = more_than_fit(world, bytes);
    std::vector<std::byte> mine(bytes), all(spmd::rank() == 0 ? bytes * n : 0);
    if (spmd::rank() == 0) let_others_run_ahead(world, bytes);
    for (word i = 0; i < calls; ++i) {
      spmd::fill(mine.data(), bytes, i * n + unsigned(spmd::rank()));
      EXPECT_OK(ramjet::gather(std::span(mine), std::span(all), 0));
      for (std::size_t r = 0; spmd::rank() == 0 && r < n; ++r)
        EXPECT_EQUAL(spmd::first_wrong(all.data() + r * bytes, bytes, i * n + r), bytes);
    }
    if (spmd::rank() + 1 == spmd::size()) let_others_run_ahead(world, bytes);
    for (word i = 0; i < calls; ++i) {
      if (spmd::rank() == 0) spmd::fill(mine.data(), bytes, i);
      EXPECT_OK(ramjet::broadcast(std::span(mine)));
      EXPECT_EQUAL(spmd::first_wrong(mine.data(), bytes, i), bytes);
    }
    EXPECT_OK(ramjet::barrier());
  }
}

// A team that is given up before an answer comes does not mind it.
SPMD_CASE(teams, each_has_a_bound_of_its_own) {
  if (spmd::size() == 1) return spmd::skip("needs somebody who runs ahead");
  for (int round = 0; round < 3; ++round) {
    const team turned = team::world().split(0, -spmd::rank());
    const int root = round % roots(turned);
    if (turned.rank() == root) let_others_run_ahead(turned, sizeof(word));
    reduce_to(root, turned, more_than_fit(turned, sizeof(word)));
    reduce_to(root, team::world(), 10);
  }
}
