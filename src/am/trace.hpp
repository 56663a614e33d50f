// SPDX-License-Identifier: Apache-2.0
// What the message layer tells a trace, where the job is traced: messages and waits by themselves
// (trace.cpp), the rest by these.
//
// Without a trace nothing is added to the ways of messages. With one, each peer is blocked by
// kTraced, so that every message asks for its room in the cold half of the engine, and the tables
// of handlers name functions that note a message and run its handler.
#pragma once

#include "am/engine_cold.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

// The collective that the program has called begins, or ends.
void note_collective(engine& e, const char* name, bool begins);

// The user-level thread that runs here, 0: none.
std::uint32_t running_thread() noexcept;

}  // namespace ramjet::detail
