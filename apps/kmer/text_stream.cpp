// SPDX-License-Identifier: Apache-2.0
#include "text_stream.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "failure.hpp"

namespace kmer {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;  // what inflateInit2 calls "decode gzip only"

}  // namespace

text_stream::text_stream(const std::string& path) : source_(path) {
  compressed_ = is_gzip(source_.view(2));
  if (!compressed_) return;
  block_ = std::make_unique<char[]>(kBlockBytes);
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

text_stream::~text_stream() {
  if (compressed_) inflateEnd(&stream_);
}

std::string_view text_stream::next() {
  if (!compressed_) return next_plain();
  stream_.next_out = reinterpret_cast<Bytef*>(block_.get());
  stream_.avail_out = kBlockBytes;
  while (stream_.avail_out > 0 && !ended_) inflate_some();
  return {block_.get(), kBlockBytes - stream_.avail_out};
}

std::string_view text_stream::next_plain() {
  source_.skip(std::exchange(given_, 0));
  const std::string_view block = source_.view().substr(0, kBlockBytes);
  given_ = block.size();
  return block;
}

void text_stream::inflate_some() {
  const std::string_view bytes = source_.view();
  stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  const int code = inflate(&stream_, Z_NO_FLUSH);
  source_.skip(bytes.size() - stream_.avail_in);
  if (code == Z_STREAM_END) {
    ended_ = !next_member();
  } else if (code != Z_OK) {
    fail(code);
  }
}

// Whether another member follows; zeros behind the last one are padding.
bool text_stream::next_member() {
  if (is_gzip(source_.view(2))) {
    inflateReset(&stream_);
    return true;
  }
  for (std::string_view rest; !(rest = source_.view()).empty(); source_.skip(rest.size())) {
    const std::size_t zeros = std::min(rest.find_first_not_of('\0'), rest.size());
    if (zeros != rest.size())
      throw input_error(name() + ": what follows its gzip data, at byte " +
                        std::to_string(bytes_read() + zeros) + ", is no gzip data");
  }
  return false;
}

void text_stream::fail(int code) const {
  const std::string at = std::to_string(bytes_read());
  if (code == Z_BUF_ERROR) {
    throw input_error(name() + ": truncated: the gzip data ends too early, at byte " + at);
  }
  throw input_error(name() + ": damaged gzip data, before byte " + at + " (" +
                    (stream_.msg != nullptr ? stream_.msg : zError(code)) + ")");
}

}  // namespace kmer
