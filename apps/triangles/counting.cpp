// SPDX-License-Identifier: Apache-2.0
#include "counting.hpp"

#include <algorithm>

#include "../graph/spread_rows.hpp"
#include "../measured/measuring.hpp"

namespace triangles {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;
constexpr std::size_t kRowBatch = 16384 / sizeof(vertex);
constexpr std::size_t kLongestMessage = 65536 / sizeof(vertex);

counter* here = nullptr;  // this rank's, for its handlers

// How many neighbours each vertex of all ranks has. Collective.
std::vector<std::uint32_t> degrees_of_all(const graph::spread_graph& g) {
  std::vector<std::uint32_t> mine(g.mine.count()), all(g.vertices);
  for (std::size_t k = 0; k < mine.size(); ++k)
    mine[k] = static_cast<std::uint32_t>(g.mine[k].size());
  const std::vector<std::size_t> counts = graph::counts_of_all(mine.size());
  require(ramjet::all_gather(std::span<const std::uint32_t>(mine), std::span<std::uint32_t>(all),
                             std::span<const std::size_t>(counts)));
  return all;
}

}  // namespace

struct handlers {
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_question(std::span<const question> all) { here->answer(all); }
  static void on_batch(ramjet::payload all) { here->answer(all.as<const question>()); }
  static void on_rows(ramjet::payload batch) { here->count_rows(batch.as<const vertex>()); }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::rows:
      break;
  }
  return "rows";
}

ordered_graph::ordered_graph(const graph::spread_graph& g)
    : degrees(degrees_of_all(g)), lesser{g.vertices, 0, g.owners, g.first, {}} {
  lesser.mine = graph::chosen(g.mine, [&](std::size_t k, vertex w) {
    return is_less(w, g.first + static_cast<vertex>(k));
  });
  graph::sort_each(lesser.mine);
  lesser.edges = measured::sum_over_ranks(lesser.mine.targets.size());
}

std::uint64_t triangles_of(std::span<const vertex> row, const graph::rows& rows, vertex first,
                           std::vector<std::uint8_t>& marks) {
  std::uint64_t found = 0;
  for (const vertex v : row) marks[v] = 1;
  for (const vertex v : row) {
    if (v - first >= rows.count()) continue;
    for (const vertex w : rows[v - first]) found += marks[w];
  }
  for (const vertex v : row) marks[v] = 0;
  return found;
}

std::uint64_t count_serially(const graph::rows& whole, std::vector<std::uint8_t>& marks) {
  std::uint64_t found = 0;
  for (std::size_t k = 0; k < whole.count(); ++k) found += triangles_of(whole[k], whole, 0, marks);
  return found;
}

row_batches::row_batches() : by_rank_(static_cast<std::size_t>(ramjet::size())) {}

void row_batches::add(int rank, std::span<const vertex> row) {
  if (row.size() >= kLongestMessage) throw measured::failure("a row is longer than a message");
  std::vector<vertex>& batch = by_rank_[static_cast<std::size_t>(rank)];
  if (!batch.empty() && batch.size() + 1 + row.size() > kRowBatch) send(rank, batch);
  batch.push_back(static_cast<vertex>(row.size()));
  batch.insert(batch.end(), row.begin(), row.end());
}

void row_batches::flush() {
  for (int rank = 0; rank < ramjet::size(); ++rank)
    if (std::vector<vertex>& batch = by_rank_[static_cast<std::size_t>(rank)]; !batch.empty())
      send(rank, batch);
}

void row_batches::send(int rank, std::vector<vertex>& batch) {
  require(ramjet::request_medium<&handlers::on_rows>(rank, batch.data(),
                                                     batch.size() * sizeof(vertex)));
  batch.clear();
}

counter::counter(const ordered_graph& g)
    : order_(g), graph_(g.lesser), marks_(g.lesser.vertices), batches_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

counter::~counter() { here = nullptr; }

std::uint64_t counter::count(way w) {
  found_ = 0;
  require(ramjet::barrier());  // a message finds this rank ready
  const graph::ownership owners = graph_.owners;
  switch (w) {
    case way::natural:
      by_pairs([owners](question q) {
        require(ramjet::request<&handlers::on_question>(owners.owner_of(q.at), q));
      });
      break;
    case way::batched:
      by_pairs([this, owners](question q) {
        batches_.add<&handlers::on_batch>(owners.owner_of(q.at), q);
      });
      batches_.flush<&handlers::on_batch>();
      break;
    case way::rows:
      by_rows();
      break;
  }
  require(ramjet::quiesce());
  return measured::sum_over_ranks(found_);
}

void counter::answer(std::span<const question> all) {
  for (const question q : all) {
    const std::span<const vertex> row = graph_.mine[q.at - graph_.first];
    found_ += std::binary_search(row.begin(), row.end(), q.lesser);
  }
}

template <class Ask>
void counter::by_pairs(Ask&& ask) {
  for (std::size_t k = 0; k < graph_.mine.count(); ++k) {
    const std::span<const vertex> row = graph_.mine[k];
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < row.size(); ++j) {
        const bool up = order_.is_less(row[i], row[j]);
        ask(question{up ? row[j] : row[i], up ? row[i] : row[j]});
      }
  }
}

// The vertices of a row are in ascending order, so that those of one rank are side by side.
void counter::by_rows() {
  for (std::size_t k = 0; k < graph_.mine.count(); ++k) {
    const std::span<const vertex> row = graph_.mine[k];
    for (std::size_t at = 0; at < row.size();) {
      const int owner = graph_.owners.owner_of(row[at]);
      if (owner == ramjet::rank())
        count_row(row);
      else
        row_batches_.add(owner, row);
      const std::uint64_t end = graph_.owners.begin_of(owner + 1);
      while (at < row.size() && row[at] < end) ++at;
    }
  }
  row_batches_.flush();
}

void counter::count_rows(std::span<const vertex> batch) {
  while (!batch.empty()) {
    const std::size_t length = batch[0];
    count_row(batch.subspan(1, length));
    batch = batch.subspan(1 + length);
  }
}

}  // namespace triangles
