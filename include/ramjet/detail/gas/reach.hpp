// SPDX-License-Identifier: Apache-2.0
// From the bits of a global pointer to memory, and the single accesses on it. To a near rank's
// memory an access is a load, a store, a copy or an atomic instruction through the mapping; a far
// rank's is served there (far.hpp).
//
// Order. Reads and writes are sequentially consistent among themselves. A processor keeps the order
// of all but a write and a read after it; so a write only notes that it may not have landed yet,
// and the next read, of whatever kind, lets it land first. A run of reads or a run of writes costs
// no fence, and no note: a thread is open to reads of words, or to writes, or to neither.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/base/thread_word.hpp"
#include "ramjet/detail/gas/address_space.hpp"
#include "ramjet/detail/gas/far.hpp"
#include "ramjet/detail/gas/global_bits.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// Says what is wrong with the pointer, or with the length, of a call, and ends the process.
[[noreturn]] RAMJET_COLD void bad_pointer(std::uint64_t bits, std::size_t bytes,
                                          const char* call) noexcept;
[[noreturn]] RAMJET_COLD void misaligned(std::uint64_t bits, std::size_t bytes,
                                         const char* call) noexcept;

// The same of the side of a copy that is this process's memory.
[[noreturn]] RAMJET_COLD void bad_local_pointer(const void* here, const char* call) noexcept;

// Nothing lies in the first page: what points there is null, or a member of what null points to.
RAMJET_INLINE void check_local(const void* here, const char* call) noexcept {
  if (reinterpret_cast<std::uintptr_t>(here) < 4096) [[unlikely]]
    bad_local_pointer(here, call);
}

// The same of memory on another node.
[[noreturn]] RAMJET_COLD void out_of_reach(std::uint64_t bits, const char* call,
                                           const char* why) noexcept;

// Where the bytes are by what holds now, after this thread's writes have landed: null at a far
// rank; or the end.
RAMJET_COLD std::byte* reach_slow(std::uint64_t bits, std::size_t bytes, const char* call) noexcept;

// Where the bytes that a global pointer names are mapped here, null at a far rank;
// `bytes` are no more than a segment has.
RAMJET_INLINE std::byte* reach_within(std::uint64_t bits, std::size_t bytes,
                                      const char* call) noexcept {
  const std::uint64_t rank = rank_of(bits);
  if (bits - places().first[rank] > space.segment_bytes - bytes) [[unlikely]]
    return reach_slow(bits, bytes, call);
  return reinterpret_cast<std::byte*>(bits + places().delta[rank]);
}
RAMJET_INLINE std::byte* reach(std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  if (bytes > space.segment_bytes) [[unlikely]]
    return reach_slow(bits, bytes, call);
  return reach_within(bits, bytes, call);
}
// For a length known to the compiler: a segment is no smaller than a page.
template <std::size_t Bytes>
RAMJET_INLINE std::byte* reach(std::uint64_t bits, const char* call) noexcept {
  if constexpr (Bytes <= 4096) return reach_within(bits, Bytes, call);
  return reach(bits, Bytes, call);
}

// The element that a global pointer names; null at a far rank. Misaligned ones end the process.
template <class T>
T* element_at(std::uint64_t bits, const char* call) noexcept {
  std::byte* const here = reach<sizeof(T)>(bits, call);
  if (address_of(bits) % alignof(T) != 0) [[unlikely]]
    misaligned(bits, alignof(T), call);
  return reinterpret_cast<T*>(here);
}

// Where this thread's reads of words end, as an offset in a segment: words_end, or 0 while it has
// written since its last fence. So one comparison holds a read inside the segment and in order.
extern constinit thread_local std::uint64_t read_end_of_thread asm("ramjet_read_end") RAMJET_TLS;
RAMJET_INLINE std::uint64_t& find_read_end() noexcept {
  return RAMJET_THREAD_OWN(read_end_of_thread, "ramjet_read_end");
}
inline constexpr thread_word<std::uint64_t, find_read_end> read_end;
// Where its writes of words end: words_end, or 0. write_end == 0 || read_end == 0, so a write that
// passes its check needs no note.
extern constinit thread_local std::uint64_t write_end_of_thread asm("ramjet_write_end") RAMJET_TLS;
RAMJET_INLINE std::uint64_t& find_write_end() noexcept {
  return RAMJET_THREAD_OWN(write_end_of_thread, "ramjet_write_end");
}
inline constexpr thread_word<std::uint64_t, find_write_end> write_end;

RAMJET_INLINE void note_write() noexcept { read_end = 0; }

RAMJET_COLD void land_writes_slow() noexcept;

// Lets this thread's writes land. Before every read of more than a word.
RAMJET_INLINE void fence_pending_writes() noexcept {
  if (read_end == 0) [[unlikely]]
    land_writes_slow();
}

