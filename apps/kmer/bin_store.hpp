// SPDX-License-Identifier: Apache-2.0
// The super-k-mers of this rank's bins, until they are counted: each bin is a list of chunks, in
// memory as far as that is allowed, and in a temporary file beyond. Used by the thread that handles
// the rank's messages.
//
//   bin 0: [chunk][chunk][open chunk: filled from the front]
//   bin 1: [in the file][chunk][open chunk]
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "spill_file.hpp"
#include "word_memory.hpp"

namespace kmer {

class bin_store {
 public:
  static constexpr std::size_t kChunkBytes = 16 * 1024;

  // Keeps about memory_bytes in memory: an open chunk for each bin always is. Of `expected_bytes`
  // that it will get, few are not worth a huge page.
  bin_store(std::size_t bins, std::uint64_t memory_bytes, std::string folder,
            std::uint64_t expected_bytes = ~std::uint64_t{0});

  // Whole records, with this many k-mers in them. After a failure (problem()) nothing is kept.
  void append(std::size_t bin, const char* records, std::size_t bytes, std::uint64_t kmers);

  std::uint64_t bytes() const { return bytes_; }
  std::size_t bins() const { return bins_.size(); }
  std::uint64_t kmers_in(std::size_t bin) const { return bins_[bin].kmers; }
  std::uint64_t bytes_in(std::size_t bin) const { return bins_[bin].bytes; }
  std::uint64_t spilled_bytes() const { return file_.bytes(); }

  // Hands the records of a bin to take(begin, end), chunk by chunk; super_kmer::kSlack more bytes
  // can be read behind the end. False if the temporary file cannot be read.
  template <class Take>
  bool for_each_chunk(std::size_t bin, Take&& take) {
    for (const chunk& c : bins_[bin].chunks) {
      const char* at = c.memory;
      if (at == nullptr) {
        if (!file_.read(c.offset, loaded_.data(), c.bytes)) return false;
        at = loaded_.data();
      }
      take(at, at + c.bytes);
    }
    return true;
  }
  // Forgets the records of a bin.
  void release(std::size_t bin);

  // What went wrong; empty if nothing did.
  const std::string& problem() const { return file_.problem(); }

 private:
  struct chunk {
    char* memory;  // null: in the file
    std::uint64_t offset;
    std::uint32_t bytes;
  };
  struct bin_record {
    std::vector<chunk> chunks;  // the last one is open
    std::uint64_t bytes = 0, kmers = 0;
  };

  char* new_chunk();
  void spill();

  std::vector<bin_record> bins_;
  std::uint64_t bytes_ = 0;  // of all records that came
  std::size_t slab_bytes_;
  std::uint64_t slabs_max_;
  std::vector<word_memory> slabs_;
  std::vector<char*> free_;
  std::deque<std::pair<std::size_t, std::size_t>> full_;  // bin, chunk: in memory; oldest first
  spill_file file_;
  std::vector<char> loaded_;
};

}  // namespace kmer
