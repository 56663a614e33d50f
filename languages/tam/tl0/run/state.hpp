// SPDX-License-Identifier: Apache-2.0
// What the executor keeps of activations and structures.
#ifndef TL0_RUN_STATE_HPP
#define TL0_RUN_STATE_HPP

#include <vector>

#include "languages/tam/tl0/run/machine.hpp"

namespace tl0 {

struct machine::frame {
  index number = 0;
  index block = 0;
  std::uint16_t given = 0;  // how often the number was given before
  bool lives = false;
  bool is_ready = false;    // in ready_, or now_
  index made_by = kNone;    // a falloc; kNone: main
  std::vector<word> slots;
  std::vector<index> left;     // of each thread: entries until it is enabled
  std::vector<bool> got;       // of each inlet: whether a message came (for reports)
  std::vector<index> enabled;  // threads, of the program; the last is next
};

// An element that is wanted before it is there.
struct machine::reader {
  word to = 0;  // an inlet
  index asked_by = kNone;
  index next = kNone;
};

struct machine::element {
  enum class state : std::uint8_t { empty, present, deferred };
  word value = 0;
  index first = kNone;  // deferred: readers, the first and the last to come
  index last = kNone;
  state is = state::empty;
};

struct machine::structure {
  bool is_m = false;
  index made_by = kNone;
  index number = 0;
  std::vector<element> elements;
};

}  // namespace tl0

#endif
