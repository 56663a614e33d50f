// SPDX-License-Identifier: Apache-2.0
// The raw limit between two ranks that share no memory: a plain TCP connection between the same two
// processes, with busy polling (bench/harness/raw_tcp.hpp, as Ramjet's own benchmarks take it). The
// ranks are still on one machine, and meet in the area of raw.hpp.
#pragma once

#include <algorithm>

#include "harness/raw_tcp.hpp"
#include "measure.hpp"
#include "payload.hpp"
#include "raw.hpp"

namespace peers {

// Two ranks; both call the same functions in the same order, and rank 0 reports.
class raw_network {
 public:
  explicit raw_network(raw& bare) : bare_(bare), tcp_(bare.listening(), bare.rank()) {}

  double round_trip_ns(int count) {
    constexpr size_t kFrameBytes = 24;  // of a frame of Ramjet's with one short message
    bare_.barrier();
    return tcp_.round_trip_ns(static_cast<unsigned>(count), kFrameBytes);
  }

  // A system call for each message, of which there are fewer: that is what it costs by hand.
  double one_way_rate(int count) {
    const int few = std::max(count / 10, 1);
    bare_.barrier();
    const double start_ns = now_ns();
    tcp_.messages(static_cast<unsigned>(few));
    bare_.barrier();
    return few / (now_ns() - start_ns) * 1e3;
  }

  double block_bandwidth(int count, content, size_t bytes) {
    bare_.barrier();
    const double start_ns = now_ns();
    tcp_.blocks(static_cast<unsigned>(count), bytes);
    return static_cast<double>(count) * static_cast<double>(bytes) / (now_ns() - start_ns);
  }

 private:
  raw& bare_;
  bench::raw_tcp tcp_;
};

}  // namespace peers
