// SPDX-License-Identifier: Apache-2.0
// The bytes of a file or of standard input, from front to back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kmer {

inline constexpr const char* kStandardInput = "-";  // on the command line, in place of a path

class byte_source {
 public:
  // Throws input_error if the path cannot be opened.
  explicit byte_source(const std::string& path);
  ~byte_source();
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  // What stands in messages.
  const std::string& name() const { return name_; }
  // Bytes that come next, at least one unless the end is reached; valid until skip(). Throws
  // input_error.
  std::string_view view();
  // At least `bytes` of them, unless the end comes before; at most kBufferBytes.
  std::string_view view(std::size_t bytes);
  // Goes past `bytes` of those.
  void skip(std::size_t bytes) { begin_ += bytes; }
  // Bytes that were gone past.
  std::uint64_t position() const { return read_ - (end_ - begin_); }

  static constexpr std::size_t kBufferBytes = 256 * 1024;

 private:
  std::string name_;
  int descriptor_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what is unread: buffer_[begin_, end_)
  std::uint64_t read_ = 0;           // bytes that came, in all
};

}  // namespace kmer
