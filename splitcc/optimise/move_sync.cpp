// SPDX-License-Identifier: Apache-2.0
// -fmove-sync: sync() goes down in its block, behind statements that only compute with variables
// that nobody else can name, so that gets and puts are under way for as long as can be: to the
// first statement that may use what came, or that anything shared, a call or the end of the block
// is in. Where it stood, what is begun is sent.
#include <algorithm>

#include "splitcc/optimise/passes.hpp"
#include "splitcc/optimise/reads.hpp"

namespace splitcc {
namespace {

class moving {
 public:
  moving(node& function, const pass& p) : pass_(p) { find_loose_arrays(&function, nullptr); }

  void block(node* compound) {
    const std::span<node*> items = compound->children;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i] || !is_library_call(items[i], "sync")) continue;
      std::size_t last = i;
      while (last + 1 < items.size() && (!items[last + 1] || is_computation(items[last + 1])))
        ++last;
      while (last > i && !does_something(items[last])) --last;
      if (last == i) continue;
      pass_.tell(items[i], "sync() moved behind what needs nothing of it");
      items[last] = pass_.made("%0 %1", {items[last], items[i]}, {});
      items[i] = pass_.made("splitc_flush();", {}, {});
      i = last;
    }
  }

 private:
  // Declarations without values and empty statements: nothing is won behind them.
  static bool does_something(const node* n) {
    if (!n || n->kind == node_kind::empty) return false;
    return n->kind != node_kind::declaration ||
           std::ranges::any_of(n->declared->declarators,
                               [](const declarator_info& d) { return d.initializer != nullptr; });
  }

  bool is_computation(const node* n) const {
    const effects e = effects_of(n);
    const auto is_ours = [this](const entity* v) {
      return is_private(v) && !loose_arrays_.contains(v);
    };
    return is_statement(n) && !e.calls && !e.reads_global && !e.writes_global &&
           !e.reads_through_pointers && !e.writes_through_pointers && !e.breaks && !e.continues &&
           !e.leaves && !e.is_entered && !e.has_statics && std::ranges::all_of(e.read, is_ours) &&
           std::ranges::all_of(e.written, is_ours);
  }

  // Arrays, and structures with arrays in them, that are named but to take an element: a pointer to
  // them may be about. Targets of gets are not private in any case.
  void find_loose_arrays(node* n, const node* parent) {
    if (const entity* v = n->kind == node_kind::name ? variable_of(n) : nullptr;
        v && is_aggregate(v->type.of)) {
      const bool is_part =
          parent && (parent->kind == node_kind::index || parent->kind == node_kind::member) &&
          is_scalar(parent->type.of);
      if (!is_part) loose_arrays_.insert(v);
    }
    for_each_child(n, [&](node*& child) { find_loose_arrays(child, n); });
  }

  static bool is_aggregate(const type* t) { return t->kind == type_kind::array || is_record(t); }

  const pass& pass_;
  std::set<const entity*> loose_arrays_;
};

}  // namespace

void move_sync(node& function, const pass& p) {
  moving m(function, p);
  walk(&function, [&](node* n) {
    if (n->kind == node_kind::compound) m.block(n);
    return true;
  });
}

}  // namespace splitcc
