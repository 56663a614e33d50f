// expect: an inlet gets as many words as it takes
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/tam.hpp>

namespace tam = ramjet::tam;

struct b {
  void i(tam::word, tam::word) {}
  void end() {}

  using graph = tam::graph<tam::inlet<&b::i>::posts<&b::end>, tam::thread<&b::end>::ends>;
};

void start() { tam::quantum{}.call<&b::i>(1); }
