// SPDX-License-Identifier: Apache-2.0
// The lines of a text file, plain or gzip. They end in LF, CR LF or CR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unpacked_file.hpp"

namespace graph {

class text_lines {
 public:
  // A longer line is an error: the file is not meant as text.
  static constexpr std::size_t kLineBytesMax = 64 * 1024;

  // Throws measured::failure if the file cannot be read, or is not ASCII text.
  explicit text_lines(const std::string& path, std::size_t line_bytes_max = kLineBytesMax);

  // The next line without its end, valid until the next call; false behind the last one. Throws
  // measured::failure if the data cannot be read or unpacked.
  bool next(std::string_view& line);

  const std::string& path() const { return path_; }
  // Of the line that was returned last, from 1.
  std::uint64_t number() const { return number_; }
  // Throws measured::failure: what is wrong with that line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  // Reads on behind what is left; false at the file's end.
  bool refill();

  std::string path_;
  std::size_t line_bytes_max_;
  unpacked_file file_;
  std::uint64_t number_ = 0;
  std::vector<char> block_;
  std::size_t begin_ = 0, end_ = 0;  // what is left of the block
  bool after_cr_ = false;  // the last line ended in CR: an LF now belongs to that end
};

}  // namespace graph
