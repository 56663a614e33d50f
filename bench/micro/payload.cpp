// SPDX-License-Identifier: Apache-2.0
// Messages with data, between two ranks with a core each. What is written and read of a block is
// the same for the messages and for their limits, which do the rest by hand: one copy into memory
// that rank 1 reads, and a flag each way; between machines a plain TCP connection.
//
//   am_medium_1k          there and back. The limit is the raw round trip of two words; the same
//                         echo by hand, one copy and one flag each way, is params.raw_echo_ns.
//   am_medium_64k         rank 0 stamps the first and last word, rank 1 looks at them: what
//                         bandwidth benchmarks usually measure, though most data never leave rank
//                         0's cache. The limit copies into a ring of 8 blocks.
//   am_medium_64k_fresh   rank 0 writes every word anew, rank 1 reads every word: the data cross.
//                         To write in place instead of copying would be slower: plain stores wait
//                         for lines that the reader has one after the other, a copy does not.
//   am_long_64k, _1m      rank 1 reads every word. The limit copies into the same buffers. They are
//                         4 MiB in all: what has left the writer's own cache for a shared one is
//                         read several times faster than what is still there.
//   net_bandwidth_64k, _1m   long messages to another machine, where rank 1 looks at the first and
//                         the last word.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

using words = std::vector<std::uint64_t>;

constexpr std::size_t kEchoBytes = 1024;
constexpr std::size_t kMediumBytes = 64 * 1024;

// Since the start; so is what is waited for, as a block's first messages may come while this rank
// still leaves the meeting before it.
struct {
  std::uint64_t blocks = 0;  // handled here
  std::uint64_t replies = 0;
  std::uint64_t expected = 0;  // what reading a block gives
  bool wrong = false;
  words pattern;  // what was or should be sent
} seen;
std::uint64_t blocks_due = 0;

// noinline: one piece of code for the handler and for the limit.
[[gnu::noinline]] std::uint64_t read_words(const void* data, std::size_t bytes) {
  const auto* w = static_cast<const std::uint64_t*>(data);
  return std::accumulate(w, w + bytes / 8, std::uint64_t{0});
}

std::uint64_t ends(std::span<const std::uint64_t> block) { return block.front() + block.back(); }

words pattern(std::size_t bytes) {
  words w(bytes / 8);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = (i + 1) * 0x9e37'79b9'7f4a'7c15u;
  return w;
}

void serve(unsigned count) {
  blocks_due += count;
  ramjet::wait_until([] { return seen.blocks == blocks_due; }, "benchmark: blocks");
}

double gigabytes_per_s(std::size_t bytes, unsigned count, double ns) {
  return double(bytes) * count / ns;
}

// --- Echo ---------------------------------------------------------------------------------------

void on_echo(ramjet::reply_token, std::uint64_t number, ramjet::payload p) {
  const auto back = p.as<std::uint64_t>();
  seen.wrong |=
      p.size() != kEchoBytes || back.front() != number || back.back() != seen.pattern.back();
  ++seen.replies;
}

void on_echo_checked(ramjet::reply_token, std::uint64_t, ramjet::payload p) {
  const auto back = p.as<std::uint64_t>();
  seen.wrong |= !std::equal(back.begin(), back.end(), seen.pattern.begin(), seen.pattern.end());
  ++seen.replies;
}

template <auto Back>
void on_block_to_echo(ramjet::request_token t, std::uint64_t number, ramjet::payload p) {
  ramjet::reply_medium<Back>(std::move(t), p.data(), p.size(), number);
  ++seen.blocks;
}

template <auto Back>
double echoes(worker& w, unsigned count) {
  if (w.rank() != 0) {
    serve(count);
    return 0;
  }
  const double begin_ns = now_ns();
  for (std::uint64_t i = 0; i < count; ++i) {
    seen.pattern.front() = i;
    const std::uint64_t until = seen.replies + 1;
    ramjet::request_medium<on_block_to_echo<Back>>(1, seen.pattern.data(), kEchoBytes, i);
    ramjet::wait_until([until] { return seen.replies == until; }, "benchmark: an echo");
  }
  const double each_ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(!seen.wrong, "an echo came back wrong");
  return each_ns;
}

