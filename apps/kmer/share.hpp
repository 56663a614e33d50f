// SPDX-License-Identifier: Apache-2.0
// Which rank reads what. Every rank works this out by itself, from the sizes of the files.
//
// Plain files are laid end to end and cut into one range of bytes a rank. A gzip file cannot be
// entered in the middle. If there are as many of them as ranks, each is read by one rank, the
// largest dealt first; otherwise every rank decompresses each of them and takes every size()th
// block: decompression is the smaller part of the work, and needs no messages this way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kmer {

struct input_file {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t text_bytes = 0;  // decompressed, about
  bool compressed = false;
};

// A rank's part of one file.
struct piece {
  std::string path;
  bool compressed = false;
  std::uint64_t begin = 0, end = 0;             // plain: bytes
  std::uint64_t first_block = 0, block_step = 1;  // gzip: blocks
};

// Looks at the files. Throws input_error for the first that cannot be read.
std::vector<input_file> look_at(const std::vector<std::string>& paths);

std::vector<piece> share_of(const std::vector<input_file>& files, int rank, int ranks);

}  // namespace kmer
