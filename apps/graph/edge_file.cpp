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

// Whether a first line is meant as the header of Matrix Market, right or wrong: one that mentions
// it elsewhere is a comment.
bool is_banner(std::string_view line) {
  const std::size_t mark = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t word = std::min(line.find_first_not_of('%', mark), line.size());
  return word - mark >= 1 && word - mark <= 2 &&
         lower(line.substr(word)).starts_with(kBanner.substr(2));
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

// What stands behind the two indices of an entry.
struct value_form {
  unsigned words;
  bool is_whole;  // whole numbers
};

// By the field that the header names.
value_form value_form_of(const text_lines& lines, std::string_view field) {
  if (field == "pattern") return {0, false};
  if (field == "integer") return {1, true};
  if (field == "real" || field == "double") return {1, false};
  if (field == "complex") return {2, false};
  lines.fail(
      fmt::format("values of the kind '{}': pattern, real, integer and complex are known", field));
}

// Whether a number, of any size, is all of the word.
template <class Number>
bool is_number(std::string_view word) {
  const char* const end = word.data() + word.size();
  Number number{};
  const auto read = std::from_chars(word.data(), end, number);
  return read.ec != std::errc::invalid_argument && read.ptr == end;
}

// Whether the word is a value; a plus sign, and the D of Fortran's exponents, are allowed.
bool is_value(std::string_view word, bool is_whole) {
  if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
  if (is_whole) return is_number<long long>(word);
  if (is_number<double>(word)) return true;
  std::string other(word);
  std::replace_if(other.begin(), other.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  return is_number<double>(other);
}

// Reads the first line and returns the form of values.
value_form read_banner(const text_lines& lines, std::string_view line) {
  const std::string text = lower(line);
  std::string_view rest = text;
  if (take_word(rest) != kBanner || take_word(rest) != "matrix")
    lines.fail("the header is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  if (const std::string_view format = take_word(rest); format != "coordinate")
    lines.fail(fmt::format("the format '{}': only coordinate is a graph", format));
  const std::string_view field = take_word(rest);
  const value_form form = value_form_of(lines, field);
  constexpr std::array<std::string_view, 4> kSymmetries{"general", "symmetric", "skew-symmetric",
                                                        "hermitian"};
  const std::string_view symmetry = take_word(rest);
  if (std::find(kSymmetries.begin(), kSymmetries.end(), symmetry) == kSymmetries.end())
    lines.fail(
        fmt::format("the symmetry '{}': {} are known", symmetry, fmt::join(kSymmetries, ", ")));
  if (symmetry == "hermitian" && field != "complex")
    lines.fail(fmt::format("the symmetry hermitian with values of the kind '{}': it is one of "
                           "complex values", field));
  return form;
}

// Fails if there is more on the line.
void check_end(const text_lines& lines, std::string_view line, const char* what) {
  if (const std::string_view more = take_word(line); !more.empty())
    lines.fail(fmt::format("'{}' stands behind {}", more.substr(0, 40), what));
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

void read_entry(text_lines& lines, std::string_view line, value_form form, dealing& deal) {
  const std::uint64_t row = take_index(lines, line, deal.share.vertices, "row"),
                      column = take_index(lines, line, deal.share.vertices, "column");
  for (unsigned i = 0; i < form.words; ++i) {
    const std::string_view word = take_word(line);
    if (word.empty()) lines.fail("ends where a value should be");
    if (!is_value(word, form.is_whole))
      lines.fail(fmt::format("'{}' stands where a{} number should be", word.substr(0, 40),
                             form.is_whole ? " whole" : ""));
  }
  check_end(lines, line, "the entry");
  deal.add(row - 1, column - 1);
}

void read_matrix(text_lines& lines, std::string_view line, dealing& deal) {
  const value_form form = read_banner(lines, line);
  line = next_entry(lines, "before the size of the matrix");
  const std::uint64_t rows = take_number(lines, line, "the number of rows"),
                      columns = take_number(lines, line, "the number of columns"),
                      entries = take_number(lines, line, "the number of entries");
  check_end(lines, line, "the size of the matrix");
  if (rows != columns)
    lines.fail(
        fmt::format("{} rows and {} columns: the matrix of a graph is square", rows, columns));
  if (rows > kVerticesMax) lines.fail(fmt::format("more than {} rows", kVerticesMax));
  const std::uint64_t size_line = lines.number();
  deal.share.vertices = rows;
  for (std::uint64_t entry = 0; entry < entries; ++entry)
    read_entry(lines, next_entry(lines, fmt::format("after {} of {} entries", entry, entries)),
               form, deal);
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
  if (is_banner(line))
    read_matrix(lines, line, deal);
  else
    read_list(lines, line, deal);
  if (deal.share.edges == 0) throw measured::failure(fmt::format("{}: has no edges", path));
  return std::move(deal.share);
}

}  // namespace graph
