// SPDX-License-Identifier: Apache-2.0
// The trace of an execution: what the counted machine fetches, reads and writes, in order.
#pragma once

#include <cstdint>
#include <span>

#include "papers/study/machine/target.hpp"

namespace study {

struct traced {
  std::uint32_t address = 0;
  std::uint16_t count = 1;  // of fetches: that many instructions, one behind the other
  access does = access::fetch;
  region where = region::user_code;
  bool operator==(const traced&) const = default;
};

// Gets the trace in parts.
class trace_sink {
 public:
  virtual ~trace_sink() = default;
  virtual void take(std::span<const traced> part) = 0;
};

}  // namespace study
