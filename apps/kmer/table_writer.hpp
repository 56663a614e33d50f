// SPDX-License-Identifier: Apache-2.0
// Writes a table of counts, into a new file that gets its name when it is complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../measured/new_file.hpp"
#include "table_format.hpp"

namespace kmer {

class table_writer {
 public:
  // Throws output_error if the file cannot be made.
  table_writer(std::string path, unsigned k, std::uint32_t bins);

  // Bytes of the blocks of a bin, from the at-th byte on; `what` is the same for all parts of it.
  // On failure, problem() tells.
  struct bin_facts {
    std::uint32_t bin, count_bytes;
    std::uint64_t entries;
  };
  void write(const bin_facts& what, std::uint64_t at, const char* bytes, std::size_t count);

  // Gives the file its name. Throws output_error; also for what went wrong before.
  void finish();

 private:
  void write_at(std::uint64_t offset, const void* bytes, std::size_t count);
  void fail(int error);

  std::string path_;
  measured::new_file file_;
  std::string problem_;
  table_header header_{};
  std::vector<table_bin> bins_;
  std::uint64_t end_;  // of what is allotted to bins
};

}  // namespace kmer
