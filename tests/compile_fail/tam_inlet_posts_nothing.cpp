// expect: this inlet posts nothing
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  tam::word i;
  tam::word j;
  void end() {}

  using graph =
      tam::graph<tam::inlet<&b::i>::posts<&b::end>, tam::inlet<&b::j>, tam::thread<&b::end>::ends>;
};

int run(int argc, char** argv) { return tam::program<b>(argc, argv, nullptr, nullptr); }
