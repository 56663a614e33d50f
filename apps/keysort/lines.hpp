// SPDX-License-Identifier: Apache-2.0
// Keys on their way into buckets. A key alone would bring the line of its place into the cache, and
// its page into the TLB, and both are gone when the bucket's next key comes. So keys of one bucket
// are gathered in a line of their own, and go to memory by whole lines past the caches (software
// write-combining; Wassenberg and Sanders 2011, Engineering a multi-core radix sort).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace keysort {

using key = std::uint64_t;

inline constexpr std::size_t kLineKeys = 8;

// Of at most a line, into one line; a whole one goes past the caches, and others see it after
// lines_written().
inline void write_keys(key* to, std::span<const key> keys) {
#ifdef __SSE2__
  if (keys.size() == kLineKeys) {
    for (std::size_t k = 0; k < kLineKeys; k += 2)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + k),
                       _mm_load_si128(reinterpret_cast<const __m128i*>(keys.data() + k)));
    return;
  }
#endif
  std::copy(keys.begin(), keys.end(), to);
}
inline void lines_written() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

// A line for each bucket. write(bucket, place, keys) puts keys where the bucket's next ones go.
class bucket_lines {
 public:
  explicit bucket_lines(std::size_t buckets) : lines_(buckets), first_(buckets), next_(buckets) {}

  // A bucket's first key goes to places[bucket]. `origin` is place 0, or nullptr if a line begins
  // there.
  void start(std::span<const std::uint64_t> places, const key* origin) {
    before_ = reinterpret_cast<std::uintptr_t>(origin) / sizeof(key) % kLineKeys;
    for (std::size_t b = 0; b < places.size(); ++b) first_[b] = next_[b] = places[b] + before_;
  }
  template <class Write>
  void add(std::size_t bucket, key k, Write&& write) {
    const std::uint64_t at = next_[bucket]++;
    lines_[bucket].keys[at % kLineKeys] = k;
    if (at % kLineKeys == kLineKeys - 1) write_line(bucket, at - (kLineKeys - 1), at + 1, write);
  }
  // Writes what is left.
  template <class Write>
  void finish(Write&& write) {
    for (std::size_t b = 0; b < lines_.size(); ++b)
      write_line(b, next_[b] / kLineKeys * kLineKeys, next_[b], write);
    lines_written();
  }

 private:
  struct alignas(kLineKeys * sizeof(key)) line {
    std::array<key, kLineKeys> keys;
  };

  // What a line that begins at `begin` has from the bucket's first place on.
  template <class Write>
  void write_line(std::size_t bucket, std::uint64_t begin, std::uint64_t end, Write&& write) const {
    const std::uint64_t first = std::max(begin, first_[bucket]);
    if (first < end)
      write(bucket, first - before_,
            std::span<const key>(&lines_[bucket].keys[first - begin], end - first));
  }

  std::vector<line> lines_;
  // By bucket, all `before_` more than the place: keys of its line are those from the last multiple
  // of kLineKeys, or from first_, up to next_.
  std::vector<std::uint64_t> first_, next_;
  std::uint64_t before_ = 0;  // keys in the line of place 0 before it
};

}  // namespace keysort
