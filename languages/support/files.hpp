// SPDX-License-Identifier: Apache-2.0
// Reading and writing whole files; each throws failure, in one sentence.
#ifndef FRONTEND_FILES_HPP
#define FRONTEND_FILES_HPP

#include <cstdio>
#include <string>
#include <string_view>

#include "languages/support/failure.hpp"

namespace frontend {

std::string read_file(const std::string& name);
std::string read_standard_input();
// "-": standard output. A file that could not be written in whole is removed.
void write_file(const std::string& name, std::string_view text);

// The same, piece by piece.
class output_file {
 public:
  explicit output_file(std::string name);
  ~output_file();  // not closed: the file is removed
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void put(std::string_view piece);
  void close();

 private:
  [[noreturn]] void fail_to_write();

  std::string name_;
  std::FILE* file_;  // null: closed
};

// A file that can be opened, and is not a folder.
void check_readable(const std::string& name);
// That a file of this name can be made or written over; it stays as it is.
void check_writable(const std::string& name);
// That `output` is not the file that `source` names, by whatever path or link. "-": no file.
void check_source_stays(const std::string& source, const std::string& output);

}  // namespace frontend

#endif
