// SPDX-License-Identifier: Apache-2.0
// Writes a table of counts. The file has no name until it is complete: nothing half-written stays,
// and an older file of its name is replaced by a whole one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "table_format.hpp"

namespace kmer {

class table_writer {
 public:
  // Throws output_error if the file cannot be made.
  table_writer(std::string path, unsigned k, std::uint32_t bins);
  ~table_writer();
  table_writer(const table_writer&) = delete;
  table_writer& operator=(const table_writer&) = delete;

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
  void name_it();

  std::string path_, folder_;
  std::string unfinished_;  // a name that the file has meanwhile, where it must have one
  int descriptor_ = -1;
  std::string problem_;
  table_header header_{};
  std::vector<table_bin> bins_;
  std::uint64_t end_;  // of what is allotted to bins
};

}  // namespace kmer
