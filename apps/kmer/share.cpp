// SPDX-License-Identifier: Apache-2.0
#include "share.hpp"

#include <algorithm>

#include "gzip_reader.hpp"
#include "mapped_file.hpp"

namespace kmer {
namespace {

using pieces = std::vector<piece>;

// part/parts of whole, without the product's overflow.
std::uint64_t portion(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

void share_plain(const std::vector<input_file>& files, std::uint64_t rank, std::uint64_t ranks,
                 pieces& mine) {
  std::uint64_t total = 0;
  for (const input_file& f : files) total += f.compressed ? 0 : f.bytes;
  const std::uint64_t begin = portion(total, rank, ranks), end = portion(total, rank + 1, ranks);
  std::uint64_t before = 0;  // bytes of the files so far
  for (const input_file& f : files) {
    if (f.compressed) continue;
    const std::uint64_t from = std::max(begin, before), to = std::min(end, before + f.bytes);
    if (from < to) mine.push_back({.path = f.path, .begin = from - before, .end = to - before});
    before += f.bytes;
  }
}

void share_compressed(const std::vector<input_file>& files, std::uint64_t rank, std::uint64_t ranks,
                      pieces& mine) {
  std::vector<const input_file*> largest_first;
  for (const input_file& f : files) {
    if (f.compressed) largest_first.push_back(&f);
  }
  std::ranges::stable_sort(largest_first, std::ranges::greater{}, &input_file::bytes);

  if (largest_first.size() < ranks) {
    for (const input_file* f : largest_first) {
      mine.push_back(
          {.path = f->path, .compressed = true, .first_block = rank, .block_step = ranks});
    }
    return;
  }
  std::vector<std::uint64_t> load(ranks);
  for (const input_file* f : largest_first) {
    const auto least = std::ranges::min_element(load);
    *least += f->bytes;
    if (least - load.begin() == static_cast<std::ptrdiff_t>(rank)) {
      mine.push_back({.path = f->path, .compressed = true});
    }
  }
}

}  // namespace

std::vector<input_file> look_at(const std::vector<std::string>& paths) {
  std::vector<input_file> files;
  for (const std::string& path : paths) {
    const mapped_file file(path);
    const bool compressed = gzip_reader::is_gzip(file);
    files.push_back({.path = path,
                     .bytes = file.size(),
                     .text_bytes = compressed ? gzip_reader::text_bytes(file) : file.size(),
                     .compressed = compressed});
  }
  return files;
}

std::vector<piece> share_of(const std::vector<input_file>& files, int rank, int ranks) {
  pieces mine;
  const auto self = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  share_plain(files, self, all, mine);
  share_compressed(files, self, all, mine);
  return mine;
}

}  // namespace kmer
