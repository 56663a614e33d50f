// SPDX-License-Identifier: Apache-2.0
// Gets between two ranks that share no memory.
#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

// ns a get of a random word, `group` of them begun before each sync, as one packet.
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
    for (unsigned k = 0; k < group; ++k)
      ramjet::get(&got[k], far + (at + k * 61) % kWords, ramjet::more);
    ramjet::sync_all();
    for (unsigned k = 0; k < group; ++k) wrong += got[k] != (at + k * 61) % kWords;
    at += 17;
  }
  const double each_ns = (now_ns() - begin_ns) / count;
  BENCH_CHECK(wrong == 0, "gets from another machine came wrong");
  w.meet();
  return each_ns;
}

}  // namespace

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
