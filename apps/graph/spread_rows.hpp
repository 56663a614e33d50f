// SPDX-License-Identifier: Apache-2.0
// Entries of a sparse matrix on their way to the owners of their rows: each goes twice, first to
// count those of each row, then to be stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/batches.hpp"
#include "../measured/gathered.hpp"
#include "../measured/program.hpp"
#include "matrix_file.hpp"
#include "spread_graph.hpp"

namespace graph {

namespace detail {

constexpr std::size_t kAhead = 16;  // places are fetched this many entries ahead

// What the handlers of this rank fill. At first begins[k + 2] counts the entries of row k; then
// begins[k + 1] is where the next entry of row k goes.
struct filling {
  vertex first;
  rows* found;

  void count(std::span<const vertex> all) const {
    std::uint64_t* begins = found->begins.data() + 2;
    const std::size_t last = all.size() - 1;
    for (std::size_t k = 0; k < all.size(); ++k) {
      __builtin_prefetch(&begins[all[std::min(k + kAhead, last)] - first], 1);
      ++begins[all[k] - first];
    }
  }
  void store(std::span<const entry> all) const {
    std::uint64_t* begins = found->begins.data() + 1;
    vertex* targets = found->targets.data();
    const std::size_t last = all.size() - 1;
    for (std::size_t k = 0; k < all.size(); ++k) {
      __builtin_prefetch(&begins[all[std::min(k + 2 * kAhead, last)].row - first], 1);
      __builtin_prefetch(&targets[begins[all[std::min(k + kAhead, last)].row - first]], 1);
      targets[begins[all[k].row - first]++] = all[k].column;
    }
  }
};
inline filling filled{};

// Their messages are aggregated by the library, as they take them by blocks.
struct row_handlers {
  static void on_counts(std::span<const vertex> all) { filled.count(all); }
  static void on_entries(std::span<const entry> all) { filled.store(all); }
  static void on_count_batch(ramjet::payload all) { filled.count(all.as<const vertex>()); }
  static void on_entry_batch(ramjet::payload all) { filled.store(all.as<const entry>()); }
};

}  // namespace detail

// A message for each entry, gathered by the library.
struct message_each {
  void count(int owner, vertex row) {
    measured::require(ramjet::request<&detail::row_handlers::on_counts>(owner, row));
  }
  void store(int owner, entry e) {
    measured::require(ramjet::request<&detail::row_handlers::on_entries>(owner, e));
  }
  void flush() {}
};

// The same by hand.
class by_hand {
 public:
  explicit by_hand(std::size_t batch_bytes) : counts_(batch_bytes), entries_(batch_bytes) {}

  void count(int owner, vertex row) {
    counts_.add<&detail::row_handlers::on_count_batch>(owner, row);
  }
  void store(int owner, entry e) { entries_.add<&detail::row_handlers::on_entry_batch>(owner, e); }
  void flush() {
    counts_.flush<&detail::row_handlers::on_count_batch>();
    entries_.flush<&detail::row_handlers::on_entry_batch>();
  }

 private:
  measured::batches<vertex> counts_;
  measured::batches<entry> entries_;
};

// The rows of this rank, in which entries stand as they came. for_each(put) calls put(entry) for
// each entry that this rank has to give, the same ones in both of its calls. Collective.
template <class How, class ForEach>
rows rows_from(const ownership& owners, How&& how, ForEach&& for_each) {
  const std::uint64_t begin = owners.begin_of(ramjet::rank()),
                      end = owners.begin_of(ramjet::rank() + 1);
  rows mine;
  mine.begins.resize(end - begin + 2);
  detail::filled = {static_cast<vertex>(begin), &mine};
  measured::require(ramjet::barrier());  // all are ready for messages
  const detail::filling own = detail::filled;
  const auto is_mine = [&](vertex row) { return row >= begin && row < end; };
  measured::gathered<vertex> counts;
  const auto count_own = [&](std::span<const vertex> all) { own.count(all); };
  for_each([&](entry e) {
    if (is_mine(e.row))
      counts.add(e.row, count_own);
    else
      how.count(owners.owner_of(e.row), e.row);
  });
  counts.flush(count_own);
  how.flush();
  measured::require(ramjet::quiesce());
  std::partial_sum(mine.begins.begin(), mine.begins.end(), mine.begins.begin());
  mine.targets.resize(mine.begins.back());
  measured::require(ramjet::barrier());
  measured::gathered<entry> entries;
  const auto store_own = [&](std::span<const entry> all) { own.store(all); };
  for_each([&](entry e) {
    if (is_mine(e.row))
      entries.add(e, store_own);
    else
      how.store(owners.owner_of(e.row), e);
  });
  entries.flush(store_own);
  how.flush();
  measured::require(ramjet::quiesce());
  mine.begins.pop_back();
  detail::filled = {};
  return mine;
}

// Each row in ascending order from vertex `first` on; those before it come last.
inline void sort_each(rows& r, vertex first = 0) {
  for (std::size_t k = 0; k < r.count(); ++k)
    std::sort(r.targets.data() + r.begins[k], r.targets.data() + r.begins[k + 1],
              [first](vertex v, vertex w) { return v - first < w - first; });
}

// Keeps entry `column` of row k if keep(k, column), and the first one only of equal ones in a row.
template <class Keep>
rows chosen(const rows& sorted, Keep&& keep) {
  rows found;
  for (std::size_t k = 0; k < sorted.count(); ++k) {
    for (const vertex column : sorted[k]) {
      const bool again =
          found.targets.size() > found.begins.back() && found.targets.back() == column;
      if (!again && keep(k, column)) found.targets.push_back(column);
    }
    found.begins.push_back(found.targets.size());
  }
  return found;
}

}  // namespace graph
