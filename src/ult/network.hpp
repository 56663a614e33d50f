// SPDX-License-Identifier: Apache-2.0
// What the message layer lends to workers: how to poll, and how to wait when nothing is ready. The
// layer registers itself once; a worker uses it from the moment its system thread has an endpoint.
#pragma once

#include <cstdint>

namespace ramjet::ult::detail {

struct worker;

struct network {
  // Whether the calling system thread has an endpoint.
  bool (*attached)();
  // Runs the handlers of what has arrived; returns how many.
  unsigned (*poll)();
  // Polls and waits by the machine's load until found(w). deadline_ns (CLOCK_MONOTONIC, 0: none):
  // comes back by then. looks: `found` depends on memory that others write without a word.
  void (*wait)(worker* w, bool (*found)(worker*), std::uint64_t deadline_ns, bool looks);
  // Ends the sleep of another worker in wait; `place` is what it noted there.
  void (*wake)(void* place);
  // Whether the calling system thread stands in a handler, where nothing may block.
  bool (*in_handler)();
};

void use_network(const network* n) noexcept;

}  // namespace ramjet::ult::detail
