// SPDX-License-Identifier: Apache-2.0
// A timeline of a document: rows of slices along one axis of time. Its maker chooses what is in it
// one by one and what only as shares; tools/pages/timeline*.js draws it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pages {

// The first three are what a row's time divides into; the last two take no time.
enum class slice_kind : std::uint8_t { handler, wait, collective, thread, send, access };
inline constexpr std::size_t kShares = 3;

inline constexpr std::uint32_t kNoSlice = ~std::uint32_t{0};

// Times are nanoseconds since the timeline's start.
struct slice {
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint32_t row = 0;
  std::uint32_t name = 0;  // an index of `names`
  std::int32_t peer = -1;  // a rank; -1: none
  std::uint64_t bytes = 0;
  std::uint32_t sender = kNoSlice;  // of a handler: the index of the slice that sent its message
  slice_kind kind = slice_kind::handler;
  bool is_open = false;  // nobody saw its end
};

struct stretch {
  std::uint64_t begin_ns = 0, end_ns = 0;
};

// A part of the critical path, in one row.
struct path_part {
  std::uint32_t row = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;
};

// What the reader can go to by name.
struct place {
  std::string name;
  std::uint32_t row = 0;
  stretch where;
};

struct timeline {
  std::string title;  // says what is seen, for those who do not see it
  std::uint64_t duration_ns = 0;
  std::vector<std::string> rows, names;
  std::vector<slice> slices;  // by row, then by begin
  std::uint64_t slices_in_all = 0;  // with those that are not here one by one
  // Of each kind that time divides into, of each row, of each of `bins` equal parts of the time:
  // its share, 255 for all.
  std::uint32_t bins = 0;
  std::vector<std::uint8_t> shares;
  std::vector<stretch> exact;  // where every slice is here, in order; apart from each other
  std::vector<path_part> path;  // in order of time
  std::vector<place> places;
};

// What the page's script reads: a description as JSON, and columns of numbers that it counts and
// names, compressed (zlib), as base64.
struct packed_timeline {
  std::string description, columns;
};
packed_timeline pack(const timeline& t);

}  // namespace pages
