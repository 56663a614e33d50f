// SPDX-License-Identifier: Apache-2.0
// atomic(f, g, arguments...): the function and the arguments travel as words, and a function that
// is made for the call takes them out of the words again.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

// atomic, called, target
constexpr std::size_t kBeforeArguments = 3;

const type* function_type(const node* called) {
  const type* t = called->type.of;
  return is_any_pointer(t) ? t->target.of : t;
}

// What f takes as the call's child i: the parameter's type, or without a prototype the argument's.
qualified_type passed_type(const type* f, const node* call, std::size_t i) {
  const std::size_t position = i - kBeforeArguments + 1;
  if (f->prototyped && position < f->parameters.size()) return f->parameters[position].type;
  return call->children[i]->type;
}

}  // namespace

std::string emission::from_word(qualified_type t, const std::string& word) {
  if (is_floating(t.of)) return "(" + type_name({t.of, 0}) + ")splitc_double_of(" + word + ")";
  return "(" + type_name({t.of, 0}) + ")" + word;
}

std::string emission::thunk_for(const node* n) {
  const type* f = function_type(n->children[1]);
  const bool gives = f->target->kind != type_kind::void_;
  const std::string name = "splitc_thunk_" + std::to_string(++names_);
  std::string text = "static splitc_bits " + name + "(void* at, const splitc_bits* words) { ";
  if (gives) text += is_floating(f->target.of) ? "return splitc_word_of(" : "return (splitc_bits)(";
  text += "((" + declared({f, 0}, "(*)") + ")words[0])(at";
  for (std::size_t i = kBeforeArguments; i < n->children.size(); ++i) {
    const std::size_t word = i - kBeforeArguments + 1;
    text += ", " + from_word(passed_type(f, n, i), "words[" + std::to_string(word) + "]");
  }
  text += gives ? ")); }" : "); return 0; }";
  out_.put_before_declaration(text);
  return name;
}

void emission::atomic_call(const node* n) {
  const type* f = function_type(n->children[1]);
  const bool gives = f->target->kind != type_kind::void_;
  const std::string thunk = thunk_for(n);
  if (gives) out_.text("((" + type_name({f->target.of, 0}) + ")");
  if (gives && is_floating(f->target.of)) out_.text("splitc_double_of(");
  out_.text("splitc_run_atomic(" + thunk + ", ");
  expression(n->children[2], power::assignment);
  out_.text(", (const splitc_bits[]){(splitc_bits)(");
  expression(n->children[1], power::assignment);
  out_.text(")");
  for (std::size_t i = kBeforeArguments; i < n->children.size(); ++i) {
    const qualified_type t = passed_type(f, n, i);
    out_.text(is_floating(t.of) ? ", splitc_word_of(" : ", (splitc_bits)(");
    if (is_arithmetic(t.of)) out_.text("(" + type_name({t.of, 0}) + ")");
    expression(n->children[i], power::cast);
    out_.text(")");
  }
  out_.text("}, " + std::to_string(n->children.size() - kBeforeArguments + 1) +
            (gives ? ", 1)" : ", 0)"));
  if (gives) out_.text(is_floating(f->target.of) ? "))" : ")");
}

}  // namespace splitcc
