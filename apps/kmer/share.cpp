// SPDX-License-Identifier: Apache-2.0
#include "share.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "byte_source.hpp"
#include "parser.hpp"
#include "regular_file.hpp"
#include "root.hpp"

namespace kmer {
namespace {

using pieces = std::vector<piece>;

// part/parts of whole, without the product's overflow.
std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

void share_texts(const std::vector<input_file>& files, std::uint64_t rank, std::uint64_t ranks,
                 pieces& mine) {
  std::uint64_t total = 0;
  for (const input_file& f : files) total += f.text ? f.text_bytes : 0;
  const std::uint64_t begin = portion(total, rank, ranks), end = portion(total, rank + 1, ranks);
  std::uint64_t before = 0;  // bytes of the texts so far
  for (const input_file& f : files) {
    if (!f.text) continue;
    const std::uint64_t from = std::max(begin, before), to = std::min(end, before + f.text_bytes);
    if (from < to) {
      mine.push_back({.path = f.path, .text = f.text, .begin = from - before, .end = to - before});
    }
    before += f.text_bytes;
  }
}

void share_streams(const std::vector<input_file>& files, std::uint64_t rank, std::uint64_t ranks,
                   pieces& mine) {
  std::vector<const input_file*> largest_first;
  for (const input_file& f : files) {
    if (!f.text) largest_first.push_back(&f);
  }
  std::ranges::stable_sort(largest_first, std::ranges::greater{}, &input_file::bytes);
  std::vector<std::uint64_t> load(ranks);
  for (const input_file* f : largest_first) {
    // Of ranks with equal loads the last: kRoot has the rest to do.
    std::uint64_t reader = kRoot;
    if (!f->is_pipe) {
      const auto least = std::min_element(load.rbegin(), load.rend());
      *least += f->bytes;
      reader = static_cast<std::uint64_t>(load.rend() - least) - 1;
    }
    if (reader == rank) mine.push_back({.path = f->path});
  }
}

// A guess at the length of the text of a gzip file.
std::uint64_t text_bytes_of(const std::string& path, std::uint64_t bytes) {
  constexpr std::uint64_t kUsualRatio = 4;       // text to file, for DNA
  constexpr std::uint64_t kMemberBytesMin = 18;  // an empty member: header and trailer
  const std::uint64_t usual = bytes * kUsualRatio;
  if (bytes < kMemberBytesMin) return usual;
  unsigned char last[4];  // the last member's length modulo 2^32, lowest byte first
  regular_file(path).read(bytes - sizeof last, reinterpret_cast<char*>(last), sizeof last);
  const std::uint64_t length =
      last[0] | last[1] << 8 | last[2] << 16 | std::uint64_t{last[3]} << 24;
  return length >= bytes && length <= usual * 2 ? length : usual;
}

// Nothing tells where a record begins in FASTQ text whose sequences have several lines.
bool has_to_be_streamed(text_file& text, const std::string& path) {
  text_window window(text);
  return format_of(window, path) == format::fastq && has_long_records(window);
}

}  // namespace

std::vector<input_file> look_at(const std::vector<std::string>& paths) {
  constexpr std::uint64_t kUnknown = std::uint64_t{1} << 30;
  std::vector<input_file> files;
  for (const std::string& path : paths) {
    std::error_code ignored;  // opening it says what is wrong
    if (path == kStandardInput || std::filesystem::is_fifo(path, ignored)) {
      files.push_back({.path = path, .text_bytes = kUnknown, .is_pipe = true});
      continue;
    }
    opened_text opened = open_text(path);
    const std::uint64_t text_bytes =
        opened.text ? opened.text->size() : text_bytes_of(path, opened.file_bytes);
    if (opened.text && has_to_be_streamed(*opened.text, path)) opened.text.reset();
    files.push_back({.path = path,
                     .bytes = opened.file_bytes,
                     .text_bytes = text_bytes,
                     .text = std::move(opened.text)});
  }
  return files;
}

std::vector<piece> share_of(const std::vector<input_file>& files, int rank, int ranks) {
  pieces mine;
  const auto self = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  share_texts(files, self, all, mine);
  share_streams(files, self, all, mine);
  return mine;
}

}  // namespace kmer
