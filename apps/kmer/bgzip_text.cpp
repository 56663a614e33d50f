// SPDX-License-Identifier: Apache-2.0
#include "bgzip_text.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "failure.hpp"
#include "text_stream.hpp"

namespace kmer {
namespace {

constexpr std::size_t kTrailerBytes = 8;   // checksum and length of the text
constexpr std::size_t kLastBytes = 28;     // the empty member that ends each such file

// A number, lowest byte first.
std::uint32_t number_at(const char* at, std::size_t bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) number = number << 8 | static_cast<unsigned char>(at[i]);
  return number;
}

// The length of a member, from its header.
std::uint64_t member_bytes(const char* header) { return number_at(header + 16, 2) + 1; }

}  // namespace

bool bgzip_text::is_header(std::string_view bytes) {
  // gzip, deflate, an extra field; six bytes of it: BC, two bytes, the length.
  return bytes.size() >= kHeaderBytes && bytes.starts_with("\x1f\x8b\x08\x04") &&
         bytes.substr(10, 6) == std::string_view("\x06\0BC\x02\0", 6);
}

bgzip_text::bgzip_text(std::unique_ptr<regular_file> file)
    : file_(std::move(file)), compressed_(kTextBytesMax), text_(kTextBytesMax) {
  find_members();
  if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
}

bgzip_text::~bgzip_text() { inflateEnd(&stream_); }

void bgzip_text::fail_truncated() const {
  throw input_error(file_->path() + ": truncated: the gzip data ends too early, at byte " +
                    std::to_string(file_->size()));
}

void bgzip_text::fail_damaged(std::uint64_t at) const {
  throw input_error(file_->path() + ": damaged gzip data, in the block of bgzip at byte " +
                    std::to_string(at));
}

void bgzip_text::fail_followed(std::uint64_t at) const {
  throw input_error(file_->path() + ": what follows the last block of bgzip, at byte " +
                    std::to_string(at) + ", is no gzip data");
}

void bgzip_text::fail_unmarked() const {
  throw input_error(file_->path() +
                    ": the empty block is missing with which bgzip ends a file, at byte " +
                    std::to_string(file_->size()) +
                    ": it may be cut "
                    "(gzip -dc FILE | kmer ... - counts what there is)");
}

void bgzip_text::find_members() {
  std::uint64_t at = 0, last = 0;
  while (at < file_->size()) {
    char header[kHeaderBytes] = {};
    file_->read(at, header, std::min<std::uint64_t>(file_->size() - at, sizeof header));
    if (header[0] == '\0') {
      const std::uint64_t other = zeros_end(at);
      if (other == file_->size()) break;
      if (last == kLastBytes) fail_followed(other);
    }
    if (file_->size() - at < kHeaderBytes) fail_truncated();
    if (!is_header({header, sizeof header})) {
      const bool is_other = is_gzip({header, sizeof header});
      if (!is_other && last == kLastBytes) fail_followed(at);
      if (!is_other) fail_damaged(at);
      whole_ = false;
      return;
    }
    last = member_bytes(header);
    if (last < kHeaderBytes + kTrailerBytes) fail_damaged(at);
    if (file_->size() - at < last) fail_truncated();
    members_.push_back({at, text_bytes_});
    char length[4];
    file_->read(at + last - sizeof length, length, sizeof length);
    if (number_at(length, 4) > kTextBytesMax) fail_damaged(at);
    text_bytes_ += number_at(length, 4);
    at += last;
  }
  if (last != kLastBytes || members_.back().text_offset != text_bytes_) fail_unmarked();
  members_.push_back({at, text_bytes_});
  if (text_bytes_ == 0) throw input_error(file_->path() + ": is empty");
}

std::uint64_t bgzip_text::zeros_end(std::uint64_t at) {
  while (at < file_->size()) {
    const auto bytes = std::min<std::uint64_t>(file_->size() - at, compressed_.size());
    file_->read(at, compressed_.data(), bytes);
    const std::size_t zeros = std::string_view(compressed_.data(), bytes).find_first_not_of('\0');
    if (zeros != std::string_view::npos) return at + zeros;
    at += bytes;
  }
  return at;
}

void bgzip_text::load(std::size_t index) {
  const member &from = members_[index], &next = members_[index + 1];
  const std::size_t bytes = next.file_offset - from.file_offset;
  file_->read(from.file_offset, compressed_.data(), bytes);
  const std::size_t text_bytes = next.text_offset - from.text_offset;
  const char* trailer = compressed_.data() + bytes - kTrailerBytes;
  stream_.next_in = reinterpret_cast<Bytef*>(compressed_.data() + kHeaderBytes);
  stream_.avail_in = static_cast<uInt>(bytes - kHeaderBytes - kTrailerBytes);
  stream_.next_out = reinterpret_cast<Bytef*>(text_.data());
  stream_.avail_out = static_cast<uInt>(text_bytes);
  inflateReset(&stream_);
  if (inflate(&stream_, Z_FINISH) != Z_STREAM_END || stream_.avail_out != 0)
    fail_damaged(from.file_offset);
  const auto* text = reinterpret_cast<const Bytef*>(text_.data());
  if (crc32(0, text, static_cast<uInt>(text_bytes)) != number_at(trailer, 4))
    fail_damaged(from.file_offset);
  loaded_ = index;
}

void bgzip_text::read(std::uint64_t offset, char* into, std::size_t bytes) {
  while (bytes > 0) {
    const auto behind = std::ranges::upper_bound(members_, offset, {}, &member::text_offset);
    const auto index = static_cast<std::size_t>(behind - members_.begin()) - 1;
    if (index != loaded_) load(index);
    const std::size_t n = std::min<std::size_t>(bytes, behind->text_offset - offset);
    std::memcpy(into, text_.data() + (offset - members_[index].text_offset), n);
    offset += n;
    into += n;
    bytes -= n;
  }
}

}  // namespace kmer
