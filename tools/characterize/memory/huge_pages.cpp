// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/memory/huge_pages.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace characterize {

bool lies_in_huge_pages(const std::byte* begin, std::size_t bytes) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  std::size_t huge = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long first = 0, end = 0, kib = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &end) == 2) {
      inside = first < from + bytes && from < end;
    } else if (inside && std::sscanf(line.c_str(), "AnonHugePages: %lu kB", &kib) == 1) {
      huge += kib * 1024;
    }
  }
  return huge >= bytes;
}

}  // namespace characterize
