// SPDX-License-Identifier: Apache-2.0
// The code of one thread or inlet as it is made: which values the registers hold, and what has to
// be loaded, stored or spilled.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "papers/study/machine/code.hpp"
#include "papers/study/machine/costs.hpp"

namespace study {

class body_code {
 public:
  // `last_uses`: of each temporary the instruction that uses it last.
  body_code(const tl0::program& p, target_code& out, std::uint32_t slots_at,
            std::uint32_t spills_at, std::vector<index> last_uses);

  // Goes on with the slots that another body, right before this one, left in registers and message.
  void take_over(const body_code& other);
  // Slots of which this is true are loaded whenever they are used.
  std::function<bool(index slot)> is_volatile;
  // The slot or temporary is a word of the message, until it gets another value.
  void is_in_message(tl0::operand o, std::uint32_t word);
  void at_instruction(index at) { now_ = at; }

  // The pieces follow each other in memory.
  index piece_here();  // ends what is being made; its index

  void add(unsigned instructions) { pending_ += std::uint16_t(instructions); }
  void add(cost c, std::int32_t at = 0);
  void add_call(cost routine);
  // One instruction that has the operand as it is; a long constant is moved to a register before.
  void add_with(tl0::operand o);
  void add_access(event::kind does, place base, region where, std::uint32_t word);
  // In a register from here on, until others are needed.
  void load(tl0::operand o);
  // The instruction before had this result.
  void define(tl0::operand to);
  // A slot whose value is in a register goes to the frame.
  void store(tl0::operand slot);
  // What a routine leaves of the registers.
  void forget_registers();

  std::uint32_t spills() const { return spills_; }  // words

 private:
  struct held {
    tl0::operand what = {};
    std::uint64_t used = 0;
  };

  unsigned find(tl0::operand o) const;
  unsigned free_register();
  bool is_needed(tl0::operand o) const;
  std::uint32_t spill_of(tl0::operand temporary);
  void read(tl0::operand o);  // the access of the instruction that is being added

  const tl0::program& p_;
  target_code& out_;
  std::uint32_t slots_at_, spills_at_;
  std::vector<index> last_uses_;
  std::array<held, kRegisters> registers_;
  std::vector<std::pair<tl0::operand, std::uint32_t>> in_message_;
  std::vector<tl0::operand> spilled_;
  std::uint32_t spills_ = 0;
  std::uint64_t clock_ = 0;
  index now_ = 0;
  std::size_t first_event_ = 0;
  std::uint16_t pending_ = 0;
};

}  // namespace study
