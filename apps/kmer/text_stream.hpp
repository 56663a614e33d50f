// SPDX-License-Identifier: Apache-2.0
// A text from front to back, block by block: as it is, or from gzip. Files of several members (as
// bgzip and `cat` make them) are one text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <zlib.h>

#include "byte_source.hpp"

namespace kmer {

// Whether these are the first bytes of a gzip member.
inline bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

class text_stream {
 public:
  // A path, or kStandardInput. Throws input_error.
  explicit text_stream(const std::string& path);
  ~text_stream();
  text_stream(const text_stream&) = delete;
  text_stream& operator=(const text_stream&) = delete;

  const std::string& name() const { return source_.name(); }
  // The next block, valid until the next call; empty at the end. Throws input_error where the data
  // cannot be read, is damaged or ends early.
  std::string_view next();
  // Bytes of the file that have been used up.
  std::uint64_t bytes_read() const { return source_.position(); }

 private:
  static constexpr std::size_t kBlockBytes = 64 * 1024;

  std::string_view next_plain();
  void inflate_some();
  bool next_member();
  [[noreturn]] void fail(int code) const;

  byte_source source_;
  bool compressed_ = false;
  bool ended_ = false;
  z_stream stream_{};
  std::size_t given_ = 0;  // plain: bytes of the block that was handed out
  std::unique_ptr<char[]> block_;
};

}  // namespace kmer
