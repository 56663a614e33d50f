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
static_assert((row_batches::kHeaderWords + 2 * row_batches::kPieceMax) * sizeof(vertex) <=
              ramjet::medium_bytes_max);

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
  static void on_rows(ramjet::payload batch) {
    row_batches::for_each(batch.as<const vertex>(),
                          [](auto row, auto own) { here->count_row(row, own); });
  }
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
    : degrees(degrees_of_all(g)), greater{g.vertices, 0, g.owners, g.first, {}} {
  greater.mine = graph::chosen(g.mine, [&](std::size_t k, vertex w) {
    return is_less(g.first + static_cast<vertex>(k), w);
  });
  graph::sort_each(greater.mine);
  greater.edges = measured::sum_over_ranks(greater.mine.targets.size());
}

std::uint64_t found_in_rows(std::span<const vertex> row, std::span<const vertex> own,
                            const graph::rows& rows, vertex first,
                            std::vector<std::uint8_t>& marks) {
  std::uint64_t found = 0;
  for (const vertex v : row) marks[v] = 1;
  for (const vertex v : own)
    for (const vertex w : rows[v - first]) found += marks[w];
  for (const vertex v : row) marks[v] = 0;
  return found;
}

std::uint64_t count_serially(const graph::rows& whole, std::vector<std::uint8_t>& marks) {
  std::uint64_t found = 0;
  for (std::size_t k = 0; k < whole.count(); ++k)
    found += found_in_rows(whole[k], whole[k], whole, 0, marks);
  return found;
}

row_batches::row_batches(std::size_t piece)
    : piece_(piece), by_rank_(static_cast<std::size_t>(ramjet::size())) {}

void row_batches::add(int rank, std::span<const vertex> row, std::size_t own_begin,
                      std::size_t own) {
  if (row.size() > piece_) return add_pieces(rank, row, row.subspan(own_begin, own));
  const header h{static_cast<vertex>(row.size()), static_cast<vertex>(own_begin),
                 static_cast<vertex>(own_begin + own)};
  std::vector<vertex>& batch = batch_for(rank, h, row.size());
  batch.insert(batch.end(), row.begin(), row.end());
}

// Each piece of the row is looked for in the rows of each piece of `own`.
void row_batches::add_pieces(int rank, std::span<const vertex> row, std::span<const vertex> own) {
  const auto for_pieces = [this](std::span<const vertex> all, auto&& visit) {
    for (; !all.empty(); all = all.subspan(std::min(piece_, all.size())))
      visit(all.first(std::min(piece_, all.size())));
  };
  for_pieces(row, [&](std::span<const vertex> part) {
    for_pieces(own, [&](std::span<const vertex> own_part) {
      const std::size_t both = part.size() + own_part.size();
      const auto length = static_cast<vertex>(part.size());
      std::vector<vertex>& batch =
          batch_for(rank, {length, length, static_cast<vertex>(both)}, both);
      batch.insert(batch.end(), part.begin(), part.end());
      batch.insert(batch.end(), own_part.begin(), own_part.end());
    });
  });
}

std::vector<vertex>& row_batches::batch_for(int rank, const header& h, std::size_t vertices) {
  std::vector<vertex>& batch = by_rank_[static_cast<std::size_t>(rank)];
  if (!batch.empty() && batch.size() + kHeaderWords + vertices > kRowBatch) send(rank, batch);
  batch.insert(batch.end(), {h.row, h.own_begin, h.own_end});
  return batch;
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

counter::counter(const ordered_graph& g, std::size_t piece)
    : order_(g),
      graph_(g.greater),
      marks_(g.greater.vertices),
      batches_(kBatchBytes),
      row_batches_(piece) {
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
    found_ += std::binary_search(row.begin(), row.end(), q.greater);
  }
}

template <class Ask>
void counter::by_pairs(Ask&& ask) {
  for (std::size_t k = 0; k < graph_.mine.count(); ++k) {
    const std::span<const vertex> row = graph_.mine[k];
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < row.size(); ++j) {
        const bool up = order_.is_less(row[i], row[j]);
        ask(question{up ? row[i] : row[j], up ? row[j] : row[i]});
      }
  }
}

// The vertices of a row are in ascending order, so that those of one rank are side by side.
void counter::by_rows() {
  for (std::size_t k = 0; k < graph_.mine.count(); ++k) {
    const std::span<const vertex> row = graph_.mine[k];
    for (std::size_t at = 0; at < row.size();) {
      const int owner = graph_.owners.owner_of(row[at]);
      const std::uint64_t end = graph_.owners.begin_of(owner + 1);
      const std::size_t begin = at;
      while (at < row.size() && row[at] < end) ++at;
      if (owner == ramjet::rank())
        count_row(row, row.subspan(begin, at - begin));
      else
        row_batches_.add(owner, row, begin, at - begin);
    }
  }
  row_batches_.flush();
}

}  // namespace triangles
