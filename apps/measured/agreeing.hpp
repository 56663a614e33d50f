// SPDX-License-Identifier: Apache-2.0
// Steps that may fail in some ranks only, such as reading a file: all ranks go on, or all fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <ramjet/ramjet.hpp>

#include "program.hpp"

namespace measured {

// Runs a step of this rank; returns when all ranks have done theirs. Throws in all of them what the
// lowest one threw in which it failed. Collective.
template <class Step>
void agreed(Step&& step) {
  struct problem {
    char text[512];
  } p{};
  int who = ramjet::size();
  try {
    step();
  } catch (const failure& e) {
    std::string(e.what()).copy(p.text, sizeof p.text - 1);
    who = ramjet::rank();
  }
  require(ramjet::all_reduce(who, [](int a, int b) { return std::min(a, b); }));
  if (who == ramjet::size()) return;
  require(ramjet::broadcast(p, who));
  throw failure(p.text);
}

}  // namespace measured