double raw_echoes(worker& w, std::byte* buffers, unsigned count) {
  std::byte* back = buffers + kEchoBytes;
  return w.raw().turns_ns(
      count,
      [&](unsigned i) {
        seen.pattern.front() = i;
        std::memcpy(buffers, seen.pattern.data(), kEchoBytes);
      },
      [&](unsigned) { std::memcpy(back, buffers, kEchoBytes); },
      [&](unsigned i) {
        const auto* words_back = reinterpret_cast<const std::uint64_t*>(back);
        return words_back[0] == i && words_back[kEchoBytes / 8 - 1] == seen.pattern.back();
      });
}

// --- Medium, one way ----------------------------------------------------------------------------

constexpr std::size_t kMediumWords = kMediumBytes / 8;

// What fills a block before it is sent, and what is read of it there. Number: of the block.
enum class content { stamped, fresh };

[[gnu::noinline]] void write_fresh(std::uint64_t* to, std::uint64_t number) {
  for (std::uint64_t i = 0; i < kMediumWords; ++i) to[i] = number * kMediumWords + i;
}

template <content C>
void fill(std::uint64_t* to, std::uint64_t number) {
  if constexpr (C == content::fresh) {
    write_fresh(to, number);
  } else {
    to[0] = number;
    to[kMediumWords - 1] = ~number;
  }
}

template <content C>
bool is_right(const void* data, std::uint64_t number) {
  const auto* w = static_cast<const std::uint64_t*>(data);
  if constexpr (C == content::stamped) return w[0] == number && w[kMediumWords - 1] == ~number;
  const std::uint64_t first = number * kMediumWords;
  return w[0] == first && read_words(data, kMediumBytes) ==
                              kMediumWords * first + kMediumWords * (kMediumWords - 1) / 2;
}

template <content C>
void on_medium(std::uint64_t number, ramjet::payload p) {
  seen.wrong |= p.size() != kMediumBytes || !is_right<C>(p.data(), number);
  ++seen.blocks;
}

// The first block, whole: its pattern between the stamps.
void on_whole(std::uint64_t number, ramjet::payload p) {
  const auto w = p.as<std::uint64_t>();
  seen.wrong |= !is_right<content::stamped>(p.data(), number) ||
                !std::equal(w.begin() + 1, w.end() - 1, seen.pattern.begin() + 1);
  ++seen.blocks;
}

