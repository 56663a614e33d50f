// SPDX-License-Identifier: Apache-2.0
// -fpoll-loops: a loop that only waits until others change memory polls once in a number of turns:
// on several machines they change it by messages, which are not handled while the receiving
// processor computes. Not an optimisation: it runs at -O0 and under -fcheck, too.
//
// A loop waits if it calls nothing, changes private scalars only, and can end only by what it reads
// of memory that is not private: no value that it carries from turn to turn decides.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "languages/splitc/compiler/optimise/effects.hpp"
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

// Calls that neither change memory nor serve others.
bool is_quiet_call(const node* call) {
  const node* callee = plain(call->children[0]);
  if (callee->kind == node_kind::convert) callee = plain(callee->children[0]);
  if (callee->kind != node_kind::name || !callee->referred) return false;
  const std::string_view name = callee->referred->name->text;
  return name == "__builtin_ia32_pause" || name == "__atomic_load_n";
}

// A word of memory that somebody else may write: a variable with an address, or what is reached
// through a pointer or in an array or structure.
bool reads_shared(const node* n) {
  switch (n->kind) {
    case node_kind::name: {
      const entity* v = variable_of(n);
      return v && v->type->kind != type_kind::array && !is_private(v);
    }
    case node_kind::unary:
      return n->op == punctuator::star;
    case node_kind::index:
    case node_kind::arrow:
    case node_kind::member:
    case node_kind::call:  // an atomic load
      return true;
    default:
      return false;
  }
}

// What one loop does, as far as its end is concerned.
class waiting {
 public:
  explicit waiting(const node* loop) {
    const std::span<node* const> parts = loop->children;
    const node* body = parts[loop->kind == node_kind::for_ ? 3 : loop->kind == node_kind::while_];
    const node* condition = parts[loop->kind != node_kind::while_];
    if (condition) tests_.push_back(condition);
    look(condition);
    if (loop->kind == node_kind::for_) look(parts[2]);
    look(body);
  }

  bool is_all() {
    return is_quiet_ &&
           std::ranges::all_of(tests_, [this](const node* t) { return comes_from_outside(t); }) &&
           depends_on_shared_;
  }

 private:
  // A value of a variable, and the conditions under which it gets it. Without a value: its own
  // former one, changed.
  struct change {
    const node* value;
    std::vector<const node*> conditions;
  };

  void look(const node* n) {
    if (!n || !is_quiet_) return;
    switch (n->kind) {
      case node_kind::call:
        is_quiet_ = is_quiet_call(n);
        break;
      case node_kind::va_arg:
      case node_kind::asm_:
      case node_kind::error:
      case node_kind::made:
      case node_kind::label:  // the loop may be entered there, or go on by goto
      case node_kind::label_address:
        is_quiet_ = false;
        break;
      case node_kind::sizeof_expression:
      case node_kind::alignof_expression:
        return;
      case node_kind::postfix:
        changed(n->children[0], nullptr);
        break;
      case node_kind::unary:
        if (n->op == punctuator::increment || n->op == punctuator::decrement)
          changed(n->children[0], nullptr);
        break;
      case node_kind::assignment:
        changed(n->children[0], n->op == punctuator::assign ? n->children[1] : nullptr);
        if (n->op == punctuator::split_phase || n->op == punctuator::store) is_quiet_ = false;
        break;
      case node_kind::declaration:
        declared(*n->declared);
        break;
      case node_kind::break_:
      case node_kind::return_:
      case node_kind::goto_:
        tests_.insert(tests_.end(), conditions_.begin(), conditions_.end());
        break;
      default:
        break;
    }
    look_below(n);
  }

  // What is not done in every turn stands under a condition.
  void look_below(const node* n) {
    const node* condition = nullptr;
    if (n->kind == node_kind::for_)
      condition = n->children[1];
    else if (n->kind == node_kind::do_)
      condition = n->children[1];
    else if (n->kind == node_kind::if_ || n->kind == node_kind::switch_ ||
             n->kind == node_kind::while_ || n->kind == node_kind::conditional ||
             (n->kind == node_kind::binary &&
              (n->op == punctuator::logical_and || n->op == punctuator::logical_or)))
      condition = n->children[0];
    if (condition) conditions_.push_back(condition);
    for_each_child(const_cast<node*>(n), [this](node*& child) { look(child); });
    if (condition) conditions_.pop_back();
  }

  void changed(const node* lvalue, const node* value) {
    const entity* v = variable_of(lvalue);
    if (!v || !is_private(v) || !is_scalar(v->type.of))
      is_quiet_ = false;
    else
      changes_[v].push_back({value, conditions_});
  }

  void declared(const declaration_info& all) {
    for (const declarator_info& d : all.declarators) {
      if (!d.declared || !d.initializer) continue;
      if (is_private(d.declared) && is_scalar(d.declared->type.of))
        changes_[d.declared].push_back({d.initializer, conditions_});
      else
        is_quiet_ = false;
    }
  }

  // The value does not come from one of an earlier turn.
  bool comes_from_outside(const node* n) {
    if (n->kind == node_kind::sizeof_expression) return true;
    depends_on_shared_ |= reads_shared(n);
    const entity* v = n->kind == node_kind::name ? variable_of(n) : nullptr;
    bool does = !v || variable_comes_from_outside(v);
    for_each_child(const_cast<node*>(n),
                   [&](node*& child) { does = does && comes_from_outside(child); });
    return does;
  }

  // A variable that is met again while its values are looked at carries something on.
  bool variable_comes_from_outside(const entity* v) {
    const auto found = changes_.find(v);
    if (found == changes_.end() || known_.contains(v)) return true;
    if (!under_way_.insert(v).second) return false;
    const auto does = [this](const node* n) { return comes_from_outside(n); };
    const bool all = std::ranges::all_of(found->second, [&](const change& c) {
      return c.value && does(c.value) && std::ranges::all_of(c.conditions, does);
    });
    under_way_.erase(v);
    if (all) known_.insert(v);
    return all;
  }

  bool is_quiet_ = true;
  std::vector<const node*> tests_;  // one of them ends the loop
  std::vector<const node*> conditions_;  // around the node that is looked at
  std::map<const entity*, std::vector<change>> changes_;
  std::set<const entity*> under_way_, known_;  // variables whose values are, or have been looked at
  bool depends_on_shared_ = false;
};

// From the top: a loop in a loop that waits may wait, too. Returns whether something has changed.
bool poll_in(node*& n, const pass& p) {
  bool has_changed = false;
  node* const loop = n;
  if (is_loop(loop) && p.may_replace(loop) && waiting(loop).is_all()) {
    p.tell(loop, "this loop waits for memory that others write: it polls");
    entity* turns = p.variable({p.types.basic(type_kind::unsigned_int), 0});
    const std::size_t at = loop->kind == node_kind::for_ ? 3 : loop->kind == node_kind::while_;
    node*& body = loop->children[at];
    const std::string turn = "{ splitc_turn(&" + text_of(turns) + ");";
    body = body ? p.made(turn + " %0 }", {body}, {}) : p.made(turn + " }", {}, {});
    n = p.made("{ @0 = 0; %0 }", {loop}, {turns});
    has_changed = true;
  }
  for_each_child(loop, [&](node*& child) { has_changed |= poll_in(child, p); });
  loop->translate |= has_changed;
  return has_changed;
}

}  // namespace

void poll_loops(node& function, const pass& p) {
  node* n = &function;
  poll_in(n, p);
}

}  // namespace splitcc
