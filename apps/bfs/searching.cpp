// SPDX-License-Identifier: Apache-2.0
#include "searching.hpp"

#include <algorithm>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"

namespace bfs {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;

searcher* here = nullptr;  // this rank's, for its handlers

}  // namespace

struct handlers {
  static void on_visit(vertex at, vertex parent) { here->reach({at, parent}); }
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_visits(std::span<const visit> visits) { here->reach_all(visits); }
  static void on_batch(ramjet::payload visits) { here->reach_all(visits.as<const visit>()); }
  static void on_improve(vertex at, vertex parent, std::uint32_t level) {
    here->go_on_from({at, parent}, level);
  }
};

}  // namespace bfs

template <>
inline constexpr bool ramjet::aggregated<&bfs::handlers::on_improve> = true;

namespace bfs {

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::aggregated:
      return "aggregated";
    case way::filtered:
      return "filtered";
    case way::batched:
      return "batched";
    case way::chained:
      break;
  }
  return "chained";
}

searcher::searcher(const graph::spread_graph& g)
    : graph_(g),
      known_(g.vertices),
      parents_(g.mine.count()),
      reached_(g.mine.count()),
      levels_(g.mine.count()),
      batches_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

searcher::~searcher() { here = nullptr; }

void searcher::search(way w, vertex root) {
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  known_.clear();
  reached_count_ = 0;
  require(ramjet::barrier());  // a visit finds this rank ready
  switch (w) {
    case way::natural:
      return natural(root);
    case way::aggregated:
      return aggregated(root);
    case way::filtered:
      return filtered(root);
    case way::batched:
      return batched(root);
    case way::chained:
      return chained(root);
  }
}

void searcher::reach_all(std::span<const visit> visits) {
  constexpr std::size_t kAhead = 16;
  const std::size_t last = visits.size() - 1;
  for (std::size_t k = 0; k < visits.size(); ++k) {
    __builtin_prefetch(&parents_[visits[std::min(k + kAhead, last)].at - graph_.first], 1);
    reach(visits[k]);
  }
}

// A vertex is reached a level after its parent, by a message or here. The next level begins when
// all messages of this one have been handled everywhere.
template <class Follow, class Flush>
void searcher::by_levels(vertex root, Follow&& follow, Flush&& flush) {
  constexpr std::size_t kAhead = 16;
  const vertex first = graph_.first;
  if (is_mine(root)) reach({root, root});
  for (std::size_t begin = 0, end = reached_count_; measured::sum_over_ranks(end - begin) > 0;) {
    for (std::size_t k = begin; k < end; ++k) {
      if (k + kAhead < end) graph_.mine.prefetch(reached_[k + kAhead] - first);
      follow(reached_[k]);
    }
    flush();
    require(ramjet::quiesce());
    begin = end;
    end = reached_count_;
  }
}

// A visit for each edge to another rank.
template <class Send>
auto searcher::telling_all(Send send) {
  return [this, send](vertex parent) {
    // What the loop over the edges needs, in its own hands: a send may change whatever is reachable
    // from elsewhere, so the compiler would fetch it again for each edge.
    const graph::ownership owners = graph_.owners;
    const std::span<const vertex> parents = parents_;
    const vertex first = graph_.first;
    for (const vertex at : graph_.mine[parent - first]) {
      const vertex row = at - first;
      if (row >= parents.size())
        send(owners.owner_of(at), visit{at, parent});
      else if (parents[row] == graph::kNoVertex)
        reach({at, parent});
    }
  };
}

void searcher::natural(vertex root) {
  by_levels(root, telling_all([](int owner, visit v) {
              require(ramjet::request<&handlers::on_visit>(owner, v.at, v.parent));
            }),
            [] {});
}

void searcher::aggregated(vertex root) {
  by_levels(root, telling_all([](int owner, visit v) {
              require(ramjet::request<&handlers::on_visits>(owner, v));
            }),
            [] {});
}

// The owner of a vertex is told once by a rank: all later visits of this rank come too late.
void searcher::filtered(vertex root) {
  by_levels(
      root,
      [this](vertex parent) {
        const std::span<const std::uint64_t> known = known_.words();  // as in telling_all
        for (const vertex at : graph_.mine[parent - graph_.first]) {
          if (graph::vertex_set::is_in(known, at)) continue;
          if (is_mine(at)) {
            take({at, parent});
          } else {
            known_.add(at);
            require(ramjet::request<&handlers::on_visits>(graph_.owners.owner_of(at),
                                                          visit{at, parent}));
          }
        }
      },
      [] {});
}

void searcher::batched(vertex root) {
  by_levels(root, telling_all([this](int owner, visit v) {
              batches_.add<&handlers::on_batch>(owner, v);
            }),
            [this] { batches_.flush<&handlers::on_batch>(); });
}

// No levels are kept apart: a visit is passed on at once, and again if a shorter way comes later.
void searcher::chained(vertex root) {
  std::fill(levels_.begin(), levels_.end(), kUnreached);
  require(ramjet::barrier());
  if (is_mine(root)) require(ramjet::request<&handlers::on_improve>(ramjet::rank(), root, root, 0));
  require(ramjet::quiesce());
}

void searcher::go_on_from(visit v, std::uint32_t level) {
  improve(v, level);
  const std::span<const std::uint32_t> levels = levels_;  // as in by_levels
  const vertex first = graph_.first;
  for (std::size_t k = 0; k < pending_.size(); ++k) {
    const improved i = pending_[k];
    if (levels[i.at - first] != i.level) continue;  // improved again
    for (const vertex next : graph_.mine[i.at - first]) {
      const vertex row = next - first;
      if (row >= levels.size())  // that a rank has died is told to the main program
        static_cast<void>(ramjet::chain<&handlers::on_improve>(graph_.owners.owner_of(next), next,
                                                               i.at, i.level + 1));
      else if (i.level + 1 < levels[row])
        improve({next, i.at}, i.level + 1);
    }
  }
  pending_.clear();
}

}  // namespace bfs
