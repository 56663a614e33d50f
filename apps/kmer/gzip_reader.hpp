// SPDX-License-Identifier: Apache-2.0
// The text of a gzip file in memory, block by block. Files of several members (as bgzip and `cat`
// make them) are one text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <zlib.h>

namespace kmer {

class mapped_file;

class gzip_reader {
 public:
  // Every block but the last has this length, so all readers of a file cut it alike.
  static constexpr std::size_t kBlockBytes = 64 * 1024;

  static bool is_gzip(const mapped_file& file);
  // A guess at the length of the text, from the file's last bytes.
  static std::uint64_t text_bytes(const mapped_file& file);

  // The file is to outlive the reader; `name` stands in messages.
  gzip_reader(const mapped_file& file, std::string name);
  ~gzip_reader();
  gzip_reader(const gzip_reader&) = delete;
  gzip_reader& operator=(const gzip_reader&) = delete;

  // The next block, valid until the next call; empty at the end. Throws input_error where the data
  // is damaged or ends early.
  std::string_view next();

  // Bytes of the file that have been used up.
  std::uint64_t bytes_read() const { return position_ - stream_.avail_in; }

 private:
  void refill();
  bool next_member();
  [[noreturn]] void fail(int code) const;

  const mapped_file& file_;
  std::string name_;
  std::uint64_t position_ = 0;  // in the file: behind what the stream has been given
  z_stream stream_{};
  bool ended_ = false;
  std::unique_ptr<char[]> block_;
};

}  // namespace kmer
