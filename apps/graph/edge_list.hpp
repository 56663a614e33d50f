// SPDX-License-Identifier: Apache-2.0
// Lists of edges: a line "FROM TO [LENGTH [MORE]]" for each, with as many words on each line. Lines
// that begin with # or % are comments. The vertices are the numbers that the edges name, whatever
// numbers they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dealing.hpp"
#include "text_lines.hpp"

namespace graph {

class edge_list {
 public:
  edge_list(text_lines& lines, dealing& deal) : lines_(lines), deal_(deal) {}

  // Reads all lines; `line` is the first one, if there is any. Throws measured::failure, with the
  // line, where they are no list of edges.
  void read(std::string_view line);

  // The first line, when all are read: it may be a header that gives the number of lines below it.
  bool may_be_header() const { return lines_below_ > 0 && last_of_first_ == lines_below_; }
  // The same, and no line below names a greater vertex than the first line does.
  bool looks_like_header() const { return may_be_header() && greatest_below_ <= first_of_first_; }
  // As in METIS, whose header begins with it.
  bool may_count_lines() const {
    return lines_below_ > 0 &&
           (first_of_first_ == lines_below_ || first_of_first_ == lines_below_ + blank_below_);
  }
  std::uint64_t first_line() const { return first_line_; }

 private:
  void read_edge(std::string_view line);
  void note_line(std::uint64_t a, std::uint64_t b, std::uint64_t words, double length);

  text_lines& lines_;
  dealing& deal_;
  name_table names_;
  std::uint64_t words_ = 0;  // on each line
  std::uint64_t first_line_ = 0;  // its number
  std::uint64_t first_of_first_ = 0, last_of_first_ = 0, greatest_below_ = 0;
  std::uint64_t lines_below_ = 0, blank_below_ = 0;
};

}  // namespace graph
