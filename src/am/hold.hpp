// SPDX-License-Identifier: Apache-2.0
// Holding back messages of the next round while quiesce ends.
//
// quiesce returns at different moments on different ranks. The first rank to return may send at
// once, while others still wait for the last messages of quiesce itself. A rank that holds leaves
// the program's messages in their lanes and takes the messages of collectives only.
//
// A lane delivers in order, so a message of quiesce may stand behind a message of the program. Such
// a message of the program was sent before its sender could return, hence it is of this round. A
// lane is therefore read as usual while a collective here still expects a message by it.
//
// Replies are not held back: they answer requests of this rank, which sends none meanwhile.
//
// Threads: the endpoint's own.
#pragma once

#include "am/engine_cold.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

// Holds from its construction to its destruction. Held messages stay in their lanes; the first poll
// afterwards takes them.
class hold {
 public:
  explicit hold(engine& e);
  hold(const hold&) = delete;
  hold& operator=(const hold&) = delete;
  ~hold() { parts_.holds = false; }

 private:
  engine_cold& parts_;
};

// Whether the first request in the lane from `p` stays there. Only for an engine that holds and a
// lane that is not empty.
bool is_held(engine& e, const peer& p);

}  // namespace ramjet::detail
