// SPDX-License-Identifier: Apache-2.0
#include "updating.hpp"

#include <algorithm>

#include <ramjet/ramjet.hpp>

#include "../measured/look_ahead.hpp"
#include "../measured/measuring.hpp"
#include "../measured/program.hpp"
#include "../measured/random_indices.hpp"
#include "../measured/random_words.hpp"

namespace histogram {
namespace {

using measured::word;
using indices = std::vector<std::uint32_t>;

void add_to(ramjet::spread_ptr<word> table, const indices& list) {
  for (const std::uint32_t i : list) ramjet::add(table + i, 1);
  ramjet::sync_all();
}
void add_to(measured::bare_table table, const indices& list) {
  for (const std::uint32_t i : list) __atomic_fetch_add(table.at(i), 1, __ATOMIC_SEQ_CST);
}

// The sum of what was there before, so that it is fetched.
word fetch_from(ramjet::spread_ptr<word> table, const indices& list) {
  word sum = 0;
  for (const std::uint32_t i : list) sum += ramjet::fetch_add(table + i, 1);
  return sum;
}
word fetch_from(measured::bare_table table, const indices& list) {
  word sum = 0;
  for (const std::uint32_t i : list) sum += __atomic_fetch_add(table.at(i), 1, __ATOMIC_SEQ_CST);
  return sum;
}

std::span<word> own_counters;  // what the handler adds to

void on_additions(std::span<const std::uint32_t> rows) {
  measured::look_ahead(
      rows, [](std::uint32_t row) { return &own_counters[row]; },
      [](std::uint32_t row) { ++own_counters[row]; });
}

void add_by_messages(const indices& list) {
  const measured::word_places places;
  const auto me = static_cast<std::uint32_t>(ramjet::rank());
  for (const std::uint32_t i : list) {
    const auto [rank, row] = places.of(i);
    if (rank == me)
      ++own_counters[row];
    else
      measured::require(ramjet::request<&on_additions>(static_cast<int>(rank), row));
  }
  measured::require(ramjet::quiesce());
}

// Seconds of a round.
template <class Table>
double round(const options& o, const Table& table, const indices& list, word& fetched) {
  return measured::seconds_together([&] {
    if (o.fetch)
      fetched += fetch_from(table, list);
    else
      add_to(table, list);
  });
}

}  // namespace

std::vector<std::uint64_t> expected_counters(const options& o, std::uint64_t mine,
                                             std::uint64_t rounds) {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  std::vector<std::uint64_t> counters(mine);
  for (int rank = 0; rank < ramjet::size(); ++rank) {
    measured::random_words words({o.seed, static_cast<std::uint64_t>(rank)});
    for (std::uint64_t update = 0; update < o.updates; ++update) {
      const std::uint64_t i = words.next_below(o.table);
      if (i % ranks == static_cast<std::uint64_t>(ramjet::rank())) counters[i / ranks] += rounds;
    }
  }
  return counters;
}

std::uint64_t wrong_counters(std::span<const std::uint64_t> found,
                             std::span<const std::uint64_t> expected) {
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < found.size(); ++k) wrong += found[k] != expected[k];
  return wrong;
}

// The k-th update of a counter fetched k - 1, whoever made it. The even factor is halved before
// they are multiplied, so that what is lost is a multiple of 2^64.
std::uint64_t sum_fetched(std::span<const std::uint64_t> counters) {
  std::uint64_t sum = 0;
  for (const std::uint64_t c : counters) sum += c % 2 == 0 ? c / 2 * (c - 1) : (c - 1) / 2 * c;
  return sum;
}

result measure(const options& o) {
  const measured::spread_table table(o.table);
  const std::span<word> mine = table.mine();
  std::fill(mine.begin(), mine.end(), 0);
  const indices list = measured::random_indices(o.seed, o.updates, o.table);
  word fetched = 0;
  own_counters = mine;
  std::vector<std::function<double()>> ways{[&] {
    return o.messages ? measured::seconds_together([&] { add_by_messages(list); })
                      : round(o, table.pointer(), list, fetched);
  }};
  if (ramjet::nodes() == 1)
    ways.emplace_back([&] { return round(o, table.bare(), list, fetched); });
  const std::vector<double> seconds = measured::medians_in_turn(o.repeats, ways);

  result r{.seconds = seconds[0],
           .limit_seconds = ways.size() > 1 ? seconds[1] : 0,
           .rounds = ways.size() * (o.repeats + 1)};
  r.wrong =
      measured::sum_over_ranks(wrong_counters(mine, expected_counters(o, mine.size(), r.rounds)));
  std::uint64_t sum = 0, checksum = 0;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    sum += mine[k];
    checksum +=
        measured::scrambled(measured::spread_table::index_of_mine(k)) * (mine[k] / r.rounds);
  }
  r.sum = measured::sum_over_ranks(sum);
  r.checksum = measured::sum_over_ranks(checksum);
  if (o.fetch && measured::sum_over_ranks(fetched) != measured::sum_over_ranks(sum_fetched(mine)))
    throw measured::failure("fetch_add did not return what was there before");
  return r;
}

}  // namespace histogram
