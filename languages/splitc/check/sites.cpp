// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/sites.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>

#include "languages/splitc/check/line_table.hpp"

namespace ramjet::splitc::check {

namespace {

// The program's file; empty if it cannot be read. It stays mapped.
std::string_view program_file() {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat about{};
  void* mapped = MAP_FAILED;
  if (::fstat(file, &about) == 0)
    mapped = ::mmap(nullptr, std::size_t(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) return {};
  return {static_cast<const char*>(mapped), std::size_t(about.st_size)};
}

template <class T>
T read_at(std::string_view file, std::uint64_t at) {
  T value{};
  if (at < file.size() && file.size() - at >= sizeof value)
    std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

std::string_view part(std::string_view file, std::uint64_t at, std::uint64_t bytes) {
  return at <= file.size() && bytes <= file.size() - at ? file.substr(at, bytes)
                                                        : std::string_view();
}

line_sections sections_of(std::string_view file) {
  line_sections found;
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return found;
  const auto section = [&](unsigned i) {
    return read_at<Elf64_Shdr>(file, header.e_shoff + std::uint64_t(i) * header.e_shentsize);
  };
  const Elf64_Shdr name_section = section(header.e_shstrndx);
  const std::string_view names = part(file, name_section.sh_offset, name_section.sh_size);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (s.sh_name >= names.size() || (s.sh_flags & SHF_COMPRESSED) != 0) continue;
    std::string_view name = names.substr(s.sh_name);
    name = name.substr(0, name.find('\0'));
    const std::string_view bytes = part(file, s.sh_offset, s.sh_size);
    if (name == ".debug_line") found.lines = bytes;
    if (name == ".debug_line_str") found.line_strings = bytes;
    if (name == ".debug_str") found.strings = bytes;
  }
  return found;
}

// What the program's addresses are moved by: nothing, unless it is position-independent.
std::uint64_t load_bias() {
  std::uint64_t bias = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* into) {
    *static_cast<std::uint64_t*>(into) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(first, &bias);
  return bias;
}

}  // namespace

std::string line_of(site at) {
  static line_table table(sections_of(program_file()));
  static const std::uint64_t bias = load_bias();
  static std::map<site, std::string> known;
  if (at == nullptr) return {};
  const auto [found, is_new] = known.try_emplace(at);
  // The call is before where it returns to.
  if (is_new)
    found->second = table.find(std::uint64_t(reinterpret_cast<std::uintptr_t>(at)) - 1 - bias);
  return found->second;
}

std::string shown(site at) {
  if (std::string line = line_of(at); !line.empty()) return line;
  Dl_info info{};
  if (at != nullptr && dladdr(at, &info) != 0 && info.dli_sname != nullptr) return info.dli_sname;
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIxPTR, reinterpret_cast<std::uintptr_t>(at));
  return at == nullptr ? "?" : text;
}

}  // namespace ramjet::splitc::check
