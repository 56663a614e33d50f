// SPDX-License-Identifier: Apache-2.0
#include "node/segments.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "base/cpus.hpp"
#include "base/instrumentation.hpp"
#include "base/system.hpp"
#include "node/dumped_pages.hpp"

// Of the sanitizers' libraries, and of a program that asks its linker for low addresses
// (symmetric.ld); null elsewhere.
extern "C" {
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __msan_init();
[[gnu::weak]] extern const char ramjet_low_addresses;
}

namespace ramjet::node {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kModestSegmentBytes = 256 * kMiB;
constexpr const char* kTaken = "the segments' address range is taken in this process";

// Maps a part of the object at a fixed address.
bool map_at(int object, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
            std::string& message) {
  auto* wanted = reinterpret_cast<void*>(address);
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, object, off_t(offset));
  if (got == wanted) return true;
  message = got == MAP_FAILED ? base::os_error("cannot map the segments") : kTaken;
  return false;
}

// Keeps an address range free, so that an access there faults.
bool reserve_at(std::uint64_t address, std::uint64_t bytes, std::string& message) {
  auto* wanted = reinterpret_cast<void*>(address);
  void* got = mmap(wanted, bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == wanted) return true;
  message =
      got == MAP_FAILED ? base::os_error("cannot reserve the segments of other nodes") : kTaken;
  return false;
}

// What is in the window behind the program's variables.
void unmap_window(const geometry& g, const program_part& program) noexcept {
  munmap(reinterpret_cast<void*>(g.window_base + program.variable_bytes),
         g.segment_bytes - program.variable_bytes);
}

// Neighbours of one kind, of this node or of others, at once.
bool map_segments(int object, const geometry& g, unsigned rank,
                  std::span<const std::uint16_t> node_of, std::string& message) {
  for (unsigned first = 0, end; first < g.ranks; first = end) {
    const bool near = node_of[first] == node_of[rank];
    for (end = first + 1; end < g.ranks && (node_of[end] == node_of[rank]) == near;) ++end;
    const std::uint64_t before = first * g.segment_bytes;
    const std::uint64_t address = g.segment_base + before;
    const std::uint64_t bytes = (end - first) * g.segment_bytes;
    if (!(near ? map_at(object, address, bytes, g.segments_offset + before, message)
               : reserve_at(address, bytes, message)))
      return false;
  }
  return true;
}

}  // namespace

bool addresses_are_scarce() noexcept {
  return __tsan_init != nullptr || __msan_init != nullptr || &ramjet_low_addresses != nullptr;
}

std::uint64_t default_segment_bytes() {
  // They keep a state of each readable byte.
  if (base::is_present(base::helgrind | base::drd)) return 64 * kMiB;
  if (addresses_are_scarce()) return kGiB;
  return std::clamp(std::bit_ceil(base::usable_memory()), kGiB, 64 * kGiB);
}

bool segment_fits(std::uint64_t segment_bytes, unsigned ranks, std::string& message) {
  if (segment_bytes > kSegmentsBytesMax / ranks) {
    message = "segments of " + std::to_string(segment_bytes) + " bytes for " +
              std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") +
              " are over the 64 TiB of address space there is";
    return false;
  }
  if (segment_bytes > addresses().segment_bytes_max()) {
    message = "a segment of " + std::to_string(segment_bytes) + " bytes is over the " +
              std::to_string(addresses().segment_bytes_max() / kGiB) +
              " GiB that one rank can have";
    return false;
  }
  return true;
}

std::string address_space_advice(const geometry& g) {
  const std::uint64_t mapped = g.total_bytes + g.segment_bytes;
  std::string advice = "; each rank of this job maps " + std::to_string(mapped / kMiB) +
                       " MiB of address space: is it limited (ulimit -v)? ";
  if (g.segment_bytes > kModestSegmentBytes) return advice + "RAMJET_SEGMENT_BYTES=256M needs less";
  return advice + "raise the limit, or set RAMJET_SEGMENT_BYTES below the " +
         std::to_string(g.segment_bytes / kMiB) + " MiB of now";
}

bool map_object(int object, const geometry& g, unsigned rank,
                std::span<const std::uint16_t> node_of, const program_part& program, board*& mapped,
                std::string& message) {
  void* low = mmap(nullptr, g.segments_offset, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                   object, 0);
  // The window but for the program's variables, which are there already. The emulators that want
  // low addresses hold what lies between a program's sections.
  const std::uint64_t own = g.segments_offset + rank * g.segment_bytes + program.variable_bytes;
  if (&ramjet_low_addresses != nullptr) unmap_window(g, program);
  if (low == MAP_FAILED) {
    message = base::os_error("cannot map the job's message rings");
  } else if (map_segments(object, g, rank, node_of, message) &&
             map_at(object, g.window_base + program.variable_bytes,
                    g.segment_bytes - program.variable_bytes, own, message) &&
             move_variables(object, g, rank, program, message)) {
    mapped = static_cast<board*>(low);
    return true;
  }
  if (message != kTaken) message += address_space_advice(g);
  return false;
}

void choose_dumped(const geometry& g, const program_part& program, board* mapped) noexcept {
  const auto leave_out = [](std::uint64_t begin, std::uint64_t end) {
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTDUMP);
  };
  const auto low = std::uint64_t(reinterpret_cast<std::uintptr_t>(mapped));
  leave_out(low + board_bytes(g.ranks), low + g.segments_offset);
  leave_out(g.segment_base, g.segment_base + g.ranks * g.segment_bytes);
  leave_out(g.window_base + program.bytes(), g.window_base + g.segment_bytes);
}

void unmap_object(const geometry& g, const program_part& program, board* mapped) noexcept {
  stop_dumping();
  if (program.stack_bytes == 0) unmap_window(g, program);
  munmap(reinterpret_cast<void*>(g.segment_base), g.ranks * g.segment_bytes);
  munmap(static_cast<void*>(mapped), g.segments_offset);
}

}  // namespace ramjet::node
