// SPDX-License-Identifier: Apache-2.0
// loop_in_cpp CASE N: loops, switches of more outcomes, counted messages and the heap in C++.
// Activations are made on all ranks.
//
//   chain    element i of an I-structure is the one before it plus i; a loop fetches all of them,
//            two in each round, and weights their sum by what comes from elsewhere meanwhile
//   deadlock the same without the first element
//   counter  N activations take a number and put it back greater by one; their numbers are added
//   hog      frames of 8 MiB until there is no memory for more
//   kinds    the sum of i * 2.5 (N * (N - 1) / 2 of them), of i, and of 1, for i % 3 = 0, 1, 2
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ramjet/tam.hpp"

namespace {

namespace tam = ramjet::tam;

struct cell {
  tam_array array;
  tam::word index, before;

  void arguments(tam_array to, tam::word at) { array = to, index = at; }
  void fetch(tam::quantum& q) { q.ifetch<&cell::before>(this, array, index - 1, TAM_HERE); }
  void store(tam::quantum& q) { q.istore(array, index, before + index, TAM_HERE); }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&cell::arguments>::posts<&cell::fetch>,
                           tam::inlet<&cell::before>::posts<&cell::store>,
                           tam::thread<&cell::fetch>::expects<&cell::before>,
                           tam::thread<&cell::store>::ends>;
};

// The sum of all elements, times a weight that a message of its own brings.
struct weighted_sum {
  tam_array array;
  tam::name parent;
  tam::word length, weight, first, second, next = 0, sum = 0;

  void arguments(tam_array of, tam::word elements, tam::name to) {
    array = of, length = elements, parent = to;
  }
  void fetch(tam::quantum& q) {
    q.ifetch<&weighted_sum::first>(this, array, next, TAM_HERE);
    q.ifetch<&weighted_sum::second>(this, array, next + 1, TAM_HERE);
    next += 2;
  }
  bool add() {
    sum += first + second;
    return next < length;
  }
  tam::word end() { return sum * weight; }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<
      tam::inlet<&weighted_sum::arguments>::posts<&weighted_sum::fetch>,
      tam::inlet<&weighted_sum::weight>::posts<&weighted_sum::end>,
      tam::inlet<&weighted_sum::first>::posts<&weighted_sum::add>,
      tam::inlet<&weighted_sum::second>::posts<&weighted_sum::add>,
      tam::thread<&weighted_sum::fetch>::expects<&weighted_sum::first, &weighted_sum::second>,
      tam::thread<&weighted_sum::add>::switches<tam::again<&weighted_sum::fetch>,
                                                &weighted_sum::end>,
      tam::thread<&weighted_sum::end>::returns<&weighted_sum::parent>>;
};
static_assert(tam::entry_count<&weighted_sum::add> == 2);
static_assert(tam::entry_count<&weighted_sum::end> == 2);
static_assert(tam::entry_count<&weighted_sum::fetch> == 1);

struct gather {
  tam::name parent;
  double sum = 0;

  void add(double value) { sum += value; }
  tam::word end() { return static_cast<tam::word>(sum); }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::counted_inlet<&gather::add>::posts<&gather::end>,
                           tam::thread<&gather::end>::returns<&gather::parent>>;
};

struct counter {
  tam_array array;
  tam::name done;
  tam::word value;

  void arguments(tam_array of, tam::name to) { array = of, done = to; }
  void take(tam::quantum& q) { q.mtake<&counter::value>(this, array, 0, TAM_HERE); }
  double put(tam::quantum& q) {
    q.mput(array, 0, value + 1, TAM_HERE);
    return static_cast<double>(value);
  }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&counter::arguments>::posts<&counter::take>,
                           tam::inlet<&counter::value>::posts<&counter::put>,
                           tam::thread<&counter::take>::expects<&counter::value>,
                           tam::thread<&counter::put>::returns<&counter::done>>;
};

// Three ways to one end, which takes two words in each.
struct kinds {
  tam::name done;
  tam::word index;
  double left = 0, right = 0;
  enum kind { kLarge, kSmall, kOne };

  void arguments(tam::word i, tam::name to) { index = i, done = to; }
  kind choose() const { return static_cast<kind>(index % 3); }
  void large_left() { left = static_cast<double>(index); }
  void large_right() { right = static_cast<double>(index) * 1.5; }
  void small() { left = static_cast<double>(index); }
  void one() { right = 1; }
  double end() { return left + right; }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<
      tam::inlet<&kinds::arguments>::posts<&kinds::choose>,
      tam::thread<&kinds::choose>::switches<tam::all<&kinds::large_left, &kinds::large_right>,
                                            tam::all<&kinds::small, &kinds::end>,
                                            tam::all<&kinds::end, &kinds::one>>,
      tam::thread<&kinds::large_left>::forks<&kinds::end>,
      tam::thread<&kinds::large_right>::forks<&kinds::end>,
      tam::thread<&kinds::small>::forks<&kinds::end>, tam::thread<&kinds::one>::forks<&kinds::end>,
      tam::thread<&kinds::end>::returns<&kinds::done>>;
};
static_assert(tam::entry_count<&kinds::end> == 2 && tam::entry_count<&kinds::small> == 1);

struct hog {
  char bytes[std::size_t{8} << 20];
  void start() {}
  void end() {}

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&hog::start>::posts<&hog::end>, tam::thread<&hog::end>::ends>;
};

void start_chain(tam::word n, bool first) {
  tam::quantum q;
  const tam_array a = tam_ialloc(n, TAM_HERE);
  for (tam::word i = n - 1; i > 0; --i) q.spawn<cell>(tam_next_rank(), a, i);
  weighted_sum* sum = q.call<&weighted_sum::arguments>(a, n, tam_root(1));
  q.send(q.name<&weighted_sum::weight>(sum), 3);
  if (first) q.istore(a, 0, 0, TAM_HERE);
}

gather* start_gather(tam::quantum& q, tam::word n) {
  gather* g = q.falloc<gather>();
  g->parent = tam_root(1);
  q.expect<&gather::add>(g, static_cast<std::uint32_t>(n));
  return g;
}

void start_counter(tam::word n) {
  tam::quantum q;
  const tam_array a = tam_ialloc(1, TAM_HERE);
  gather* g = start_gather(q, n);
  for (tam::word i = 0; i < n; ++i) {
    if (i == n / 2) q.mput(a, 0, 0, TAM_HERE);
    q.spawn<counter>(tam_rank_of_key(i), a, q.name<&gather::add>(g));
  }
}

void start_kinds(tam::word n) {
  tam::quantum q;
  gather* g = start_gather(q, n);
  for (tam::word i = 0; i < n; ++i) q.spawn<kinds>(tam_next_rank(), i, q.name<&gather::add>(g));
}

void start(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "chain";
  const tam::word n = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  if (what == "counter")
    start_counter(n);
  else if (what == "kinds")
    start_kinds(n);
  else if (what == "hog")
    for (;;) tam::quantum::falloc<hog>();
  else
    start_chain(n, what == "chain");
}
void finish() { std::printf("%llu\n", static_cast<unsigned long long>(tam_result(0))); }

}  // namespace

int main(int argc, char** argv) {
  return tam::program<cell, weighted_sum, gather, counter, kinds, hog>(argc, argv, start, finish);
}
