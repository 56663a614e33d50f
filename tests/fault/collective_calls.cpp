// SPDX-License-Identifier: Apache-2.0
// Ranks that call different collectives, or whose operators throw, for contract_test.py: the job
// has to end with one line.
//
//   collective_calls FIRST OTHER [team|notify|late|ahead]   rank 0 calls FIRST, the others OTHER
//   collective_calls throws WHAT                     rank 0's operator throws in WHAT
//
// team: of a team whose order is not that of the ranks. notify: a barrier in halves is begun and
// OTHER is called in it. late: rank 0 computes for a while before it calls. ahead: it polls for a
// while, and the others call OTHER over and over.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::team;

struct call {
  const char* name;
  void (*make)(const team&);
};

std::vector<int> values(const team& t) { return std::vector<int>(std::size_t(t.size()), 1); }
constexpr std::size_t kLong = 40'000;

const call kCalls[] = {
    {"barrier", [](const team& t) { static_cast<void>(ramjet::barrier(t)); }},
    {"halves",
     [](const team& t) {
       static_cast<void>(ramjet::barrier_notify(t));
       while (ramjet::barrier_try(t) == ramjet::status::retry) {
       }
     }},
    {"broadcast0",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::broadcast(x, 0, t));
     }},
    {"broadcast1",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::broadcast(x, 1, t));
     }},
    {"reduce0",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::reduce(x, std::plus<>{}, 0, t));
     }},
    {"reduce1",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::reduce(x, std::plus<>{}, 1, t));
     }},
    {"all_reduce",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::all_reduce(x, std::plus<>{}, t));
     }},
    {"long_all_reduce",
     [](const team& t) {
       std::vector<int> x(kLong, 1);
       static_cast<void>(ramjet::all_reduce(std::span(x), std::plus<>{}, t));
     }},
    {"inclusive_scan",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::inclusive_scan(x, std::plus<>{}, t));
     }},
    {"exclusive_scan",
     [](const team& t) {
       int x = 1;
       static_cast<void>(ramjet::exclusive_scan(x, 0, std::plus<>{}, t));
     }},
    {"gather0",
     [](const team& t) {
       std::vector<int> all = values(t);
       static_cast<void>(ramjet::gather(1, all.data(), 0, t));
     }},
    {"all_gather",
     [](const team& t) {
       std::vector<int> all = values(t);
       static_cast<void>(ramjet::all_gather(1, all.data(), t));
     }},
    {"all_to_all",
     [](const team& t) {
       std::vector<int> from = values(t), into = from;
       static_cast<void>(ramjet::all_to_all(std::span(from), std::span(into), t));
     }},
    {"split", [](const team& t) { static_cast<void>(t.split(0)); }},
    {"quiesce", [](const team&) { static_cast<void>(ramjet::quiesce()); }},
    {"finalize", [](const team&) {}},  // main calls it
};

void make(const std::string& name, const team& t) {
  for (const call& c : kCalls)
    if (name == c.name) c.make(t);
}

void run_ahead(const std::string& name, const team& t) {
  for (int i = 0; ramjet::rank() == 0 && i < 300; ++i) {
    ramjet::poll();
    ::usleep(100);
  }
  for (int i = 0; ramjet::rank() != 0 && i < 10'000; ++i) make(name, t);
}

int throwing(int a, int b) {
  if (ramjet::rank() == 0) throw std::runtime_error("no such sum");
  return a + b;
}

void let_an_operator_throw(const std::string& where) {
  int x = 1;
  std::vector<int> many(kLong, 1);
  if (where == "all_reduce") static_cast<void>(ramjet::all_reduce(x, throwing));
  if (where == "long_all_reduce") static_cast<void>(ramjet::all_reduce(std::span(many), throwing));
  if (where == "reduce") static_cast<void>(ramjet::reduce(x, throwing));
  if (where == "inclusive_scan") static_cast<void>(ramjet::inclusive_scan(x, throwing));
  if (where == "all_reduce_int")
    static_cast<void>(ramjet::all_reduce(x, [](int a, int b) -> int {
      if (ramjet::rank() == 0) throw 3;
      return a + b;
    }));
  if (where == "exclusive_scan")  // with the initial value, once all messages have come
    static_cast<void>(ramjet::exclusive_scan(x, 7, [](int a, int b) -> int {
      if (a == 7 || b == 7) throw std::logic_error("seven");
      return a + b;
    }));
  x = 1;
  static_cast<void>(ramjet::all_reduce(x, std::plus<>{}));
}

}  // namespace

int main(int argc, char** argv) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ramjet::init(argc, argv);
  if (argc < 3) return 2;
  const std::string first = argv[1], other = argv[2], how = argc > 3 ? argv[3] : "";
  if (first == "throws") {
    let_an_operator_throw(other);
  } else {
    const team turned = how == "team" ? team::world().split(0, -ramjet::rank()) : team::world();
    if (how == "notify") static_cast<void>(ramjet::barrier_notify());
    if (how == "late" && ramjet::rank() == 0) ::usleep(300'000);
    if (how == "ahead") run_ahead(other, turned);
    make(ramjet::rank() == 0 ? first : other, turned);
    if (how == "notify") static_cast<void>(ramjet::barrier_wait());
  }
  ramjet::finalize();
  return 0;
}
