// SPDX-License-Identifier: Apache-2.0
// The text of a file that was compressed by bgzip: gzip members of at most 64 KiB of text, each
// with its length in its header, so that any of them can be found and decompressed by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "regular_file.hpp"
#include "text_file.hpp"

namespace kmer {

class bgzip_text final : public text_file {
 public:
  static constexpr std::size_t kHeaderBytes = 18;
  // Whether these are the first bytes of a member that bgzip wrote.
  static bool is_header(std::string_view bytes);

  // Goes through the headers. Throws input_error where they are damaged or the file is cut.
  explicit bgzip_text(std::unique_ptr<regular_file> file);
  // Whether all members say how long they are. Otherwise another gzip file was appended, the text
  // can only be read from its beginning, and nothing else here may be called.
  bool is_whole() const { return whole_; }
  ~bgzip_text() override;

  std::uint64_t size() const override { return text_bytes_; }
  void read(std::uint64_t offset, char* into, std::size_t bytes) override;

 private:
  // A member: where it begins in the file and in the text.
  struct member {
    std::uint64_t file_offset, text_offset;
  };
  static constexpr std::size_t kTextBytesMax = 64 * 1024;

  // Zeros behind the last member are padding, as in other gzip files.
  void find_members();
  // The first byte from `at` on that is not zero, or the file's end.
  std::uint64_t zeros_end(std::uint64_t at);
  void load(std::size_t index);
  [[noreturn]] void fail_truncated() const;
  [[noreturn]] void fail_damaged(std::uint64_t at) const;
  [[noreturn]] void fail_followed(std::uint64_t at) const;
  [[noreturn]] void fail_unmarked() const;

  std::unique_ptr<regular_file> file_;
  std::vector<member> members_;  // and the end
  std::uint64_t text_bytes_ = 0;
  bool whole_ = true;
  z_stream stream_{};
  std::vector<char> compressed_, text_;
  std::size_t loaded_ = ~std::size_t{0};  // whose text is in text_
};

}  // namespace kmer
