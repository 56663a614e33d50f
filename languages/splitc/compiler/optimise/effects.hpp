// SPDX-License-Identifier: Apache-2.0
// What a part of a program does, as far as the passes have to know. Whatever is not understood
// counts as a call: it may do anything.
#ifndef SPLITCC_OPTIMISE_EFFECTS_HPP
#define SPLITCC_OPTIMISE_EFFECTS_HPP

#include <set>

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

struct effects {
  std::set<const entity*> written;  // variables assigned to, and arrays and structures in part
  std::set<const entity*> read;     // variables
  bool writes_through_pointers = false;
  bool reads_through_pointers = false;
  bool reads_global = false;
  bool writes_global = false;
  bool calls = false;
  bool breaks = false;       // break, of a loop around this
  bool continues = false;    // continue, of a loop around this
  bool leaves = false;       // return, goto
  bool is_entered = false;   // labels, case labels of a switch around this
  bool has_statics = false;  // declares static variables: it must not stand twice
};

effects effects_of(const node* n);

// It can be evaluated at another time, or twice: nothing is changed or called.
bool changes_nothing(const effects& e);

// Only its own function can change it: no pointer names it.
bool is_private(const entity* variable);

// The variables of a function that no pointer names, arrays and structures among them.
class unnamed_memory {
 public:
  explicit unnamed_memory(const node& function);
  bool has_all(const std::set<const entity*>& variables) const;

 private:
  void find_loose(const node* n, const node* parent);

  // Arrays and structures of which more is named than a scalar in them: a pointer to them may be
  // about. Targets of gets are not private in any case.
  std::set<const entity*> loose_;
};

// The same value whenever it is evaluated beside `body`: an expression without effects over
// constants, MYPROC, PROCS and variables that the body leaves alone.
bool is_invariant(const node* e, const effects& body);

}  // namespace splitcc

#endif
