// SPDX-License-Identifier: Apache-2.0
// Accesses to other ranks' memory in a trace: to far memory always, to near memory where the table
// of places finds this rank alone (address_space.cpp), so that each takes the cold path.
//
// Threads: the engine's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

// Nothing where the job is not traced.
void note_access(engine& e, std::uint64_t bits, std::size_t bytes, const char* call);

}  // namespace ramjet::detail
