// SPDX-License-Identifier: Apache-2.0
// Two ranks with a core each, both at once, at random words of a table that is spread over them:
// word i is word i / 2 of rank i mod 2. The limit is the same loop of bare locked additions or
// loads at the same words, by plain addresses. (bale's histogram and indexgather, one at a time.)
//
//   histogram_1e6, _1e7     one-way atomic additions
//   indexgather_1e6, _1e7   blocking reads
#include <span>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "micro/random_indices.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

using word = std::uint64_t;
using pointer = ramjet::spread_ptr<word>;

constexpr unsigned kAccesses = 1u << 17;  // of each rank in a block
constexpr int kRanks = 2;

// The same words in the mapping of all segments.
class plain_table {
 public:
  explicit plain_table(pointer table) {
    // A segment's first byte, by the address that global pointers have for it.
    const std::byte* const symmetric =
        ramjet::global_ptr<std::byte>(ramjet::segment_begin(ramjet::rank())).local();
    first_ =
        ramjet::segment_begin(0) + (reinterpret_cast<const std::byte*>(table.local()) - symmetric);
  }
  word* at(std::uint32_t index) const {
    return reinterpret_cast<word*>(first_ + index % kRanks * stride_) + index / kRanks;
  }

 private:
  std::size_t stride_ = ramjet::segment_bytes();
  std::byte* first_;  // of rank 0's words
};

struct table {
  explicit table(std::size_t count) : words(ramjet::all_spread_malloc<word>(count)) {
    BENCH_CHECK(bool(words), "the segments have no room for the table");
    mine = {words.local(), count / kRanks};  // count is even
  }
  pointer words;
  std::span<word> mine;
};

// Millions of accesses a second by each rank.
template <class Body>
double rate(worker& w, std::size_t count, Body&& body) {
  w.meet();
  const double begin_ns = now_ns();
  body();
  const double ns = w.elapsed_ns(begin_ns, now_ns());
  return ns == 0 ? 0 : 1e3 * double(count) / ns;
}

// What this rank's counters are after each rank went through its indices so many times.
void check_counters(const table& t, std::size_t count, unsigned accesses, word rounds) {
  std::vector<word> due(t.mine.size());
  for (int r = 0; r < kRanks; ++r) {
    for (const std::uint32_t i : random_indices(r, accesses, count))
      if (i % kRanks == unsigned(ramjet::rank())) due[i / kRanks] += rounds;
  }
  for (std::size_t k = 0; k < due.size(); ++k)
    BENCH_CHECK(t.mine[k] == due[k], "an addition was lost, or went elsewhere");
}

void measure_histogram(worker& w, std::size_t count) {
  const table t(count);
  const plain_table plain(t.words);
  std::fill(t.mine.begin(), t.mine.end(), 0);
  const unsigned accesses = w.count(kAccesses);
  const std::vector<std::uint32_t> indices = random_indices(w.rank(), accesses, count);
  word rounds = 0;
  w.note("words", count);
  w.note("updates", accesses);
  w.measure(
      [&] {
        ++rounds;
        return rate(w, accesses, [&indices, words = t.words] {
          for (const std::uint32_t i : indices) ramjet::add(words + i, 1);
          ramjet::sync();
        });
      },
      [&] {
        ++rounds;
        return rate(w, accesses, [&indices, plain] {
          for (const std::uint32_t i : indices)
            __atomic_fetch_add(plain.at(i), 1, __ATOMIC_SEQ_CST);
        });
      });
  w.meet();
  check_counters(t, count, accesses, rounds);
}

void measure_indexgather(worker& w, std::size_t count) {
  const table t(count);
  const plain_table plain(t.words);
  for (std::size_t k = 0; k < t.mine.size(); ++k) t.mine[k] = ~(k * kRanks + unsigned(w.rank()));
  const unsigned accesses = w.count(kAccesses);
  const std::vector<std::uint32_t> indices = random_indices(w.rank(), accesses, count);
  std::vector<word> here(accesses);
  const auto checked = [&](double value) {
    for (std::size_t k = 0; k < here.size(); ++k) {
      BENCH_CHECK(here[k] == ~word(indices[k]), "a read gave something else");
      here[k] = 0;
    }
    return value;
  };
  w.note("words", count);
  w.note("reads", accesses);
  w.measure(
      [&] {
        return checked(rate(w, accesses, [&indices, &here, words = t.words] {
          for (std::size_t k = 0; k < here.size(); ++k) here[k] = ramjet::read(words + indices[k]);
        }));
      },
      [&] {
        return checked(rate(w, accesses, [&indices, &here, plain] {
          for (std::size_t k = 0; k < here.size(); ++k)
            here[k] = __atomic_load_n(plain.at(indices[k]), __ATOMIC_RELAXED);
        }));
      });
}

}  // namespace

void measure_histogram_1e6(worker& w) { measure_histogram(w, 1'000'000); }
void measure_histogram_1e7(worker& w) { measure_histogram(w, 10'000'000); }
void measure_indexgather_1e6(worker& w) { measure_indexgather(w, 1'000'000); }
void measure_indexgather_1e7(worker& w) { measure_indexgather(w, 10'000'000); }

}  // namespace bench
