// SPDX-License-Identifier: Apache-2.0
// Elements of rows which other ranks of the node keep, and which were not there when a thread of
// this rank fetched them. This rank looks for them in memory while it has nothing else to run, in
// place of sending a message for each; loops that called for them go on when they have come. So
// ranks that work on neighbouring rows follow each other without messages. The main thread's.
#pragma once

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/machine.hpp"

namespace ramjet::tam {

void open_watch();
// Watches the element of the shared array `a`, which another rank keeps, for the inlet `reply`.
// False: somebody else has to be asked for it.
bool poll_element(tam_array a, const element_place& e, tam_word index, tam_name reply,
                  const char* site);
bool has_watched() noexcept;
// Whether tend_watched has something to do.
bool watched_are_due() noexcept;
// Delivers watched elements that have come. Returns whether there were any; then the loops that
// were held go on, too.
bool deliver_watched();
// Of a rank that is between two pieces of work: the same, and asks for what does not come soon by
// messages, since a rank that sleeps is woken by these. When messages have come the loops go on.
void tend_watched();

// A loop whose thread goes on when something watched has come.
void suspend_loop(tam_frame* frame, tam_thread thread);
bool holds_loops() noexcept;
// Number of elements watched and loops held.
unsigned held_count() noexcept;
// All ranks have nothing to run but what they hold: this one delivers what is there, and asks for
// the rest by messages. After that it allows a number of starts, of what it holds and of others,
// before it watches again; twice as many each time.
void resume_loops();
// Whether one of those starts is left, which this uses.
bool use_allowed_start() noexcept;

}  // namespace ramjet::tam
