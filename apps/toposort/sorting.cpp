// SPDX-License-Identifier: Apache-2.0
#include "sorting.hpp"

#include <algorithm>
#include <numeric>

#include "../graph/flat.hpp"
#include "../measured/gathered.hpp"
#include "../measured/measuring.hpp"

namespace toposort {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;
constexpr std::size_t kAhead = 16;  // rows and columns are fetched this many ahead

sorter* here = nullptr;  // this rank's, for its handlers

}  // namespace

struct handlers {
  // Their messages are aggregated by the library, as they take them by blocks.
  static void on_match(std::span<const telling> all) {
    for (const telling t : all) here->match(t);
  }
  static void on_remove(std::span<const telling> all) { here->remove_all(all); }
  static void on_matches(ramjet::payload all) { on_match(all.as<const telling>()); }
  static void on_removals(ramjet::payload all) { here->remove_all(all.as<const telling>()); }
  static void on_chain(std::span<const telling> all) {
    for (const telling t : all) here->match_on(t);
  }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::chained:
      break;
  }
  return "chained";
}

namespace {

graph::spread_matrix random_triangle(const graph::matrix_input& in) {
  const graph::any_permutation row_of(in.rows, in.seed), column_of(in.rows, ~in.seed);
  const graph::flat above{in.rows, in.rows * (in.nonzeros - 1), in.seed};
  const std::vector<graph::edge> pairs = share_of(above, ramjet::rank(), ramjet::size()).mine;
  return graph::matrix_of(in.rows, [&](auto&& put) {
    for (const graph::edge e : pairs)
      if (e.a != e.b) put(graph::entry{row_of(std::min(e.a, e.b)), column_of(std::max(e.a, e.b))});
    for (auto k = static_cast<std::uint64_t>(ramjet::rank()); k < in.rows;
         k += static_cast<std::uint64_t>(ramjet::size())) {
      const auto v = static_cast<vertex>(k);
      put(graph::entry{row_of(v), column_of(v)});
    }
  });
}

}  // namespace

problem permuted_triangle(const graph::matrix_input& in) {
  graph::spread_matrix m =
      in.file.empty() ? random_triangle(in) : graph::matrix_of(in.rows, [&in](auto&& put) {
        for (const graph::entry e : in.in_file.mine) put(e);
      });
  m.mine = graph::chosen(m.mine, [](std::size_t, vertex) { return true; });
  graph::spread_matrix transposed = graph::matrix_of(in.rows, [&m](auto&& put) {
    graph::for_entries(m.mine, m.first, [&](graph::entry e) { put({e.column, e.row}); });
  });
  const std::uint64_t entries = measured::sum_over_ranks(m.mine.targets.size());
  return {in.rows, std::move(m), std::move(transposed), entries};
}

std::vector<row_state> states_of(const graph::rows& rows) {
  std::vector<row_state> states(rows.count());
  for (std::size_t k = 0; k < states.size(); ++k)
    for (const vertex column : rows[k]) {
      states[k].columns ^= column;
      ++states[k].left;
    }
  return states;
}

std::uint64_t sort_serially(const graph::rows& whole, const graph::rows& transposed,
                            std::span<vertex> row_places, std::span<vertex> column_places) {
  std::vector<row_state> states = states_of(whole);
  std::vector<vertex> ready;
  ready.reserve(states.size());
  for (std::size_t row = 0; row < states.size(); ++row)
    if (states[row].left == 1) ready.push_back(static_cast<vertex>(row));
  for (std::size_t k = 0; k < ready.size(); ++k) {
    const vertex column = states[ready[k]].columns;
    row_places[ready[k]] = column_places[column] = static_cast<vertex>(states.size() - 1 - k);
    for (const vertex row : transposed[column]) {
      states[row].columns ^= column;
      if (--states[row].left == 1) ready.push_back(row);
    }
  }
  return ready.size();
}

sorter::sorter(const problem& p)
    : problem_(p),
      first_(p.matrix.first),
      states_(p.matrix.mine.count()),
      row_places_(states_.size()),
      column_places_(states_.size()),
      matches_(kBatchBytes),
      removals_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

