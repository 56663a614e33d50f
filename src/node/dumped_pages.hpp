// SPDX-License-Identifier: Apache-2.0
// RAMJET_DUMP=segment: a core dump of this process has those pages of its segment that anybody has
// touched. The kernel makes every page of a range that is dumped, so the range is marked only when
// a signal ends the process, page by page as the memory object holds them.
//
// Threads: the one that joins and leaves; the signal handler reads what that has left.
#pragma once

#include "node/board.hpp"
#include "node/program_part.hpp"

namespace ramjet::node {

// From now on, until stop_dumping(). Keeps a descriptor of the object; false and errno if there is
// none to be had.
bool dump_touched_pages(int object, const geometry& g, unsigned rank,
                        const program_part& program) noexcept;
void stop_dumping() noexcept;

}  // namespace ramjet::node
