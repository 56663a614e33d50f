// SPDX-License-Identifier: Apache-2.0
// Private memory of this process that probes go through.
#pragma once

#include <cstddef>

namespace characterize {

enum class pages { small, huge };  // huge: where the system grants them

class area {
 public:
  // All of it has been written once. Throws std::runtime_error if there is not that much memory.
  area(std::size_t bytes, pages kind);
  ~area();
  area(const area&) = delete;
  area& operator=(const area&) = delete;

  std::byte* begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }
  bool has_huge_pages() const { return huge_; }

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* begin_ = nullptr;  // at a multiple of a huge page
  std::size_t bytes_;
  bool huge_ = false;
};

}  // namespace characterize
