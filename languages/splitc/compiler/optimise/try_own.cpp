// SPDX-License-Identifier: Apache-2.0
// -ftry-own: an innermost loop whose blocking reads go through pointers of an array or a structure
// stands twice. The first asks of each read whether it is one's own, which is the quickest where
// all are. Where some are not, nobody can predict the next, and each wrong guess costs as much as
// dozens of reads: after the first such read the second loop goes on, which does not ask. Both keep
// where words end in a register. So nothing in them may write shared memory, or call anything but
// functions that only compute.
#include "languages/splitc/compiler/optimise/passes.hpp"
#include "languages/splitc/compiler/optimise/reads.hpp"

namespace splitcc {
namespace {

bool is_read(const node* n) {
  return n->kind == node_kind::convert && n->converts == conversion::read;
}

// A word through a pointer that lies in memory of one's own.
bool may_be_anyones(const node* lvalue) {
  return !reads_below(lvalue) && effects_of(lvalue).reads_through_pointers;
}

// Of those that have a function of their own to read them.
bool is_one_word(const type* t) {
  const bool has_one = is_integer(t) || is_any_pointer(t) || t->kind == type_kind::float_ ||
                       t->kind == type_kind::double_;
  return has_one && size_of(t).value_or(16) <= 8;
}

class trying {
 public:
  explicit trying(const pass& p) : pass_(p) {}

  void outermost(node*& n) {
    if (!is_loop(n)) return for_each_child(n, [this](node*& child) { outermost(child); });
    const int before = turned_;
    inner(n);
    if (turned_ != before) n = pass_.made("{ int splitc_all_own = 1; %0 }", {n}, {});
  }

 private:
  // Turns the innermost loops in n; whether there are loops.
  bool inner(node*& n) {
    bool has_loops = false;
    for_each_child(n, [&](node*& child) { has_loops |= inner(child); });
    if (!is_loop(n)) return has_loops;
    if (!has_loops && n->kind != node_kind::do_ && pass_.may_replace(n)) turn(n);
    return true;
  }

  void turn(node*& loop) {
    bool reads_anyones = false;
    if (!can_stand_twice(loop, reads_anyones) || !reads_anyones) return;
    node* again = pass_.copy(loop);
    mark(loop, asking::until_other);
    mark(again, asking::nothing);
    pass_.tell(loop, "reads of this loop ask whether they are one's own until one is not");
    ++turned_;
    loop = twice(parts_of(loop), parts_of(again));
  }

  // What is done again and again: of a for, not what comes before its first round.
  static void for_each_repeated(node* loop, const std::function<void(node*)>& visit) {
    for (std::size_t i = loop->kind == node_kind::for_ ? 1 : 0; i < loop->children.size(); ++i)
      if (loop->children[i]) visit(loop->children[i]);
  }

  static void mark(node* loop, asking how) {
    for_each_repeated(loop, [how](node* child) {
      walk(child, [how](node* n) {
        if (is_read(n)) n->children[0]->asks = how;
        return true;
      });
    });
  }

  // Left by its condition, return or goto only; and reads are the only accesses to shared memory.
  bool can_stand_twice(node* loop, bool& reads_anyones) const {
    const effects e = effects_of(loop->children.back());
    bool can = !e.breaks && !e.is_entered && !e.has_statics && !pass_.defines_types(loop);
    for_each_repeated(loop, [&](node* child) {
      walk(child, [&](node* n) {
        can = can && stays_well(n);
        if (can && is_read(n)) reads_anyones |= may_be_anyones(n->children[0]);
        return can;
      });
    });
    return can;
  }

  bool stays_well(const node* n) const {
    switch (n->kind) {
      case node_kind::made:
      case node_kind::statement_expression:
      case node_kind::asm_:
      case node_kind::error:
        return false;
      case node_kind::declaration:
        return n->declared->records.empty() && !effects_of(n).calls;
      case node_kind::call: {
        const node* callee = plain(n->children[0]);
        return callee->kind == node_kind::name && pass_.computing.contains(callee->referred);
      }
      case node_kind::assignment:
        return is_local_target(n) && n->op != punctuator::split_phase && n->op != punctuator::store;
      case node_kind::postfix:
        return is_local_target(n);
      case node_kind::unary:
        return (n->op != punctuator::increment && n->op != punctuator::decrement) ||
               is_local_target(n);
      case node_kind::convert:
        return !is_read(n) ||
               (is_one_word(n->children[0]->type.of) && is_fetched_by_get(n->children[0], n->type));
      default:
        return true;
    }
  }

  static bool is_local_target(const node* n) { return !is_global_lvalue(bare(n->children[0])); }

  struct loop_parts {
    node *initial, *condition, *step, *body;
  };
  static loop_parts parts_of(const node* loop) {
    const std::span<node* const> c = loop->children;
    if (loop->kind == node_kind::while_) return {nullptr, c[0], nullptr, c[1]};
    return {c[0], c[1], c[2], c[3]};
  }

  // A condition that ends the first loop ends both: it may change something, so it is not evaluated
  // again. Declarations come first: -Wdeclaration-after-statement may be on.
  node* twice(const loop_parts& first, const loop_parts& second) const {
    std::vector<node*> children;
    const auto hole = [&](node* child) {
      if (!child) return std::string();
      children.push_back(child);
      return "%" + std::to_string(children.size() - 1);
    };
    const bool declares = first.initial && first.initial->kind == node_kind::declaration;
    std::string text = "{ ";
    if (declares) text += hole(first.initial) + " ";
    text += "splitc_bits splitc_end; ";
    if (first.condition) text += "int splitc_ended = 0; ";
    if (first.initial && !declares) text += hole(first.initial) + "; ";
    text += "splitc_end = ramjet_read_end; for (; splitc_all_own";
    if (first.condition) text += " && ((" + hole(first.condition) + ") || (splitc_ended = 1, 0))";
    text += "; " + hole(first.step) + ") " + hole(first.body);
    if (first.condition) text += " if (!splitc_ended)";
    text += " for (; " + hole(second.condition) + "; " + hole(second.step) + ") ";
    text += hole(second.body) + " }";
    return pass_.made(text, children, {});
  }

  const pass& pass_;
  int turned_ = 0;
};

}  // namespace

void try_own(node& function, const pass& p) {
  node* body = &function;
  trying(p).outermost(body);
}

bool only_computes(const node& function) {
  if (function.translate || function.declared->declarators.empty()) return false;
  const entity* f = function.declared->declarators[0].declared;
  const effects e = effects_of(function.children.back());
  return f && f->link == linkage::internal && !e.calls;
}

}  // namespace splitcc
