// expect: a thread that counted messages enable is enabled by these alone
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  tam::word j;
  void end() {}

  using graph = tam::graph<tam::inlet<&b::i>::posts<&b::end>,
                           tam::counted_inlet<&b::j>::posts<&b::end>, tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
