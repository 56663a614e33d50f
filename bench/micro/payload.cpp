// SPDX-License-Identifier: Apache-2.0
// Messages with data, between two ranks with a core each.
//
// The limits do the same work by hand, with as many buffers under way (kUnderWay): rank 0 copies its
// block into memory that rank 1 reads, a flag each way. What is read of a block is said once, here,
// and is the same function for the handler and for the limit:
//
//   am_medium_64k         one word of every line, so that all data cross from core to core
//   am_long_64k, _1m      every word, summed
//   am_medium_64k_fresh   every word, and rank 0 writes every word anew before it sends, so that
//                         nothing can live off what an earlier message left in a cache
#include <numeric>
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
  words echo;
} seen;
std::uint64_t blocks_due = 0;

// noinline: one piece of code for the handler and for the limit.
[[gnu::noinline]] std::uint64_t read_lines(const void* data, std::size_t bytes) {
  const auto* w = static_cast<const std::uint64_t*>(data);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes / 8; i += 8) sum += w[i];
  return sum;
}

[[gnu::noinline]] std::uint64_t read_words(const void* data, std::size_t bytes) {
  const auto* w = static_cast<const std::uint64_t*>(data);
  return std::accumulate(w, w + bytes / 8, std::uint64_t{0});
}

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

// --- Echo ------------------------------------------------------------------------------------------

void on_echo(ramjet::reply_token, std::uint64_t number, ramjet::payload p) {
  const auto back = p.as<std::uint64_t>();
  seen.wrong |= p.size() != kEchoBytes || back.front() != number ||
                back.back() != seen.echo.back();
  ++seen.replies;
}

void on_echo_checked(ramjet::reply_token, std::uint64_t, ramjet::payload p) {
  const auto back = p.as<std::uint64_t>();
  seen.wrong |= !std::equal(back.begin(), back.end(), seen.echo.begin(), seen.echo.end());
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
    seen.echo.front() = i;
    const std::uint64_t until = seen.replies + 1;
    ramjet::request_medium<on_block_to_echo<Back>>(1, seen.echo.data(), kEchoBytes, i);
    ramjet::wait_until([until] { return seen.replies == until; }, "benchmark: an echo");
  }
  const double each_ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(!seen.wrong, "an echo came back wrong");
  return each_ns;
}

// --- Medium, one way -------------------------------------------------------------------------------

void on_medium(ramjet::payload p) {
  seen.wrong |= p.size() != kMediumBytes || read_lines(p.data(), p.size()) != seen.expected;
  ++seen.blocks;
}

double medium_bandwidth(worker& w, const words& source, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    for (unsigned i = 0; i < count; ++i)
      ramjet::request_medium<on_medium>(1, source.data(), kMediumBytes);
  } else {
    serve(count);
    BENCH_CHECK(!seen.wrong, "a 64 KiB message arrived wrong");
  }
  return gigabytes_per_s(kMediumBytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

// --- Medium, fresh data ----------------------------------------------------------------------------

constexpr std::size_t kMediumWords = kMediumBytes / 8;

[[gnu::noinline]] void write_fresh(std::uint64_t* to, std::uint64_t number) {
  for (std::uint64_t i = 0; i < kMediumWords; ++i) to[i] = number * kMediumWords + i;
}

bool is_fresh(const void* data, std::uint64_t number) {
  const std::uint64_t first = number * kMediumWords;
  return static_cast<const std::uint64_t*>(data)[0] == first &&
         read_words(data, kMediumBytes) == kMediumWords * first + kMediumWords * (kMediumWords - 1) / 2;
}

void on_fresh(std::uint64_t number, ramjet::payload p) {
  seen.wrong |= p.size() != kMediumBytes || !is_fresh(p.data(), number);
  ++seen.blocks;
}

double fresh_bandwidth(worker& w, words& source, unsigned count) {
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    for (std::uint64_t i = 0; i < count; ++i) {
      write_fresh(source.data(), i);
      ramjet::request_medium<on_fresh>(1, source.data(), kMediumBytes, i);
    }
  } else {
    serve(count);
    BENCH_CHECK(!seen.wrong, "a 64 KiB message arrived wrong");
  }
  return gigabytes_per_s(kMediumBytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

// --- Long ------------------------------------------------------------------------------------------

void on_read(ramjet::reply_token) { ++seen.replies; }

void on_long(ramjet::request_token t, ramjet::deposit d) {
  seen.wrong |= read_words(d.data(), d.size()) != seen.expected;
  ++seen.blocks;
  ramjet::reply<on_read>(std::move(t));
}

double long_bandwidth(worker& w, const words& source, std::byte* buffers, unsigned slots,
                      unsigned count) {
  const std::size_t bytes = source.size() * 8;
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    const std::uint64_t before = seen.replies;
    for (std::uint64_t i = 0; i < count; ++i) {
      ramjet::wait_until([&] { return i - (seen.replies - before) < slots; },
                         "benchmark: a buffer to be read");
      ramjet::request_long<on_long>(1, buffers + (i % slots) * bytes, source.data(), bytes);
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
  w.measure([&] { return long_bandwidth(w, source, buffers, slots, count); },
            [&] {
              const double begin_ns = now_ns();
              w.raw().copy_blocks(count, buffers, slots, source.data(), bytes, read_words,
                                  seen.expected);
              return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
            });
}

}  // namespace

void measure_medium_echo(worker& w) {
  seen.echo = pattern(kEchoBytes);
  const unsigned count = w.count(1000);
  echoes<on_echo_checked>(w, 8);
  w.note("bytes", kEchoBytes);
  w.measure([&w, count] { return echoes<on_echo>(w, count); }, w.raw_round_trip_as_limit());
}

void measure_medium_stream(worker& w) {
  constexpr unsigned kUnderWay = 4;  // what the engine's payload ring holds
  const words source = pattern(kMediumBytes);
  seen.expected = read_lines(source.data(), kMediumBytes);
  std::byte* buffers = w.memory_at_rank_1(kMediumBytes * kUnderWay);
  const unsigned count = w.count(200);
  w.note("bytes", kMediumBytes);
  w.measure([&] { return medium_bandwidth(w, source, count); },
            [&] {
              const double begin_ns = now_ns();
              w.raw().copy_blocks(count, buffers, kUnderWay, source.data(), kMediumBytes,
                                  read_lines, seen.expected);
              return gigabytes_per_s(kMediumBytes, count, w.elapsed_ns(begin_ns, now_ns()));
            });
}

void measure_medium_fresh(worker& w) {
  words source = pattern(kMediumBytes);
  const unsigned count = w.count(200);
  w.note("bytes", kMediumBytes);
  w.measure([&] { return fresh_bandwidth(w, source, count); }, {});
}

void measure_long_64k(worker& w) { measure_long(w, 64 * 1024, 4, 200); }
void measure_long_1m(worker& w) { measure_long(w, 1024 * 1024, 2, 16); }

}  // namespace bench
