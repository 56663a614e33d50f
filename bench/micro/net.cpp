// SPDX-License-Identifier: Apache-2.0
// Between two ranks that share no memory: long messages, gets. Short messages are in short.cpp. The
// limits are taken over a plain TCP connection between the same two processes.
#include <cstring>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

struct {
  std::uint64_t served = 0;  // requests
  std::uint64_t replies = 0;
  std::uint64_t sum = 0;  // of the values that came
} seen;
std::uint64_t served_due = 0, sum_due = 0;

void on_answer(ramjet::reply_token, std::uint64_t value) {
  seen.sum += value;
  ++seen.replies;
}
void on_block(ramjet::request_token t, ramjet::deposit d) {
  const auto words = d.as<std::uint64_t>();
  seen.sum += words.front() + words.back();
  ++seen.served;
  ramjet::reply<on_answer>(std::move(t), std::uint64_t{0});
}

void serve(unsigned count) {
  served_due += count;
  ramjet::wait_until([] { return seen.served == served_due; }, "benchmark: requests");
}
void check_sum(std::uint64_t more) {
  sum_due += more;
  BENCH_CHECK(seen.sum == sum_due, "messages between machines came wrong");
}

double gigabytes_per_s(std::size_t bytes, unsigned count, double ns) {
  return double(bytes) * count / ns;
}

double long_bandwidth(worker& w, const std::vector<std::uint64_t>& source, std::byte* buffers,
                      unsigned slots, unsigned count) {
  const std::size_t bytes = source.size() * 8;
  const double begin_ns = now_ns();
  if (w.rank() == 0) {
    const std::uint64_t before = seen.replies;
    for (std::uint64_t i = 0; i < count; ++i) {
      ramjet::wait_until([&] { return i - (seen.replies - before) < slots; },
                         "benchmark: a buffer to be free");
      ramjet::request_long<on_block>(1, buffers + (i % slots) * bytes, source.data(), bytes);
    }
    ramjet::wait_until([&] { return seen.replies - before == count; }, "benchmark: last replies");
  } else {
    serve(count);
    check_sum(count * (source.front() + source.back()));
  }
  return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
}

void measure_bandwidth(worker& w, std::size_t bytes, unsigned full_count) {
  constexpr unsigned kSlots = 8;
  std::vector<std::uint64_t> source(bytes / 8);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = i + 1;
  std::byte* buffers = w.memory_at_rank_1(bytes * kSlots);
  const unsigned count = w.count(full_count);
  w.note("bytes", bytes);
  w.note("under_way", kSlots);
  w.measure([&] { return long_bandwidth(w, source, buffers, kSlots, count); },
            [&] {
              const double begin_ns = now_ns();
              w.tcp().blocks(count, bytes);
              return gigabytes_per_s(bytes, count, w.elapsed_ns(begin_ns, now_ns()));
            });
}

// ns a get of a random word, `group` of them begun before each sync.
double gets(worker& w, ramjet::global_ptr<std::uint64_t> far, unsigned group, unsigned count) {
  constexpr unsigned kWords = 1024, kGroupMost = 16;
  if (w.rank() != 0) {
    w.meet();
    return 0;
  }
  std::uint64_t got[kGroupMost];
  std::uint64_t wrong = 0, at = 0;
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; i += group) {
    for (unsigned k = 0; k < group; ++k) ramjet::get(&got[k], far + (at + k * 61) % kWords);
    ramjet::sync();
    for (unsigned k = 0; k < group; ++k) wrong += got[k] != (at + k * 61) % kWords;
    at += 17;
  }
  const double each_ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(wrong == 0, "gets from another machine came wrong");
  w.meet();
  return each_ns;
}

}  // namespace

void measure_net_bandwidth_64k(worker& w) { measure_bandwidth(w, 64 * 1024, 2000); }
void measure_net_bandwidth_1m(worker& w) { measure_bandwidth(w, 1024 * 1024, 200); }

// The limit is what a blocking program pays: a sync after each.
void measure_net_gas_get_group_16(worker& w) {
  constexpr unsigned kWords = 1024;
  auto* words = reinterpret_cast<std::uint64_t*>(w.memory_at_rank_1(kWords * 8));
  if (w.rank() == 1)
    for (std::uint64_t i = 0; i < kWords; ++i) words[i] = i;
  w.meet();
  const ramjet::global_ptr<std::uint64_t> far(words);
  const unsigned count = w.count(1600) / 16 * 16 + 16;
  w.measure([&] { return gets(w, far, 16, count); }, [&] { return gets(w, far, 1, count); });
}

}  // namespace bench
