// SPDX-License-Identifier: Apache-2.0
// The lines with which a global pointer that cannot be followed ends the process. The cold half of
// reach.hpp.
#include <cstdio>
#include <cstdlib>

#include "am/runtime.hpp"
#include "base/process_label.hpp"
#include "gas/access_note.hpp"
#include "gas/kind_of_memory.hpp"
#include "ramjet/detail/gas/reach.hpp"

namespace ramjet::detail {

constinit thread_local std::uint64_t read_end_of_thread = 0;
constinit thread_local std::uint64_t write_end_of_thread = 0;

void land_writes_slow() noexcept {
  // store-load: gas.sequential (both)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  write_end = 0;
  read_end = live_space.words_end;
}

std::byte* reach_slow(std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  fence_pending_writes();
  const address_space& now = live_space;
  const std::uint64_t rank = rank_of(bits), offset = address_of(bits) - now.window_base;
  if (rank >= now.ranks || bytes > now.segment_bytes || offset > now.segment_bytes - bytes)
    bad_pointer(bits, bytes, call);
  if (rank == now.rank()) return reinterpret_cast<std::byte*>(now.window_base + offset);
  if (!now.is_near(rank)) return nullptr;
  // What the table of places leaves out is here to be told.
  if (bits - now.near->first[rank] >= now.segment_bytes && current_engine->is_open())
    note_access(*current_engine, bits, bytes, call);
  return reinterpret_cast<std::byte*>(now.segment_base + rank * now.segment_bytes + offset);
}

std::uint64_t advance_wrapped_slow(std::uint64_t bits, std::ptrdiff_t n,
                                   std::size_t element_bytes) noexcept {
  const address_space& now = live_space;
  if (now.ranks == 0) return make_bits(std::uint16_t(rank_of(bits) + std::uint64_t(n)), bits);
  return advance_wrapped(bits, n, element_bytes, now.ranks, now.ranks_log);
}

namespace {

[[noreturn]] void end() noexcept {
  std::fflush(stderr);
  std::abort();
}

}  // namespace

void bad_pointer(std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  const auto rank = unsigned(rank_of(bits));
  const auto address = static_cast<unsigned long long>(address_of(bits));
  const std::uint64_t offset = address_of(bits) - live_space.window_base;
  const char* who = base::process_label();
  if (live_space.ranks == 0) no_endpoint(call);
  if (address == 0) {
    std::fprintf(stderr, "%s: %s through a null pointer (of rank %u)\n", who, call, rank);
  } else if (rank >= live_space.ranks) {
    std::fprintf(stderr, "%s: %s: there is no rank %u: the ranks are 0 to %u\n", who, call, rank,
                 unsigned(live_space.ranks - 1));
  } else if (offset >= live_space.segment_bytes) {
    std::fprintf(stderr, "%s: %s: address 0x%llx is not in the segment of rank %u%s\n", who, call,
                 address, rank, gas::kind_of_memory(address).c_str());
  } else {
    std::fprintf(stderr,
                 "%s: %s: %zu bytes from 0x%llx on run past the end of the segment of rank %u, "
                 "which has %llu more\n",
                 who, call, bytes, address, rank,
                 static_cast<unsigned long long>(live_space.segment_bytes - offset));
  }
  end();
}

void bad_local_pointer(const void* here, const char* call) noexcept {
  if (here == nullptr)
    std::fprintf(stderr, "%s: %s: the pointer to this rank's memory is null\n",
                 base::process_label(), call);
  else
    std::fprintf(stderr, "%s: %s: there is no memory at 0x%llx of this rank\n",
                 base::process_label(), call,
                 static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(here)));
  end();
}

void misaligned(std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  std::fprintf(stderr, "%s: %s: address 0x%llx at rank %u is not a multiple of %zu bytes\n",
               base::process_label(), call, static_cast<unsigned long long>(address_of(bits)),
               unsigned(rank_of(bits)), bytes);
  end();
}

void out_of_reach(std::uint64_t bits, const char* call, const char* why) noexcept {
  std::fprintf(stderr, "%s: %s: the memory of rank %u is on another node: %s\n",
               base::process_label(), call, unsigned(rank_of(bits)), why);
  end();
}

}  // namespace ramjet::detail
