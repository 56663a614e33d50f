// SPDX-License-Identifier: Apache-2.0
// How a rank serves accesses of other machines to its memory while its main program does not poll:
// the mesh's thread takes the turn of endpoint 0's channel (channel::serve) once that endpoint has
// not pumped for a while. It runs no handlers. (docs/adr/0036-accesses-are-served-without-polls.md)
//
//                       something came, and the endpoint has pumped since
//              +-----------------------------------------------------------------+
//              v                                                                 |
//     watching: looks at the                no pump since                serving: sleeps until
//     count of pumps now and then  ------------------------------------> something comes, and
//     (1 ms, up to 8 ms)                    the last look                does it
//
// Threads: start_serving() and end_serving() are the endpoint's thread's; the rest is the mesh's.
#pragma once

#include <atomic>
#include <cstdint>

#include "channel/channel.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::detail {

// What belongs to endpoint 0 of this rank, and stays until end_serving().
struct served_endpoint {
  channel::channel* network = nullptr;
  // Written by the endpoint's thread; publishes nothing.
  const std::atomic<std::uint32_t>* pumps = nullptr;
  port_line* port = nullptr;  // where its thread sleeps
};

// `port` is the endpoint's. Does nothing in a job on one node, or where co-processors or handlers
// serve accesses.
void start_serving(const served_endpoint& e, unsigned port);
// On return the mesh's thread uses nothing of the endpoint any more.
void end_serving() noexcept;

}  // namespace ramjet::detail
