// SPDX-License-Identifier: Apache-2.0
// Matrix Market coordinate files. (Boisvert, Pozo and Remington 1996, The Matrix Market exchange
// formats.) The words of the header may be in capitals. Comments and blank lines may stand between
// entries, too. A header without a symmetry is taken as general.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text_lines.hpp"

namespace graph {

enum class symmetry { general, symmetric, skew_symmetric, hermitian };

class matrix_market {
 public:
  struct entry {
    std::uint64_t row, column;  // from 0
    double value;               // 1 if the file has no values; the real part of a complex one
  };

  // Whether a first line is meant as the header of Matrix Market, right or wrong: a line that
  // mentions it elsewhere is a comment.
  static bool is_header(std::string_view line);

  // Reads the header, which is this line, and the size of the matrix.
  matrix_market(text_lines& lines, std::string_view header);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t entries() const { return entries_; }
  symmetry kind() const { return symmetry_; }
  const std::string& field() const { return field_; }
  bool has_values() const { return value_words_ > 0; }
  // What was assumed of the file; empty if nothing was.
  const std::string& note() const { return note_; }

  // The next entry; nothing after the last one, which is where the file has to end.
  std::optional<entry> next();
  // Throws measured::failure: what is wrong with the line of the size.
  [[noreturn]] void fail_size(const std::string& what) const;

 private:
  void read_header(std::string_view line);
  void read_symmetry(std::string_view word);
  void read_size();
  // The next line that is not a comment; fails at the end of the file, where `missing` is due.
  std::string_view next_line(const std::string& missing);
  std::uint64_t take_index(std::string_view& line, std::uint64_t most, const char* what);
  void check_file_end();

  text_lines& lines_;
  std::string field_;
  unsigned value_words_ = 0;
  bool is_whole_ = false;  // its values
  symmetry symmetry_ = symmetry::general;
  std::string note_;
  std::uint64_t rows_ = 0, columns_ = 0, entries_ = 0, taken_ = 0;
  std::uint64_t size_line_ = 0;
};

}  // namespace graph
