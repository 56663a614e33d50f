// SPDX-License-Identifier: Apache-2.0
// What goes on later: activations that begin in turn, when nothing else is ready on this rank, and
// threads that go on when what they have called has run. The main thread's; handlers of messages
// add activations.
#pragma once

#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/placement.hpp"

namespace ramjet::tam {

void open_waiting();
bool has_waiting() noexcept;
// Starts the activation that has waited longest. False: there is none.
bool start_waiting();
void begin_in_turn(const activation& a);
// A thread that was put aside: its frame has an entry for it.
void post_again(tam_frame* frame, tam_thread thread);

}  // namespace ramjet::tam
