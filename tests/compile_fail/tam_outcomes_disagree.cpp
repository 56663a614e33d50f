// expect: the outcomes of the switches disagree on how often this thread is enabled
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  bool t() { return true; }
  void u() {}
  void v() {}
  void end() {}

  using graph = tam::graph<tam::inlet<&b::i>::posts<&b::t>,
                           tam::thread<&b::t>::switches<tam::all<&b::u, &b::v>, &b::u>,
                           tam::thread<&b::u>::forks<&b::end>, tam::thread<&b::v>::forks<&b::end>,
                           tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
