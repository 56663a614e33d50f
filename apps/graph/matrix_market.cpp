// SPDX-License-Identifier: Apache-2.0
#include "matrix_market.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "words.hpp"

namespace graph {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

struct field_form {
  std::string_view name;
  unsigned value_words;
  bool is_whole;
};
constexpr std::array<field_form, 5> kFields{{{"pattern", 0, false},
                                             {"real", 1, false},
                                             {"double", 1, false},
                                             {"integer", 1, true},
                                             {"complex", 2, false}}};

constexpr std::array<std::pair<std::string_view, symmetry>, 4> kSymmetries{
    {{"general", symmetry::general},
     {"symmetric", symmetry::symmetric},
     {"skew-symmetric", symmetry::skew_symmetric},
     {"hermitian", symmetry::hermitian}}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

bool matrix_market::is_header(std::string_view line) {
  const std::size_t mark = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t word = std::min(line.find_first_not_of('%', mark), line.size());
  return word - mark >= 1 && word - mark <= 2 &&
         lower(line.substr(word)).starts_with(kBanner.substr(2));
}

matrix_market::matrix_market(text_lines& lines, std::string_view header) : lines_(lines) {
  read_header(header);
  read_size();
}

void matrix_market::read_header(std::string_view line) {
  const std::string text = lower(line);
  std::string_view rest = text;
  if (take_word(rest) != kBanner || take_word(rest) != "matrix")
    lines_.fail("the header is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  if (const std::string_view format = take_word(rest); format != "coordinate")
    lines_.fail(
        fmt::format("the format '{}': only coordinate, of sparse matrices, is read", format));
  field_ = take_word(rest);
  const auto* form = std::ranges::find(kFields, field_, &field_form::name);
  if (form == kFields.end())
    lines_.fail(fmt::format("values of the kind '{}': pattern, real, integer and complex are known",
                            field_));
  value_words_ = form->value_words;
  is_whole_ = form->is_whole;
  read_symmetry(take_word(rest));
  check_end(lines_, rest, "the header");
}

void matrix_market::read_symmetry(std::string_view word) {
  if (word.empty()) {
    note_ = fmt::format("{}:{}: the header names no symmetry: general is assumed", lines_.path(),
                        lines_.number());
    return;
  }
  const auto* known =
      std::ranges::find(kSymmetries, word, &std::pair<std::string_view, symmetry>::first);
  if (known == kSymmetries.end())
    lines_.fail(fmt::format(
        "the symmetry '{}': general, symmetric, skew-symmetric, hermitian are known", word));
  symmetry_ = known->second;
  if (symmetry_ == symmetry::hermitian && field_ != "complex")
    lines_.fail(
        fmt::format("the symmetry hermitian with values of the kind '{}': it is one of "
                    "complex values",
                    field_));
}

void matrix_market::read_size() {
  std::string_view line = next_line("before the size of the matrix");
  rows_ = take_number(lines_, line, "the number of rows");
  columns_ = take_number(lines_, line, "the number of columns");
  entries_ = take_number(lines_, line, "the number of entries");
  check_end(lines_, line, "the size of the matrix");
  size_line_ = lines_.number();
  if (symmetry_ != symmetry::general && rows_ != columns_)
    lines_.fail(
        fmt::format("{} rows and {} columns: a matrix with a symmetry is square", rows_, columns_));
}

void matrix_market::fail_size(const std::string& what) const {
  throw measured::failure(fmt::format("{}:{}: {}", lines_.path(), size_line_, what));
}

std::string_view matrix_market::next_line(const std::string& missing) {
  std::string_view line;
  do {
    if (!lines_.next(line)) lines_.fail(fmt::format("the file ends here, {}", missing));
  } while (is_blank(line) || is_comment(line));
  return line;
}

std::uint64_t matrix_market::take_index(std::string_view& line, std::uint64_t most,
                                        const char* what) {
  const std::uint64_t index = take_number(lines_, line, what);
  if (index < 1 || index > most)
    lines_.fail(fmt::format("{} {} is out of range (1 to {})", what, index, most));
  return index - 1;
}

std::optional<matrix_market::entry> matrix_market::next() {
  if (taken_ == entries_) {
    check_file_end();
    return std::nullopt;
  }
  std::string_view line = next_line(fmt::format("after {} of {} entries", taken_, entries_));
  entry e{.row = take_index(line, rows_, "row"),
          .column = take_index(line, columns_, "column"),
          .value = 1};
  for (unsigned word = 0; word < value_words_; ++word) {
    const double value = value_of(lines_, take_word(line), is_whole_);
    if (word == 0) e.value = value;
  }
  check_end(lines_, line, "the entry");
  ++taken_;
  return e;
}

void matrix_market::check_file_end() {
  std::string_view line;
  while (lines_.next(line))
    if (!is_blank(line) && !is_comment(line))
      lines_.fail(fmt::format("more entries than the {} of line {}", entries_, size_line_));
}

}  // namespace graph
