// SPDX-License-Identifier: Apache-2.0
// Two ranks with a core each, both at once, at random words of a table that is spread over them:
// word i is word i / 2 of rank i mod 2. The limit is the same loop of bare locked additions or
// loads at the same words, by plain addresses. (bale's histogram and indexgather, one at a time.)
//
//   histogram_1e6, _1e7     one-way atomic additions
//   indexgather_1e6, _1e7   blocking reads
//   indexgather_each_1e6 ...the same by read_each
//   histogram_agg_1e6, ...  the same by aggregated messages to the owner; the limit sends blocks by
//   indexgather_agg_1e6 ... hand (hand_ring.hpp), and looks ahead as the handlers do
//   net_histogram_agg_1e6   between machines; the limit sends blocks by plain sockets
//                           (hand_socket.hpp)
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "harness/check.hpp"
#include "micro/bodies.hpp"
#include "micro/hand_ring.hpp"
#include "micro/hand_socket.hpp"
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

// What this rank's counters are after each rank went through its indices `rounds` times.
void check_counters(const table& t, std::size_t count, unsigned accesses, word rounds) {
  std::vector<word> due(t.mine.size());
  for (int r = 0; r < kRanks; ++r) {
    for (const std::uint32_t i : random_indices(r, accesses, count))
      if (i % kRanks == unsigned(ramjet::rank())) due[i / kRanks] += rounds;
  }
  for (std::size_t k = 0; k < due.size(); ++k)
    BENCH_CHECK(t.mine[k] == due[k], "an addition was lost, or went elsewhere");
}

// Both are loops over the indices; each rank's counters are checked at the end.
template <class Ours, class Limit>
void measure_updates(worker& w, const table& t, std::size_t count, unsigned accesses, Ours&& ours,
                     Limit&& limit) {
  std::fill(t.mine.begin(), t.mine.end(), 0);
  const std::vector<std::uint32_t> indices = random_indices(w.rank(), accesses, count);
  word rounds = 0;
  w.note("words", count);
  w.note("updates", accesses);
  w.measure(
      [&] {
        ++rounds;
        return rate(w, accesses, [&] { ours(indices); });
      },
      [&] {
        ++rounds;
        return rate(w, accesses, [&] { limit(indices); });
      });
  w.meet();
  check_counters(t, count, accesses, rounds);
}

// Both read the words at the indices to the second argument; each block is checked.
template <class Ours, class Limit>
void measure_reads(worker& w, const table& t, std::size_t count, unsigned accesses, Ours&& ours,
                   Limit&& limit) {
  for (std::size_t k = 0; k < t.mine.size(); ++k) t.mine[k] = ~(k * kRanks + unsigned(w.rank()));
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
  w.measure([&] { return checked(rate(w, accesses, [&] { ours(indices, here); })); },
            [&] { return checked(rate(w, accesses, [&] { limit(indices, here); })); });
}

void measure_histogram(worker& w, std::size_t count) {
  const table t(count);
  const plain_table plain(t.words);
  measure_updates(
      w, t, count, w.count(kAccesses),
      [words = t.words](std::span<const std::uint32_t> indices) {
        for (const std::uint32_t i : indices) ramjet::add(words + i, 1);
        ramjet::sync_all();
      },
      [plain](std::span<const std::uint32_t> indices) {
        for (const std::uint32_t i : indices) __atomic_fetch_add(plain.at(i), 1, __ATOMIC_SEQ_CST);
      });
}

using read_loop = void (*)(pointer words, std::span<const std::uint32_t> indices, word* into);
void read_one_by_one(pointer words, std::span<const std::uint32_t> indices, word* into) {
  for (std::size_t k = 0; k < indices.size(); ++k) into[k] = ramjet::read(words + indices[k]);
}
void read_at_once(pointer words, std::span<const std::uint32_t> indices, word* into) {
  ramjet::read_each(words, indices, into);
}

