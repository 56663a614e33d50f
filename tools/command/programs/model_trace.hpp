// SPDX-License-Identifier: Apache-2.0
// A traced job as a program to simulate: what each rank did between its waits takes as long as it
// took, messages that ended waits are sent and received again, collectives meet again.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/simulation.hpp"
#include "tools/trace/file.hpp"

namespace tools {

class traced_program final : public loggp::program {
 public:
  // The overheads of `m` are in the times of the trace: they are taken out, and simulated.
  traced_program(const traces::job_trace& job, const loggp::machine& m);

  loggp::operation next(unsigned rank) override;
  void rewind() { places_.assign(places_.size(), 0); }

  double traced_ns() const { return traced_ns_; }
  // Of all ranks: in waits that no message of the trace ends. They stay as long as they were.
  double unexplained_ns() const { return unexplained_ns_; }
  std::uint64_t messages() const { return messages_; }

 private:
  friend class trace_reading;

  std::vector<std::vector<loggp::operation>> operations_;  // by rank
  std::vector<std::size_t> places_;
  double traced_ns_ = 0, unexplained_ns_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace tools
