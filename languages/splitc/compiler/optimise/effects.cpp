// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/effects.hpp"

#include <algorithm>

#include "languages/splitc/compiler/optimise/trees.hpp"

namespace splitcc {
namespace {

class survey {
 public:
  effects found;

  void look(const node* n) {
    if (!n) return;
    switch (n->kind) {
      case node_kind::name:
        return name(n);
      case node_kind::assignment:
        return assignment(n);
      case node_kind::postfix:
        return changed(n->children[0]);
      case node_kind::unary:
        if (n->op == punctuator::increment || n->op == punctuator::decrement)
          return changed(n->children[0]);
        if (n->op == punctuator::star) reference(n);
        break;
      case node_kind::index:
      case node_kind::arrow:
      case node_kind::member:
        reference(n);
        break;
      case node_kind::asm_:
        assembler(n);
        break;
      case node_kind::call:
      case node_kind::va_arg:
      case node_kind::error:
      case node_kind::made:
        found.calls = true;
        break;
      case node_kind::sizeof_expression:
      case node_kind::alignof_expression:
        return;  // a VLA's is not an effect either
      default:
        statement(n);
        break;
    }
    for_each_child(const_cast<node*>(n), [this](node*& child) { look(child); });
    leave(n);
  }

 private:
  void statement(const node* n) {
    switch (n->kind) {
      case node_kind::while_:
      case node_kind::do_:
      case node_kind::for_:
        ++loops_;
        break;
      case node_kind::switch_:
        ++switches_;
        break;
      case node_kind::break_:
        found.breaks |= loops_ + switches_ == 0;
        break;
      case node_kind::continue_:
        found.continues |= loops_ == 0;
        break;
      case node_kind::return_:
      case node_kind::goto_:
      case node_kind::goto_computed:
        found.leaves = true;
        break;
      case node_kind::label:
        found.is_entered = true;
        break;
      case node_kind::case_:
      case node_kind::default_:
        found.is_entered |= switches_ == 0;
        break;
      case node_kind::declaration:
        declaration(n);
        break;
      default:
        break;
    }
  }

  void leave(const node* n) {
    switch (n->kind) {
      case node_kind::while_:
      case node_kind::do_:
      case node_kind::for_:
        --loops_;
        break;
      case node_kind::switch_:
        --switches_;
        break;
      default:
        break;
    }
  }

  void declaration(const node* n) {
    for (const declarator_info& d : n->declared->declarators) {
      if (!d.declared) continue;
      found.has_statics |= d.declared->where == storage::static_;
      found.written.insert(d.declared);
      // Its bounds are evaluated here, and a spread array is allocated.
      if (is_variably_modified(d.declared->type.of) || has_wide_part(d.declared->type.of))
        found.calls |= d.declared->type->kind != type_kind::pointer;
    }
  }

  void name(const node* n) {
    if (!n->referred || n->referred->is_library) return;
    found.read.insert(n->referred);
  }

  // How an lvalue is reached, when it is read.
  void reference(const node* n) {
    if (is_global_lvalue(n)) {
      found.reads_global = true;
      return;
    }
    if (!variable_behind(n)) found.reads_through_pointers = true;
  }

  // The variable that an lvalue is a part of; null if a pointer leads to it.
  static const entity* variable_behind(const node* e) {
    e = plain(const_cast<node*>(e));
    if (e->kind == node_kind::name) return variable_of(e);
    if (e->kind == node_kind::member) return variable_behind(e->children[0]);
    if (e->kind != node_kind::index) return nullptr;
    const node* array = plain(e->children[0]);
    if (array->kind == node_kind::convert && array->converts == conversion::decay)
      array = plain(array->children[0]);
    return array->type->kind == type_kind::array ? variable_behind(array) : nullptr;
  }

  void changed(const node* lvalue) {
    if (is_global_lvalue(bare(lvalue)))
      found.writes_global = true;
    else if (const entity* e = variable_behind(lvalue))
      found.written.insert(e);
    else
      found.writes_through_pointers = true;
    look(lvalue);
  }

  // Which operands are outputs, its words say: each that can be one counts.
  void assembler(const node* n) {
    found.calls = true;
    for (const node* operand : n->children)
      if (operand->is_lvalue) changed(operand);
  }

  void assignment(const node* n) {
    changed(n->children[0]);
    look(n->children[1]);
    // A get writes when it likes.
    const bool is_get = n->op == punctuator::split_phase && !is_global_lvalue(bare(n->children[0]));
    found.calls |= is_get || n->op == punctuator::store;
  }

  int loops_ = 0;
  int switches_ = 0;
};

bool is_pure_operator(punctuator op) {
  return op != punctuator::increment && op != punctuator::decrement && op != punctuator::star &&
         op != punctuator::ampersand;
}

}  // namespace

effects effects_of(const node* n) {
  survey s;
  s.look(n);
  return s.found;
}

bool changes_nothing(const effects& e) {
  return !e.calls && !e.writes_global && !e.writes_through_pointers && e.written.empty();
}

bool is_private(const entity* variable) {
  return variable->depth != 0 && !variable->address_taken && variable->where != storage::static_ &&
         variable->where != storage::extern_ &&
         (variable->type.qualifiers & (kVolatile | kAtomic)) == 0;
}

unnamed_memory::unnamed_memory(const node& function) { find_loose(&function, nullptr); }

void unnamed_memory::find_loose(const node* n, const node* parent) {
  if (const entity* v = n->kind == node_kind::name ? variable_of(n) : nullptr;
      v && (v->type->kind == type_kind::array || is_record(v->type.of))) {
    const bool is_part = parent &&
                         (parent->kind == node_kind::index || parent->kind == node_kind::member) &&
                         is_scalar(parent->type.of);
    if (!is_part) loose_.insert(v);
  }
  for_each_child(const_cast<node*>(n), [&](node*& child) { find_loose(child, n); });
}

bool unnamed_memory::has_all(const std::set<const entity*>& variables) const {
  return std::ranges::all_of(
      variables, [this](const entity* v) { return is_private(v) && !loose_.contains(v); });
}

bool is_invariant(const node* e, const effects& body) {
  e = plain(const_cast<node*>(e));
  switch (e->kind) {
    case node_kind::number:
    case node_kind::character:
    case node_kind::sizeof_type:
      return true;
    case node_kind::name: {
      if (is_library_name(e, "MYPROC") || is_library_name(e, "PROCS")) return true;
      const entity* v = variable_of(e);
      if (!v) return e->referred && e->referred->kind == entity_kind::enumerator;
      if (body.written.contains(v)) return false;  // or it is declared there
      if (v->type->kind == type_kind::spread_array) return true;
      return is_private(v) ||
             (!body.calls && !body.writes_through_pointers && !body.writes_global &&
              !body.reads_global && (v->type.qualifiers & (kVolatile | kAtomic)) == 0);
    }
    case node_kind::convert:
      return e->converts != conversion::read && is_invariant(e->children[0], body);
    case node_kind::unary:
      return is_pure_operator(e->op) && is_invariant(e->children[0], body);
    case node_kind::binary:
    case node_kind::conditional:
    case node_kind::cast:
      return std::ranges::all_of(e->children,
                                 [&](const node* c) { return c && is_invariant(c, body); });
    default:
      return false;
  }
}

}  // namespace splitcc
