// SPDX-License-Identifier: Apache-2.0
#include "gathering.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/look_ahead.hpp"
#include "../measured/measuring.hpp"
#include "../measured/program.hpp"
#include "../measured/random_indices.hpp"
#include "../measured/random_words.hpp"
#include "../measured/spread_table.hpp"

namespace indexgather {
namespace {

using measured::word;
using indices = std::vector<std::uint32_t>;

// What a rank does: where it reads, and what it got.
struct gathering {
  indices list;
  std::vector<word> words;  // words[k] is that at list[k]
};

void read_all(ramjet::spread_ptr<const word> table, gathering& g) {
  for (std::size_t k = 0; k < g.list.size(); ++k) g.words[k] = ramjet::read(table + g.list[k]);
}
void get_all(ramjet::spread_ptr<const word> table, gathering& g, std::size_t group) {
  for (std::size_t begin = 0; begin < g.list.size(); begin += group) {
    const std::size_t end = std::min(begin + group, g.list.size());
    for (std::size_t k = begin; k < end; ++k) ramjet::get(&g.words[k], table + g.list[k]);
    ramjet::sync_all();
  }
}
void load_all(measured::bare_table table, gathering& g) {
  for (std::size_t k = 0; k < g.list.size(); ++k)
    g.words[k] = __atomic_load_n(table.at(g.list[k]), __ATOMIC_RELAXED);
}

// What handlers work on: the words of this rank, and where answers go.
std::span<const word> own_words;
std::span<word> into;

struct question {
  std::uint32_t row, slot;
};
struct answer {
  word value, slot;
};

void on_answers(ramjet::reply_token, ramjet::payload p) {
  for (const answer& a : p.as<answer>()) into[a.slot] = a.value;
}

void on_questions(ramjet::request_token token, std::span<const question> all) {
  static std::vector<answer> answers;  // a handler runs at a time
  answers.clear();
  measured::look_ahead(
      all, [](const question& q) { return &own_words[q.row]; },
      [](const question& q) { answers.push_back({own_words[q.row], q.slot}); });
  ramjet::reply_medium<&on_answers>(std::move(token), answers.data(),
                                    answers.size() * sizeof(answer));
}

void ask_all(gathering& g) {
  const measured::word_places places;
  const auto me = static_cast<std::uint32_t>(ramjet::rank());
  into = g.words;
  for (std::uint32_t k = 0; k < g.list.size(); ++k) {
    const auto [rank, row] = places.of(g.list[k]);
    if (rank == me)
      g.words[k] = own_words[row];
    else
      measured::require(
          ramjet::request<&on_questions>(static_cast<int>(rank), question{row, k}));
  }
  measured::require(ramjet::quiesce());
}

// Seconds of a round; adds to `wrong` the words that came wrong.
template <class Gather>
double round(const options& o, gathering& g, std::uint64_t& wrong, Gather&& gather) {
  std::fill(g.words.begin(), g.words.end(), 0);
  const double seconds = measured::seconds_together(gather);
  wrong += wrong_words(o, g.words, g.list);
  return seconds;
}
}  // namespace

std::uint64_t word_at(const options& o, std::uint64_t index) {
  return measured::scrambled(o.seed ^ measured::scrambled(index + 1));
}

std::uint64_t wrong_words(const options& o, std::span<const std::uint64_t> gathered,
                          std::span<const std::uint32_t> indices) {
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) wrong += gathered[k] != word_at(o, indices[k]);
  return wrong;
}

result measure(const options& o) {
  const measured::spread_table table(o.table);
  const std::span<word> mine = table.mine();
  for (std::size_t k = 0; k < mine.size(); ++k)
    mine[k] = word_at(o, measured::spread_table::index_of_mine(k));
  gathering g{.list = measured::random_indices(o.seed, o.reads, o.table),
              .words = std::vector<word>(o.reads)};

  own_words = mine;
  const auto ours = [&] {
    if (o.messages)
      ask_all(g);
    else if (o.group == 0)
      read_all(table.pointer(), g);
    else
      get_all(table.pointer(), g, o.group);
  };
  const auto bare = [&, plain = table.bare()] { load_all(plain, g); };
  std::uint64_t wrong = 0;
  std::vector<std::function<double()>> ways{[&] { return round(o, g, wrong, ours); }};
  if (ramjet::nodes() == 1) ways.emplace_back([&] { return round(o, g, wrong, bare); });
  const std::vector<double> seconds = measured::medians_in_turn(o.repeats, ways);
  const word sum = std::accumulate(g.words.begin(), g.words.end(), word{0});
  return {.seconds = seconds[0],
          .limit_seconds = ways.size() > 1 ? seconds[1] : 0,
          .wrong = measured::sum_over_ranks(wrong),
          .checksum = measured::sum_over_ranks(sum)};
}

}  // namespace indexgather
