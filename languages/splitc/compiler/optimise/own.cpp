// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/own.hpp"

#include "languages/splitc/compiler/optimise/loops.hpp"

namespace splitcc {
namespace {

class rewriting {
 public:
  rewriting(const pass& p, const std::function<node*(node*)>& find) : pass_(p), find_(find) {}

  int found = 0;

  void rewrite(node*& n) {
    if (is_loop(n) && !as_counted_loop(n)) return;
    if (node* local = is_global_lvalue(n) ? find_(n) : nullptr) {
      ++found;
      n = local;
      return;
    }
    if (n->kind == node_kind::assignment && n->op == punctuator::store) return rewrite_store(n);
    for_each_child(n, [this](node*& child) { rewrite(child); });
    follow(n);
  }

 private:
  // The target is counted at its processor; what leads to it, and the value, may be local.
  void rewrite_store(node* n) {
    rewrite(n->children[1]);
    for_each_child(bare(n->children[0]), [this](node*& child) {
      if (!is_global_lvalue(child)) rewrite(child);
    });
  }

  static bool is_local_lvalue(const node* e) { return e->is_lvalue && e->place == reach::local; }

  const type* local_pointer(const type* wide) const {
    return pass_.types.pointer_to(wide->target, reach::local);
  }

  // A node whose child has become local.
  void follow(node* n) {
    if (n->children.empty() || !n->children[0]) return;
    node* child = n->children[0];
    switch (n->kind) {
      case node_kind::parenthesized:
      case node_kind::member:
      case node_kind::real:
      case node_kind::imaginary:
        if (is_global_lvalue(n) && is_local_lvalue(child)) n->place = reach::local;
        return;
      case node_kind::index:
        if (is_global_lvalue(n) && is_local_array(child)) {
          child->converts = conversion::decay;
          child->type = {local_pointer(child->type.of), 0};
          n->place = reach::local;
        }
        return;
      case node_kind::convert:
        if (!is_local_lvalue(child)) return;
        if (n->converts == conversion::read) n->converts = conversion::none;
        return;
      case node_kind::unary:
        if (n->op == punctuator::ampersand && is_local_lvalue(bare(child)) &&
            is_wide_pointer(n->type.of))
          address_of_local(n);
        return;
      default:
        return;
    }
  }

  // An array that has become local, about to be a pointer to its first element.
  static bool is_local_array(const node* e) {
    return e->kind == node_kind::convert && e->converts == conversion::decay_to_global &&
           is_local_lvalue(e->children[0]);
  }

  // & of it is still a global pointer.
  void address_of_local(node* n) {
    node* plain_address = pass_.unary(punctuator::ampersand, n->children[0],
                                      {local_pointer(n->type.of), 0}, false, reach::local);
    n->kind = node_kind::convert;
    n->op = punctuator::none;
    n->converts = conversion::local_to_global;
    n->children = pass_.types.memory().list<node*>({plain_address});
  }

  const pass& pass_;
  const std::function<node*(node*)>& find_;
};

// Decays that were left below something other than a subscript.
void settle_decays(node* n) {
  walk(n, [](node* e) {
    if (e->kind == node_kind::convert && e->converts == conversion::decay_to_global &&
        e->children[0]->is_lvalue && e->children[0]->place == reach::local)
      e->converts = conversion::local_to_global;
    return true;
  });
}

}  // namespace

int make_local(node*& root, const pass& p, const std::function<node*(node*)>& find) {
  rewriting r(p, find);
  r.rewrite(root);
  if (r.found != 0) settle_decays(root);
  return r.found;
}

}  // namespace splitcc
