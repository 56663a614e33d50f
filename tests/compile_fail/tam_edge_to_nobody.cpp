// expect: an edge leads to an inlet or thread that the graph does not list
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  void t() {}
  void end() {}

  using graph = tam::graph<tam::inlet<&b::i>::posts<&b::t, &b::end>, tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
