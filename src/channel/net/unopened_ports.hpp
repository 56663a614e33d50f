// SPDX-License-Identifier: Apache-2.0
// The network channels of ports of this rank that no thread has opened yet. libfabric's providers
// deliver nothing to a port that is not polled, and accept no connection for it. So the channels
// exist from the start of the job on, and a thread of their own pumps them. What comes for such a
// port waits in its lanes, which have room for all that senders have credit for. The endpoint that
// opens the port takes its channel over. A sender therefore never waits for an endpoint to open.
// (docs/adr/0037-ports-receive-before-they-open.md)
//
//   attend_unopened_ports() --> pumped by the thread --take_unopened()--> its endpoint's thread's
//                                         \---------close_unopened_ports()---> gone
//
// The thread ends once all channels are taken. It holds a mutex while it pumps. A thread that takes
// a channel or looks at one holds the mutex, too. Messages of open endpoints do not lock it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "channel/net/net_channel.hpp"

namespace ramjet::channel {

// Makes the channels of the ports [begin, end) of this rank, in the networks that need it
// (network_needs_polls). Ends with status::environment and a message if the thread cannot start.
// Once in a job, before a thread opens any of them.
status attend_unopened_ports(unsigned begin, unsigned end, std::string& message);
// The channel of a port that opens, in the network of that index; null if there is none. The
// caller's thread uses it from here on.
std::unique_ptr<net_channel> take_unopened(unsigned index, unsigned port);
// The ports that have sent to this one, which was never opened.
std::vector<std::uint32_t> senders_to_unopened(unsigned port);
// The end of the job: ends the thread, and closes the ports that were never opened.
void close_unopened_ports();

}  // namespace ramjet::channel
