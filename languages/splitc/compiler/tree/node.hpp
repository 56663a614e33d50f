// SPDX-License-Identifier: Apache-2.0
// The typed tree: one struct for all nodes, with children by position as the table below says.
//
// A node covers the tokens [first, last). The emitter writes a node's tokens as they are unless
// `translate` is set: something in it means what C does not say by the same words. Passes that
// change the tree set `translate` from the changed node up to its function.
// A node that a pass made has no tokens: first == last == kNoToken.
//
// An lvalue is either `local`: plain C; or `global`: it was reached through a global or spread
// pointer or lies in a block of a spread array, and its address is a (processor, address) pair.
// A global lvalue that is used for its value stands below a `convert` node of kind `read`.
//
// What semantics makes of expressions, as far as children and types do not say it by themselves:
//   - A local array or function as a value may stand there without a `convert` of kind decay.
//   - cast: `converts` is what the change of view needs; a wide pointer and an integer have the
//     same bits.
//   - index: `A[i][j]` of `T A[m][n]::` is an index over `A[i]`, whose type is the spread array
//     `T [n]::`, a row of blocks. A parameter `T X[m][n]::` is a spread pointer to such a row
//     (pointer, spread, target spread_array); as a value it is reinterpreted to `T *spread`.
//   - conditional without its second child: the first is a value, converted as the result; its
//     truth is not spelled by a `convert`.
//   - binary == and !=, a child converted by null_to_global: asks whether the address part is 0.
//   - assignment of `:=` and `:-`: op is split_phase with a local left and a global right side: a
//     get; with a global left side: a put; store: a store; assign where nothing else is left to do.
//     The type is void.
//   - generic, choose: `chosen` is the child that counts.
//   - A type of kind `error` in a tree without errors: a builtin's, known to the C compiler alone.
#ifndef SPLITCC_TREE_NODE_HPP
#define SPLITCC_TREE_NODE_HPP

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "languages/splitc/compiler/tree/entity.hpp"
#include "languages/splitc/compiler/tree/type.hpp"

