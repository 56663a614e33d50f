// SPDX-License-Identifier: Apache-2.0
// What two ranks find of each other: one accesses, the other one's core is free.
#pragma once

#include <string>
#include <vector>

#include "tools/characterize/infer/curve.hpp"
#include "tools/cli/json.hpp"

namespace characterize {

// One way of moving bytes, by size. All ways have the same sizes, but some end earlier.
struct mechanism {
  std::string name;
  curve transfers;
};

struct message_costs {  // LogGP's, in nanoseconds
  double round_trip_ns = 0;
  double send_ns = 0;     // o_s: the sender's processor, a short request
  double receive_ns = 0;  // o_r: the receiver's, to handle one of many
  double gap_ns = 0;      // g: between the messages of a long row
  double byte_ns = 0;     // G: of a long message
  double latency_ns() const;  // L: what is left of half a round trip
};

// Of messages alone.
struct message_results {
  message_costs costs;
  double drift = 1;  // of round trips, before the others and behind them
};

struct remote_results {
  curve reads, writes;  // blocking, by stride
  // Not waited for one by one: nanoseconds each, by how many are begun before each sync; and of
  // many before one sync, by stride.
  curve gets, puts, puts_by_stride;
  double put_ns = 0;
  double fetch_add_ns = 0;
  double barrier_ns = 0;
  double drift = 1;  // of round trips, which are measured again and again
  message_costs messages;
  std::vector<mechanism> bulk_reads, bulk_writes;
};

console::json as_json(const curve& c);  // pairs
curve curve_of(const console::json& points);  // throws console::json::wrong_kind
console::json as_json(const message_costs& m);
message_costs message_costs_of(const console::json& j);  // throws console::json::wrong_kind
console::json as_json(const message_results& r);
console::json as_json(const remote_results& r);
remote_results remote_results_of(const console::json& j);  // throws console::json::wrong_kind

// Of several ways: which is the fastest from which size on. Sizes are those that were measured; a
// change that lasts for one of them only does not count.
struct choice {
  double from_bytes;
  std::string name;
};
std::vector<choice> fastest_by_size(const std::vector<mechanism>& ways);

}  // namespace characterize
