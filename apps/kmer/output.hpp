// SPDX-License-Identifier: Apache-2.0
// Counts of all k-mers, on their way out: ranks turn the bins that they counted into text or table
// entries, and kRoot writes these. So one rank alone needs the file, and gets finished bytes.
#pragma once

#include <memory>
#include <optional>

#include "counting.hpp"
#include "options.hpp"
#include "table_blocks.hpp"
#include "table_writer.hpp"

namespace kmer {

class output {
 public:
  // Collective, with a barrier of the caller's before anything is sent. Throws output_error at the
  // root if the file cannot be made, or is an input.
  output(const options& o, std::uint32_t bins);

  bool wanted() const { return text_ || table_; }
  // What is to be done with the counts of this rank.
  template <class Key>
  taker<Key> take();

  // At the root, when all is there. Throws output_error if not all could be written.
  void finish();

 private:
  template <class Key>
  void send_text(const std::vector<counted<Key>>& counts);
  template <class Key>
  void send_entries(const bin_totals& whole, std::vector<counted<Key>>& part);

  unsigned k_;
  std::uint64_t count_min_;
  bool text_, table_;
  std::unique_ptr<table_writer> writer_;  // kRoot's
  std::optional<table_blocks> blocks_;  // of the bin of which parts come now
  std::uint64_t sent_ = 0;  // bytes of that bin
  std::vector<char> bytes_;
};

}  // namespace kmer
