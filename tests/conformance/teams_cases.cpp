// SPDX-License-Identifier: Apache-2.0
// Teams of every shape, at the same time; and barriers in two halves, of the job and of teams.
#include <algorithm>
#include <bit>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::status;
using ramjet::team;
using word = std::uint64_t;

word add(word a, word b) { return a + b; }

// Every collective of a team whose members' ranks in the job are `ranks`, against what must come.
void use(const team& t, const std::vector<int>& ranks, word round) {
  const auto n = unsigned(t.size());
  EXPECT_EQUAL(std::size_t(n), ranks.size());
  EXPECT_EQUAL(ranks[std::size_t(t.rank())], spmd::rank());
  word sum = 0, before = 0;
  for (unsigned r = 0; r < n; ++r) {
    EXPECT_EQUAL(t.world_rank(int(r)), ranks[r]);
    if (int(r) < t.rank()) before += word(ranks[r]) + round;
    sum += word(ranks[r]) + round;
  }
  const word mine = word(spmd::rank()) + round;
  word value = mine;
  EXPECT_OK(ramjet::all_reduce(value, add, t));
  EXPECT_EQUAL(value, sum);
  value = mine;
  EXPECT_OK(ramjet::exclusive_scan(value, 0, add, t));
  EXPECT_EQUAL(value, before);
  const int root = int(round % n);
  value = mine;
  EXPECT_OK(ramjet::broadcast(value, root, t));
  EXPECT_EQUAL(value, word(ranks[std::size_t(root)]) + round);
  value = mine;
  EXPECT_OK(ramjet::reduce(value, add, root, t));
  EXPECT_EQUAL(value, t.rank() == root ? sum : mine);
  std::vector<word> all(n), given(n), taken(n);
  EXPECT_OK(ramjet::all_gather(mine, all.data(), t));
  for (unsigned r = 0; r < n; ++r) EXPECT_EQUAL(all[r], word(ranks[r]) + round);
  EXPECT_OK(ramjet::gather(mine, given.data(), root, t));
  EXPECT(t.rank() != root || given == all);
  for (unsigned r = 0; r < n; ++r) given[r] = mine * 1000 + r;
  EXPECT_OK(ramjet::all_to_all(std::span(given), std::span(taken), t));
  for (unsigned r = 0; r < n; ++r) EXPECT_EQUAL(taken[r], all[r] * 1000 + unsigned(t.rank()));
  EXPECT_OK(ramjet::barrier(t));
}

template <class Chosen>
std::vector<int> ranks_where(const Chosen& chosen) {
  std::vector<int> ranks;
  for (int r = 0; r < spmd::size(); ++r)
    if (chosen(r)) ranks.push_back(r);
  return ranks;
}

// The condition may be asked again after it held, a barrier may not.
void try_until_through() {
  status s = status::retry;
  EXPECT_OK(ramjet::wait_until([&s] {
    if (s == status::retry) s = ramjet::barrier_try();
    return s != status::retry;
  }));
  EXPECT_OK(s);
}

unsigned served;
void on_served() { ++served; }

}  // namespace

SPMD_CASE(teams, world_is_everyone) {
  const team& world = team::world();
  EXPECT_EQUAL(world.rank(), spmd::rank());
  EXPECT_EQUAL(world.size(), spmd::size());
  EXPECT(!world.empty() && team().empty() && team().rank() == -1 && team().size() == 0);
  use(world, ranks_where([](int) { return true; }), 3);
  const team again = world.split(0);
  EXPECT(again == again && again != world);
  use(again, ranks_where([](int) { return true; }), 4);
}

SPMD_CASE(teams, of_uneven_size) {
  // Ranks 0, 1 and 2, 3 to 6, ...: colors go by the number's length.
  const auto color = [](int r) { return int(std::bit_width(unsigned(r + 1))); };
  const team t = team::world().split(color(spmd::rank()));
  for (word round = 0; round < spmd::scaled(20, 2); ++round)
    use(t, ranks_where([&](int r) { return color(r) == color(spmd::rank()); }), round);
}

SPMD_CASE(teams, in_the_order_of_their_keys) {
  const team t = team::world().split(7, -spmd::rank());
  std::vector<int> backwards = ranks_where([](int) { return true; });
  std::ranges::reverse(backwards);
  use(t, backwards, 1);
  const team halves = team::world().split(0, spmd::rank() % 2);
  std::vector<int> sorted = ranks_where([](int r) { return r % 2 == 0; });
  for (int r : ranks_where([](int r) { return r % 2 != 0; })) sorted.push_back(r);
  use(halves, sorted, 2);
}

