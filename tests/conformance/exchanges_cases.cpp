// SPDX-License-Identifier: Apache-2.0
// gather, all_gather and all_to_all, of one value, of arrays of one length, and of any lengths.
#include <algorithm>
#include <numeric>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;
using counts = std::vector<std::size_t>;

// What rank `from` gives rank `to` at place i of a round.
word value_of(word round, int from, int to, std::size_t i) {
  return (round * 1000 + word(from)) * 1000003 + word(to) * 7919 + i * i + 1;
}
std::vector<word> part(word round, int from, int to, std::size_t length) {
  std::vector<word> v(length);
  for (std::size_t i = 0; i < length; ++i) v[i] = value_of(round, from, to, i);
  return v;
}
void append(std::vector<word>& to, const std::vector<word>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
std::size_t total(const counts& c) { return std::accumulate(c.begin(), c.end(), std::size_t{0}); }

// Words for each pair. The longest: over three pieces.
std::vector<std::size_t> lengths() {
  if (spmd::size() > 8) return {0, 1, 2, 5, 17, 301};
  return {0, 1, 2, 5, 333, 8192, 8193, 27'001};
}
// Lengths of the parts of a round, some of them 0; any rank can tell.
std::size_t length_of(word round, int from, int to) {
  spmd::random random(spmd::given.seed ^ round << 32 ^ word(from) << 16 ^ word(to));
  const word most[] = {1, 3, 40, spmd::size() > 8 ? word{300} : word{20'000}};
  return random.below(most[random.below(4)]);
}

}  // namespace

SPMD_CASE(exchanges, gather_of_arrays) {
  const int n = spmd::size();
  word round = 0;
  for (int root = 0; root < n; root += n > 8 ? 9 : 1)
    for (std::size_t length : lengths()) {
      const std::vector<word> mine = part(++round, spmd::rank(), 0, length);
      std::vector<word> all(spmd::rank() == root ? length * unsigned(n) : 0), wanted;
      EXPECT_OK(ramjet::gather(std::span(mine), std::span(all), root));
      for (int r = 0; r < n && spmd::rank() == root; ++r) append(wanted, part(round, r, 0, length));
      EXPECT(all == wanted);
    }
}

SPMD_CASE(exchanges, gather_with_counts) {
  const int n = spmd::size();
  word round = 1000;
  for (int root = 0; root < n; root += n > 8 ? 9 : 1) {
    ++round;
    counts c;
    std::vector<word> wanted;
    for (int r = 0; r < n; ++r) {
      c.push_back(length_of(round, r, 0));
      append(wanted, part(round, r, 0, c.back()));
    }
    const std::vector<word> mine = part(round, spmd::rank(), 0, c[std::size_t(spmd::rank())]);
    if (spmd::rank() != root) {
      EXPECT_OK(ramjet::gather(std::span(mine), std::span<word>(), counts{}, root));
      continue;
    }
    std::vector<word> all(total(c));
    EXPECT_OK(ramjet::gather(std::span(mine), std::span(all), c, root));
    EXPECT(all == wanted);
  }
}

SPMD_CASE(exchanges, all_gather_of_values) {
  const auto n = std::size_t(spmd::size());
  for (word round = 0; round < spmd::scaled(50, 5); ++round) {
    std::vector<word> all(n);
    EXPECT_OK(ramjet::all_gather(value_of(round, spmd::rank(), 0, 0), all.data()));
    for (std::size_t r = 0; r < n; ++r) EXPECT_EQUAL(all[r], value_of(round, int(r), 0, 0));
    std::vector<char> letters(n);
    EXPECT_OK(ramjet::all_gather(char('a' + spmd::rank() % 26), letters.data()));
    for (std::size_t r = 0; r < n; ++r) EXPECT_EQUAL(letters[r], char('a' + r % 26));
  }
}

SPMD_CASE(exchanges, all_gather_of_arrays) {
  const int n = spmd::size();
  word round = 2000;
  for (std::size_t length : lengths()) {
    ++round;
    std::vector<word> wanted, all(length * unsigned(n));
    for (int r = 0; r < n; ++r) append(wanted, part(round, r, 0, length));
    const std::vector<word> mine = part(round, spmd::rank(), 0, length);
    EXPECT_OK(ramjet::all_gather(std::span(mine), std::span(all)));
    EXPECT(all == wanted);
    // From where it goes in the result.
    std::fill(all.begin(), all.end(), 0);
    const std::span<word> place = std::span(all).subspan(length * unsigned(spmd::rank()), length);
    std::ranges::copy(mine, place.begin());
    EXPECT_OK(ramjet::all_gather(place, std::span(all)));
    EXPECT(all == wanted);
  }
}

SPMD_CASE(exchanges, all_gather_with_counts) {
  const int n = spmd::size();
  for (word round = 3000; round < 3000 + spmd::scaled(20, 3); ++round) {
    counts c;
    std::vector<word> wanted;
    for (int r = 0; r < n; ++r) {
      c.push_back(length_of(round, r, round % 2 == 0 ? 0 : r));
      append(wanted, part(round, r, 0, c.back()));
    }
    const std::vector<word> mine = part(round, spmd::rank(), 0, c[std::size_t(spmd::rank())]);
    std::vector<word> all(total(c));
    EXPECT_OK(ramjet::all_gather(std::span(mine), std::span(all), c));
    EXPECT(all == wanted);
  }
}

SPMD_CASE(exchanges, all_to_all_of_arrays) {
  const int n = spmd::size(), me = spmd::rank();
  word round = 4000;
  for (std::size_t length : lengths()) {
    ++round;
    std::vector<word> from, wanted, into(length * unsigned(n));
    for (int r = 0; r < n; ++r) {
      append(from, part(round, me, r, length));
      append(wanted, part(round, r, me, length));
    }
    EXPECT_OK(ramjet::all_to_all(std::span(from), std::span(into)));
    EXPECT(into == wanted);
  }
}

SPMD_CASE(exchanges, all_to_all_with_counts) {
  const int n = spmd::size(), me = spmd::rank();
  for (word round = 5000; round < 5000 + spmd::scaled(20, 3); ++round) {
    counts out, in;
    std::vector<word> from, wanted;
    for (int r = 0; r < n; ++r) {
      out.push_back(length_of(round, me, r));
      in.push_back(length_of(round, r, me));
      append(from, part(round, me, r, out.back()));
      append(wanted, part(round, r, me, in.back()));
    }
    std::vector<word> into(total(in));
    EXPECT_OK(ramjet::all_to_all(std::span<const word>(from), out, std::span(into), in));
    EXPECT(into == wanted);
  }
}

// One rank is late every time: what the others send it waits, however much it is.
SPMD_CASE(exchanges, with_a_rank_that_is_late) {
  const int n = spmd::size();
  for (word round = 6000; round < 6000 + spmd::scaled(10, 2); ++round) {
    if (word(spmd::rank()) == round % unsigned(n))
      EXPECT(ramjet::wait_for(2, [] { return false; }) == ramjet::status::timed_out);
    const std::size_t length = n > 8 ? 50 : 9000;
    const std::vector<word> mine = part(round, spmd::rank(), 0, length);
    std::vector<word> all(length * unsigned(n)), given = mine;
    EXPECT_OK(ramjet::broadcast(std::span(given), int(round % unsigned(n))));
    EXPECT(given == part(round, int(round % unsigned(n)), 0, length));
    EXPECT_OK(ramjet::all_gather(std::span(mine), std::span(all)));
    for (int r = 0; r < n; ++r)
      EXPECT_EQUAL(all[length * unsigned(r + 1) - 1], value_of(round, r, 0, length - 1));
  }
}
