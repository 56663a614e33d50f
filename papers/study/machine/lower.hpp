// SPDX-License-Identifier: Apache-2.0
// Makes the code of a program, inlet by inlet and thread by thread, in the order of their places.
#pragma once

#include <vector>

#include "papers/study/machine/code.hpp"
#include "papers/study/machine/placement.hpp"
#include "papers/study/machine/registers.hpp"

namespace study {

class lowering {
 public:
  lowering(const tl0::program& p, discipline how);
  target_code run();

 private:
  void shape_block(index block);
  body_code body_of(index block, const tl0::body& b);
  void lower_inlet(const placement::unit& u, index merged);
  void lower_thread(const placement::unit& u, body_code* merged);
  void lower_body(body_code& code, const tl0::body& b, const placement::unit& u);
  void end_instruction(body_code& code, index at);
  void lower_begins(index block);

  // ---- lower_instruction.cpp ----
  void lower_instruction(body_code& code, index at);
  void lower_operation(body_code& code, const tl0::instruction& it);
  void lower_value(body_code& code, const tl0::instruction& it);
  void lower_structure(body_code& code, const tl0::instruction& it);
  void lower_activation(body_code& code, const tl0::instruction& it, index at);
  void add_words(body_code& code, const std::vector<tl0::operand>& words);
  void add_message(body_code& code, tl0::operand to_name, index own_inlet,
                   const tl0::instruction& it);

  // ---- arms ----
  index add_arms(const std::vector<arm>& wanted);
  arm lower_arm(body_code& code, index thread, bool is_last, const placement::unit& u,
                bool is_branched_to);
  void add_end(body_code& code, const placement::unit& u);
  bool pops(const placement::unit& u) const;
  bool is_outside_quanta(index thread) const;
  bool is_am() const { return how_ != discipline::md; }
  std::int32_t count_at(index thread) const;

  const tl0::program& p_;
  discipline how_;
  placement places_;
  target_code out_;
  std::vector<index> counts_of_;        // by thread: its word among the block's counts
  std::vector<std::uint32_t> spills_;   // by block, words
};

}  // namespace study
