// SPDX-License-Identifier: Apache-2.0
// How often each word occurs in texts that the ranks make up: every word goes to the rank that owns
// it, which counts it, and nobody waits for that.
//
//   ramjet run -n 4 hash_table
#include <cstdio>
#include <cstring>

#include "ramjet/ramjet.hpp"

namespace {

constexpr unsigned kWords = 50'000;  // of each rank

struct word {
  char letters[8];
  friend bool operator==(const word&, const word&) = default;
};
struct word_hash {  // std::hash knows no words; the result has to be the same in every rank
  std::size_t operator()(const word& w) const {
    std::size_t bits = 0;
    std::memcpy(&bits, w.letters, sizeof w.letters);
    return bits;
  }
};

struct entry {
  unsigned count;
  int first_rank;  // lowest of those that had the word, counted from 1; 0: none yet
};

// Runs at the owner of a word, for a new one on entry{}.
void on_word(entry& e, int rank) {
  ++e.count;
  if (e.first_rank == 0 || rank + 1 < e.first_rank) e.first_rank = rank + 1;
}

// A short word is likelier than a long one.
word next_word(unsigned& state) {
  word w{};
  for (unsigned i = 0; i < sizeof w.letters; ++i) {
    state = state * 1664525 + 1013904223;
    w.letters[i] = char('a' + (state >> 24) % 4);
    if ((state >> 16) % 2 == 0) break;
  }
  return w;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  auto table = ramjet::hash_table<word, entry, word_hash>::all_make();

  unsigned state = unsigned(ramjet::rank());
  for (unsigned i = 0; i < kWords; ++i) table.update<on_word>(next_word(state), ramjet::rank());
  ramjet::quiesce();  // every update has been done, wherever it went

  unsigned long words = 0;  // of all ranks, by what the tables say
  table.for_my_elements([&](const word&, const entry& e) { words += e.count; });
  ramjet::all_reduce(words, [](unsigned long a, unsigned long b) { return a + b; });
  std::size_t different = 0;
  table.all_size(different);

  const bool well = words == static_cast<unsigned long>(ramjet::size()) * kWords;
  if (ramjet::rank() == 0) {
    const auto a = table.find(word{"a"}).get();  // asks the owner
    std::printf("%lu words, %zu different; \"a\" occurs %u times, %s\n", words, different,
                a ? a->count : 0, well ? "none is lost" : "some are LOST");
  }
  table.all_free();
  ramjet::finalize();
  return well ? 0 : 1;
}
