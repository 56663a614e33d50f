// SPDX-License-Identifier: Apache-2.0
// A text that can be read from any place: a plain file, or one compressed by bgzip, which is a row
// of small gzip members that say how long they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kmer {

class text_file {
 public:
  text_file() = default;
  virtual ~text_file() = default;
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;

  virtual std::uint64_t size() const = 0;
  // Reads bytes that are there: offset + bytes <= size(). Throws input_error.
  virtual void read(std::uint64_t offset, char* into, std::size_t bytes) = 0;
};

// What a regular file holds. Throws input_error if it cannot be read, is not a regular file, or is
// empty.
struct opened_text {
  std::unique_ptr<text_file> text;  // null: gzip that is to be read from its beginning
  std::uint64_t file_bytes = 0;
};
opened_text open_text(const std::string& path);

// Looks around in a text, near to where it looked before. A line ends behind its LF, CR LF or CR.
class text_window {
 public:
  explicit text_window(text_file& text) : text_(text), buffer_(kBytes) {}

  std::uint64_t size() const { return text_.size(); }
  char at(std::uint64_t offset) {
    if (offset - begin_ >= bytes_) load(offset);
    return buffer_[offset - begin_];
  }
  // Where the line ends that contains this place, or the text.
  std::uint64_t line_end(std::uint64_t offset);
  // Where the line begins that contains this place.
  std::uint64_t line_begin(std::uint64_t offset);
  // The first byte from this place on that is not blank; the text's size if there is none.
  std::uint64_t visible_from(std::uint64_t offset);

 private:
  static constexpr std::size_t kBytes = 64 * 1024;
  void load(std::uint64_t offset);
  // Whether a line ends just before this place, 0 < offset < size().
  bool is_behind_line_end(std::uint64_t offset) {
    const char before = at(offset - 1);
    return before == '\n' || (before == '\r' && at(offset) != '\n');
  }

  text_file& text_;
  std::vector<char> buffer_;
  std::uint64_t begin_ = 0, bytes_ = 0;  // what is in buffer_
};

}  // namespace kmer