template <content C>
double medium_bandwidth(worker& w, words& source, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    for (std::uint64_t i = 0; i < count; ++i) {
      fill<C>(source.data(), i);
      ramjet::request_medium<on_medium<C>>(1, source.data(), kMediumBytes, i);
    }
  } else {
    serve(count);
    BENCH_CHECK(!seen.wrong, "a 64 KiB message arrived wrong");
  }
  return gigabytes_per_s(kMediumBytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

template <content C>
double raw_bandwidth(worker& w, words& source, std::byte* buffers, unsigned slots, unsigned count) {
  const double begin_ns = now_ns();
  w.raw().blocks(
      count, slots,
      [&](unsigned slot, std::uint64_t i) {
        fill<C>(source.data(), i);
        std::memcpy(buffers + slot * kMediumBytes, source.data(), kMediumBytes);
      },
      [&](unsigned slot, std::uint64_t i) {
        return is_right<C>(buffers + slot * kMediumBytes, i);
      });
  return gigabytes_per_s(kMediumBytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

template <content C>
void measure_medium(worker& w) {
  constexpr unsigned kUnderWay = 8;
  words source = pattern(kMediumBytes);
  std::byte* buffers = w.memory_at_rank_1(kMediumBytes * kUnderWay);
  seen.pattern = source;
  if (w.rank() == 0) {
    fill<content::stamped>(source.data(), 0);
    ramjet::request_medium<on_whole>(1, source.data(), kMediumBytes, 0);
  } else {
    serve(1);
  }
  const unsigned count = w.count(200);
  w.note("bytes", kMediumBytes);
  w.measure([&] { return medium_bandwidth<C>(w, source, count); },
            [&] { return raw_bandwidth<C>(w, source, buffers, kUnderWay, count); });
}

// --- Long ---------------------------------------------------------------------------------------

void on_read(ramjet::reply_token) { ++seen.replies; }

void on_long(ramjet::request_token t, ramjet::deposit d) {
  seen.wrong |= read_words(d.data(), d.size()) != seen.expected;
  ++seen.blocks;
  ramjet::reply<on_read>(std::move(t));
}

void on_ends(ramjet::request_token t, ramjet::deposit d) {
  seen.wrong |= ends(d.as<std::uint64_t>()) != seen.expected;
  ++seen.blocks;
  ramjet::reply<on_read>(std::move(t));
}

template <auto OnBlock>
double long_bandwidth(worker& w, const words& source, std::byte* buffers, unsigned slots,
                      unsigned count) {
  const std::size_t bytes = source.size() * 8;
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    const std::uint64_t before = seen.replies;
    for (std::uint64_t i = 0; i < count; ++i) {
      ramjet::wait_until([&] { return i - (seen.replies - before) < slots; },
                         "benchmark: a buffer to be read");
      ramjet::request_long<OnBlock>(1, buffers + (i % slots) * bytes, source.data(), bytes);
    }
    ramjet::wait_until([&] { return seen.replies - before == count; }, "benchmark: last replies");
  } else {
    serve(count);
    BENCH_CHECK(!seen.wrong, "a long message arrived wrong");
  }
  return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

void measure_long(worker& w, std::size_t bytes, unsigned slots, unsigned full_count) {
  const words source = pattern(bytes);
  seen.expected = read_words(source.data(), bytes);
  std::byte* buffers = w.memory_at_rank_1(bytes * slots);
  const unsigned count = w.count(full_count);
  w.note("bytes", bytes);
  w.note("under_way", slots);
  w.measure([&] { return long_bandwidth<on_long>(w, source, buffers, slots, count); },
            [&] {
              const double begin_ns = now_ns();
              w.raw().blocks(
                  count, slots,
                  [&](unsigned slot, std::uint64_t) {
                    std::memcpy(buffers + slot * bytes, source.data(), bytes);
                  },
                  [&](unsigned slot, std::uint64_t) {
                    return read_words(buffers + slot * bytes, bytes) == seen.expected;
                  });
              return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
            });
}

void measure_net_long(worker& w, std::size_t bytes, unsigned full_count) {
  constexpr unsigned kUnderWay = 8;
  const words source = pattern(bytes);
  seen.expected = ends(source);
  std::byte* buffers = w.memory_at_rank_1(bytes * kUnderWay);
  const unsigned count = w.count(full_count);
  w.note("bytes", bytes);
  w.note("under_way", kUnderWay);
  w.measure([&] { return long_bandwidth<on_ends>(w, source, buffers, kUnderWay, count); },
            [&] {
              const double begin_ns = now_ns();
              w.tcp().blocks(count, bytes);
              return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
            });
}

}  // namespace

void measure_medium_echo(worker& w) {
  seen.pattern = pattern(kEchoBytes);
  const unsigned count = w.count(1000);
  echoes<on_echo_checked>(w, 8);
  w.note("bytes", kEchoBytes);
  std::byte* buffers = w.memory_at_rank_1(2 * kEchoBytes);
  w.beside("raw_echo_ns", [&w, buffers, count] { return raw_echoes(w, buffers, count); });
  w.measure([&w, count] { return echoes<on_echo>(w, count); }, w.raw_round_trip_as_limit());
}

void measure_medium_stream(worker& w) { measure_medium<content::stamped>(w); }
void measure_medium_fresh(worker& w) { measure_medium<content::fresh>(w); }

void measure_long_64k(worker& w) { measure_long(w, 64 * 1024, 64, 200); }
void measure_long_1m(worker& w) { measure_long(w, 1024 * 1024, 4, 16); }
void measure_net_bandwidth_64k(worker& w) { measure_net_long(w, 64 * 1024, 2000); }
void measure_net_bandwidth_1m(worker& w) { measure_net_long(w, 1024 * 1024, 200); }

}  // namespace bench
