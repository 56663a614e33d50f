// SPDX-License-Identifier: Apache-2.0
// Which rank reads what. Every rank works this out by itself, from the sizes of the files.
//
// Texts that can be entered anywhere (plain files, and those of bgzip) are laid end to end and cut
// into one range of bytes a rank. All other inputs are streams, each of which one rank reads: other
// gzip files, and FASTQ files whose sequences have several lines, are dealt by size, the largest to
// the last rank; kRoot reads standard input and pipes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "text_file.hpp"

namespace kmer {

struct input_file {
  std::string path;
  std::uint64_t bytes = 0;  // of the file; 0 if unknown
  std::uint64_t text_bytes = 0;  // decompressed, about
  std::shared_ptr<text_file> text = nullptr;  // null: a stream
  bool is_pipe = false;  // also standard input: a stream that only kRoot can open
};

// A rank's part of one file: a range of a text, or a whole stream.
struct piece {
  std::string path;
  std::shared_ptr<text_file> text = nullptr;
  std::uint64_t begin = 0, end = 0;
};

// Looks at the files. Throws input_error for the first that cannot be read.
std::vector<input_file> look_at(const std::vector<std::string>& paths);

std::vector<piece> share_of(const std::vector<input_file>& files, int rank, int ranks);

}  // namespace kmer