sorter::~sorter() { here = nullptr; }

std::uint64_t sorter::sort(way w) {
  states_ = states_of(problem_.matrix.mine);
  next_.clear();
  for (std::size_t row = 0; row < states_.size(); ++row)
    if (states_[row].left == 1) next_.push_back(static_cast<vertex>(row));
  require(ramjet::barrier());  // a message finds this rank ready
  const graph::ownership owners = problem_.matrix.owners;
  const auto send_removal = [owners](telling t) {
    require(ramjet::request<&handlers::on_remove>(owners.owner_of(t.at), t));
  };
  switch (w) {
    case way::natural:
      return by_levels(
          [owners](telling t) {
            require(ramjet::request<&handlers::on_match>(owners.owner_of(t.at), t));
          },
          send_removal, [] {});
    case way::batched:
      return by_levels(
          [&](telling t) { matches_.add<&handlers::on_matches>(owners.owner_of(t.at), t); },
          [&](telling t) { removals_.add<&handlers::on_removals>(owners.owner_of(t.at), t); },
          [&] {
            matches_.flush<&handlers::on_matches>();
            removals_.flush<&handlers::on_removals>();
          });
    case way::chained:
      break;
  }
  return by_levels(
      [owners](telling t) {
        require(ramjet::request<&handlers::on_chain>(owners.owner_of(t.at), t));
      },
      send_removal, [] {});
}

// The rows of a level take the last free places, those of the highest rank first. What is matched
// by then has no entry in any row when the next level begins.
template <class Match, class Remove, class Flush>
std::uint64_t sorter::by_levels(Match&& match_other, Remove&& remove_other, Flush&& flush) {
  std::uint64_t free = problem_.rows, levels = 0;
  measured::gathered<telling> own;
  const auto remove_own = [this](std::span<const telling> all) { remove_all(all); };
  while (true) {
    // Nobody sends before all have told how many rows they have: what comes finds these ready.
    ready_.clear();
    std::swap(ready_, next_);
    matched_.clear();
    const std::vector<std::size_t> counts = graph::counts_of_all(ready_.size());
    const auto all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (all == 0) break;
    ++levels;
    free -= all;
    std::size_t place =
        free + std::accumulate(counts.begin(), counts.begin() + ramjet::rank(), std::size_t{0});
    for (const vertex row : ready_) {
      const telling t{states_[row].columns, static_cast<vertex>(place)};
      row_places_[row] = static_cast<vertex>(place++);
      if (is_mine(t.at))
        match(t);
      else
        match_other(t);
    }
    flush();
    require(ramjet::quiesce());
    const graph::rows& columns = problem_.transposed.mine;
    const auto ahead = [&](std::size_t k) { return matched_[std::min(k, matched_.size() - 1)]; };
    for (std::size_t k = 0; k < matched_.size(); ++k) {
      __builtin_prefetch(&columns.begins[ahead(k + 2 * kAhead)]);
      __builtin_prefetch(&columns.targets[columns.begins[ahead(k + kAhead)]]);
      for (const vertex row : columns[matched_[k]]) {
        const telling t{row, first_ + matched_[k]};
        if (is_mine(row))
          own.add(t, remove_own);
        else
          remove_other(t);
      }
    }
    own.flush(remove_own);
    flush();
    require(ramjet::quiesce());
  }
  if (free != 0)
    throw measured::failure("the matrix cannot be made triangular: its rows depend on each other");
  return levels;
}

void sorter::match_on(telling t) {
  column_places_[t.at - first_] = t.what;
  for (const vertex row : problem_.transposed.mine[t.at - first_]) {
    if (is_mine(row))
      remove({row, t.at});
    else  // that a rank has died is told to the main program
      static_cast<void>(ramjet::chain<&handlers::on_remove>(problem_.matrix.owners.owner_of(row),
                                                            telling{row, t.at}));
  }
}

void sorter::remove_all(std::span<const telling> all) {
  const std::size_t last = all.size() - 1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    __builtin_prefetch(&states_[all[std::min(k + kAhead, last)].at - first_], 1);
    remove(all[k]);
  }
}

}  // namespace toposort