namespace splitcc {

enum class node_kind : std::uint8_t {
  error,
  // --- Expressions; children in this order, [] optional (a null child) ---
  number,  // value (integers) | text only (floating)
  character,  // value
  string,  // one or more adjacent literals; type array of char
  name,  // referred
  parenthesized,  // e
  unary,  // op e: op is plus minus tilde exclamation star ampersand increment decrement
  real,  // __real__ e
  imaginary,  // __imag__ e
  postfix,  // e op: op is increment or decrement
  binary,  // l op r, logical_and, logical_or and comma included
  assignment,  // l op r: assign, assign_*, split_phase, store
  conditional,  // c ? [t] : f
  call,  // f, arguments...
  index,  // a, i as written (a may be the integer); pointer arithmetic by a's type
  member,  // object . accessed
  arrow,  // pointer -> accessed
  cast,  // e to `type`: written
  convert,  // e to `type`: implied; conversion says which
  compound_literal,  // initializer; written is the type name
  initializer,  // { items }: designation nodes or expressions
  designation,  // [designators...] = value: children are designators, then the value
  designator_index,  // first [last]: `[e]`, `[a ... b]`
  designator_member,  // accessed; of_pass is the identifier until the type is known
  statement_expression,  // compound
  sizeof_expression,  // e
  sizeof_type,  // written
  alignof_expression,
  alignof_type,
  generic,  // control, associations...: result is the chosen one's type
  association,  // e; written is the type name, null for default
  va_arg,  // e; written
  offset_of,  // designators...; written
  choose,  // c, a, b: __builtin_choose_expr
  types_compatible,  // written, written_too
  convert_vector,  // e; written
  label_address,  // && target
  type_name,  // written: where a type stands for an expression (builtins' arguments)
  // --- Statements ---
  compound,  // items
  expression,  // e
  empty,  // ;
  if_,  // c, then, [else]
  switch_,  // e, body
  while_,  // c, body
  do_,  // body, c
  for_,  // [init expression or declaration], [c], [step], body
  goto_,  // target
  goto_computed,  // e
  continue_,
  break_,
  return_,  // [e]
  label,  // target; statement
  case_,  // value, [last of a range], statement
  default_,  // statement
  asm_,  // tokens only: asm goto's labels and operands are children where typed
  local_label,  // __label__ names;
  // --- Declarations ---
  declaration,  // declared; children: the nodes of record definitions in the specifiers
  function_definition,  // declared; children: [K&R parameter declarations...], the body last
  static_assert_,  // c
  file_asm,
  translation_unit,  // items
  made,  // by a pass: `made` says how the children are put together
};

enum class conversion : std::uint8_t {
  none,
  read,  // the value of a global lvalue: a blocking read
  decay,  // local array or function to local pointer: nothing to emit
  decay_to_global,  // a global lvalue of array type to `T *global`
  decay_to_spread,  // a spread array to `block *spread`
  arithmetic,  // between arithmetic types, pointers of one reach, to void; C does it itself
  local_to_global,  // takes MYPROC
  local_to_spread,
  to_local,  // drops the processor
  reinterpret,  // between global and spread, or their pointee types: the same bits
  null_to_global,  // a null pointer constant: all bits 0
  to_truth,  // of a global or spread pointer: whether its address part is not 0
};

struct label_target {
  identifier* name = nullptr;
  token_index at = kNoToken;  // first use or definition
  bool is_defined = false;
  bool is_used = false;
};

// A type as it was written: in casts, sizeof, compound literals.
struct written_type {
  qualified_type type;
  token_index first = kNoToken, last = kNoToken;
  bool translate = false;  // it spells a global or spread pointer or a spread array
  bool in_definitions = false;  // it does so in members of `records` alone
  std::vector<node*> records;  // definitions of records and enumerations in it
};

struct declarator_info {
  entity* declared = nullptr;  // null: a declaration of a tag alone has no declarators
  qualified_type type;  // what this declaration alone says; the entity's is the composite of all
  token_index first = kNoToken, last = kNoToken;  // the declarator, attributes and asm included
  token_index suffix_first = kNoToken;  // asm labels and attributes behind it: [suffix_first, last)
  node* initializer = nullptr;
  bool translate = false;  // the declarator spells what C does not, or its type does
  // A system header declares the function, in a way that C finds unlike this: not for the output.
  bool is_superfluous = false;
  // Of members, `declared` is an entity for the sake of name and type that no scope knows; without
  // a name in unnamed bit-fields. `width` is that of bit-fields.
  node* width = nullptr;
};

// `specifiers declarator, declarator;`
struct declaration_info {
  token_index specifiers_first = kNoToken, specifiers_last = kNoToken;
  qualified_type base;  // what the specifiers say
  bool specifiers_translate = false;  // they spell what C does not
  bool specifiers_respelled = false;  // they do so outside `records`: in typeof, _Atomic, _Alignas
  std::uint32_t alignment = 0;  // that the specifiers ask for; 0: none, or not known
  bool is_typedef = false;
  std::vector<node*> records;  // record definitions in the specifiers: `declaration` nodes
  std::vector<declarator_info> declarators;
  // Of a record definition (records above): the record, and its members' declarations.
  struct record* defines = nullptr;
  token_index brace_first = kNoToken, brace_last = kNoToken;  // [ `{`, past `}` )
  std::vector<node*> members;  // declaration nodes
  // Of an enumeration's definition, which is among `records` too, and has translate set if a value
  // must be written as a number (`A = sizeof(int *global)`).
  struct enumeration* enumerates = nullptr;
  std::vector<entity*> enumerators;
};

// A statement or expression that a pass has made, as GNU C with holes: %0 to %9, %a to %z is a
// child (as a statement if it is one), @0 to @z the declaration of a variable of the pass, without
// its `;`, and #0 to #z the bytes of what that variable points to.
struct made_text {
  std::string text;
  std::vector<entity*> variables;
};

// Whether a read asks if the word is one's own, before it looks for its place: always; and says
// where it is not; never.
enum class asking : std::uint8_t { always, until_other, nothing };

struct node {
  node_kind kind = node_kind::error;
  punctuator op = punctuator::none;
  conversion converts = conversion::none;
  reach place = reach::local;  // of lvalues: local or global
  bool is_lvalue : 1 = false;
  bool translate : 1 = false;
  bool is_bit_field : 1 = false;
  bool is_constant : 1 = false;  // value is an integer constant expression's
  bool is_null_constant : 1 = false;
  bool is_followed : 1 = false;  // of a get: another one or sync() is done next
  asking asks : 2 = asking::always;  // of a global lvalue that is read
  std::uint16_t chosen = 0;  // generic, choose: which child
  token_index first = kNoToken, last = kNoToken;
  token_index at = kNoToken;  // where errors point
  qualified_type type;
  std::span<node*> children;  // in the arena
  __int128 value = 0;
  union {
    entity* referred = nullptr;  // name
    const member* accessed;  // member, arrow, designator_member
    written_type* written;  // cast, sizeof_type, ...
    label_target* target;  // goto_, label, label_address
    declaration_info* declared;  // declaration, function_definition
    made_text* made;  // made
    void* of_pass;
  };
  written_type* written_too = nullptr;
};

// A declaration counts.
inline bool is_statement(const node* n) {
  return n->kind >= node_kind::compound && n->kind <= node_kind::declaration;
}

}  // namespace splitcc

#endif
