// SPDX-License-Identifier: Apache-2.0
// -fmove-sync: sync() goes down in its block, behind statements that only compute with variables
// that nobody else can name, so that gets and puts are under way for as long as can be: to the
// first statement that may use what came, or that anything shared, a call or the end of the block
// is in. Where it stood, what is begun is sent.
#include <algorithm>

#include "languages/splitc/compiler/optimise/passes.hpp"
#include "languages/splitc/compiler/optimise/reads.hpp"

namespace splitcc {
namespace {

class moving {
 public:
  moving(node& function, const pass& p) : pass_(p), unnamed_(function) {}

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
    return is_statement(n) && !e.calls && !e.reads_global && !e.writes_global &&
           !e.reads_through_pointers && !e.writes_through_pointers && !e.breaks && !e.continues &&
           !e.leaves && !e.is_entered && !e.has_statics && unnamed_.has_all(e.read) &&
           unnamed_.has_all(e.written);
  }

  const pass& pass_;
  const unnamed_memory unnamed_;
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
