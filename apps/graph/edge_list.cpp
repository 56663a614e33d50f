// SPDX-License-Identifier: Apache-2.0
#include "edge_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "numbering.hpp"
#include "words.hpp"

namespace graph {
namespace {

constexpr std::uint64_t kWordsMax = 4;  // two vertices, a length, and a time or the like

}  // namespace

void edge_list::read(std::string_view line) {
  for (bool more = lines_.number() > 0; more; more = lines_.next(line)) {
    if (is_comment(line)) continue;
    if (is_blank(line)) {
      ++blank_below_;
      continue;
    }
    read_edge(line);
  }
  std::vector<std::uint64_t> names = names_.names();
  deal_.share.vertices = names.size();
  renumber(deal_.share.mine, numbers_by_name(names));
  std::sort(names.begin(), names.end());
  if (!names.empty() && names.back() != names.size() - 1)
    deal_.share.names = vertex_names(std::move(names));
}

void edge_list::read_edge(std::string_view line) {
  const std::uint64_t a = take_number(lines_, line, "the number of a vertex"),
                      b = take_number(lines_, line, "the number of a second vertex");
  double length = 1;
  std::uint64_t words = 2;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
    if (++words == 3) length = value_of(lines_, word, false);
  if (words > kWordsMax)
    lines_.fail(
        fmt::format("{} words: a line of a list of edges is FROM TO [LENGTH [MORE]]", words));
  if (words_ != 0 && words != words_)
    lines_.fail(
        fmt::format("{} words, where line {} has {}: the lines of a list of edges have as "
                    "many each",
                    words, first_line_, words_));
  if (words_ == 0 && words > 2) deal_.expect_lengths();
  note_line(a, b, words, length);
  const vertex from = names_.vertex_of(a), to = names_.vertex_of(b);
  if (from == kNoVertex || to == kNoVertex)
    lines_.fail(fmt::format("more than {} vertices", kVerticesMax));
  deal_.add(from, to, length);
}

void edge_list::note_line(std::uint64_t a, std::uint64_t b, std::uint64_t words, double length) {
  if (words_ != 0) {
    ++lines_below_;
    greatest_below_ = std::max({greatest_below_, a, b});
    return;
  }
  words_ = words;
  first_line_ = lines_.number();
  blank_below_ = 0;
  first_of_first_ = a;
  const bool is_count = words == 2 || (length >= 0 && length < 0x1p63);
  last_of_first_ = words == 2 ? b : is_count ? static_cast<std::uint64_t>(length) : 0;
}

}  // namespace graph
