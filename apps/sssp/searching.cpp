// SPDX-License-Identifier: Apache-2.0
#include "searching.hpp"

#include <algorithm>
#include <utility>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"

namespace sssp {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;

template <class Distance>
searcher<Distance>* here = nullptr;  // this rank's, for its handlers

// The first of all ranks' buckets that holds anything. Collective.
std::size_t first_of_all(std::size_t mine) {
  require(ramjet::all_reduce(mine, [](std::size_t a, std::size_t b) { return std::min(a, b); }));
  return mine;
}

}  // namespace

template <class Distance>
struct handlers {
  using way_found = relaxation<Distance>;

  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_relax(std::span<const way_found> ways) { here<Distance>->relax_all(ways); }
  static void on_batch(ramjet::payload ways) {
    here<Distance>->relax_all(ways.as<const way_found>());
  }
  static void on_bucket() { here<Distance>->go_on(); }
  static void on_chain(std::span<const way_found> ways) {
    here<Distance>->relax_all(ways);
    here<Distance>->go_on();
  }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::filtered:
      return "filtered";
    case way::batched:
      return "batched";
    case way::chained:
      break;
  }
  return "chained";
}

template <class Distance>
searcher<Distance>::searcher(const graph::spread_graph& g, weighted_rows<Distance> rows,
                             Distance longest_edge, Distance delta)
    : graph_(g),
      rows_(std::move(rows)),
      parents_(g.mine.count()),
      shortest_(g.vertices),
      buckets_(delta, longest_edge),
      walk_(rows_, g.first, shortest_),
      batches_(kBatchBytes) {
  here<Distance> = this;
  require(ramjet::barrier());
}

template <class Distance>
searcher<Distance>::~searcher() {
  here<Distance> = nullptr;
}

template <class Distance>
void searcher<Distance>::search(way w, vertex root) {
  const auto send = [this](const way_found& r) {
    require(ramjet::request<&handlers<Distance>::on_relax>(graph_.owners.owner_of(r.at), r));
  };
  const auto gather = [this](const way_found& r) {
    batches_.template add<&handlers<Distance>::on_batch>(graph_.owners.owner_of(r.at), r);
  };
  const auto follow_by = [this](auto&& send_it) {
    return [this, send_it](vertex to, vertex from, Distance length) {
      relax_or_send({to, from, length}, send_it);
    };
  };
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  std::fill(shortest_.begin(), shortest_.end(), kFarthest<Distance>);
  if (is_mine(root)) improve({root, root, 0});
  bucket_ = 0;
  require(ramjet::barrier());  // a message finds this rank ready
  switch (w) {
    case way::natural:
      return by_buckets(
          [this, send](vertex to, vertex from, Distance length) {
            if (is_mine(to))
              relax({to, from, length});
            else
              send({to, from, length});
          },
          [] {});
    case way::filtered:
      return by_buckets(follow_by(send), [] {});
    case way::batched:
      return by_buckets(follow_by(gather),
                        [this] { batches_.template flush<&handlers<Distance>::on_batch>(); });
    case way::chained:
      return chained(follow_by(send));
  }
}

template <class Distance>
void searcher<Distance>::relax_all(std::span<const way_found> ways) {
  constexpr std::size_t kAhead = 16;
  const std::size_t last = ways.size() - 1;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    __builtin_prefetch(&shortest_[ways[std::min(k + kAhead, last)].at], 1);
    relax(ways[k]);
  }
}

template <class Distance>
template <class Send>
inline void searcher<Distance>::relax_or_send(way_found r, Send&& send) {
  if (r.length >= shortest_[r.at]) return;
  if (is_mine(r.at)) return improve(r);
  shortest_[r.at] = r.length;
  send(r);
}

// Messages may add to the bucket in hand: its inner edges have been followed when that is so in all
// ranks after all messages have been handled.
template <class Distance>
template <class Follow, class Flush>
void searcher<Distance>::by_buckets(Follow&& follow, Flush&& flush) {
  const auto handled_everywhere = [&] {
    flush();
    require(ramjet::quiesce());
  };
  for (std::size_t b = first_of_all(buckets_.first_from(0)); b != kNoBucket;
       b = first_of_all(buckets_.first_from(b))) {
    do {
      walk_.inner(buckets_.at(b), buckets_.end_of(b), follow);
      handled_everywhere();
    } while (measured::sum_over_ranks(walk_.is_behind(buckets_.at(b))) > 0);
    walk_.outer(buckets_.at(b), follow);
    handled_everywhere();
  }
}

// What a message adds to the bucket in hand goes on from its handler, so that inner edges take one
// quiesce. Messages of the next bucket may come before this rank is there: they wait in it.
template <class Distance>
template <class Follow>
void searcher<Distance>::chained(Follow&& follow) {
  for (bucket_ = first_of_all(buckets_.first_from(0)); bucket_ != kNoBucket;
       bucket_ = first_of_all(buckets_.first_from(bucket_))) {
    require(ramjet::request<&handlers<Distance>::on_bucket>(ramjet::rank()));
    require(ramjet::quiesce());
    walk_.outer(buckets_.at(bucket_), follow);
    require(ramjet::quiesce());
  }
}

template <class Distance>
void searcher<Distance>::go_on() {
  walk_.inner(
      buckets_.at(bucket_), buckets_.end_of(bucket_),
      [this](vertex to, vertex from, Distance length) {
        relax_or_send({to, from, length}, [this](const way_found& r) {
          // That a rank has died is told to the main program.
          static_cast<void>(
              ramjet::chain<&handlers<Distance>::on_chain>(graph_.owners.owner_of(r.at), r));
        });
      });
}

template class searcher<distance>;
template class searcher<double>;

}  // namespace sssp
