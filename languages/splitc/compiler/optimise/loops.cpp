// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/loops.hpp"

namespace splitcc {
namespace {

bool is_signed_int(const type* t) {
  return t->kind == type_kind::int_ || t->kind == type_kind::long_;
}

// Compared with an int or long as signed numbers.
bool can_be_bound(const type* bound, const type* index) {
  switch (bound->kind) {
    case type_kind::char_:
    case type_kind::signed_char:
    case type_kind::unsigned_char:
    case type_kind::short_:
    case type_kind::unsigned_short:
    case type_kind::int_:
      return true;
    case type_kind::long_:
      return index->kind == type_kind::long_;
    default:
      return false;
  }
}

// i = first, or int i = first.
bool take_initial(counted_loop& l) {
  node* initial = l.initial();
  if (!initial) return false;
  if (initial->kind == node_kind::declaration) {
    if (initial->declared->declarators.size() != 1) return false;
    const declarator_info& d = initial->declared->declarators[0];
    if (!d.declared || !d.initializer || d.declared->kind != entity_kind::variable) return false;
    l.index = d.declared;
    l.first = d.initializer;
    l.declares_index = true;
    return true;
  }
  const node* a = bare(initial);
  if (a->kind != node_kind::assignment || a->op != punctuator::assign) return false;
  l.index = variable_of(a->children[0]);
  l.first = a->children[1];
  return l.index != nullptr;
}

bool is_index(node* e, const counted_loop& l) { return variable_of(plain(e)) == l.index; }

// i < bound, i <= bound
bool take_condition(counted_loop& l) {
  if (!l.condition()) return false;
  const node* c = bare(l.condition());
  if (c->kind != node_kind::binary || !is_index(c->children[0], l)) return false;
  if (c->op != punctuator::less && c->op != punctuator::less_equal) return false;
  l.is_inclusive = c->op == punctuator::less_equal;
  l.bound = c->children[1];
  return can_be_bound(plain(l.bound)->type.of, l.index->type.of);
}

// i++, ++i, i += step, i = i + step
bool take_step(counted_loop& l) {
  if (!l.advance()) return false;
  const node* a = bare(l.advance());
  if (a->kind == node_kind::postfix || a->kind == node_kind::unary)
    return a->op == punctuator::increment && is_index(a->children[0], l);
  if (a->kind != node_kind::assignment || !is_index(a->children[0], l)) return false;
  if (a->op == punctuator::assign_add) {
    l.step = a->children[1];
    return true;
  }
  const node* sum = plain(a->children[1]);
  if (a->op != punctuator::assign || sum->kind != node_kind::binary ||
      sum->op != punctuator::plus || !is_index(sum->children[0], l))
    return false;
  l.step = sum->children[1];
  return true;
}

}  // namespace

std::optional<counted_loop> as_counted_loop(node* n) {
  if (n->kind != node_kind::for_ || n->children.size() != 4) return std::nullopt;
  counted_loop l{n, nullptr, nullptr, nullptr, nullptr, false, false, {}};
  if (!l.statement() || !take_initial(l) || !take_condition(l) || !take_step(l))
    return std::nullopt;
  l.body = effects_of(l.statement());
  if (!is_private(l.index) || !is_signed_int(l.index->type.of) || l.body.written.contains(l.index))
    return std::nullopt;
  effects with_index = l.body;
  with_index.written.insert(l.index);
  if (!is_invariant(l.bound, with_index)) return std::nullopt;
  if (l.step && !is_invariant(l.step, with_index)) return std::nullopt;
  if (l.body.is_entered) return std::nullopt;
  return l;
}

bool can_be_copied(const counted_loop& l) {
  bool can = !l.body.has_statics;
  walk(l.loop, [&](node* n) {
    // Records would be defined twice; loops that stand twice already would stand four times.
    if (n->kind == node_kind::made) can = false;
    if (n->kind == node_kind::declaration && !n->declared->records.empty()) can = false;
    return can;
  });
  return can;
}

void turn_loops(node*& n, const pass& p, const std::function<node*(counted_loop&)>& turn) {
  for_each_child(n, [&](node*& child) { turn_loops(child, p, turn); });
  if (!p.may_replace(n) || p.defines_types(n)) return;
  if (std::optional<counted_loop> l = as_counted_loop(n))
    if (node* turned = turn(*l)) n = turned;
}

}  // namespace splitcc
