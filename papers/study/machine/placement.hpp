// SPDX-License-Identifier: Apache-2.0
// Which thread stands behind what, and what a compiler knows about who enables it.
#pragma once

#include <vector>

#include "papers/study/machine/code.hpp"

namespace study {

// The instruction before a thread's stop, if it is a fork or a switch; else kNone.
index last_control(const tl0::program& p, index thread);

class placement {
 public:
  placement(const tl0::program& p, discipline how);

  // Inlets and threads in the order in which they stand.
  struct unit {
    bool is_inlet = false;
    index at = kNone;
    index next = kNone;  // the thread that stands right behind
  };
  const std::vector<unit>& units() const { return units_; }

  // MD: the inlet alone enables the thread, by its only post, and no count is kept; kNone if none
  // does.
  index only_inlet(index thread) const { return only_inlet_[thread]; }
  // MD: the local continuation vector is empty whenever the thread ends.
  bool ends_empty(index thread) const { return ends_empty_[thread]; }
  // A slot that is used in nothing but the thread and its only inlet.
  bool is_private(index block, index slot, index thread) const;
  // A slot that inlets count in, or compute.
  bool is_changed_by_inlets(index block, index slot) const;
  bool has_loops(index block) const { return has_loops_[block]; }
  bool ends_activation(index thread) const { return ends_activation_[thread]; }

 private:
  struct site {
    index from = kNone;  // a thread, or an inlet
    bool is_inlet = false;
    bool is_jump = false;  // not by way of the vector
  };

  void find_sites();
  void find_users();
  void use(index block, tl0::operand o, index by);
  void find_empty_ends();
  void place_block(index block, discipline how);
  void place_chain(index thread);
  index follower(index thread) const;

  const tl0::program& p_;
  std::vector<unit> units_;
  std::vector<bool> placed_;
  std::vector<std::vector<site>> sites_;  // by thread
  std::vector<index> only_inlet_;
  std::vector<bool> ends_empty_, pushes_, has_loops_, ends_activation_;
  std::vector<std::vector<index>> users_;  // by slot: threads, and inlets behind them
  std::vector<bool> changed_by_inlets_;
};

}  // namespace study