void measure_indexgather(worker& w, std::size_t count, read_loop read) {
  const table t(count);
  const plain_table plain(t.words);
  measure_reads(
      w, t, count, w.count(kAccesses),
      [words = t.words, read](std::span<const std::uint32_t> indices, std::span<word> into) {
        read(words, indices, into.data());
      },
      [plain](std::span<const std::uint32_t> indices, std::span<word> into) {
        for (std::size_t k = 0; k < into.size(); ++k)
          into[k] = __atomic_load_n(plain.at(indices[k]), __ATOMIC_RELAXED);
      });
}

// --- By messages to the owner --------------------------------------------------------------------

// What the handlers work on.
std::span<word> own_words;
std::span<word> gathered;

constexpr std::size_t kAhead = 16;  // items between the prefetch of a word and its use

// Calls use(item) for each item, whose word of the table is fetched before.
template <class Item, class Word, class Use>
void in_order(std::span<const Item> all, Word&& word_of, Use&& use) {
  const std::size_t early = std::min(kAhead, all.size());
  for (std::size_t k = 0; k < early; ++k) __builtin_prefetch(word_of(all[k]), 1);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k + kAhead < all.size()) __builtin_prefetch(word_of(all[k + kAhead]), 1);
    use(all[k]);
  }
}

void add_all(std::span<const std::uint32_t> places) {
  in_order(
      places, [](std::uint32_t at) { return &own_words[at]; },
      [](std::uint32_t at) { ++own_words[at]; });
}
void on_additions(std::span<const std::uint32_t> places) { add_all(places); }

struct question {
  std::uint32_t place, slot;
};
struct answer {
  word value;
  word slot;
};
void on_answers(ramjet::reply_token, ramjet::payload p) {
  for (const answer& a : p.as<answer>()) gathered[a.slot] = a.value;
}
void on_questions(ramjet::request_token t, std::span<const question> all) {
  static std::array<answer, 8192 / sizeof(question)> answers;
  std::size_t n = 0;
  in_order(
      all, [](const question& q) { return &own_words[q.place]; },
      [&](const question& q) { answers[n++] = {own_words[q.place], q.slot}; });
  ramjet::reply_medium<&on_answers>(std::move(t), answers.data(), n * sizeof(answer));
}

void add_by_messages(std::span<const std::uint32_t> indices, int me) {
  for (const std::uint32_t i : indices) {
    if (int(i % kRanks) == me)
      ++own_words[i / kRanks];
    else
      ramjet::request<&on_additions>(1 - me, i / kRanks);
  }
  ramjet::quiesce();
}
void read_by_messages(std::span<const std::uint32_t> indices, int me) {
  for (std::uint32_t k = 0; k < indices.size(); ++k) {
    const std::uint32_t i = indices[k];
    if (int(i % kRanks) == me)
      gathered[k] = own_words[i / kRanks];
    else
      ramjet::request<&on_questions>(1 - me, question{i / kRanks, k});
  }
  ramjet::quiesce();
}

// The rings of both ranks: [r] is written by rank r. Zero at first, as fresh segments are.
struct hand_rings {
  hand_ring<std::uint32_t> additions[kRanks];
  hand_ring<question> questions[kRanks];
  hand_ring<answer> answers[kRanks];
};
hand_rings& rings_at_rank_1(worker& w) {
  return *reinterpret_cast<hand_rings*>(w.memory_at_rank_1(sizeof(hand_rings)));
}

void add_by_hand(hand_rings& rings, std::span<const std::uint32_t> indices, int me) {
  auto& out = rings.additions[me];
  bool more = true;
  const auto take = [&] { more = more && rings.additions[1 - me].take(add_all); };
  for (const std::uint32_t i : indices) {
    if (int(i % kRanks) == me)
      ++own_words[i / kRanks];
    else
      out.add(i / kRanks, take);
  }
  out.finish(take);
  while (more) take();
}

