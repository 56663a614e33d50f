// SPDX-License-Identifier: Apache-2.0
// A job simulated by LogGP: each rank does its operations one after the other, messages take what
// the machine says, and where ranks outnumber cores a rank that waits gives its core to another.
//
// Without that the order in which ranks are looked at changes nothing: a message is received from a
// named rank, in the order in which that one has sent, so every time follows from others by maxima
// and sums. With it ranks take the cores of their node in the order in which they become ready, and
// keep them until they wait. One thread; the same input gives the same times, to the last bit.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tools/model/parameters.hpp"

namespace loggp {

constexpr unsigned kRanksMax = 1u << 22;

enum class op_kind : std::uint8_t {
  compute,  // for `ns`
  send,  // `messages` of `bytes` to `peer`
  receive,  // what one send of `peer` to this rank has sent, in the order of sends
  exchange,  // `messages` of `bytes` to each of `partners` ranks, and as many from each of as many
  put,  // as many, which no processor receives; ends when all is there
  barrier,  // all ranks, as the following ones
  broadcast,  // of `bytes` from rank 0
  reduce,  // of `bytes` to all ranks
  meet,  // of `partners` ranks, at the meeting of number `call`
  end,
};

struct operation {
  op_kind kind = op_kind::end;
  double ns = 0;
  double bytes = 0;
  double messages = 1;
  double partners = 0;
  unsigned peer = 0;
  std::uint64_t call = 0;
};

// What the ranks do. next() is called for a rank when it has done the one before.
class program {
 public:
  virtual ~program() = default;
  virtual operation next(unsigned rank) = 0;
  // Where the rank's latest operation stands, "FILE:LINE:COLUMN: "; empty if nowhere.
  virtual std::string place_of(unsigned) const { return {}; }
};

struct outcome {
  double time_ns = 0;  // when the last rank ends
  // Of all ranks together, and what is left to ranks times time_ns is waiting.
  double compute_ns = 0, overhead_ns = 0;
  double turns_ns = 0;  // of them getting cores
  double messages = 0, bytes = 0;
  std::uint64_t steps = 0;  // operations

  double share(double of_ns, unsigned ranks) const {
    return time_ns == 0 ? 0 : of_ns / (time_ns * ranks);
  }
};

// The ranks wait for each other, or for what nobody sends: a mistake of the program.
class stuck : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
};

struct simulation_options {
  unsigned ranks = 1;
  // Called now and then with the part of ranks that have ended; false: give up (interrupted).
  std::function<bool(double done, std::uint64_t steps)> progress;
};

// Throws stuck, interrupted; input_error for operations that cannot be, as a peer that is not a
// rank.
outcome simulate(const machine& m, program& p, const simulation_options& options);

// How many ranks stand for the partners of an exchange, in a job of `ranks`: at most 64; 16 beyond
// 4096 ranks, 4 beyond 65536. Each stands for several then, so that the work grows with the ranks
// alone.
unsigned partners_simulated(unsigned ranks);

}  // namespace loggp
