// SPDX-License-Identifier: Apache-2.0
// A regular file, mapped for reading.
#pragma once

#include <cstdint>
#include <string>

namespace kmer {

class mapped_file {
 public:
  // Throws input_error if the path cannot be read, is no regular file, or is empty.
  explicit mapped_file(const std::string& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  const char* data() const { return data_; }
  std::uint64_t size() const { return size_; }

 private:
  const char* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace kmer
