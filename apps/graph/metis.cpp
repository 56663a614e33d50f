// SPDX-License-Identifier: Apache-2.0
#include "metis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "../measured/random_words.hpp"
#include "words.hpp"

namespace graph {
namespace {

class metis_reader {
 public:
  metis_reader(text_lines& lines, dealing& deal) : lines_(lines), deal_(deal) {}

  void read() {
    read_header();
    deal_.share.vertices = vertices_;
    if (has_lengths_) deal_.expect_lengths();
    for (std::uint64_t v = 1; v <= vertices_; ++v) {
      std::string_view line;
      if (!next(line))
        lines_.fail(fmt::format("the file ends here, after {} of {} vertices", v - 1, vertices_));
      read_vertex(v, line);
    }
    for (std::string_view line; next(line);)
      if (!is_blank(line)) lines_.fail(fmt::format("more lines than the {} vertices", vertices_));
    if (ends_ != 2 * edges_)
      lines_.fail(
          fmt::format("the lines name {} neighbours: {} edges have {}", ends_, edges_, 2 * edges_));
    if (balance_ != 0) lines_.fail("an edge is missing at one of its ends, or has two weights");
  }

 private:
  // The next line that is not a comment; a blank one is a vertex without neighbours.
  bool next(std::string_view& line) {
    do {
      if (!lines_.next(line)) return false;
    } while (is_comment(line));
    return true;
  }

  void read_header() {
    std::string_view line;
    do {
      if (!next(line)) lines_.fail("the file ends here, before the number of vertices");
    } while (is_blank(line));
    vertices_ = take_number(lines_, line, "the number of vertices");
    edges_ = take_number(lines_, line, "the number of edges");
    if (!is_blank(line)) read_format(take_number(lines_, line, "the format, of three digits"));
    if (!is_blank(line)) {
      const std::uint64_t weights = take_number(lines_, line, "the number of a vertex's weights");
      if (weights_ != 0) weights_ = weights;
    }
    check_end(lines_, line, "the header");
    if (vertices_ > kVerticesMax)
      lines_.fail(fmt::format("{} vertices: at most {} are read", vertices_, kVerticesMax));
  }
  void read_format(std::uint64_t format) {
    const std::uint64_t size = format / 100, weights = format / 10 % 10, length = format % 10;
    if (size > 1 || weights > 1 || length > 1)
      lines_.fail(fmt::format("the format {}: its three digits are 0 or 1", format));
    has_size_ = size == 1;
    weights_ = weights;
    has_lengths_ = length == 1;
  }

  void read_vertex(std::uint64_t v, std::string_view line) {
    for (std::uint64_t k = 0; k < weights_ + (has_size_ ? 1 : 0); ++k)
      take_number(lines_, line, "a weight of the vertex");
    while (!is_blank(line)) {
      const std::uint64_t w = take_number(lines_, line, "a neighbour");
      if (w < 1 || w > vertices_)
        lines_.fail(fmt::format("neighbour {} is out of range (1 to {})", w, vertices_));
      if (w == v) lines_.fail(fmt::format("vertex {} is its own neighbour", v));
      const std::uint64_t length =
          has_lengths_ ? take_number(lines_, line, "the weight of an edge") : 1;
      ++ends_;
      // A sum over all edges at their lesser ends, less the same at their greater ends.
      const std::uint64_t ends = std::min(v, w) << 32 | std::max(v, w);
      const std::uint64_t word = measured::scrambled(measured::scrambled(ends) + length);
      balance_ += v < w ? word : ~word + 1;
      if (v < w) deal_.add(v - 1, w - 1, static_cast<double>(length));
    }
  }

  text_lines& lines_;
  dealing& deal_;
  std::uint64_t vertices_ = 0, edges_ = 0, weights_ = 0;
  bool has_size_ = false, has_lengths_ = false;
  std::uint64_t ends_ = 0, balance_ = 0;
};

}  // namespace

void read_metis(text_lines& lines, dealing& deal) { metis_reader(lines, deal).read(); }

}  // namespace graph