// Whether own words must be reached by one name, the window: to the thread sanitizer an atomic
// access by the other is to another word.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kOneName = true;
#else
inline constexpr bool kOneName = false;
#endif

// Finds a word whose offset is below `end`, in near memory. If there is none: the cold path.
// Nothing here branches on the rank, which could not be foreseen among random ones.
RAMJET_INLINE bool find_word(std::uint64_t bits, std::uint64_t end, std::byte*& here) noexcept {
  const std::uint64_t rank = rank_of(bits);
  if (bits - places().first[rank] >= end) [[unlikely]]
    return false;
  here = reinterpret_cast<std::byte*>(bits + places().delta[rank]);
  return true;
}

// What stands in a table of places for a rank. An access is a change of all memory to the compiler;
// of this it knows better, so that a loop over elements of one pointer looks once. The tables
// change when a job is joined or left, at fork in the child too. Numbers that were taken before
// find no word after it: read_end and write_end, which each access reads anew, are 0 outside a job.
template <class T>
RAMJET_INLINE T place_of(const T (&table)[kRankParts], std::uint64_t rank) noexcept {
  static_assert(sizeof(T) == 8);
#if defined(__x86_64__) && !defined(RAMJET_SPACE_CHANGES)
  T value;
  asm("mov{q}\t{(%1,%2,8), %0|%0, QWORD PTR [%1+%2*8]}" : "=r"(value) : "r"(&table[0]), "r"(rank));
  return value;
#else
  return table[rank];
#endif
}

// The compiler computes what follows from it anew, and keeps no register for that.
template <class T>
RAMJET_INLINE T hide_from_optimizer(T value) noexcept {
  asm("" : "+r"(value));
  return value;
}

constexpr std::uint64_t element_bits(std::uint64_t base, std::ptrdiff_t n,
                                     std::size_t element_bytes) noexcept {
  return base + std::uint64_t(n) * element_bytes;
}

// Finds word n after the one that `base` names, where it is in the segment of base's rank, by an
// addition and a comparison: what base alone tells comes first. Else the cold path, which goes by
// the sum, whatever rank that has.
template <class T>
RAMJET_INLINE bool find_element(std::uint64_t base, std::ptrdiff_t n, std::uint64_t end,
                                std::byte*& here) noexcept {
  const std::uint64_t first = place_of(places().first, rank_of(base));
  const std::uint64_t segment =
      hide_from_optimizer(first + place_of(places().delta, rank_of(base)));
  const std::uint64_t offset = base - first + std::uint64_t(n) * sizeof(T);
  if (offset >= end) [[unlikely]]
    return false;
  here = reinterpret_cast<std::byte*>(segment + offset);
  return true;
}

// Around values of more than a word. The compiler warns that the thread sanitizer knows no fences,
// in each program that includes this.
#if defined(__SANITIZE_THREAD__)
inline void value_fence(std::memory_order) noexcept {}
#else
RAMJET_INLINE void value_fence(std::memory_order order) noexcept {
  std::atomic_thread_fence(order);
}
#endif

// A value that one instruction reads or writes: a word of its own, never part of another access.
template <class T>
inline constexpr bool is_word =
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) &&
    alignof(T) == sizeof(T);
template <std::size_t Bytes>
struct word_for {};
// clang-format off
template <> struct word_for<1> { using type [[gnu::may_alias]] = std::uint8_t; };
template <> struct word_for<2> { using type [[gnu::may_alias]] = std::uint16_t; };
template <> struct word_for<4> { using type [[gnu::may_alias]] = std::uint32_t; };
template <> struct word_for<8> { using type [[gnu::may_alias]] = std::uint64_t; };
// clang-format on

// Whether a word that stands there has to be copied. x86 has single accesses at any address, which
// a sanitizer reports where they are not aligned.
template <std::size_t Bytes>
RAMJET_INLINE bool must_copy([[maybe_unused]] const std::byte* here) noexcept {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  return false;
#else
  return reinterpret_cast<std::uintptr_t>(here) % Bytes != 0;
#endif
}

template <class T>
RAMJET_INLINE T load_at(const std::byte* from) noexcept {
  if constexpr (is_word<T>) {
    if (!must_copy<sizeof(T)>(from)) [[likely]] {
      using word_type = typename word_for<sizeof(T)>::type;
      return std::bit_cast<T>(
          // store-load: gas.sequential (both)
          __atomic_load_n(reinterpret_cast<const word_type*>(from), __ATOMIC_SEQ_CST));
    }
  }
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  value_fence(std::memory_order_acquire);  // pairs: gas.value
  return std::bit_cast<T>(bytes);
}

