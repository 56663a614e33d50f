// SPDX-License-Identifier: Apache-2.0
// Which algorithm a collective goes by, where each rank has a core and where it has not: shown by
// the number of messages that this rank sends for it, in which the algorithms differ. Without these
// cases every run of the other collectives' cases could go one way.
#include <bit>
#include <vector>

#include "spmd.hpp"

#include "am/call_order.hpp"
#include "am/engine_cold.hpp"
#include "job/join.hpp"

namespace {

using spmd::rank;
using spmd::size;

// But for those by which members ask each other about their calls.
std::uint64_t messages_sent() {
  ramjet::detail::engine& e = *ramjet::detail::current_engine;
  std::uint64_t sent = e.parts().collectives.own_sent;
  for (int r = 0; r < size(); ++r)
    sent -= ramjet::detail::counters_with(e, r).checks_sent.load(std::memory_order_relaxed);
  return sent;
}

// How many messages this rank sends during `collective`, between two barriers.
template <class Collective>
unsigned messages_of(Collective&& collective) {
  EXPECT_OK(ramjet::barrier());
  const std::uint64_t before = messages_sent();
  collective();
  const auto count = unsigned(messages_sent() - before);
  EXPECT_OK(ramjet::barrier());
  return count;
}

// What a rank sends by each algorithm.
unsigned by_rounds(int members) { return unsigned(std::bit_width(unsigned(members - 1))); }
unsigned by_hub(int member, int members) { return member == 0 ? unsigned(members - 1) : 1; }
unsigned to_all() { return unsigned(size() - 1); }
// By doubling over a power of two of the ranks; of the first ranks two share a place.
unsigned by_doubling() {
  const int count = int(std::bit_floor(unsigned(size())));
  const int extra = size() - count;
  const auto rounds = unsigned(std::countr_zero(unsigned(count)));
  if (rank() >= 2 * extra) return rounds;
  return rank() % 2 == 0 ? rounds + 1 : 1;
}
// Down a tree from rank 0: the children, each by a step that is smaller than that from the parent.
unsigned by_tree() {
  const int reach = rank() == 0 ? int(std::bit_ceil(unsigned(size()))) : rank() & -rank();
  unsigned children = 0;
  for (int step = reach / 2; step > 0; step /= 2) children += rank() + step < size();
  return children;
}
// To each one whose rank is higher by a power of two.
unsigned by_scan() {
  unsigned count = 0;
  for (int step = 1; step < size(); step *= 2) count += rank() + step < size();
  return count;
}

bool at_counter() { return spmd::is_crowded() && ramjet::job::self().nodes == 1; }
constexpr int kFew = 8;  // members to whom each sends at once
constexpr int kRounds = 17;  // members from which little is gathered in rounds
constexpr std::size_t kLong = 128;  // words: no short message, and not enough to be cut in parts

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a + b; }

}  // namespace

SPMD_CASE(algorithms, barrier) {
  const unsigned expected = at_counter()         ? 0
                            : spmd::is_crowded() ? by_hub(rank(), size())
                                                 : by_rounds(size());
  EXPECT_EQUAL(messages_of([] { EXPECT_OK(ramjet::barrier()); }), size() == 1 ? 0 : expected);
}

// No team but that of all ranks has the counter.
SPMD_CASE(algorithms, barrier_of_a_team) {
  const ramjet::team half = ramjet::team::world().split(rank() % 2);
  const int members = (size() + 1 - rank() % 2) / 2;
  const unsigned expected = spmd::is_crowded() ? by_hub(rank() / 2, members) : by_rounds(members);
  EXPECT_EQUAL(messages_of([&] { EXPECT_OK(ramjet::barrier(half)); }), members == 1 ? 0 : expected);
}

SPMD_CASE(algorithms, short_all_reduce) {
  std::uint64_t value = 1;
  const unsigned expected = at_counter()         ? 0
                            : size() <= kFew     ? to_all()
                            : spmd::is_crowded() ? by_hub(rank(), size())
                                                 : by_doubling();
  EXPECT_EQUAL(messages_of([&] { EXPECT_OK(ramjet::all_reduce(value, sum)); }),
               size() == 1 ? 0 : expected);
  EXPECT_EQUAL(value, std::uint64_t(size()));
}

SPMD_CASE(algorithms, long_all_reduce) {
  std::vector<std::uint64_t> values(kLong, 1);
  const unsigned expected = spmd::is_crowded() ? by_hub(rank(), size()) : by_doubling();
  EXPECT_EQUAL(
      messages_of([&] { EXPECT_OK(ramjet::all_reduce(std::span<std::uint64_t>(values), sum)); }),
      size() == 1 ? 0 : expected);
  for (std::uint64_t value : values) EXPECT_EQUAL(value, std::uint64_t(size()));
}

SPMD_CASE(algorithms, broadcast) {
  std::vector<std::uint64_t> values(kLong, std::uint64_t(rank()));
  const unsigned flat = rank() == 0 ? to_all() : 0;
  EXPECT_EQUAL(messages_of([&] { EXPECT_OK(ramjet::broadcast(std::span<std::uint64_t>(values))); }),
               spmd::is_crowded() ? flat : by_tree());
  for (std::uint64_t value : values) EXPECT_EQUAL(value, std::uint64_t{0});
}

SPMD_CASE(algorithms, scan) {
  std::uint64_t value = 1;
  EXPECT_EQUAL(messages_of([&] { EXPECT_OK(ramjet::inclusive_scan(value, sum)); }),
               size() == 1          ? 0
               : spmd::is_crowded() ? by_hub(rank(), size())
                                    : by_scan());
  EXPECT_EQUAL(value, std::uint64_t(rank() + 1));
}

SPMD_CASE(algorithms, all_gather) {
  const std::uint64_t mine = std::uint64_t(rank());
  std::vector<std::uint64_t> all(unsigned(size()), 0);
  const unsigned expected = size() <= kFew       ? to_all()
                            : spmd::is_crowded() ? by_hub(rank(), size())
                            : size() < kRounds   ? to_all()
                                                 : by_rounds(size());
  EXPECT_EQUAL(messages_of([&] { EXPECT_OK(ramjet::all_gather(mine, all.data())); }), expected);
  for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQUAL(all[r], std::uint64_t(r));
}
