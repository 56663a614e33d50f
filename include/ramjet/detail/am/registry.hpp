// SPDX-License-Identifier: Apache-2.0
// The handler registry: every handler that the program can name is here before main() runs, because
// naming it as a template argument instantiates its slot. Indices are given when the job starts, in
// the order of the handlers' names, so they do not depend on the order of static initialisation.
#pragma once

#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/lane/layout.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

class engine;
struct peer;

// Runs a handler on the record `w` from `p`, whose header was read once as `header`.
using thunk = void (*)(engine&, peer& p, word* w, std::uint64_t header);

struct handler_record {
  const char* name;  // unique within a kind, the same in every process
  thunk run;
  void* context;  // what a C handler was registered with
  std::uint16_t* index;  // where the program reads the handler's index
  bool reply;  // request and reply handlers have tables of their own
  handler_record* next;
};

// Adds a handler; before the job starts (a later call ends the program with a message). Not
// thread-safe: static initialisers and the start of main. Returns true.
bool register_handler(handler_record* record) noexcept;

// What a receiver needs to run a handler: bounds-checked index into one of these.
struct handler_entry {
  thunk run;
  void* context;
};
struct handler_table {
  const handler_entry* entries = nullptr;
  unsigned count = 0;
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
