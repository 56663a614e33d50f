// SPDX-License-Identifier: Apache-2.0
// -fown-loops: for (i = MYPROC; i < n; i += PROCS) ... A[i] ... goes over one's own elements: it
// becomes a loop over rows 0, 1, 2 ... of plain local memory. A[MYPROC] and *(A + MYPROC) in any
// counted loop are row 0. A is a spread array, which lies from processor 0 on, or a spread pointer:
// then the loop stands twice, for pointers that point to processor 0 and for others.
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

// A spread array or pointer that is the same in all rounds.
struct base {
  const entity* variable;
  node* spread;  // its use, of the type of a spread pointer
  entity* local;  // row 0 here
  bool is_array;
};

class own_loop {
 public:
  own_loop(counted_loop& loop, const pass& p) : loop_(loop), pass_(p) {
    rows_ = is_library_name(plain(loop.first), "MYPROC") && loop.step &&
            is_library_name(plain(loop.step), "PROCS");
  }

  node* turn() {
    bool copyable = can_be_copied(loop_);
    node* original = nullptr;
    if (copyable) original = pass_.copy(loop_.loop);
    row_ = pass_.variable({pass_.types.basic(type_kind::long_), 0});
    const int found = make_local(loop_.statement(), pass_,
                                 [&](node* lvalue) { return own_element(lvalue, copyable); });
    if (found == 0) return nullptr;
    pass_.tell(loop_.loop->at, rows_ ? "a loop over one's own elements became one over local memory"
                                     : "one's own blocks are local memory in this loop");
    return put_together(original);
  }

 private:
  // The base of base[number] or *(base + number); null for anything else.
  base* find_base(node* pointer, bool copyable) {
    pointer = bare(pointer);
    node* named = pointer;
    if (named->kind == node_kind::convert && named->converts == conversion::decay_to_spread)
      named = bare(named->children[0]);
    const entity* v = variable_of(named);
    if (!v) return nullptr;
    const bool is_array = v->type->kind == type_kind::spread_array;
    if (!is_array && (!copyable || !is_pointer(v->type.of, reach::spread))) return nullptr;
    if (is_array && v->type->spread_bounds.size() != 1) return nullptr;
    effects around = loop_.body;
    around.written.insert(loop_.index);
    if (!is_invariant(named, around)) return nullptr;
    for (base& b : bases_)
      if (b.variable == v) return &b;
    if (bases_.size() == kBasesMax || pointer->type->target->kind == type_kind::void_)
      return nullptr;
    const type* row = pass_.types.pointer_to(pointer->type->target, reach::local);
    bases_.push_back({v, pointer, pass_.variable({row, 0}), is_array});
    return &bases_.back();
  }

  node* own_element(node* lvalue, bool copyable) {
    node* e = bare(lvalue);
    node* pointer = nullptr;
    node* number = nullptr;
    if (e->kind == node_kind::index && e->type->kind != type_kind::spread_array) {
      pointer = e->children[0];
      number = e->children[1];
    } else if (e->kind == node_kind::unary && e->op == punctuator::star) {
      const node* sum = bare(e->children[0]);
      if (sum->kind != node_kind::binary || sum->op != punctuator::plus) return nullptr;
      pointer = sum->children[0];
      number = sum->children[1];
    } else {
      return nullptr;
    }
    if (!is_pointer(pointer->type.of, reach::spread)) return nullptr;
    const bool is_row = rows_ && variable_of(plain(number)) == loop_.index;
    if (!is_row && !is_library_name(plain(number), "MYPROC")) return nullptr;
    base* b = find_base(pointer, copyable);
    if (!b) return nullptr;
    return element(*b, is_row, e);
  }

  node* element(const base& b, bool is_row, const node* e) const {
    node* at = pass_.use(b.local);
    if (is_row) {
      at = pass_.made("%0 + %1", {at, pass_.use(row_)}, {}, b.local->type);
      at = parenthesized(at);
    }
    node* made = pass_.unary(punctuator::star, at, e->type, true, reach::local);
    made->at = e->at;
    return parenthesized(made);
  }

  node* parenthesized(node* e) const {
    node* n = pass_.types.memory().make<node>();
    n->kind = node_kind::parenthesized;
    n->translate = true;
    n->type = e->type;
    n->is_lvalue = e->is_lvalue;
    n->at = e->at;
    n->children = pass_.types.memory().list<node*>({e});
    return n;
  }

  // What stands before the loop: where each base's rows lie here.
  node* with_bases(node* loop) const {
    node* whole = loop;
    for (auto b = bases_.rbegin(); b != bases_.rend(); ++b)
      whole = pass_.made("{ @0 = splitc_local_part(%0); %1 }", {b->spread, whole}, {b->local});
    return whole;
  }

  // Rows 0 ... rounds - 1. The index has its value in each round, and after the last one; passes
  // see that it is written by the initial assignment, which has no hole.
  node* rows_loop() const {
    if (!rows_) return loop_.loop;
    entity* rounds = pass_.variable({pass_.types.basic(type_kind::long_), 0});
    const std::string k = text_of(row_), n = text_of(rounds), i = text_of(loop_.index);
    const std::string declares =
        loop_.declares_index
            ? (loop_.index->type->kind == type_kind::int_ ? "int " : "long ") + i + "; "
            : "";
    const std::string bound =
        std::string("splitc_own_rounds((%0)") + (loop_.is_inclusive ? " + 1L)" : ")");
    node* body = loop_.statement();
    return pass_.made("{ " + declares + "long " + n + " = " + bound + ", " + k + " = 0; for (; " +
                          k + " < " + n + "; ++" + k + ") { " + i + " = splitc_own_index(" + k +
                          "); %1 } if (" + k + " == " + n + ") " + i + " = splitc_own_index(" + n +
                          "); }",
                      {loop_.bound, body, loop_.initial()}, {});
  }

  node* put_together(node* original) const {
    std::string test;
    std::vector<node*> children;
    for (const base& b : bases_) {
      if (b.is_array) continue;
      if (!test.empty()) test += " && ";
      test += "splitc_is_row(%" + std::to_string(children.size()) + ")";
      children.push_back(b.spread);
    }
    node* fast = with_bases(rows_loop());
    if (test.empty()) return fast;
    const std::string fast_hole = "%" + std::to_string(children.size());
    children.push_back(fast);
    const std::string slow_hole = "%" + std::to_string(children.size());
    children.push_back(original);
    return pass_.made("if (" + test + ") " + fast_hole + " else { " + slow_hole + " }", children,
                      {});
  }

  static constexpr std::size_t kBasesMax = 6;

  counted_loop& loop_;
  const pass& pass_;
  bool rows_ = false;  // it goes over one's own elements
  entity* row_ = nullptr;  // 0, 1, 2 ...
  std::vector<base> bases_;
};

}  // namespace

void own_loops(node& function, const pass& p) {
  node* body = &function;
  turn_loops(body, p, [&](counted_loop& l) { return own_loop(l, p).turn(); });
}

}  // namespace splitcc
