// SPDX-License-Identifier: Apache-2.0
// A temporary file without a name: it goes with the process, however that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <sys/uio.h>

namespace kmer {

class spill_file {
 public:
  // In this folder; nothing is made before the first write.
  explicit spill_file(std::string folder) : folder_(std::move(folder)) {}
  ~spill_file();
  spill_file(const spill_file&) = delete;
  spill_file& operator=(const spill_file&) = delete;

  // Appends the pieces, in their order; false on failure, of which problem() tells.
  bool append(std::span<const iovec> pieces);
  bool read(std::uint64_t offset, char* into, std::size_t bytes);
  std::uint64_t bytes() const { return bytes_; }

  // What went wrong first; empty if nothing did.
  const std::string& problem() const { return problem_; }

 private:
  bool make();
  bool fail(const char* what, int error);

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  std::string problem_;
};

}  // namespace kmer
