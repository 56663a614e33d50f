// SPDX-License-Identifier: Apache-2.0
// A regular file, read from any place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kmer {

class regular_file {
 public:
  // Throws input_error if the path cannot be read, is not a regular file, or is empty.
  explicit regular_file(const std::string& path);
  ~regular_file();
  regular_file(const regular_file&) = delete;
  regular_file& operator=(const regular_file&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  // Throws input_error, also where the file ends before.
  void read(std::uint64_t offset, char* into, std::size_t bytes) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace kmer
