// SPDX-License-Identifier: Apache-2.0
#include "gzip_reader.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "failure.hpp"
#include "mapped_file.hpp"

namespace kmer {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;     // what inflateInit2 calls "decode gzip only"
constexpr std::uint64_t kMemberBytesMin = 18;  // an empty member: header and trailer
constexpr std::uint64_t kUsualRatio = 4;       // text to file, for DNA

bool magic_at(const char* data, std::uint64_t size) {
  return size >= 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

}  // namespace

bool gzip_reader::is_gzip(const mapped_file& file) { return magic_at(file.data(), file.size()); }

std::uint64_t gzip_reader::text_bytes(const mapped_file& file) {
  const std::uint64_t usual = file.size() * kUsualRatio;
  if (file.size() < kMemberBytesMin) return usual;
  unsigned char last[4];  // the last member's length modulo 2^32, lowest byte first
  std::memcpy(last, file.data() + file.size() - sizeof last, sizeof last);
  const std::uint64_t length =
      last[0] | last[1] << 8 | last[2] << 16 | std::uint64_t{last[3]} << 24;
  return length >= file.size() && length <= usual * 2 ? length : usual;
}

gzip_reader::gzip_reader(const mapped_file& file, std::string name)
    : file_(file), name_(std::move(name)), block_(new char[kBlockBytes]) {
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

gzip_reader::~gzip_reader() { inflateEnd(&stream_); }

std::string_view gzip_reader::next() {
  stream_.next_out = reinterpret_cast<Bytef*>(block_.get());
  stream_.avail_out = kBlockBytes;
  while (stream_.avail_out > 0 && !ended_) {
    if (stream_.avail_in == 0) refill();
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      ended_ = !next_member();
    } else if (code != Z_OK) {
      fail(code);
    }
  }
  return {block_.get(), kBlockBytes - stream_.avail_out};
}

// The stream counts in 32 bits, a file may be longer.
void gzip_reader::refill() {
  const std::uint64_t bytes = std::min<std::uint64_t>(file_.size() - position_, 1u << 30);
  stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file_.data() + position_));
  stream_.avail_in = static_cast<uInt>(bytes);
  position_ += bytes;
}

// Whether another member follows; anything else behind a member is padding.
bool gzip_reader::next_member() {
  const std::uint64_t at = bytes_read();
  if (!magic_at(file_.data() + at, file_.size() - at)) return false;
  inflateReset(&stream_);
  return true;
}

void gzip_reader::fail(int code) const {
  if (code == Z_BUF_ERROR) {
    throw input_error(fmt::format("{}: truncated: the gzip data ends too early", name_));
  }
  throw input_error(fmt::format("{}: damaged gzip data ({})", name_,
                                stream_.msg != nullptr ? stream_.msg : zError(code)));
}

}  // namespace kmer
