// SPDX-License-Identifier: Apache-2.0
// How a job runs, and how its ranks learn that nothing is left to run on any of them.
#pragma once

#include <cstdint>

namespace ramjet::tam {

// Messages that make work, since tam_open. Sender and receiver count each: what is between the
// ranks is sent and not handled.
struct message_counts {
  std::uint64_t sent = 0, handled = 0;
  friend bool operator==(const message_counts&, const message_counts&) = default;
};
extern message_counts messages;
// What a rank does that could unfold a loop further, or begin what waits.
enum class next_step {
  go_on,  // that
  run,    // what has been posted meanwhile
  hold    // nothing, until an element comes that is watched (polled_elements.hpp)
};
// Between two quanta, or in one that has posted nothing: waits for a moment, if it is better to.
next_step choose_next_step();

void open_termination();
// Runs until no rank has anything left to run. Collective.
void run_on_all_ranks();
// A look at the network between two of many calls. In a thread of a frame.
void serve_network();

}  // namespace ramjet::tam
