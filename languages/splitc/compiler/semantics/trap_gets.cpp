// SPDX-License-Identifier: Apache-2.0
// -Wget-before-sync: a variable, or a member of one, that is the target of a get is read before
// sync(). What is known is followed through straight-line code and into branches and loops; where
// ways meet, a get is under way if it is so on all of them. Whatever may call sync() ends it: every
// function of the program, every label.
#include <algorithm>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/semantics/traps.hpp"

namespace splitcc {
namespace {

const node* bare(const node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  return e;
}

bool is_step(const node& n) {
  return (n.kind == node_kind::unary || n.kind == node_kind::postfix) &&
         (n.op == punctuator::increment || n.op == punctuator::decrement);
}

bool is_place(const node& n) {
  return n.kind == node_kind::name || n.kind == node_kind::member || n.kind == node_kind::index;
}

class get_trap {
 public:
  get_trap(const token_list& tokens, diagnostics& report) : tokens_(tokens), report_(report) {}
  void statement(const node& n);

 private:
  // A part of a variable: the members and constant subscripts that lead to it.
  struct place {
    const entity* variable = nullptr;
    std::vector<std::string_view> path;
  };
  struct under_way {
    place target;
    token_index at;
    bool operator==(const under_way& other) const { return at == other.at; }
  };
  // `ends`: the way does not come to its end here.
  struct state {
    std::vector<under_way> gets;
    bool ends = false;
  };

  static bool is_prefix(const place& a, const place& b) {
    return a.path.size() <= b.path.size() &&
           std::equal(a.path.begin(), a.path.end(), b.path.begin());
  }
  place place_of(const node* e, bool whole_array) const;
  static state met(const state& a, const state& b);
  void read(const node* e);
  void value(const node& e);
  void lvalue(const node& e);
  void assignment(const node& e);
  void call(const node& e);
  void begin_get(const node& e, place target);
  void either(const node* a, const node* b, bool are_statements);
  void loop(const node& n);
  bool may_sync(const node& n) const;
  bool may_sync(const entity* f) const;
  bool is_of_system(const entity* f) const;

