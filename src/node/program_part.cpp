// SPDX-License-Identifier: Apache-2.0
#include "node/program_part.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/system.hpp"
#include "node/segments.hpp"

namespace ramjet::node {

namespace {

// --- Finding ------------------------------------------------------------------------------------

void add_to_hash(std::uint64_t& hash, const void* bytes, std::size_t count) {
  const auto* const at = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < count; ++i) hash = (hash ^ at[i]) * 0x100000001b3;
}

// What the headers of the program's file say of the window.
struct search {
  const address_plan& plan;
  std::uint64_t begin = 0, initial_end = 0, end = 0;  // of the variables; end 0: there are none
  std::uint64_t stray = 0;  // an address of variables that are linked at another plan's window
  std::uint64_t hash = 0xcbf29ce484222325;
};

// Of the section that keeps the heap of brk away where addresses are low (symmetric.ld).
constexpr std::uint64_t kLowHeap = 0x0f'f000'0000;

bool is_in_a_window(std::uint64_t address) {
  for (const address_plan& p : {kAddresses, kLowAddresses})
    if (address >= p.window_base && address < p.segment_base) return true;
  return false;
}

void look_at_segment(const dl_phdr_info& program, const ElfW(Phdr) & header, search& s) {
  const std::uint64_t begin = program.dlpi_addr + header.p_vaddr;
  if (header.p_type == PT_NOTE)  // the build's identity is among them
    add_to_hash(s.hash, reinterpret_cast<const void*>(begin), header.p_memsz);
  if (header.p_type != PT_LOAD || header.p_memsz == 0 || !is_in_a_window(begin)) return;
  if (begin == kLowHeap) return;
  const std::uint64_t initial_end = begin + header.p_filesz, end = begin + header.p_memsz;
  if (begin < s.plan.window_base || end > s.plan.segment_base) {
    s.stray = begin;
    return;
  }
  if (s.end == 0) s.begin = begin;
  s.initial_end = std::max(s.initial_end, initial_end);
  s.end = std::max(s.end, end);
  add_to_hash(s.hash, &begin, sizeof begin);
  add_to_hash(s.hash, &initial_end, sizeof initial_end);
  add_to_hash(s.hash, &end, sizeof end);
}

// The first object that the loader names is the program itself.
int look_at_program(dl_phdr_info* program, std::size_t, void* into) {
  for (unsigned i = 0; i < program->dlpi_phnum; ++i)
    look_at_segment(*program, program->dlpi_phdr[i], *static_cast<search*>(into));
  return 1;
}

// --- Copying ------------------------------------------------------------------------------------

// Sanitizers keep margins between variables that nobody may touch: their copies are not told.
#if defined(__clang__)
#define RAMJET_COPIES_MARGINS __attribute__((no_sanitize("address", "thread", "memory")))
#else
#define RAMJET_COPIES_MARGINS __attribute__((no_sanitize("address", "thread")))
#endif

// Copies one page, but for one that is zero to where zero is already. The words are volatile so
// that no compiler makes a call of memcpy of this, which a sanitizer would see.
RAMJET_COPIES_MARGINS void copy_page(std::uint64_t to, std::uint64_t from) noexcept {
  const auto* const source = reinterpret_cast<const volatile std::uint64_t*>(from);
  auto* const target = reinterpret_cast<volatile std::uint64_t*>(to);
  std::size_t i = 0;
  while (i < kPageBytes / 8 && source[i] == 0) ++i;
  for (; i < kPageBytes / 8; ++i) target[i] = source[i];
}

void copy_pages(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) noexcept {
  for (std::uint64_t at = 0; at < bytes; at += kPageBytes) copy_page(to + at, from + at);
}

// Copies private memory, without touching pages that this process has not touched: the kernel
// says which these are.
void copy_touched_pages(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  constexpr std::uint64_t kTouched = std::uint64_t{3} << 62;  // present, or swapped out
  constexpr std::uint64_t kEntries = 512;
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  std::uint64_t entries[kEntries];
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t pages = std::min((bytes - done) / kPageBytes, kEntries);
    const auto wanted = ssize_t(pages * sizeof entries[0]);
    const bool known =
        map >= 0 && pread(map, entries, std::size_t(wanted),
                          off_t((from + done) / kPageBytes * sizeof entries[0])) == wanted;
    for (std::uint64_t i = 0; i < pages; ++i, done += kPageBytes)
      if (!known || (entries[i] & kTouched) != 0) copy_page(to + done, from + done);
  }
  if (map >= 0) close(map);
}

