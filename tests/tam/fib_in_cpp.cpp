// SPDX-License-Identifier: Apache-2.0
// fib N: the program of fib.c in C++.
#include <cstdio>
#include <cstdlib>

#include "ramjet/tam.hpp"

namespace {

namespace tam = ramjet::tam;

struct fib {
  tam::name parent;
  tam::word n, left, right;

  void arguments(tam::name to, tam::word of) { parent = to, n = of; }
  bool start() { return n >= 2; }
  void split(tam::quantum& q) {
    q.share<&fib::arguments>(q.name<&fib::left>(this), n - 1);
    q.call<&fib::arguments>(q.name<&fib::right>(this), n - 2);
  }
  tam::word leaf() { return n; }
  tam::word sum() { return left + right; }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&fib::arguments>::posts<&fib::start>,
                           tam::inlet<&fib::left>::posts<&fib::sum>,
                           tam::inlet<&fib::right>::posts<&fib::sum>,
                           tam::thread<&fib::start>::switches<&fib::split, &fib::leaf>,
                           tam::thread<&fib::split>::expects<&fib::left, &fib::right>,
                           tam::thread<&fib::leaf>::returns<&fib::parent>,
                           tam::thread<&fib::sum>::returns<&fib::parent>>;
};
static_assert(tam::entry_count<&fib::sum> == 2 && tam::entry_count<&fib::split> == 1);

void start(int argc, char** argv) {
  tam::quantum{}.call<&fib::arguments>(
      tam_root(1), argc > 1 ? static_cast<tam::word>(std::strtoull(argv[1], nullptr, 10)) : 20);
}
void finish() { std::printf("%llu\n", static_cast<unsigned long long>(tam_result(0))); }

}  // namespace

int main(int argc, char** argv) { return tam::program<fib>(argc, argv, start, finish); }
