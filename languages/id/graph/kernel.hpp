// SPDX-License-Identifier: Apache-2.0
// What is found out about a kernel function before it is copied: which slots are the same value,
// which are used, and whether it is a loop whose rounds can be told from its end.
#ifndef IDC_GRAPH_KERNEL_HPP
#define IDC_GRAPH_KERNEL_HPP

#include <vector>

#include "languages/id/core/core.hpp"
#include "languages/support/bit_set.hpp"

namespace idc::graph {

// A loop: what tells whether there is a round, the round with the call of the next one, the end.
struct loop_shape {
  const core::binding* choice = nullptr;
  std::vector<const core::binding*> test;   // all bindings ahead of the choice
  std::vector<const core::binding*> spine;  // of the round: what the next one needs
  std::vector<const core::binding*> rest;
  const core::binding* next = nullptr;
  bool calls = false;  // the rest calls something: it is worth a rank of its own
  bool is_apart = false;  // the rest waits for something, and is a function of its own
  bool in_turn = false;  // the next round waits for all of this one, so the rest is never apart
};

class kernel {
 public:
  explicit kernel(const core::function& of);

  const core::function& function() const { return of_; }
  // The slot that has the same value, for all of those.
  core::slot same(core::slot s) const { return same_[s]; }
  const core::binding* made(core::slot s) const { return made_[s]; }  // null: a parameter
  // The bindings that have a callee, in the order of each_binding.
  const std::vector<const core::binding*>& uses() const { return uses_; }
  bool is_used(core::slot s) const { return used_[same_[s]]; }
  // Whether the binding does something, or something uses what it makes.
  bool is_live(const core::binding& b) const;
  const loop_shape* loop() const { return is_loop_ ? &loop_ : nullptr; }
  // Of a loop: its next round begins when the one before is over.
  void put_in_turn() {
    loop_.in_turn = true;
    loop_.is_apart = false;
  }
  // Slots that the bindings use and do not make.
  core::slot_list needs(const std::vector<const core::binding*>& bindings) const;

 private:
  void scan(const core::region& r, core::slot given);
  core::slot find_same(core::slot s);
  void use(core::slot s);
  void use_all(const core::region& r, core::slot given);
  // A set of slots, in the order in which they were added.
  class slots {
   public:
    void add(core::slot s) {
      if (is_in_.contains(s)) return;
      is_in_.add(s);
      all_.push_back(s);
    }
    bool contains(core::slot s) const { return is_in_.contains(s); }
    const core::slot_list& all() const { return all_; }
    void clear() {
      is_in_.clear();
      all_.clear();
    }

   private:
    frontend::bit_set is_in_;
    core::slot_list all_;
  };
  void collect(const core::binding& b, slots& used, slots& made) const;
  bool find_loop();
  void find_spine();

  const core::function& of_;
  std::vector<const core::binding*> made_, uses_;
  std::vector<core::slot> same_;
  std::vector<bool> used_;
  std::vector<bool> visiting_;
  bool is_loop_ = false;
  loop_shape loop_;
};

bool gives(const core::region& r);  // a result, somewhere in it

}  // namespace idc::graph

#endif
