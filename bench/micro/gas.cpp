// SPDX-License-Identifier: Apache-2.0
// The global address space between two ranks with a core each: rank 0 accesses, rank 1 serves
// nothing. The limit of each is the same loop of bare loads, stores, copies or locked additions
// through the mapping.
//
//   gas_read_own, gas_write_own     words of rank 0's own, in its first cache: the cost of the call
//   gas_read_node, gas_write_node   random words of a table of rank 1's, just written there,
//                                   by p[i]; in the notes by p + i
//   gas_get_group_N                 the same by gets, N before each sync; where the next N lie
//                                   depends on what came (Arpaci et al. 1995, Figure 6)
//   gas_put_rate, gas_store_rate    8-byte words one after the other into those lines
//   gas_bulk_get_..., _put_...      from and into memory that rank 1 wrote just before
//   gas_fetch_add_node              one counter of rank 1's, which nobody else wants
#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "micro/random_indices.hpp"
#include "ramjet/ramjet.hpp"

namespace bench {
namespace {

using word = std::uint64_t;
using pointer = ramjet::global_ptr<word>;

constexpr unsigned kWords = 2048;  // 16 KiB: half of a first cache
constexpr unsigned kTableWords = 1'000'000;  // 8 MB: more than a second cache
constexpr unsigned kTableAccesses = 1u << 16;

void fill(word* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] = i;
}
constexpr word sum_below(word n) { return n * (n - 1) / 2; }

// So that a loop of bare accesses stays one access each.
word bare_load(const word* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
void bare_store(word* to, word value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }

// Time of body() at rank 0, after rank 1 has written `bytes` of its memory anew.
template <class Body>
double timed(worker& w, word* memory, std::size_t count, Body&& body) {
  if (w.rank() == 1) fill(memory, count);
  w.meet();
  double ns = 0;
  if (w.rank() == 0) {
    const double begin_ns = now_ns();
    body();
    ns = now_ns() - begin_ns;
  }
  w.meet();
  return ns;
}

word* words_at_rank_1(worker& w, std::size_t count) {
  return reinterpret_cast<word*>(w.memory_at_rank_1(count * sizeof(word)));
}

// Rank 0's own words, gone through `rounds` times.
template <class Ours, class Bare>
void measure_own(worker& w, Ours&& ours, Bare&& bare) {
  const std::span<word> own = ramjet::segment_array<word>(kWords);
  const unsigned rounds = w.count(40);
  const auto each = [&w, rounds](auto&& round) {
    return timed(w, nullptr, 0,
                 [&] {
                   for (unsigned i = 0; i < rounds; ++i) round();
                 }) /
           (double(rounds) * kWords);
  };
  fill(own.data(), own.size());
  const pointer p(own.data());
  word* const plain = p.local();
  w.measure([&] { return each([&] { ours(p); }); }, [&] { return each([&] { bare(plain); }); });
}

using indices = std::vector<std::uint32_t>;

// Random words of a table of rank 1's, whose word i is i. The ways go through a list of indices and
// return a word; after(table, list, word) checks at rank 0, outside the time, what that led to.
// `beside` is another way than ours, by p + i.
template <class Ours, class Beside, class Bare, class After>
void measure_table(worker& w, Ours&& ours, Beside&& beside, Bare&& bare, After&& after) {
  word* const there = words_at_rank_1(w, kTableWords);
  const pointer p(there);
  const unsigned count = w.count(kTableAccesses);
  const indices list = random_indices(0, count, kTableWords);
  w.note("words", kTableWords);
  w.note("accesses", count);
  const auto each = [&](auto&& body) {
    word result = 0;
    const double ns = timed(w, there, kTableWords, [&] { result = body(); });
    if (w.rank() == 0) after(there, list, result);
    w.meet();
    return ns / count;
  };
  if constexpr (!std::is_null_pointer_v<std::remove_cvref_t<Beside>>)
    w.beside("by_pointer_ns", [&] { return each([&] { return beside(p, list); }); });
  w.measure([&] { return each([&] { return ours(p, list); }); },
            [&] { return each([&] { return bare(there, list); }); });
}

// Goes through the list in groups; returns 0 if all is right. fetch(into, k, shift) brings the
// group's words, those at list[k + j] + shift; the shift is 0, which only the words of the group
// before can tell.
template <std::size_t Group, class Fetch>
word in_groups(const indices& list, Fetch&& fetch) {
  std::array<word, Group> got;
  word shift = 0;
  for (std::size_t k = 0; k + Group <= list.size(); k += Group) {
    fetch(got, k, shift);
    word wrong = 0;
    for (std::size_t j = 0; j < Group; ++j) wrong |= got[j] ^ (list[k + j] + shift);
    shift = wrong;
  }
  return shift;
}

template <std::size_t Group>
void measure_get_group(worker& w) {
  w.note("group", Group);
  measure_table(
      w,
      [](pointer p, const indices& list) {
        return in_groups<Group>(list, [&](auto& into, std::size_t k, word shift) {
          for (std::size_t j = 0; j < Group; ++j)
            ramjet::get(&into[j], p + std::ptrdiff_t(list[k + j] + shift));
          ramjet::sync_all();
        });
      },
      nullptr,
      [](const word* p, const indices& list) {
        return in_groups<Group>(list, [&](auto& into, std::size_t k, word shift) {
          for (std::size_t j = 0; j < Group; ++j) into[j] = bare_load(p + list[k + j] + shift);
        });
      },
      [](const word*, const indices&, word wrong) {
        BENCH_CHECK(wrong == 0, "a get gave something else");
      });
}

// Millions of words a second into rank 1's lines.
template <class Ours>
void measure_stream(worker& w, Ours&& ours) {
  word* const there = words_at_rank_1(w, kWords);
  const pointer p(there);
  const unsigned rounds = w.count(40);
  const auto rate = [&w, there, rounds](auto&& one) {
    const double ns = timed(w, there, kWords, [&] {
      for (unsigned round = 0; round < rounds; ++round)
        for (unsigned i = 0; i < kWords; ++i) one(i, round + i);
    });
    if (w.rank() == 1)
      BENCH_CHECK(there[kWords - 1] == rounds - 1 + kWords - 1, "a stored word is not there");
    return ns == 0 ? 0 : 1e3 * rounds * kWords / ns;
  };
  // By value: a pointer that is captured by reference is loaded again after every store.
  w.measure([&] { return rate([ours, p](unsigned i, word v) { ours(p + i, v); }); },
            [&] { return rate([there](unsigned i, word v) { bare_store(there + i, v); }); });
}

template <class Ours, class Bare>
void measure_bulk(worker& w, std::size_t bytes, Ours&& ours, Bare&& bare) {
  word* const there = words_at_rank_1(w, bytes / sizeof(word));
  std::vector<word> here(bytes / sizeof(word));
  fill(here.data(), here.size());
  w.note("bytes", bytes);
  const auto rate = [&](auto&& copy) {
    const double ns = timed(w, there, bytes / sizeof(word), [&] { copy(); });
    BENCH_CHECK(here.back() == here.size() - 1 && here[1] == 1, "a block arrived wrong");
    return ns == 0 ? 0 : double(bytes) / ns;
  };
  const pointer p(there);
  w.measure([&] { return rate([&] { ours(p, here.data()); }); },
            [&] { return rate([&] { bare(there, here.data()); }); });
}

void measure_get(worker& w, std::size_t bytes) {
  measure_bulk(
      w, bytes,
      [bytes](pointer there, word* here) {
        ramjet::bulk_get(here, there, bytes);
        ramjet::sync_all();
      },
      [bytes](const word* there, word* here) { std::memcpy(here, there, bytes); });
}
void measure_put(worker& w, std::size_t bytes) {
  measure_bulk(
      w, bytes,
      [bytes](pointer there, const word* here) {
        ramjet::bulk_put(there, here, bytes);
        ramjet::sync_all();
      },
      [bytes](word* there, const word* here) { std::memcpy(there, here, bytes); });
}

}  // namespace

void measure_gas_read_own(worker& w) {
  measure_own(
      w,
      [](pointer p) {
        word sum = 0;
        for (unsigned i = 0; i < kWords; ++i) sum += ramjet::read(p + i);
        BENCH_CHECK(sum == sum_below(kWords), "read gave something else");
      },
      [](const word* p) {
        word sum = 0;
        for (unsigned i = 0; i < kWords; ++i) sum += bare_load(p + i);
        BENCH_CHECK(sum == sum_below(kWords), "a load gave something else");
      });
}
void measure_gas_write_own(worker& w) {
  measure_own(
      w,
      [](pointer p) {
        for (unsigned i = 0; i < kWords; ++i) ramjet::write(p + i, i);
      },
      [](word* p) {
        for (unsigned i = 0; i < kWords; ++i) bare_store(p + i, i);
      });
}

void measure_gas_read_node(worker& w) {
  measure_table(
      w,
      [](pointer p, const indices& list) {
        word sum = 0;
        for (const std::uint32_t i : list) sum += p[i];
        return sum;
      },
      [](pointer p, const indices& list) {
        word sum = 0;
        for (const std::uint32_t i : list) sum += ramjet::read(p + i);
        return sum;
      },
      [](const word* p, const indices& list) {
        word sum = 0;
        for (const std::uint32_t i : list) sum += bare_load(p + i);
        return sum;
      },
      [](const word*, const indices& list, word sum) {
        for (const std::uint32_t i : list) sum -= i;
        BENCH_CHECK(sum == 0, "a read gave something else");
      });
}
void measure_gas_write_node(worker& w) {
  measure_table(
      w,
      [](pointer p, const indices& list) {
        for (const std::uint32_t i : list) p[i] = ~word(i);
        ramjet::sync_all();
        return word(list.size());
      },
      [](pointer p, const indices& list) {
        for (const std::uint32_t i : list) ramjet::write(p + i, ~word(i));
        ramjet::sync_all();
        return word(list.size());
      },
      [](word* p, const indices& list) {
        for (const std::uint32_t i : list) bare_store(p + i, ~word(i));
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return word(list.size());
      },
      [](const word* p, const indices& list, word) {
        for (const std::uint32_t i : list)
          BENCH_CHECK(p[i] == ~word(i), "a word that was written is not there");
      });
}

void measure_gas_get_group_1(worker& w) { measure_get_group<1>(w); }
void measure_gas_get_group_2(worker& w) { measure_get_group<2>(w); }
void measure_gas_get_group_4(worker& w) { measure_get_group<4>(w); }
void measure_gas_get_group_8(worker& w) { measure_get_group<8>(w); }
void measure_gas_get_group_16(worker& w) { measure_get_group<16>(w); }

void measure_gas_put_rate(worker& w) {
  measure_stream(w, [](pointer p, word value) { ramjet::put(p, value); });
}
void measure_gas_store_rate(worker& w) {
  measure_stream(w, [](pointer p, word value) { ramjet::store(p, value); });
}

void measure_gas_bulk_get_64k(worker& w) { measure_get(w, 64 * 1024); }
void measure_gas_bulk_get_1m(worker& w) { measure_get(w, 1024 * 1024); }
void measure_gas_bulk_put_64k(worker& w) { measure_put(w, 64 * 1024); }
void measure_gas_bulk_put_1m(worker& w) { measure_put(w, 1024 * 1024); }

void measure_gas_fetch_add_node(worker& w) {
  word* const there = words_at_rank_1(w, 1);
  const pointer p(there);
  const unsigned count = w.count(20'000);
  const auto each = [&](auto&& one) {
    return timed(w, there, 1,
                 [&] {
                   for (unsigned i = 0; i < count; ++i)
                     BENCH_CHECK(one() == i, "an addition was lost");
                 }) /
           count;
  };
  w.measure([&] { return each([&] { return ramjet::fetch_add(p, 1); }); },
            [&] { return each([&] { return __atomic_fetch_add(there, 1, __ATOMIC_SEQ_CST); }); });
}

}  // namespace bench
