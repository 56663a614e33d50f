// SPDX-License-Identifier: Apache-2.0
// Counted loops: for (i = first; i < bound; i += step), where nothing in the body changes i, the
// bound or the step, so that no value in shared memory decides when the loop ends.
#ifndef SPLITCC_OPTIMISE_LOOPS_HPP
#define SPLITCC_OPTIMISE_LOOPS_HPP

#include <optional>

#include "languages/splitc/compiler/optimise/effects.hpp"
#include "languages/splitc/compiler/optimise/trees.hpp"

namespace splitcc {

struct counted_loop {
  node* loop;       // for_
  entity* index;    // a private variable of type int or long
  node* first;      // its first value
  node* bound;
  node* step;       // null: 1
  bool is_inclusive;  // i <= bound
  bool declares_index;
  effects body;     // of the body alone

  node*& statement() const { return loop->children[3]; }
  node* initial() const { return loop->children[0]; }
  node* condition() const { return loop->children[1]; }
  node* advance() const { return loop->children[2]; }
};

std::optional<counted_loop> as_counted_loop(node* n);

// The loop may stand twice, and its body inside another loop.
bool can_be_copied(const counted_loop& l);

// What the loops inside n are turned into, innermost first. `turn` returns what replaces the loop,
// or null.
void turn_loops(node*& n, const pass& p, const std::function<node*(counted_loop&)>& turn);

}  // namespace splitcc

#endif
