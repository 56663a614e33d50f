// SPDX-License-Identifier: Apache-2.0
// Deals the edges of a file out to the ranks in turn, while every rank reads all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "edge_share.hpp"
#include "text_lines.hpp"

namespace graph {

class dealing {
 public:
  dealing(const text_lines& lines, int rank, int ranks, bool keeps_lengths)
      : lines_(lines),
        rank_(static_cast<std::uint64_t>(rank)),
        ranks_(static_cast<std::uint64_t>(ranks)),
        keeps_lengths_(keeps_lengths) {}

  // Tells, before the first edge, that the file gives each edge a length.
  void expect_lengths() {
    if (keeps_lengths_) share.lengths.emplace();
  }
  // The edge of the current line. Throws measured::failure, with the line, if its length is kept
  // and is not a finite number from 0 on.
  void add(std::uint64_t a, std::uint64_t b, double length) {
    if (share.lengths) note_length(*share.lengths, length);
    if (share.edges++ % ranks_ != rank_) return;
    share.mine.push_back({static_cast<vertex>(a), static_cast<vertex>(b)});
    if (share.lengths) share.lengths->mine.push_back(length);
  }

  edge_share share;

 private:
  void note_length(edge_lengths& all, double length) const {
    if (!std::isfinite(length) || length < 0)
      lines_.fail(
          fmt::format("the length {} of an edge: lengths are finite numbers from 0 on", length));
    all.longest = std::max(all.longest, length);
    all.sum += length;
    all.are_whole = all.are_whole && length == std::floor(length);
  }

  const text_lines& lines_;
  std::uint64_t rank_, ranks_;
  bool keeps_lengths_;
};

}  // namespace graph
