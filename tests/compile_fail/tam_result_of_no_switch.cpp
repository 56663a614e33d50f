// expect: only a thread with ::switches or ::returns returns
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  bool t() { return true; }
  void end() {}

  using graph = tam::graph<tam::inlet<&b::i>::posts<&b::t>, tam::thread<&b::t>::forks<&b::end>,
                           tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
