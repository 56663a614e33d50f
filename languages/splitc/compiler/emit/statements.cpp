// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

void emission::statement(const node* n) {
  out_.begin(n->first);
  if (is_verbatim(n)) return out_.tokens(n->first, n->last);
  switch (n->kind) {
    case node_kind::compound:
      return compound(n);
    case node_kind::expression:
      values_.contains(n) ? expression(n->children[0]) : effect(n->children[0]);
      return out_.text(";");
    case node_kind::empty:
      return out_.text(";");
    case node_kind::if_:
      return if_statement(n);
    case node_kind::switch_:
      enclosed("switch (", n->children[0], ") ");
      return body(n->children[1]);
    case node_kind::while_:
      out_.text("while (");
      condition(n->children[0]);
      out_.text(") ");
      return body(n->children[1]);
    case node_kind::do_:
      out_.text("do ");
      body(n->children[0]);
      out_.text(" while (");
      condition(n->children[1]);
      return out_.text(");");
    case node_kind::for_:
      return for_statement(n);
    case node_kind::goto_:
      out_.text("goto ");
      out_.text(n->target->name->text);
      return out_.text(";");
    case node_kind::goto_computed:
      return enclosed("goto *", n->children[0], ";", power::cast);
    case node_kind::continue_:
      return out_.text("continue;");
    case node_kind::break_:
      return out_.text("break;");
    case node_kind::return_:
      if (n->children.empty() || !n->children[0]) return out_.text("return;");
      return enclosed("return ", n->children[0], ";");
    case node_kind::label:
    case node_kind::case_:
    case node_kind::default_:
      return labelled(n);
    case node_kind::declaration:
      return declaration(n);
    case node_kind::made:
      return made(n);
    default:
      return with_children(n);
  }
}

// { items }, of a function that is `entered` there if it is a function's body.
void emission::compound(const node* n, const type* entered) {
  const bounds_in_scope around = kept_bounds_;
  out_.text("{");
  if (entered) keep_parameter_bounds(entered);
  for (const node* item : n->children) {
    if (!item) continue;
    out_.text(" ");
    statement(item);
  }
  if (n->last != kNoToken) out_.go_to(n->last - 1);
  out_.text("}");
  kept_bounds_ = around;
}

void emission::body(const node* n) {
  if (n)
    statement(n);
  else
    out_.text(";");
}

// What is tested: of a global or spread pointer, whether it is null.
void emission::condition(const node* e) {
  if (is_wide_pointer(e->type.of)) return truth(e);
  expression(e);
}

void emission::if_statement(const node* n) {
  out_.text("if (");
  condition(n->children[0]);
  out_.text(") ");
  body(n->children[1]);
  if (n->children.size() < 3 || !n->children[2]) return;
  out_.text(" else ");
  body(n->children[2]);
}

// A declaration that becomes more than one stands before the loop, in a block with it.
void emission::for_statement(const node* n) {
  const node* first = n->children[0];
  const bool declares = first && first->kind == node_kind::declaration;
  const bool apart = declares && !is_verbatim(first) && !fits_one_declaration(*first->declared);
  const bounds_in_scope around = kept_bounds_;
  if (apart) {
    out_.text("{ ");
    declaration(first);
    out_.text(" ");
  }
  out_.text("for (");
  if (declares && !apart) {
    is_verbatim(first) ? out_.tokens(first->first, first->last) : declaration(first);
  } else {
    if (first && !apart) effect(first);
    out_.text(";");
  }
  out_.text(" ");
  if (n->children[1]) condition(n->children[1]);
  out_.text("; ");
  if (n->children[2]) effect(n->children[2]);
  out_.text(") ");
  body(n->children[3]);
  if (apart) out_.text(" }");
  kept_bounds_ = around;
}

// A label of any kind, with its attributes, and the statement behind it.
void emission::labelled(const node* n) {
  const node* child = n->children.back();
  const bool has_tokens = n->first != kNoToken && child && child->first != kNoToken &&
                          child->first > n->first && child->first <= n->last;
  const bool values_translate =
      n->kind == node_kind::case_ &&
      (n->children[0]->translate || (n->children[1] && n->children[1]->translate));
  if (has_tokens && !values_translate) {
    out_.tokens(n->first, child->first);
  } else if (n->kind == node_kind::case_) {
    enclosed("case ", n->children[0], "");
    if (n->children[1]) enclosed(" ... ", n->children[1], "");
    out_.text(":");
  } else {
    out_.text(n->kind == node_kind::default_ ? "default" : n->target->name->text);
    out_.text(":");
  }
  if (!child) return out_.text(";");
  out_.text(" ");
  if (child->kind == node_kind::empty && child->first == child->last) return out_.text(";");
  statement(child);
}

// The tokens as they are, with the children that need it written otherwise.
void emission::with_children(const node* n) {
  token_index at = n->first;
  for (const node* child : n->children) {
    if (!child || child->first == kNoToken || is_verbatim(child)) continue;
    out_.tokens(at, child->first);
    expression(child);
    at = child->last;
  }
  out_.tokens(at, n->last);
}

}  // namespace splitcc
