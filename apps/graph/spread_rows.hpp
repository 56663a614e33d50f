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
#include "../measured/program.hpp"
#include "spread_graph.hpp"

namespace graph {

struct entry {
  vertex row, column;
};

namespace detail {

// What the handlers of this rank fill. At first begins[k + 2] counts the entries of row k; then
// begins[k + 1] is where the next entry of row k goes.
struct filling {
  vertex first;
  rows* found;
};
inline filling filled{};

struct row_handlers {
  static void on_count(vertex row) { ++filled.found->begins[row - filled.first + 2]; }
  static void on_entry(vertex row, vertex column) {
    filled.found->targets[filled.found->begins[row - filled.first + 1]++] = column;
  }
  static void on_counts(ramjet::payload all) {
    for (const vertex row : all.as<const vertex>()) on_count(row);
  }
  static void on_entries(ramjet::payload all) {
    for (const entry e : all.as<const entry>()) on_entry(e.row, e.column);
  }
};

}  // namespace detail
}  // namespace graph

template <>
inline constexpr bool ramjet::aggregated<&graph::detail::row_handlers::on_count> = true;
template <>
inline constexpr bool ramjet::aggregated<&graph::detail::row_handlers::on_entry> = true;

namespace graph {

// A message for each entry, gathered by the library.
struct message_each {
  void count(int owner, vertex row) {
    measured::require(ramjet::request<&detail::row_handlers::on_count>(owner, row));
  }
  void store(int owner, entry e) {
    measured::require(ramjet::request<&detail::row_handlers::on_entry>(owner, e.row, e.column));
  }
  void flush() {}
};

// The same by hand.
class by_hand {
 public:
  explicit by_hand(std::size_t batch_bytes) : counts_(batch_bytes), entries_(batch_bytes) {}

  void count(int owner, vertex row) { counts_.add<&detail::row_handlers::on_counts>(owner, row); }
  void store(int owner, entry e) { entries_.add<&detail::row_handlers::on_entries>(owner, e); }
  void flush() {
    counts_.flush<&detail::row_handlers::on_counts>();
    entries_.flush<&detail::row_handlers::on_entries>();
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
  for_each([&](entry e) { how.count(owners.owner_of(e.row), e.row); });
  how.flush();
  measured::require(ramjet::quiesce());
  std::partial_sum(mine.begins.begin(), mine.begins.end(), mine.begins.begin());
  mine.targets.resize(mine.begins.back());
  measured::require(ramjet::barrier());
  for_each([&](entry e) { how.store(owners.owner_of(e.row), e); });
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
