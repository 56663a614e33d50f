// SPDX-License-Identifier: Apache-2.0
// The bytes of a file from front to back, plain or out of gzip. Several members are one text, and
// zeros may follow the last one, as for gzip itself; anything else behind it is told.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace graph {

class unpacked_file {
 public:
  // Throws measured::failure if it is not a regular file or cannot be read.
  explicit unpacked_file(const std::string& path);
  ~unpacked_file();
  unpacked_file(const unpacked_file&) = delete;
  unpacked_file& operator=(const unpacked_file&) = delete;

  // The next bytes, up to `room`; 0 at the end only. Throws measured::failure where the file
  // cannot be read, and where its gzip data is damaged, ends early, or is followed by other data:
  // with the place in the file.
  std::size_t read(char* into, std::size_t room);

 private:
  // What is next in the file, at least `bytes` unless its end comes before.
  std::string_view view(std::size_t bytes);
  std::size_t read_plain(char* into, std::size_t room);
  void inflate_some();
  void end_member();
  // Where in the file packed_[begin_] lies.
  std::uint64_t position() const { return bytes_read_ - (end_ - begin_); }
  [[noreturn]] void fail(const std::string& what) const;

  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, closing> file_;  // closed, too, if the constructor throws
  std::vector<char> packed_;
  std::size_t begin_ = 0, end_ = 0;  // what is unread: packed_[begin_, end_)
  std::uint64_t bytes_read_ = 0;     // of the file, up to end_
  bool is_gzip_ = false, is_ended_ = false;
  z_stream stream_{};
};

}  // namespace graph
