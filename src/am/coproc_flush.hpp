// SPDX-License-Identifier: Apache-2.0
// Where a rank has a co-processor, that thread sends what endpoints have begun and left behind to
// compute (channel/coproc_flush.hpp), about a millisecond later.
//
// Threads: an endpoint's thread adds and removes its channel; the co-processor's does the rest.
#pragma once

#include "channel/channel.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::detail {

// The channel of an endpoint that is not the co-processor's, before that one's first message.
void start_coproc_flush(channel::channel& c);
// Before the channel goes.
void end_coproc_flush(channel::channel& c);

// The co-processor sleeps at this port.
void start_coproc_flushing(port_line& at);
void stop_coproc_flushing();
// In every turn of its wait; does it when it is due. True: it has to be called again within a
// millisecond, and nobody wakes the thread for that.
bool flush_if_due();

}  // namespace ramjet::detail
