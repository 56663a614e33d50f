// SPDX-License-Identifier: Apache-2.0
// What everything costs that the source of a program does not say: the sequences that the compiler
// puts into threads and inlets, and the routines of the system, instruction by instruction. This is
// the only place where such a cost is decided.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"
#include "papers/study/machine/target.hpp"

namespace study {

// In the order of the table in costs.cpp.
enum class cost : std::uint8_t {
#define STUDY_COST(name, where, reason, code) name,
#include "papers/study/machine/costs.def"
#undef STUDY_COST
};

struct cost_text {
  std::string_view name;
  bool is_system;  // a routine of the system's code, else put where it is used
  std::string_view reason;
  std::string_view code;  // instructions with ';' between them; "3*WORD": three of that kind
};
std::span<const cost_text> costs();

// The events of a cost. `at` is put in for the offset [frame.@].
void append(std::vector<event>& events, cost of, std::int32_t at = 0);
std::uint32_t instructions_of(cost of);

// The routine that computes an operation which the target has no instruction for; false if it has.
bool routine_of(tl0::opcode op, cost& routine);
// Instructions of an operation that it does have.
std::uint32_t instructions_of(tl0::opcode op);

// The routines of the system's code, one behind the other.
class routines {
 public:
  routines();
  const piece& of(cost c) const { return pieces_[static_cast<unsigned>(c)]; }
  const std::vector<event>& events() const { return events_; }
  std::uint32_t end() const { return end_; }

 private:
  std::vector<event> events_;
  std::vector<piece> pieces_;
  std::uint32_t end_ = kSystemCodeAt;
};

// The table as readable text.
std::string costs_text();

}  // namespace study