// Copies [begin, end) of the segment, which is mapped at `source`, as far as anybody has touched
// it.
void copy_extents(const inherited_segment& from, std::uint64_t begin, std::uint64_t end,
                  std::uint64_t target, std::uint64_t source) noexcept {
  for (std::uint64_t at = begin; at < end;) {
    const off_t data = lseek(from.object, off_t(from.offset + at), SEEK_DATA);
    if (data < 0 || std::uint64_t(data) >= from.offset + end) return;
    const off_t hole = lseek(from.object, data, SEEK_HOLE);
    const std::uint64_t first = std::uint64_t(data) - from.offset;
    at = std::min(std::uint64_t(hole) - from.offset, end);
    copy_pages(target + first, source + first, at - first);
  }
}

}  // namespace

bool find_program_part(std::uint64_t stack_bytes, program_part& into, std::string& message) {
  search s{addresses()};
  dl_iterate_phdr(look_at_program, &s);
  into = {.stack_bytes = page_up(stack_bytes)};
  if (s.stray != 0 || (s.end != 0 && s.begin != s.plan.window_base)) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "the program's symmetric variables are linked at 0x%llx, and its segment begins "
                  "at 0x%llx: link it with the symmetric.ld of this version of Ramjet, and with "
                  "the sanitizer that it is compiled with",
                  static_cast<unsigned long long>(s.stray != 0 ? s.stray : s.begin),
                  static_cast<unsigned long long>(s.plan.window_base));
    message = text;
    return false;
  }
  if (s.end == 0) return true;
  into.variable_bytes = page_up(s.end - s.begin);
  into.initial_bytes = page_up(s.initial_end - s.begin);
  into.hash = s.hash;
  return true;
}

bool move_variables(int object, const geometry& g, unsigned rank, const program_part& part,
                    std::string& message) {
  if (part.variable_bytes == 0) return true;
  const std::uint64_t before = rank * g.segment_bytes, here = g.segment_base + before;
  const std::uint64_t initial = std::min(part.initial_bytes, part.variable_bytes);
  copy_pages(here, g.window_base, initial);
  copy_touched_pages(here + initial, g.window_base + initial, part.variable_bytes - initial);
  // Not by mmap, at which a sanitizer would forget the margins between the variables.
  const long got =
      syscall(SYS_mmap, g.window_base, part.variable_bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_NORESERVE | MAP_FIXED, object, g.segments_offset + before);
  if (std::uint64_t(got) == g.window_base) return true;
  message = base::os_error("cannot map the segment over the program's symmetric variables");
  return false;
}

bool own_program_part(const inherited_segment& from, std::uint64_t stack_in_use) noexcept {
  const std::uint64_t bytes = from.part.bytes();
  void* const own = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* const shared =
      mmap(nullptr, bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, from.object, off_t(from.offset));
  if (own == MAP_FAILED || shared == MAP_FAILED) return false;
  const auto to = std::uint64_t(reinterpret_cast<std::uintptr_t>(own));
  const auto source = std::uint64_t(reinterpret_cast<std::uintptr_t>(shared));
  const std::uint64_t stack = stack_in_use / kPageBytes * kPageBytes;
  copy_extents(from, 0, from.part.variable_bytes, to, source);
  copy_extents(from, std::max(stack, from.part.variable_bytes), bytes, to, source);
  munmap(shared, bytes);
  auto* const behind = reinterpret_cast<void*>(from.window + bytes);
  if (mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
             reinterpret_cast<void*>(from.window)) == MAP_FAILED ||
      mmap(behind, from.bytes - bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, from.object,
           off_t(from.offset + bytes)) != behind)
    return false;
  madvise(behind, from.bytes - bytes, MADV_DONTDUMP);  // as choose_dumped says
  return true;
}

}  // namespace ramjet::node
