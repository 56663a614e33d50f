// SPDX-License-Identifier: Apache-2.0
#include "edge_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "text_lines.hpp"

namespace graph {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

// The first word of a line, which it is cut off from; empty if there is none.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::uint64_t take_number(const text_lines& lines, std::string_view& line, const char* what) {
  const std::string_view word = take_word(line);
  std::uint64_t number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty()) lines.fail(fmt::format("ends where {} should be", what));
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size())
    lines.fail(fmt::format("'{}' stands where {} should be", word.substr(0, 40), what));
  return number;
}

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == line.npos || line[first] == '#' || line[first] == '%';
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Deals edges out to the ranks in turn.
class dealing {
 public:
  dealing(int rank, int ranks)
      : rank_(static_cast<std::uint64_t>(rank)), ranks_(static_cast<std::uint64_t>(ranks)) {}

  void add(std::uint64_t a, std::uint64_t b) {
    if (share.edges++ % ranks_ == rank_)
      share.mine.push_back({static_cast<vertex>(a), static_cast<vertex>(b)});
  }

  edge_share share;

 private:
  std::uint64_t rank_, ranks_;
};

// --- Lists of edges ------------------------------------------------------------------------------

// `line` is the first one; there may be none.
void read_list(text_lines& lines, std::string_view line, dealing& deal) {
  constexpr std::uint64_t kMost = kVerticesMax - 1;
  for (bool more = lines.number() > 0; more; more = lines.next(line)) {
    if (is_comment(line)) continue;
    const std::uint64_t a = take_number(lines, line, "the number of a vertex"),
                        b = take_number(lines, line, "the number of a second vertex");
    if (std::max(a, b) > kMost)
      lines.fail(fmt::format("vertex {} is out of range (0 to {})", std::max(a, b), kMost));
    deal.share.vertices = std::max(deal.share.vertices, std::max(a, b) + 1);
    deal.add(a, b);
  }
}

// --- Matrix Market -------------------------------------------------------------------------------

// Words of a value in a line, by the field that the header names.
unsigned value_words(const text_lines& lines, std::string_view field) {
  if (field == "pattern") return 0;
  if (field == "real" || field == "integer" || field == "double") return 1;
  if (field == "complex") return 2;
  lines.fail(
      fmt::format("values of the kind '{}': pattern, real, integer and complex are known", field));
}

// Reads the first line and returns the words of a value.
unsigned read_banner(const text_lines& lines, std::string_view line) {
  const std::string text = lower(line);
  std::string_view rest = text;
  if (take_word(rest) != kBanner || take_word(rest) != "matrix")
    lines.fail("the header is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  if (const std::string_view format = take_word(rest); format != "coordinate")
    lines.fail(fmt::format("the format '{}': only coordinate is a graph", format));
  const unsigned words = value_words(lines, take_word(rest));
  constexpr std::array<std::string_view, 4> kSymmetries{"general", "symmetric", "skew-symmetric",
                                                        "hermitian"};
  const std::string_view symmetry = take_word(rest);
  if (std::find(kSymmetries.begin(), kSymmetries.end(), symmetry) == kSymmetries.end())
    lines.fail(
        fmt::format("the symmetry '{}': {} are known", symmetry, fmt::join(kSymmetries, ", ")));
  return words;
}

std::uint64_t take_index(const text_lines& lines, std::string_view& line, std::uint64_t most,
                         const char* what) {
  const std::uint64_t index = take_number(lines, line, what);
  if (index < 1 || index > most)
    lines.fail(fmt::format("{} {} is out of range (1 to {})", what, index, most));
  return index;
}

// The next line that is not a comment; fails at the end of the file, where `missing` is due.
std::string_view next_entry(text_lines& lines, const std::string& missing) {
  std::string_view line;
  do {
    if (!lines.next(line)) lines.fail(fmt::format("the file ends here, {}", missing));
  } while (is_comment(line));
  return line;
}

void read_entry(text_lines& lines, std::string_view line, unsigned words, dealing& deal) {
  const std::uint64_t row = take_index(lines, line, deal.share.vertices, "row"),
                      column = take_index(lines, line, deal.share.vertices, "column");
  for (unsigned word = 0; word < words; ++word)
    if (take_word(line).empty()) lines.fail("ends where a value should be");
  if (const std::string_view more = take_word(line); !more.empty())
    lines.fail(fmt::format("'{}' stands behind the entry", more.substr(0, 40)));
  deal.add(row - 1, column - 1);
}

void read_matrix(text_lines& lines, std::string_view line, dealing& deal) {
  const unsigned words = read_banner(lines, line);
  line = next_entry(lines, "before the size of the matrix");
  const std::uint64_t rows = take_number(lines, line, "the number of rows"),
                      columns = take_number(lines, line, "the number of columns"),
                      entries = take_number(lines, line, "the number of entries");
  if (rows != columns)
    lines.fail(
        fmt::format("{} rows and {} columns: the matrix of a graph is square", rows, columns));
  if (rows > kVerticesMax) lines.fail(fmt::format("more than {} rows", kVerticesMax));
  const std::uint64_t size_line = lines.number();
  deal.share.vertices = rows;
  for (std::uint64_t entry = 0; entry < entries; ++entry)
    read_entry(lines, next_entry(lines, fmt::format("after {} of {} entries", entry, entries)),
               words, deal);
  while (lines.next(line))
    if (!is_comment(line))
      lines.fail(fmt::format("more entries than the {} of line {}", entries, size_line));
}

}  // namespace

edge_share share_of(const std::string& path, int rank, int ranks) {
  text_lines lines(path);
  dealing deal(rank, ranks);
  std::string_view line;
  lines.next(line);
  if (lower(line).find(kBanner.substr(2)) != std::string::npos)
    read_matrix(lines, line, deal);
  else
    read_list(lines, line, deal);
  if (deal.share.edges == 0) throw measured::failure(fmt::format("{}: has no edges", path));
  return std::move(deal.share);
}

}  // namespace graph
