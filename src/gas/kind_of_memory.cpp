// SPDX-License-Identifier: Apache-2.0
#include "gas/kind_of_memory.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace ramjet::gas {

namespace {

struct search {
  std::uint64_t address;
  bool found = false;
};

int look_at_object(dl_phdr_info* object, std::size_t, void* into) {
  auto& s = *static_cast<search*>(into);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    s.found |=
        part.p_type == PT_LOAD && s.address - (object->dlpi_addr + part.p_vaddr) < part.p_memsz;
  }
  return s.found ? 1 : 0;
}

bool is_static(std::uint64_t address) {
  search s{address};
  dl_iterate_phdr(look_at_object, &s);
  return s.found;
}

// The kernel's name for the mapping that holds the address; empty if it has none, null if there is
// no such mapping. Those of unnamed memory that the caller's stack is in are stacks, too.
const char* name_of_mapping(std::uint64_t address, char (&line)[512]) {
  const auto here = std::uint64_t(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return nullptr;
  const char* name = nullptr;
  while (name == nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    std::uint64_t begin = 0, end = 0;
    int after_inode = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end,
                    &after_inode) < 2 ||
        address < begin || address >= end)
      continue;
    name = here >= begin && here < end ? "[stack]" : line + after_inode;
  }
  std::fclose(maps);
  return name;
}

}  // namespace

std::string kind_of_memory(std::uint64_t address) {
  if (is_static(address)) {
    Dl_info info{};
    const bool named =
        dladdr(reinterpret_cast<const void*>(address), &info) != 0 && info.dli_sname != nullptr;
    return std::string("; it is ") + (named ? info.dli_sname : "a static variable") +
           " here: others reach variables that are RAMJET_SYMMETRIC, or of files that splitcc "
           "has compiled";
  }
  char line[512];
  const char* const name = name_of_mapping(address, line);
  if (name == nullptr) return {};
  if (std::strncmp(name, "[stack", 6) == 0)
    return "; it is on a stack here: others reach the stacks of Split-C programs, else memory of "
           "segment_allocate";
  if (*name == 0 || std::strncmp(name, "[heap]", 6) == 0)
    return "; it is memory of malloc here: others reach memory of segment_allocate and "
           "all_spread_malloc";
  return {};
}

}  // namespace ramjet::gas
