// SPDX-License-Identifier: Apache-2.0
#include "labelling.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"

namespace components {
namespace {

using graph::kNoVertex;
using measured::require;

constexpr std::size_t kBatchBytes = 4096;

labeller* here = nullptr;  // this rank's, for its handlers

bool bit_of(const std::vector<std::uint64_t>& bits, vertex k) {
  return (bits[k / 64] >> k % 64 & 1) != 0;
}

}  // namespace

struct handlers {
  // By blocks, so that the library aggregates the messages.
  static void on_label(std::span<const telling> tellings) {
    for (const telling t : tellings) here->lower(t);
  }
  static void on_batch(ramjet::payload tellings) { on_label(tellings.as<const telling>()); }

  static void on_connect(std::span<const telling> tellings) {
    for (const telling t : tellings) here->connect(t);
  }
  static void on_ask(std::span<const telling> tellings) {
    for (const telling t : tellings) here->climb(t.at, t.other);
  }
  static void on_answer(std::span<const telling> tellings) {
    for (const telling t : tellings) here->root_labels_[t.at - here->graph_.first] = t.other;
  }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::linked:
      break;
  }
  return "linked";
}

labeller::labeller(const graph::spread_graph& g)
    : graph_(g),
      labels_(g.mine.count()),
      is_changed_(g.mine.count()),
      batches_(kBatchBytes),
      own_(g.mine.count()),
      above_(g.mine.count()),
      root_labels_(g.mine.count()),
      in_greatest_((g.vertices + 63) / 64) {
  here = this;
  require(ramjet::barrier());
}

labeller::~labeller() { here = nullptr; }

void labeller::label(way w) {
  if (w == way::linked) {
    std::fill(above_.begin(), above_.end(), kNoVertex);
    hung_.clear();
    own_.reset();
  } else {
    std::iota(labels_.begin(), labels_.end(), graph_.first);
  }
  require(ramjet::barrier());  // a message finds this rank ready
  const graph::ownership owners = graph_.owners;
  switch (w) {
    case way::natural:
      return propagate(
          [owners](telling t) {
            require(ramjet::request<&handlers::on_label>(owners.owner_of(t.at), t));
          },
          [] {});
    case way::batched:
      return propagate(
          [this, owners](telling t) {
            batches_.add<&handlers::on_batch>(owners.owner_of(t.at), t);
          },
          [this] { batches_.flush<&handlers::on_batch>(); });
    case way::linked:
      return linked();
  }
}

// A round ends when all messages of it have been handled everywhere.
template <class Send, class Flush>
void labeller::propagate(Send&& send, Flush&& flush) {
  std::vector<vertex> telling_now(labels_.size());
  std::iota(telling_now.begin(), telling_now.end(), vertex{0});
  while (measured::sum_over_ranks(telling_now.size()) > 0) {
    for (const vertex row : telling_now) {
      is_changed_[row] = 0;
      const vertex label = labels_[row];
      for (const vertex w : graph_.mine[row]) {
        if (is_mine(w))
          lower({w, label});
        else
          send(telling{w, label});
      }
    }
    flush();
    require(ramjet::quiesce());
    telling_now.clear();
    std::swap(telling_now, changed_);
  }
}

// Edges within the set that most vertices of all ranks are in change nothing, and nearly all edges
// are such: the trees are made by a few of them, and a rank whose greatest set is a part of that
// one follows none of its edges. Of the others most lead into it. (Afforest once more, on the
// trees.)
void labeller::linked() {
  const vertex most = join_block(graph_.mine, graph_.first, own_);
  require(ramjet::barrier());  // a message finds the sets made
  connect_some_of(most);
  require(ramjet::quiesce());
  find_greatest(most);
  connect_the_others();
  require(ramjet::quiesce());
  find_root_labels();
  for (vertex row = 0; row < labels_.size(); ++row) labels_[row] = root_labels_[own_.root_of(row)];
}

void labeller::connect_some_of(vertex most) {
  constexpr int kEdges = 256;
  int connected = 0;
  for (vertex row = 0; row < labels_.size() && connected < kEdges; ++row) {
    if (own_.root_of(row) != most) continue;
    const std::span<const vertex> all = graph_.mine[row];
    if (is_mine(all.back())) continue;  // so all of them are
    connect({row + graph_.first, all.back()});
    ++connected;
  }
}

