// expect: with some outcomes of the switches no thread ends the activation
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  bool t() { return true; }
  void end() {}

  using graph =
      tam::graph<tam::inlet<&b::i>::posts<&b::t>, tam::thread<&b::t>::switches<&b::end, tam::stop>,
                 tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
