// SPDX-License-Identifier: Apache-2.0
// -fhoist-own-test: a counted loop that goes through a global pointer which stays the same - g[i],
// g->m, *g - asks once whose it is. If it is one's own, the loop runs over plain local memory.
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

struct pointer_use {
  const entity* variable;
  node* global;
  entity* local;
};

class hoisting {
 public:
  hoisting(counted_loop& loop, const pass& p) : loop_(loop), pass_(p) {
    around_ = loop.body;
    around_.written.insert(loop.index);
  }

  node* turn() {
    if (!can_be_copied(loop_)) return nullptr;
    node* original = pass_.copy(loop_.loop);
    const int found =
        make_local(loop_.statement(), pass_, [&](node* lvalue) { return through(lvalue); });
    if (found == 0) return nullptr;
    pass_.tell(loop_.loop->at, "whose memory it is is asked once, before this loop");
    std::string test;
    std::vector<node*> children;
    for (const pointer_use& u : uses_) {
      test += (test.empty() ? "" : " && ") + std::string("splitc_is_own(%") +
              std::to_string(children.size()) + ")";
      children.push_back(u.global);
    }
    node* fast = loop_.loop;
    for (const pointer_use& u : uses_)
      fast = pass_.made("{ @0 = splitc_local_part(%0); %1 }", {u.global, fast}, {u.local});
    const std::string fast_hole = "%" + std::to_string(children.size());
    children.push_back(fast);
    const std::string slow_hole = "%" + std::to_string(children.size());
    children.push_back(original);
    return pass_.made("if (" + test + ") " + fast_hole + " else { " + slow_hole + " }", children,
                      {});
  }

 private:
  // The same lvalue by a local pointer; null if it is not reached as this pass knows.
  node* through(node* lvalue) {
    node* e = bare(lvalue);
    const bool is_star = e->kind == node_kind::unary && e->op == punctuator::star;
    if (!is_star && e->kind != node_kind::index && e->kind != node_kind::arrow) return nullptr;
    if (e->children.size() > 1 && !is_pointer(e->children[0]->type.of, reach::global))
      return nullptr;
    entity* local = local_for(e->children[0]);
    if (!local) return nullptr;
    node* twin = pass_.types.memory().make<node>(*e);
    std::vector<node*> children(e->children.begin(), e->children.end());
    children[0] = pass_.use(local);
    twin->children = pass_.types.memory().list(std::span<node* const>(children));
    twin->first = twin->last = kNoToken;
    twin->place = reach::local;
    twin->translate = true;
    return twin;
  }

  entity* local_for(node* pointer) {
    pointer = bare(pointer);
    const entity* v = variable_of(pointer);
    if (!v || !is_pointer(v->type.of, reach::global) || !is_invariant(pointer, around_))
      return nullptr;
    for (const pointer_use& u : uses_)
      if (u.variable == v) return u.local;
    if (uses_.size() == kUsesMax || !is_complete(v->type->target.of)) return nullptr;
    const type* local = pass_.types.pointer_to(v->type->target, reach::local);
    uses_.push_back({v, pointer, pass_.variable({local, 0})});
    return uses_.back().local;
  }

  static constexpr std::size_t kUsesMax = 3;

  counted_loop& loop_;
  const pass& pass_;
  effects around_;
  std::vector<pointer_use> uses_;
};

}  // namespace

void hoist_own_test(node& function, const pass& p) {
  node* body = &function;
  turn_loops(body, p, [&](counted_loop& l) { return hoisting(l, p).turn(); });
}

}  // namespace splitcc
