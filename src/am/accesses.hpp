// SPDX-License-Identifier: Apache-2.0
// Accesses that go past the handlers (channel/access.hpp), as the engine sees them: counted as a
// request and its reply, unless they are a wait's; waiting for room as a request does.
#pragma once

#include "channel/access.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

// The rank that serves accesses to a rank's memory: itself, or the first living one of its node,
// where one co-processor serves that. Of a dead one itself.
unsigned server_of(engine& e, unsigned rank) noexcept;
void choose_servers(engine& e);
// The server's peer if its channel takes accesses; nullptr: its handlers serve.
peer* find_access_peer(engine& e, unsigned server);
// Whether its channel may fetch many bytes of its own memory (channel::access): not in a handler,
// which cannot wait for the way to be free.
bool fetches(engine& e, peer& p);
// Sends it; waits for room, except in a handler. peer_failed: nobody will answer; retry: it cannot
// be fetched.
status begin_access(engine& e, peer& p, const channel::access& a, bool counted);
// Counts one of this port that is answered.
void count_answered(engine& e, unsigned port) noexcept;
// Counts one of that port that was served here.
void count_served(unsigned port, channel::server by) noexcept;

}  // namespace ramjet::detail
