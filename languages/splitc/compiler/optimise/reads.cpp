// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/reads.hpp"

#include <algorithm>

namespace splitcc {
namespace {

class reads {
 public:
  explicit reads(const take_read& take) : take_(take) {}

  // `always`: n is done whenever the whole is.
  bool look(node*& n, bool always) {
    if (n->kind == node_kind::convert && n->converts == conversion::read)
      return always && take_(n, n->children[0], n->type);
    if (n->kind == node_kind::unary && n->op == punctuator::ampersand &&
        is_global_lvalue(n->children[0]))  // an address: nothing is read there
      return !reads_below(n->children[0]);
    if (is_global_lvalue(n) && bare(n)->kind != node_kind::name)
      return always && take_(n, n, n->type);
    bool well = true;
    for (std::size_t i = 0; i < n->children.size(); ++i)
      if (node*& child = n->children[i]) well &= look(child, always && is_always(n, i));
    if (n->kind == node_kind::declaration)
      for (declarator_info& d : n->declared->declarators)
        if (d.initializer) well &= look(d.initializer, always);
    return well;
  }

 private:
  // Whether that child is evaluated once, and whenever n is.
  static bool is_always(const node* n, std::size_t child) {
    switch (n->kind) {
      case node_kind::while_:
      case node_kind::do_:
      case node_kind::for_:
      case node_kind::switch_:
        return false;
      case node_kind::if_:
      case node_kind::conditional:
        return child == 0;
      case node_kind::binary:
        return child == 0 || (n->op != punctuator::logical_and && n->op != punctuator::logical_or);
      default:
        return true;
    }
  }

  const take_read& take_;
};

}  // namespace

bool take_reads(node*& n, const take_read& take) { return reads(take).look(n, true); }

bool is_fetched_by_get(const node* lvalue, qualified_type type) {
  return !lvalue->is_bit_field && is_scalar(type.of) && size_of(type.of).has_value() &&
         (lvalue->type.qualifiers & (kVolatile | kAtomic)) == 0;
}

bool reads_below(const node* lvalue) {
  bool found = false;
  for_each_child(const_cast<node*>(bare(lvalue)), [&](node*& child) {
    walk(child, [&](node* n) {
      found |= n->kind == node_kind::convert && n->converts == conversion::read;
      return !found;
    });
  });
  return found;
}

bool reads_shared(const effects& e) {
  return std::ranges::any_of(e.read, [](const entity* v) { return !is_private(v); });
}

}  // namespace splitcc