SPMD_CASE(teams, without_some) {
  const bool in = spmd::rank() % 3 != 1;
  const team t = team::world().split(in ? 5 : -1);
  EXPECT_EQUAL(t.empty(), !in);
  if (in) use(t, ranks_where([](int r) { return r % 3 != 1; }), 9);
}

SPMD_CASE(teams, of_teams) {
  std::vector<int> ranks = ranks_where([](int) { return true; });
  team t = team::world();
  word round = 0;
  while (t.size() > 1) {  // halves, to the last
    const auto middle = std::ptrdiff_t(ranks.size() / 2);
    const bool upper = t.rank() >= middle;
    ranks = upper ? std::vector(ranks.begin() + middle, ranks.end())
                  : std::vector(ranks.begin(), ranks.begin() + middle);
    t = t.split(upper);
    use(t, ranks, ++round);
  }
}

// A grid of rows and columns, and everyone: three teams a rank, used in turn without a barrier.
// Rows are ahead of each other, so messages of all three are under way at once.
SPMD_CASE(teams, interleaved) {
  const int width = std::max(1, spmd::size() / 2 - spmd::size() / 8);
  const int row = spmd::rank() / width, column = spmd::rank() % width;
  const team rows = team::world().split(row), columns = team::world().split(column);
  const auto in_row = ranks_where([&](int r) { return r / width == row; });
  const auto in_column = ranks_where([&](int r) { return r % width == column; });
  for (word round = 0; round < spmd::scaled(30, 2); ++round) {
    use(rows, in_row, round);
    if (round % 3 == 0) use(rows, in_row, round + 1);
    use(columns, in_column, round);
    if (round % 5 == 0) use(team::world(), ranks_where([](int) { return true; }), round);
    if (round % 7 != 0) continue;
    const team both[] = {rows.split(0, -rows.rank()), columns.split(columns.rank() % 2)};
    const team kept = both[0];
    EXPECT_OK(ramjet::barrier(both[1]));
    EXPECT_OK(ramjet::barrier(kept));
  }
}

// Handles come and go; numbers do not repeat.
SPMD_CASE(teams, many_one_after_the_other) {
  for (word round = 0; round < spmd::scaled(100, 10); ++round) {
    const int parts = 1 + int(round % 3);
    const team t = team::world().split(spmd::rank() % parts);
    word one = 1;
    EXPECT_OK(ramjet::all_reduce(one, add, t));
    EXPECT_EQUAL(one, word(t.size()));
  }
}

// --- Barriers in two halves ----------------------------------------------------------------------

SPMD_CASE(teams, nobody_passes_before_all_have_notified) {
  const auto rounds = word(spmd::scaled(200, 10));
  std::span<word> seen = ramjet::segment_array<word>(1);
  word* mine = seen.data();
  std::vector<word*> all(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::all_gather(mine, all.data()));
  __atomic_store_n(mine, 0, __ATOMIC_RELEASE);
  EXPECT_OK(ramjet::barrier());
  for (word round = 1; round <= rounds; ++round) {
    __atomic_store_n(mine, round, __ATOMIC_RELEASE);
    EXPECT_OK(ramjet::barrier_notify());
    if (round % 2 == 0) {
      EXPECT_OK(ramjet::barrier_wait());
    } else {
      try_until_through();
    }
    for (word* theirs : all) {
      const word value = ramjet::read(ramjet::global_ptr<word>(theirs));
      EXPECT(value == round || value == round + 1);
    }
  }
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(mine);
}

// Between the halves: messages both ways, other collectives, the other team's barrier.
SPMD_CASE(teams, work_between_the_halves) {
  const team pairs = team::world().split(spmd::rank() / 2);
  const auto rounds = unsigned(spmd::scaled(60, 5));
  for (unsigned round = 1; round <= rounds; ++round) {
    EXPECT_OK(ramjet::barrier_notify());
    EXPECT_OK(ramjet::request<on_served>(spmd::right()));
    EXPECT_OK(ramjet::barrier_notify(pairs));
    word one = 1;
    EXPECT_OK(ramjet::all_reduce(one, add));
    EXPECT_EQUAL(one, word(spmd::size()));
    EXPECT_OK(ramjet::wait_until([&] { return served >= round; }));
    if (round % 2 == 0) EXPECT_OK(ramjet::barrier_wait());
    EXPECT_OK(ramjet::barrier_wait(pairs));
    if (round % 2 != 0) EXPECT_OK(ramjet::barrier_wait());
    if (round % 8 == 0) EXPECT_OK(ramjet::quiesce());
  }
  EXPECT_OK(ramjet::barrier());
}

// A rank that only polls moves the barrier on for the others.
SPMD_CASE(teams, a_poll_is_enough) {
  EXPECT_OK(ramjet::barrier_notify());
  for (int i = 0; i < 10; ++i) static_cast<void>(ramjet::poll());
  try_until_through();
}
