// SPDX-License-Identifier: Apache-2.0
// Looks up counts in a table that table_writer wrote.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "key.hpp"
#include "regular_file.hpp"
#include "splitter.hpp"
#include "table_format.hpp"

namespace kmer {

class table_reader {
 public:
  // Throws input_error if the file cannot be read, or is not such a table, or not all of it. So do
  // the others, where what they read has another checksum than when it was written.
  explicit table_reader(const std::string& path);

  unsigned k() const { return header_.k; }
  // How often a canonical k-mer of k() letters occurs.
  std::uint64_t count_of(wide_key kmer);
  // All entries, bin by bin.
  void for_each(const std::function<void(wide_key, std::uint64_t)>& take);

 private:
  void check_bins() const;
  std::uint64_t entry_bytes(const table_bin& bin) const {
    return header_.key_bytes + bin.count_bytes;
  }
  std::uint32_t bin_of(wide_key kmer);
  // Reads a block of the bin into block_, and returns the bytes of its entries.
  std::size_t load(const table_bin& bin, std::uint64_t index);

  regular_file file_;
  table_header header_{};
  std::vector<table_bin> bins_;
  splitter splitter_;
  std::vector<char> block_;  // the one that was read last
};

}  // namespace kmer
