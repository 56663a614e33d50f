// SPDX-License-Identifier: Apache-2.0
// What names stand for, and the scopes that bind them.
#ifndef SPLITCC_TREE_ENTITY_HPP
#define SPLITCC_TREE_ENTITY_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "languages/splitc/compiler/tree/type.hpp"

namespace splitcc {

enum class entity_kind : std::uint8_t {
  variable,
  parameter,
  function,
  typedef_name,
  enumerator,
  builtin,  // __builtin_*, __sync_*, __atomic_*: known to the C compiler
};

enum class linkage : std::uint8_t { none, internal, external };

enum class storage : std::uint8_t { automatic, static_, extern_, register_, thread, typedef_ };

struct entity {
  entity_kind kind = entity_kind::variable;
  linkage link = linkage::none;
  // Variables: automatic, static_ (all of file scope but what is declared `extern` and not
  // defined), extern_, register_, thread. Functions: as the latest declaration says, automatic for
  // none.
  storage where = storage::automatic;
  identifier* name = nullptr;
  qualified_type type;
  token_index first_at = kNoToken;  // the name in its first declaration, or in an implicit call
  token_index at = kNoToken;  // the name in its latest declaration, or in its definition
  token_index defined_at = kNoToken;  // the name in its definition
  node* initializer = nullptr;
  __int128 value = 0;  // enumerators
  std::uint32_t depth = 0;  // of its scope: 0 is the file's
  bool is_defined = false;
  bool is_inline = false;
  // Functions: a declaration asks for a symbol. An inline one without it is for inlining alone.
  bool has_symbol = false;
  bool is_library = false;  // declared by <split-c/split-c.h>: a program's own declaration wins
  bool is_implicit = false;  // a call without a declaration declared it
  // It was, and then became static or got another result than int, which gcc of old took with a
  // warning: C wants it declared ahead of that call.
  bool called_too_early = false;
  bool address_taken = false;
  bool is_used = false;
  bool is_weak = false;
  std::uint32_t alignment_asked = 0;  // variables: attribute aligned, _Alignas; 0: none
  std::string name_in_output;  // empty: its own name. `asm("...")` of library functions, renames
  const entity* function = nullptr;  // locals: of which function
};

// A name in a scope. A new declaration of the name in the same scope changes `is`; one in an
// inner scope is a new binding with `outer` set, and leaving the scope takes it off.
struct binding {
  entity* is = nullptr;  // ordinary names
  const type* tagged = nullptr;  // tags: the struct, union or enum type
  std::uint32_t depth = 0;
  binding* outer = nullptr;
};

}  // namespace splitcc

#endif
