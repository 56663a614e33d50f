// SPDX-License-Identifier: Apache-2.0
// Making nodes: their tokens, their children, and `translate`, which a node has if a child has it.
#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

static constexpr std::size_t kTextBytesMax = 60;

node* node_maker::make(node_kind kind, token_range r, std::span<node* const> children) {
  node* made = memory_.make<node>();
  made->kind = kind;
  made->first = r.first;
  made->last = r.last;
  made->at = r.at;
  made->children = memory_.list<node*>(children);
  for (const node* child : children) made->translate |= child && child->translate;
  return made;
}

node* node_maker::new_node(node_kind kind, token_range r, std::initializer_list<node*> children) {
  return make(kind, r, std::span<node* const>(children.begin(), children.size()));
}

// What a conversion to or from a global or spread pointer makes of its operand is not C, but for
// the two that leave the bits as they are; a null pointer constant spelled 0 is 0 in the output,
// too.
static bool is_said_otherwise(const node& e, conversion kind) {
  switch (kind) {
    case conversion::none:
    case conversion::decay:
    case conversion::arithmetic:
    case conversion::reinterpret:
      return false;
    case conversion::null_to_global:
      return !is_integer(e.type.of);
    default:
      return true;
  }
}

node* node_maker::new_conversion(node* e, conversion kind, qualified_type to) {
  node* made = new_node(node_kind::convert, {e->first, e->last, e->at}, {e});
  made->converts = kind;
  made->type = to;
  made->translate |= is_said_otherwise(*e, kind);
  return made;
}

node* node_maker::new_expression(node_kind kind, token_range r, qualified_type t,
                                 std::initializer_list<node*> children) {
  node* made = new_node(kind, r, children);
  made->type = t;
  return made;
}

node* node_maker::error_node(token_range r) {
  node* made = new_node(node_kind::error, r);
  made->type = {types_.basic(type_kind::error), 0};
  return made;
}

bool node_maker::in_system_header(token_index at) const {
  if (at >= tokens_.tokens.size()) return false;
  return tokens_.files[tokens_.tokens[at].file].is_system;
}

std::string node_maker::quoted(const identifier* name) const {
  return "'" + std::string(name ? name->text : "<anonymous>") + "'";
}

std::string node_maker::quoted(qualified_type t) const { return "'" + describe(t) + "'"; }

std::string node_maker::text_of(const node* e) const {
  std::string text;
  for (token_index i = e->first; i < e->last && i < tokens_.tokens.size(); ++i) {
    const token& t = tokens_.tokens[i];
    if (i > e->first && t.space_before) text += ' ';
    text += t.text;
    if (text.size() > kTextBytesMax) return text.substr(0, kTextBytesMax) + "...";
  }
  return text;
}

}  // namespace splitcc
