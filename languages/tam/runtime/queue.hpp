// SPDX-License-Identifier: Apache-2.0
// The queue of messages that wait for the scheduler. The main thread's.
#pragma once

namespace ramjet::tam {

void open_queue();
void close_queue() noexcept;
// Where queue_head equals queue_tail: goes back to what was there before the queue became too long
// for its chunk. False: no message waits at all.
bool back_to_older_messages() noexcept;

}  // namespace ramjet::tam
