// SPDX-License-Identifier: Apache-2.0
// The lanes in the node's memory object: the regions lane.rings, lane.payload, lane.credits,
// lane.consumed, lane.bells and lane.counters. How long their rings are depends on the number of
// ports alone, so the lanes of a job are alike on all nodes.
//
// Threads: any, while this process is in a job. Everything here is resolved where an endpoint
// opens.
#pragma once

#include <atomic>
#include <cstdint>

#include "node/region.hpp"
#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::lane {

// The rings of a lane.
struct lane_shape {
  std::uint64_t ring_words = 0;  // of records, a power of two
  std::uint64_t payload_bytes = 0;  // of payload, for each direction, a power of two
};

lane_shape shape_for(unsigned ports) noexcept;
const lane_shape& job_shape() noexcept;  // of the job that this process is in

// The lane from a port to another, of which at least one is this node's.
detail::lane shared_lane(unsigned sender, unsigned receiver) noexcept;

// The bells of the lanes to a port, by sender: bytes, read eight at a time up to a multiple of 64.
std::atomic<std::uint64_t>* bells_of(unsigned receiver) noexcept;
constexpr std::uint64_t bells_stride(unsigned ports) noexcept { return (ports + 63) & ~63u; }

// What a port counts about each port of the job; the region's rows are the owners'.
detail::pair_counters* counters_of(unsigned owner) noexcept;
extern node::region counters;
// Read by observers of a job: detail::credit_line[receiver][sender], and
// detail::consumed_line[sender][receiver].
extern node::region credits, consumed;
// Of the ports of this node.
std::atomic<std::uint64_t>& served_by_second_thread(unsigned by, unsigned whose) noexcept;

}  // namespace ramjet::lane
