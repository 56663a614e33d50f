// SPDX-License-Identifier: Apache-2.0
#include "searching.hpp"

#include <algorithm>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"

namespace sssp {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;

searcher* here = nullptr;  // this rank's, for its handlers

// The first of all ranks' buckets that holds anything. Collective.
std::size_t first_of_all(std::size_t mine) {
  require(ramjet::all_reduce(mine, [](std::size_t a, std::size_t b) { return std::min(a, b); }));
  return mine;
}

}  // namespace

struct handlers {
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_relax(std::span<const relaxation> ways) { here->relax_all(ways); }
  static void on_batch(ramjet::payload ways) { here->relax_all(ways.as<const relaxation>()); }
  static void on_bucket() { here->go_on(); }
  static void on_chain(std::span<const relaxation> ways) {
    here->relax_all(ways);
    here->go_on();
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

searcher::searcher(const graph::spread_graph& g, const graph::edge_weights& weight, distance delta)
    : graph_(g),
      rows_(g.mine, g.first, weight),
      parents_(g.mine.count()),
      shortest_(g.vertices),
      buckets_(delta, weight.most()),
      batches_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

searcher::~searcher() { here = nullptr; }

void searcher::search(way w, vertex root) {
  const auto send = [this](const relaxation& r) {
    require(ramjet::request<&handlers::on_relax>(graph_.owners.owner_of(r.at), r));
  };
  const auto gather = [this](const relaxation& r) {
    batches_.add<&handlers::on_batch>(graph_.owners.owner_of(r.at), r);
  };
  std::fill(parents_.begin(), parents_.end(), graph::kNoVertex);
  std::fill(shortest_.begin(), shortest_.end(), kFar);
  if (is_mine(root)) improve({root, root, 0});
  bucket_ = 0;
  require(ramjet::barrier());  // a message finds this rank ready
  switch (w) {
    case way::natural:
      return by_buckets([&](pending p) { relax_edges_plainly(p, send); }, [] {});
    case way::filtered:
      return by_buckets([&](pending p) { relax_edges(p, send); }, [] {});
    case way::batched:
      return by_buckets([&](pending p) { relax_edges(p, gather); },
                        [this] { batches_.flush<&handlers::on_batch>(); });
    case way::chained:
      return chained();
  }
}

void searcher::relax_all(std::span<const relaxation> ways) {
  constexpr std::size_t kAhead = 16;
  const std::size_t last = ways.size() - 1;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    __builtin_prefetch(&shortest_[ways[std::min(k + kAhead, last)].at], 1);
    relax(ways[k]);
  }
}

template <class Send>
void searcher::relax_edges(pending from, Send&& send) {
  for (const weighted_edge e : rows_[from.at - graph_.first]) {
    const distance length = from.distance + e.length;
    if (length >= shortest_[e.to]) continue;
    if (is_mine(e.to)) {
      improve({e.to, from.at, length});
    } else {
      shortest_[e.to] = length;
      send(relaxation{e.to, from.at, length});
    }
  }
}

template <class Send>
void searcher::relax_edges_plainly(pending from, Send&& send) {
  for (const weighted_edge e : rows_[from.at - graph_.first]) {
    const relaxation r{e.to, from.at, from.distance + e.length};
    if (is_mine(e.to))
      relax(r);
    else
      send(r);
  }
}

// A bucket is empty when it is so in all ranks after all messages have been handled: they may have
// added to it.
template <class Settle, class Flush>
void searcher::by_buckets(Settle&& settle, Flush&& flush) {
  for (std::size_t b = first_of_all(buckets_.first_from(0)); b != buckets::kNone;
       b = first_of_all(buckets_.first_from(b))) {
    std::vector<pending>& bucket = buckets_.at(b);
    for (std::size_t k = 0; k < bucket.size(); ++k) {  // it grows meanwhile, by messages, too
      const pending p = bucket[k];
      if (shortest_[p.at] == p.distance) settle(p);
    }
    bucket.clear();
    flush();
    require(ramjet::quiesce());
  }
}

// What a message adds to the bucket in hand goes on from its handler, so that a bucket takes one
// quiesce. Messages of the next bucket may come before this rank is there: they wait in it.
void searcher::chained() {
  for (bucket_ = first_of_all(buckets_.first_from(0)); bucket_ != buckets::kNone;
       bucket_ = first_of_all(buckets_.first_from(bucket_))) {
    require(ramjet::request<&handlers::on_bucket>(ramjet::rank()));
    require(ramjet::quiesce());
  }
}

void searcher::go_on() {
  std::vector<pending>& bucket = buckets_.at(bucket_);
  for (std::size_t k = 0; k < bucket.size(); ++k) {
    const pending p = bucket[k];
    if (shortest_[p.at] != p.distance) continue;
    relax_edges(p, [this](const relaxation& r) {
      // That a rank has died is told to the main program.
      static_cast<void>(ramjet::chain<&handlers::on_chain>(graph_.owners.owner_of(r.at), r));
    });
  }
  bucket.clear();
}

}  // namespace sssp
