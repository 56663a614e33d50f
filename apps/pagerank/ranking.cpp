// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <algorithm>
#include <functional>

#include "../measured/measuring.hpp"
#include "../measured/near.hpp"
#include "serial.hpp"

namespace pagerank {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;
constexpr std::size_t kReadsAtOnce = 4096;

ranker* here = nullptr;  // this rank's, for its handlers

measured::failure no_room() {
  return measured::failure(
      "no room for the parts in the ranks' segments: make the graph smaller, or "
      "RAMJET_SEGMENT_BYTES greater");
}

}  // namespace

struct handlers {
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_give(std::span<const giving> givings) {
    for (const giving& g : givings) here->add(g);
  }
  static void on_batch(ramjet::payload givings) { on_give(givings.as<const giving>()); }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::read:
      return "read";
    case way::gathered:
      return "gathered";
    case way::shared:
      break;
  }
  return "shared";
}

ranker::ranker(const graph::spread_graph& g, std::span<const way> ways)
    : graph_(g),
      scores_(g.mine.count()),
      parts_(g.mine.count()),
      sums_(g.mine.count()),
      batches_(kBatchBytes),
      all_parts_(g.vertices),
      counts_(graph::counts_of_all(g.mine.count())) {
  here = this;
  const auto wanted = [ways](way w) {
    return std::find(ways.begin(), ways.end(), w) != ways.end();
  };
  if (wanted(way::read)) place_neighbours();
  if (wanted(way::shared)) place_shared();
  require(ramjet::barrier());
}

ranker::~ranker() { here = nullptr; }

void ranker::place_neighbours() {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  const std::uint64_t words = *std::max_element(counts_.begin(), counts_.end()) * ranks;
  if (words > UINT32_MAX) throw measured::failure("too many vertices for the way read");
  spread_parts_ = ramjet::all_spread_malloc<double>(words);
  if (!spread_parts_) throw no_room();
  places_.reserve(graph_.mine.targets.size());
  for (const vertex w : graph_.mine.targets) {
    const int owner = graph_.owners.owner_of(w);
    const std::uint64_t row = w - graph_.owners.begin_of(owner);
    places_.push_back(static_cast<std::uint32_t>(row * ranks + static_cast<std::uint64_t>(owner)));
  }
}

// A node's copies stand in its lowest rank's segment; the others' room for them is never touched.
void ranker::place_shared() {
  const auto copies = ramjet::all_spread_malloc(static_cast<std::size_t>(ramjet::size()),
                                                copies_.size() * graph_.vertices * sizeof(double));
  if (!copies) throw no_room();
  int lowest = ramjet::rank();
  for (int rank = ramjet::size() - 1; rank >= 0; --rank)
    if (ramjet::node_of(rank) == ramjet::node_of(ramjet::rank())) lowest = rank;
  for (int rank = 0; rank < ramjet::size(); ++rank) {
    const auto same_node = [rank](int r) { return ramjet::node_of(r) == ramjet::node_of(rank); };
    if (!same_node(lowest) && std::none_of(other_nodes_.begin(), other_nodes_.end(), same_node))
      other_nodes_.push_back(rank);
  }
  for (std::size_t k = 0; k < copies_.size(); ++k) {
    copies_here_[k] = static_cast<double*>(copies.local()) + k * graph_.vertices;
    copies_[k] = measured::near_address(lowest, copies_here_[k]);
  }
}

void ranker::rank(way w, std::uint64_t iterations) {
  std::fill(scores_.begin(), scores_.end(), 1.0 / static_cast<double>(graph_.vertices));
  if (w == way::shared)
    rank_shared(iterations);
  else
    rank_by_sums(w, iterations);
}

// Each rank reads one copy and writes its part of the other. When all have, they change places.
void ranker::rank_shared(std::uint64_t iterations) {
  const auto all = [this](std::size_t k) { return std::span<double>(copies_[k], graph_.vertices); };
  const auto mine = [&](std::size_t k) { return all(k).subspan(graph_.first, scores_.size()); };
  const auto meet = [this](std::size_t k, double lost) {
    report_nodes(k);
    require(ramjet::all_reduce(lost, std::plus<>()));
    return lost;
  };
  std::size_t from = 0;
  double lost = meet(from, pagerank::divide(graph_.mine, scores_, mine(from)));
  for (std::uint64_t i = 0; i < iterations; ++i) {
    const std::size_t to = 1 - from;
    lost = meet(to, pull_and_divide(graph_.mine, all(from), base_of(lost, graph_.vertices), scores_,
                                    mine(to)));
    from = to;
  }
}

void ranker::report_nodes(std::size_t k) {
  if (other_nodes_.empty()) return;
  for (const int rank : other_nodes_)
    ramjet::bulk_store(ramjet::global_ptr<double>(rank, copies_here_[k] + graph_.first),
                       copies_[k] + graph_.first, scores_.size() * sizeof(double));
  require(ramjet::all_store_sync());
}

void ranker::rank_by_sums(way w, std::uint64_t iterations) {
  const graph::ownership owners = graph_.owners;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const double lost = divide();  // all ranks meet in it: what is given finds the sums cleared
    switch (w) {
      case way::natural:
        give(
            [owners](giving g) {
              require(ramjet::request<&handlers::on_give>(owners.owner_of(g.to), g));
            },
            [] {});
        break;
      case way::batched:
        give([this,
              owners](giving g) { batches_.add<&handlers::on_batch>(owners.owner_of(g.to), g); },
             [this] { batches_.flush<&handlers::on_batch>(); });
        break;
      case way::read:
        read();
        break;
      case way::gathered:
      case way::shared:  // which has a loop of its own
        gather();
        break;
    }
    score(sums_, lost, graph_.vertices, scores_);
  }
}

double ranker::divide() {
  double lost = pagerank::divide(graph_.mine, scores_, parts_);
  require(ramjet::all_reduce(lost, std::plus<>()));
  return lost;
}

template <class Send, class Flush>
void ranker::give(Send&& send, Flush&& flush) {
  for (std::size_t row = 0; row < parts_.size(); ++row) {
    const double part = parts_[row];
    for (const vertex w : graph_.mine[row]) {
      if (is_mine(w))
        add({w, part});
      else
        send(giving{w, part});
    }
  }
  flush();
  require(ramjet::quiesce());
}

// The parts of so many whole rows at once that it pays.
void ranker::read() {
  std::copy(parts_.begin(), parts_.end(), spread_parts_.local());
  require(ramjet::barrier());
  const std::vector<std::uint64_t>& begins = graph_.mine.begins;
  for (std::size_t row = 0, end = 0; row < sums_.size(); row = end) {
    while (end < sums_.size() && (end == row || begins[end + 1] - begins[row] <= kReadsAtOnce))
      ++end;
    const auto places =
        std::span<const std::uint32_t>(places_).subspan(begins[row], begins[end] - begins[row]);
    block_.resize(std::max(block_.size(), places.size()));
    ramjet::read_each(spread_parts_, places, block_.data());
    const double* part = block_.data();
    for (std::size_t k = row; k < end; ++k) {
      double sum = 0;
      for (std::size_t edges = begins[k + 1] - begins[k]; edges > 0; --edges) sum += *part++;
      sums_[k] = sum;
    }
  }
  require(ramjet::barrier());  // nobody reads these parts any more
}

void ranker::gather() {
  require(ramjet::all_gather(std::span<const double>(parts_), std::span<double>(all_parts_),
                             std::span<const std::size_t>(counts_)));
  pull(graph_.mine, all_parts_, sums_);
}

}  // namespace pagerank
