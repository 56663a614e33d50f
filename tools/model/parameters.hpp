// SPDX-License-Identifier: Apache-2.0
// What a simulated machine is: the costs of messages between ranks of one node and of two (LogGP,
// Alexandrov, Ionescu, Schauser and Scheiman 1995), how many ranks share a node and its cores, what
// a turn of a core costs where ranks outnumber the cores, what bytes cost where many ranks send to
// each other, and reads of memory. Times are nanoseconds.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/json.hpp"

namespace loggp {

// What is wrong with what was given: one sentence.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The same, where it is a NAME=VALUE that somebody typed.
class assignment_error : public input_error {
 public:
  using input_error::input_error;
};

struct message_costs {
  double latency_ns = 0;  // L: from one processor to the other
  double send_ns = 0;  // o_s: of the sender's processor
  double receive_ns = 0;  // o_r: of the receiver's processor
  double gap_ns = 0;  // g: between the beginnings of two messages of a rank
  double byte_ns = 0;  // G: for each byte of a message but the first
};

// Measured points, ascending; both numbers of each are more than 0. Between two points the line
// through the logarithms holds, outside the nearest point.
using points = std::vector<std::pair<double, double>>;

struct machine {
  message_costs near;  // copies between ranks of a node are work of the sender's processor
  message_costs far;  // bytes between nodes are the network's work
  unsigned ranks_per_node = 0;  // 0: all ranks are on one node
  unsigned cores = 0;  // of a node; 0: one for each rank
  points turns;  // by ranks on a node: what it costs one of them to get its turn of a core
  points bytes;  // by ranks that all send to all on a node: a byte's cost, in multiples of near.G
  double first_touch_ns = 0;  // of a page of 4 KiB; 0 where nobody measured
  points gathers;  // by bytes: a read of 8 of them, at random places, that waits for no other read

  unsigned node_of(unsigned rank) const { return ranks_per_node == 0 ? 0 : rank / ranks_per_node; }
  // How many ranks a node has, at most, in a job of `ranks`.
  unsigned on_node(unsigned ranks) const;
  bool is_crowded(unsigned ranks) const { return cores != 0 && on_node(ranks) > cores; }
  double turn_ns(unsigned ranks) const;  // 0 unless ranks outnumber the cores
  // Of a byte that a rank sends to one of `ranks`, itself among them, which all do so.
  double near_byte_ns(double ranks) const;
  double gather_ns(double size) const;  // of an array of `size` bytes; 0 where nobody measured
  double touch_ns(double size) const;  // of all of so many bytes, which were never used before
};

// Takes over what ramjet characterize --json has printed: its parts near and far (whichever is
// there stands for the other one too), the cores, the turns and bytes of the part crowd, and the
// gathers and first touches of the part memory. Throws input_error, of a file `name`.
void read_characterization(const std::string& name, const console::json& file, machine& into);

// Takes over NAME=VALUE,...: L, o, o_s, o_r, g, G, of both kinds of messages, or of one of them as
// near.L or far.L; times in ns. Throws input_error.
void read_assignments(const std::string& text, machine& into);
// Multiplies what NAME=FACTOR,... names.
void scale(const std::string& text, machine& into);

}  // namespace loggp
