// SPDX-License-Identifier: Apache-2.0
#include "table_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "failure.hpp"

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
  if (h.version != kTableVersion) fail("is a table of another version of kmer");
  if (h.file_bytes > file.size()) fail("truncated: the table ends too early");
  const bool sound = h.file_bytes == file.size() && h.k >= 1 && h.k <= kLengthMax && h.bins >= 1 &&
                     h.bins <= kBinsMax && h.key_bytes == key_bytes_of(h.k) &&
                     h.file_bytes >= sizeof h + h.bins * sizeof(table_bin);
  if (!sound) fail("damaged: its header contradicts itself");
  return h;
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
            b.offset <= file_.size() && b.entries <= (file_.size() - b.offset) / entry_bytes(b);
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

std::uint64_t table_reader::count_of(wide_key kmer) {
  const table_bin& bin = bins_[bin_of(kmer)];
  const auto wanted = order_of(kmer, k());
  char entry[sizeof(wide_key) + sizeof(std::uint64_t)];
  for (std::uint64_t from = 0, to = bin.entries; from < to;) {
    const std::uint64_t middle = from + (to - from) / 2;
    file_.read(bin.offset + middle * entry_bytes(bin), entry, entry_bytes(bin));
    const auto found = order_of(number_at<wide_key>(entry, header_.key_bytes), k());
    if (found == wanted) {
      return number_at<std::uint64_t>(entry + header_.key_bytes, bin.count_bytes);
    }
    if (found < wanted) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return 0;
}

void table_reader::for_each(const std::function<void(wide_key, std::uint64_t)>& take) const {
  constexpr std::uint64_t kEntriesAtOnce = 8192;
  std::vector<char> block;
  for (const table_bin& bin : bins_) {
    const std::uint64_t bytes = entry_bytes(bin);
    for (std::uint64_t first = 0; first < bin.entries; first += kEntriesAtOnce) {
      const std::uint64_t number = std::min(kEntriesAtOnce, bin.entries - first);
      block.resize(number * bytes);
      file_.read(bin.offset + first * bytes, block.data(), block.size());
      for (const char* at = block.data(); at != block.data() + block.size(); at += bytes) {
        take(number_at<wide_key>(at, header_.key_bytes),
             number_at<std::uint64_t>(at + header_.key_bytes, bin.count_bytes));
      }
    }
  }
}

}  // namespace kmer