// The caller notes the write.
template <class T>
RAMJET_INLINE void place_at(std::byte* to, const T& value) noexcept {
  if constexpr (is_word<T>) {
    if (!must_copy<sizeof(T)>(to)) [[likely]] {
      using word_type = typename word_for<sizeof(T)>::type;
      // The order of the store publishes what this rank wrote before it.
      return __atomic_store_n(reinterpret_cast<word_type*>(to), std::bit_cast<word_type>(value),
                              __ATOMIC_RELEASE);  // pairs: gas.value
    }
  }
  value_fence(std::memory_order_release);  // pairs: gas.value
  std::memcpy(to, &value, sizeof(T));
}
template <class T>
RAMJET_INLINE void store_at(std::byte* to, const T& value) noexcept {
  place_at(to, value);
  note_write();
}

// A word as the number that the cold path hands on, and back.
template <class T>
RAMJET_INLINE std::uint64_t bits_of_word(const T& value) noexcept {
  return std::bit_cast<typename word_for<sizeof(T)>::type>(value);
}
template <class T>
RAMJET_INLINE T word_from_bits(std::uint64_t value) noexcept {
  using word_type = typename word_for<sizeof(T)>::type;
  return std::bit_cast<T>(static_cast<word_type>(value));
}

template <class T>
RAMJET_INLINE T load(std::uint64_t bits, const char* call) {
  if constexpr (is_word<T>) {
    std::byte* here;
    if (!find_word(bits, read_end, here) || must_copy<sizeof(T)>(here)) [[unlikely]] {
      std::uint64_t number = 0;
      word_slow(access_op::load, &number, bits, 0, 0, sizeof(T), completes::now, call);
      return word_from_bits<T>(number);
    }
    return load_at<T>(here);
  } else {
    fence_pending_writes();
    if (const std::byte* const here = reach<sizeof(T)>(bits, call); here != nullptr) [[likely]]
      return load_at<T>(here);
    std::array<std::byte, sizeof(T)> bytes;
    far_in(bytes.data(), bits, sizeof(T), completes::now, call);
    return std::bit_cast<T>(bytes);
  }
}
// The same, but what is far comes by sync_all().
template <class T>
RAMJET_INLINE void load_into(T* into, std::uint64_t bits, completes when,
                             const char* call) noexcept {
  if constexpr (is_word<T>) {
    std::byte* here;
    if (!find_word(bits, read_end, here) || must_copy<sizeof(T)>(here)) [[unlikely]]
      return word_slow(access_op::load, into, bits, 0, 0, sizeof(T), when, call);
    *into = load_at<T>(here);
  } else {
    fence_pending_writes();
    const std::byte* const here = reach<sizeof(T)>(bits, call);
    if (here == nullptr) [[unlikely]]
      return far_in(into, bits, sizeof(T), when, call);
    *into = load_at<T>(here);
  }
}
// Whether the value was stored in place, so that the caller still has to count it.
template <class T>
RAMJET_INLINE bool store(std::uint64_t bits, const T& value, completes when, const char* call) {
  if constexpr (is_word<T>) {
    std::byte* here;
    if (!find_word(bits, write_end, here) || must_copy<sizeof(T)>(here)) [[unlikely]] {
      word_slow(access_op::store, nullptr, bits, bits_of_word(value), 0, sizeof(T), when, call);
      return false;
    }
    place_at(here, value);
  } else {
    std::byte* const here = reach<sizeof(T)>(bits, call);
    if (here == nullptr) [[unlikely]] {
      far_out(bits, &value, sizeof(T), when, call);
      return false;
    }
    store_at(here, value);
  }
  return true;
}

// Element n after the one that `base` names.
template <class T>
RAMJET_INLINE T load_element(std::uint64_t base, std::ptrdiff_t n, const char* call) {
  if constexpr (is_word<T>) {
    if (!__builtin_constant_p(n) || n != 0) {
      std::byte* here;
      if (find_element<T>(base, n, read_end, here) && !must_copy<sizeof(T)>(here)) [[likely]]
        return load_at<T>(here);
      std::uint64_t number = 0;
      word_slow(access_op::load, &number, element_bits(base, hide_from_optimizer(n), sizeof(T)), 0,
                0, sizeof(T), completes::now, call);
      return word_from_bits<T>(number);
    }
  }
  return load<T>(element_bits(base, n, sizeof(T)), call);
}
template <class T>
RAMJET_INLINE void store_element(std::uint64_t base, std::ptrdiff_t n, const T& value,
                                 const char* call) {
  if constexpr (is_word<T>) {
    if (!__builtin_constant_p(n) || n != 0) {
      std::byte* here;
      if (find_element<T>(base, n, write_end, here) && !must_copy<sizeof(T)>(here)) [[likely]]
        return place_at(here, value);
      return word_slow(access_op::store, nullptr,
                       element_bits(base, hide_from_optimizer(n), sizeof(T)), bits_of_word(value),
                       0, sizeof(T), completes::now, call);
    }
  }
  store(element_bits(base, n, sizeof(T)), value, completes::now, call);
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