  const token_list& tokens_;
  diagnostics& report_;
  state now_;
};

bool get_trap::is_of_system(const entity* f) const {
  if (f->kind == entity_kind::builtin) return true;
  return f->at < tokens_.tokens.size() && tokens_.files[tokens_.tokens[f->at].file].is_system;
}

bool get_trap::may_sync(const entity* f) const {
  if (!f) return true;
  if (f->is_library) return f->name->text == "sync" || f->name->text == "is_sync";
  return !is_of_system(f);
}

bool get_trap::may_sync(const node& n) const {
  return any_part(n, [this](const node& part) {
    return (part.kind == node_kind::call && may_sync(callee(part))) ||
           part.kind == node_kind::asm_ || part.kind == node_kind::label;
  });
}

// Nothing where a subscript is not a number, unless the array as a whole will do.
get_trap::place get_trap::place_of(const node* e, bool whole_array) const {
  e = bare(e);
  place p;
  if (e->kind == node_kind::name) {
    p.variable = e->referred;
  } else if (e->kind == node_kind::member && e->place == reach::local) {
    p = place_of(e->children[0], whole_array);
    if (p.variable && e->accessed) p.path.push_back(e->accessed->name->text);
  } else if (e->kind == node_kind::index && e->place == reach::local &&
             e->children[0]->type->kind == type_kind::array) {
    const node* subscript = bare(e->children[1]);
    p = place_of(e->children[0], whole_array);
    if (subscript->kind == node_kind::number)
      p.path.push_back(tokens_.tokens[subscript->first].text);
    else if (whole_array)
      p.path.emplace_back("?");
    else
      p.variable = nullptr;
  }
  return p;
}

get_trap::state get_trap::met(const state& a, const state& b) {
  if (a.ends) return b;
  if (b.ends) return a;
  state both;
  for (const under_way& g : a.gets)
    if (std::find(b.gets.begin(), b.gets.end(), g) != b.gets.end()) both.gets.push_back(g);
  return both;
}

void get_trap::begin_get(const node& e, place target) {
  if (target.variable) now_.gets.push_back({std::move(target), e.at});
}

void get_trap::read(const node* e) {
  if (now_.gets.empty()) return;
  const place p = place_of(e, true);
  for (auto g = now_.gets.begin(); p.variable && g != now_.gets.end(); ++g) {
    if (g->target.variable != p.variable) continue;
    if (!is_prefix(g->target, p) && !is_prefix(p, g->target)) continue;
    report_.warning(e->at, "get-before-sync",
                    "'" + std::string(p.variable->name->text) +
                        "' is read before sync() has completed the get into it");
    report_.note(g->at, "the get is here");
    now_.gets.erase(g);
    return;
  }
}

// The subscripts and pointers that lead to an object are read; the object is not.
void get_trap::lvalue(const node& e) {
  const node& object = *bare(&e);
  switch (object.kind) {
    case node_kind::name:
      return;
    case node_kind::member:
      lvalue(*object.children[0]);
      return;
    case node_kind::index:
      if (object.children[0]->type->kind == type_kind::array)
        lvalue(*object.children[0]);
      else
        value(*object.children[0]);
      value(*object.children[1]);
      return;
    default:
      value(object);
  }
}

void get_trap::assignment(const node& e) {
  const node &left = *e.children[0], &right = *e.children[1];
  const bool is_get = e.op == punctuator::split_phase && left.place == reach::local;
  if (is_get) {
    lvalue(right);
    lvalue(left);
    begin_get(e, place_of(&left, false));
    return;
  }
  value(right);
  const bool overwrites =
      e.op == punctuator::assign || e.op == punctuator::split_phase || e.op == punctuator::store;
  overwrites ? lvalue(left) : value(left);
}

void get_trap::call(const node& e) {
  const entity* f = callee(e);
  const bool is_get = is_of_library(f, "bulk_get");
  for (std::size_t i = 1; i < e.children.size(); ++i) {
    const node& argument = *e.children[i];
    const node* target = bare(&argument);
    while (target->kind == node_kind::convert || target->kind == node_kind::cast)
      target = bare(target->children[0]);
    if (is_get && i == 1) {
      const bool address = target->kind == node_kind::unary && target->op == punctuator::ampersand;
      if (address) target = bare(target->children[0]);
      if (address || target->type->kind == type_kind::array) begin_get(e, place_of(target, false));
    } else if (target->type && target->type->kind == type_kind::array && f &&
               (f->is_library || is_of_system(f))) {
      if (!is_of_library(f, "bulk_read")) read(target);
    }
    value(argument);
  }
  if (may_sync(f)) now_.gets.clear();
}

void get_trap::either(const node* a, const node* b, bool are_statements) {
  const state before = now_;
  if (a) are_statements ? statement(*a) : value(*a);
  const state after_a = now_;
  now_ = before;
  if (b) are_statements ? statement(*b) : value(*b);
  now_ = met(after_a, now_);
}

void get_trap::value(const node& e) {
  switch (e.kind) {
    case node_kind::assignment:
      assignment(e);
      return;
    case node_kind::call:
      call(e);
      return;
    case node_kind::conditional:
      value(*e.children[0]);
      either(e.children[1], e.children[2], false);
      return;
    case node_kind::binary:
      value(*e.children[0]);
      if (e.op == punctuator::logical_and || e.op == punctuator::logical_or)
        either(e.children[1], nullptr, false);
      else
        value(*e.children[1]);
      return;
    case node_kind::unary:
      if (e.op != punctuator::ampersand) break;
      lvalue(*e.children[0]);
      return;
    case node_kind::statement_expression:
      statement(*e.children[0]);
      return;
    default:
      break;
  }
  if (is_place(e)) {
    const bool is_array = e.type && e.type->kind == type_kind::array;
    if (!is_array && e.place == reach::local) read(&e);
    lvalue(e);
    return;
  }
  if (is_step(e)) read(bare(e.children[0]));
  each_part(e, [this](const node& part) { value(part); });
}

void get_trap::loop(const node& n) {
  const bool synced = may_sync(n);
  if (n.kind == node_kind::for_ && n.children[0]) statement(*n.children[0]);
  const state before = now_;
  each_part(n, [&](const node& part) {
    if (&part != n.children[0] || n.kind != node_kind::for_) statement(part);
  });
  now_ = n.kind == node_kind::do_ ? now_ : met(before, now_);
  now_.ends = false;
  if (synced) now_.gets.clear();
}

void get_trap::statement(const node& n) {
  switch (n.kind) {
    case node_kind::compound:
      for (const node* item : n.children)
        if (item) statement(*item);
      return;
    case node_kind::if_:
      value(*n.children[0]);
      either(n.children[1], n.children[2], true);
      return;
    case node_kind::while_:
    case node_kind::do_:
    case node_kind::for_:
      loop(n);
      return;
    case node_kind::switch_:
      value(*n.children[0]);
      statement(*n.children[1]);
      now_ = {};
      return;
    case node_kind::label:
    case node_kind::case_:
    case node_kind::default_:
      now_ = {};
      if (n.children.back()) statement(*n.children.back());
      return;
    case node_kind::asm_:
      now_.gets.clear();
      return;
    case node_kind::goto_:
    case node_kind::goto_computed:
    case node_kind::continue_:
    case node_kind::break_:
    case node_kind::return_:
      each_part(n, [this](const node& part) { value(part); });
      now_.ends = true;
      return;
    case node_kind::declaration:
    case node_kind::expression:
      each_part(n, [this](const node& part) { value(part); });
      return;
    default:
      value(n);
  }
}

}  // namespace

void warn_of_early_reads(const node& function, const token_list& tokens, diagnostics& report) {
  const auto is_get = [](const node& n) {
    return (n.kind == node_kind::assignment && n.op == punctuator::split_phase) ||
           (n.kind == node_kind::call && is_of_library(callee(n), "bulk_get"));
  };
  if (!any_part(function, is_get)) return;
  get_trap(tokens, report).statement(*function.children.back());
}

}  // namespace splitcc