void labeller::find_greatest(vertex most) {
  if (most != kNoVertex) climb(most + graph_.first, most + graph_.first);
  require(ramjet::quiesce());
  const std::uint64_t vertices = most == kNoVertex ? 0 : own_.size_of(most);
  const std::uint64_t mine = vertices == 0 ? 0 : vertices << 32 | root_labels_[most];
  std::uint64_t all = mine;
  require(ramjet::all_reduce(all, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }));
  greatest_ = all == 0 ? kNoVertex : static_cast<vertex>(all);
  most_ = mine != 0 && root_labels_[most] == greatest_ ? most : kNoVertex;
  outside_ =
      most_ == kNoVertex ? own_.find_outside(graph_.mine, kNoVertex) : own_.still_outside(most_);
  std::fill(in_greatest_.begin(), in_greatest_.end(), 0);
  if (most_ != kNoVertex) note_in_greatest();
  require(ramjet::all_reduce(std::span<std::uint64_t>(in_greatest_),
                             [](std::uint64_t a, std::uint64_t b) { return a | b; }));
}

// Vertices without an edge may count as well.
void labeller::note_in_greatest() {
  const vertex end = graph_.first + static_cast<vertex>(labels_.size());
  for (vertex v = graph_.first; v < end;) {
    const vertex next = std::min(end, (v / 64 + 1) * 64);
    in_greatest_[v / 64] = ~std::uint64_t{0} >> (64 - (next - v)) << v % 64;
    v = next;
  }
  for (const vertex row : outside_) {
    const vertex v = row + graph_.first;
    in_greatest_[v / 64] &= ~(std::uint64_t{1} << v % 64);
  }
}

void labeller::connect_the_others() {
  graph::for_rows(graph_.mine, outside_, [this](vertex row) {
    for (const vertex w : graph_.mine[row])
      if (!is_mine(w)) connect({row + graph_.first, bit_of(in_greatest_, w) ? greatest_ : w});
  });
}

vertex labeller::top_row(vertex v) const {
  vertex row = own_.root_of(v - graph_.first);
  while (above_[row] != kNoVertex && is_mine(above_[row]))
    row = own_.root_of(above_[row] - graph_.first);
  return row;
}

// Trees only ever hang under lesser vertices, so that there is no cycle, and the least vertex of a
// component is its last root.
void labeller::connect(telling t) {
  while (true) {
    const vertex row = top_row(t.at), top = row + graph_.first;
    if (above_[row] == kNoVertex && top > t.other) {
      above_[row] = t.other;
      hung_.push_back(row);
      return;
    }
    // The same question about the vertex above, or from the other one's side.
    const vertex mine = above_[row] == kNoVertex ? top : above_[row];
    if (mine == t.other) return;
    t = {std::max(mine, t.other), std::min(mine, t.other)};
    if (is_mine(t.at)) continue;
    // That a rank has died is told to the main program.
    static_cast<void>(ramjet::chain<&handlers::on_connect>(graph_.owners.owner_of(t.at), t));
    return;
  }
}

void labeller::find_root_labels() {
  std::iota(root_labels_.begin(), root_labels_.end(), graph_.first);
  for (const vertex row : hung_)
    if (above_[row] != greatest_) climb(row + graph_.first, row + graph_.first);
  require(ramjet::quiesce());
  if (greatest_ == kNoVertex) return;
  vertex label = is_mine(greatest_) ? root_labels_[greatest_ - graph_.first] : kNoVertex;
  require(ramjet::broadcast(label, graph_.owners.owner_of(greatest_)));
  for (const vertex row : hung_)
    if (above_[row] == greatest_) root_labels_[row] = label;
}

void labeller::climb(vertex at, vertex asking) {
  const vertex row = top_row(at);
  if (above_[row] != kNoVertex)
    static_cast<void>(ramjet::chain<&handlers::on_ask>(graph_.owners.owner_of(above_[row]),
                                                       telling{above_[row], asking}));
  else if (is_mine(asking))
    root_labels_[asking - graph_.first] = row + graph_.first;
  else
    static_cast<void>(ramjet::chain<&handlers::on_answer>(graph_.owners.owner_of(asking),
                                                          telling{asking, row + graph_.first}));
}

}  // namespace components
