// SPDX-License-Identifier: Apache-2.0
#include "table_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "failure.hpp"
#include "table_blocks.hpp"

namespace kmer {
namespace {

constexpr std::uint32_t kBinsMax = 1 << 24;

table_header header_of(const regular_file& file) {
  table_header h{};
  const auto fail = [&file](const char* problem) {
    throw input_error(file.path() + ": " + problem);
  };
  if (file.size() < sizeof h) fail("is not a table of kmer");
  file.read(0, reinterpret_cast<char*>(&h), sizeof h);
  if (std::memcmp(h.magic, kTableMagic, sizeof h.magic) != 0) fail("is not a table of kmer");
  if (h.version != kTableVersion) {
    throw input_error(fmt::format("{}: is a table of version {} of the format, and this kmer reads "
                                  "version {}: count anew",
                                  file.path(), h.version, kTableVersion));
  }
  if (h.checksum != checksum_of(&h, offsetof(table_header, checksum))) {
    fail("damaged: its header has another checksum");
  }
  if (h.file_bytes > file.size()) fail("truncated: the table ends too early");
  const bool sound = h.file_bytes == file.size() && h.k >= 1 && h.k <= kLengthMax && h.bins >= 1 &&
                     h.bins <= kBinsMax && h.key_bytes == key_bytes_of(h.k) &&
                     h.file_bytes >= sizeof h + h.bins * sizeof(table_bin);
  if (!sound) fail("damaged: its header contradicts itself");
  return h;
}

std::uint64_t blocks_of(const table_bin& bin) {
  return (bin.entries + kBlockEntries - 1) / kBlockEntries;
}

// An entry as it orders: by hash, then by k-mer.
std::pair<std::uint64_t, wide_key> order_of(wide_key kmer, unsigned k) {
  return {k <= kNarrowLengthMax ? hash_of(static_cast<narrow_key>(kmer)) : hash_of(kmer), kmer};
}

template <class Number>
Number number_at(const char* at, std::size_t bytes) {
  Number number = 0;
  std::memcpy(&number, at, bytes);
  return number;
}

}  // namespace

table_reader::table_reader(const std::string& path)
    : file_(path), header_(header_of(file_)), bins_(header_.bins), splitter_(k(), header_.bins) {
  file_.read(sizeof header_, reinterpret_cast<char*>(bins_.data()),
             bins_.size() * sizeof(table_bin));
  if (header_.index_checksum != checksum_of(bins_.data(), bins_.size() * sizeof(table_bin))) {
    throw input_error(path + ": damaged: its index has another checksum");
  }
  check_bins();
}

void table_reader::check_bins() const {
  const std::uint64_t begin = sizeof header_ + bins_.size() * sizeof(table_bin);
  std::uint64_t entries = 0;
  bool sound = true;
  for (const table_bin& b : bins_) {
    if (b.entries == 0) continue;
    entries += b.entries;
    sound = sound && b.count_bytes >= 1 && b.count_bytes <= 8 && b.offset >= begin &&
            b.offset <= file_.size() && b.entries <= file_.size() &&
            bin_bytes(b.entries, entry_bytes(b)) <= file_.size() - b.offset;
  }
  if (!sound || entries != header_.distinct) {
    throw input_error(file_.path() + ": damaged: its index contradicts itself");
  }
}

std::uint32_t table_reader::bin_of(wide_key kmer) {
  std::array<std::uint8_t, kLengthMax + run_collector::kSlack> codes{};
  for (unsigned i = k(); i-- > 0; kmer >>= 2) codes[i] = static_cast<std::uint8_t>(kmer & 3);
  return splitter_.bin_of(codes.data());
}

std::size_t table_reader::load(const table_bin& bin, std::uint64_t index) {
  const std::uint64_t first = index * kBlockEntries, bytes = entry_bytes(bin);
  const std::uint64_t number = std::min(kBlockEntries, bin.entries - first);
  const std::uint64_t offset = bin.offset + bin_bytes(first, bytes);
  const std::size_t count = number * bytes;
  block_.resize(count + kChecksumBytes);
  file_.read(offset, block_.data(), block_.size());
  if (number_at<std::uint32_t>(block_.data() + count, kChecksumBytes) !=
      checksum_of(block_.data(), count)) {
    throw input_error(fmt::format("{}: damaged: the block at bytes {} to {} has another checksum",
                                  file_.path(), offset, offset + block_.size() - 1));
  }
  return count;
}

std::uint64_t table_reader::count_of(wide_key kmer) {
  const table_bin& bin = bins_[bin_of(kmer)];
  if (bin.entries == 0) return 0;
  const auto wanted = order_of(kmer, k());
  // What is wanted can only be in the last block that does not begin with a greater k-mer.
  std::uint64_t from = 0, to = blocks_of(bin);
  while (to - from > 1) {
    const std::uint64_t middle = from + (to - from) / 2;
    load(bin, middle);
    const auto first = order_of(number_at<wide_key>(block_.data(), header_.key_bytes), k());
    (first <= wanted ? from : to) = middle;
  }
  const std::size_t count = load(bin, from), bytes = entry_bytes(bin);
  for (const char* at = block_.data(); at != block_.data() + count; at += bytes) {
    if (number_at<wide_key>(at, header_.key_bytes) == kmer) {
      return number_at<std::uint64_t>(at + header_.key_bytes, bin.count_bytes);
    }
  }
  return 0;
}

void table_reader::for_each(const std::function<void(wide_key, std::uint64_t)>& take) {
  for (const table_bin& bin : bins_) {
    const std::size_t bytes = entry_bytes(bin);
    for (std::uint64_t index = 0; index < blocks_of(bin); ++index) {
      const std::size_t count = load(bin, index);
      for (const char* at = block_.data(); at != block_.data() + count; at += bytes) {
        take(number_at<wide_key>(at, header_.key_bytes),
             number_at<std::uint64_t>(at + header_.key_bytes, bin.count_bytes));
      }
    }
  }
}

}  // namespace kmer
