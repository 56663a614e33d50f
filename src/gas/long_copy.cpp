// SPDX-License-Identifier: Apache-2.0
// Long copies to and from near memory: through the caches, or past those of this core. What is
// written past them does not have to be fetched from another core's cache by its reader.
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/machine_profile.hpp"
#include "ramjet/gas.hpp"

namespace ramjet::detail {

namespace {

using base::figure;

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)  // which does not see these stores
constexpr bool kStreams = true;

void stream_line(std::byte* to, const std::byte* from) noexcept {
  const auto load = [from](std::size_t at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
  };
  const __m128i a = load(0), b = load(16), c = load(32), d = load(48);
  auto* const line = reinterpret_cast<__m128i*>(to);
  _mm_stream_si128(line, a);
  _mm_stream_si128(line + 1, b);
  _mm_stream_si128(line + 2, c);
  _mm_stream_si128(line + 3, d);
}

// bytes >= kLongCopyBytes, and the two do not overlap.
void stream(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const std::size_t ahead = -reinterpret_cast<std::uintptr_t>(to) % kCacheLineBytes;
  std::memcpy(to, from, ahead);
  std::size_t at = ahead;
  for (; at + kCacheLineBytes <= bytes; at += kCacheLineBytes) stream_line(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();  // such stores are ordered by nothing else
}
#else
constexpr bool kStreams = false;
void stream(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  std::memcpy(to, from, bytes);
}
#endif

bool overlap(const std::byte* a, const std::byte* b, std::size_t bytes) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto second = reinterpret_cast<std::uintptr_t>(b);
  return first < second ? second - first < bytes : first - second < bytes;
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes, figure streaming) noexcept {
  if (kStreams && bytes >= base::machine(streaming) && !overlap(to, from, bytes))
    return stream(to, from, bytes);
  std::memmove(to, from, bytes);
}

}  // namespace

void copy_long_in(void* into, const std::byte* from, std::size_t bytes) noexcept {
  copy(static_cast<std::byte*>(into), from, bytes, figure::near_read_streaming_bytes);
}
void copy_long_out(std::byte* to, const void* from, std::size_t bytes) noexcept {
  copy(to, static_cast<const std::byte*>(from), bytes, figure::near_write_streaming_bytes);
}

}  // namespace ramjet::detail