void read_by_hand(hand_rings& rings, std::span<const std::uint32_t> indices, int me) {
  bool more = true, more_answers = true;
  const auto take_answers = [&] {
    more_answers = more_answers && rings.answers[1 - me].take([](std::span<const answer> all) {
      for (const answer& a : all) gathered[a.slot] = a.value;
    });
  };
  const auto take = [&] {
    take_answers();
    more = more && rings.questions[1 - me].take([&](std::span<const question> all) {
      in_order(
          all, [](const question& q) { return &own_words[q.place]; },
          [&](const question& q) {
            rings.answers[me].add({own_words[q.place], q.slot}, take_answers);
          });
      if (all.empty()) rings.answers[me].finish(take_answers);
    });
  };
  for (std::uint32_t k = 0; k < indices.size(); ++k) {
    const std::uint32_t i = indices[k];
    if (int(i % kRanks) == me)
      gathered[k] = own_words[i / kRanks];
    else
      rings.questions[me].add({i / kRanks, k}, take);
  }
  rings.questions[me].finish(take);
  while (more) take();
  while (more_answers) take_answers();
}

void measure_histogram_agg(worker& w, std::size_t count) {
  const table t(count);
  hand_rings& rings = rings_at_rank_1(w);
  own_words = t.mine;
  measure_updates(
      w, t, count, w.count(8 * kAccesses),
      [&](std::span<const std::uint32_t> indices) { add_by_messages(indices, w.rank()); },
      [&](std::span<const std::uint32_t> indices) { add_by_hand(rings, indices, w.rank()); });
}

void add_by_socket(raw_tcp& tcp, std::span<const std::uint32_t> indices, std::size_t due, int me) {
  hand_socket<std::uint32_t> stream(tcp, due);
  for (const std::uint32_t i : indices) {
    if (int(i % kRanks) == me)
      ++own_words[i / kRanks];
    else
      stream.add(i / kRanks, add_all);
  }
  stream.finish(add_all);
}

void measure_net_histogram_agg(worker& w, std::size_t count) {
  const table t(count);
  own_words = t.mine;
  const unsigned accesses = w.count(8 * kAccesses);
  const auto theirs = random_indices(1 - w.rank(), accesses, count);
  const auto due = std::size_t(std::count_if(
      theirs.begin(), theirs.end(), [&](std::uint32_t i) { return int(i % kRanks) == w.rank(); }));
  measure_updates(
      w, t, count, accesses,
      [&](std::span<const std::uint32_t> indices) { add_by_messages(indices, w.rank()); },
      [&](std::span<const std::uint32_t> indices) {
        add_by_socket(w.tcp(), indices, due, w.rank());
      });
}

void measure_indexgather_agg(worker& w, std::size_t count) {
  const table t(count);
  hand_rings& rings = rings_at_rank_1(w);
  own_words = t.mine;
  measure_reads(
      w, t, count, w.count(8 * kAccesses),
      [&](std::span<const std::uint32_t> indices, std::span<word> into) {
        gathered = into;
        read_by_messages(indices, w.rank());
      },
      [&](std::span<const std::uint32_t> indices, std::span<word> into) {
        gathered = into;
        read_by_hand(rings, indices, w.rank());
      });
}

}  // namespace

void measure_histogram_1e6(worker& w) { measure_histogram(w, 1'000'000); }
void measure_histogram_1e7(worker& w) { measure_histogram(w, 10'000'000); }
void measure_indexgather_1e6(worker& w) { measure_indexgather(w, 1'000'000, read_one_by_one); }
void measure_indexgather_1e7(worker& w) { measure_indexgather(w, 10'000'000, read_one_by_one); }
void measure_indexgather_each_1e6(worker& w) { measure_indexgather(w, 1'000'000, read_at_once); }
void measure_indexgather_each_1e7(worker& w) { measure_indexgather(w, 10'000'000, read_at_once); }
void measure_histogram_agg_1e6(worker& w) { measure_histogram_agg(w, 1'000'000); }
void measure_histogram_agg_1e7(worker& w) { measure_histogram_agg(w, 10'000'000); }
void measure_net_histogram_agg_1e6(worker& w) { measure_net_histogram_agg(w, 1'000'000); }
void measure_indexgather_agg_1e6(worker& w) { measure_indexgather_agg(w, 1'000'000); }
void measure_indexgather_agg_1e7(worker& w) { measure_indexgather_agg(w, 10'000'000); }

}  // namespace bench
