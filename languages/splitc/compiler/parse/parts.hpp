// SPDX-License-Identifier: Apache-2.0
// What the parser gathers of a declaration before there is a type: specifiers, attributes, and the
// declarator as a list of derivations.
#ifndef SPLITCC_PARSE_PARTS_HPP
#define SPLITCC_PARSE_PARTS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "languages/splitc/compiler/semantics/semantics.hpp"

namespace splitcc {

// The attributes that change types or layout. All others are the C compiler's matter alone.
struct attribute_set {
  std::uint32_t alignment = 0;     // aligned(n), the largest; 0: none
  std::uint64_t vector_bytes = 0;  // vector_size(n); 0: none
  type_kind mode = type_kind::error;  // mode(X): of signed integers, floating types; error: none
  bool mode_is_complex = false;
  bool packed = false;
  bool weak = false;
  bool transparent_union = false;
  bool leaves_layout_unknown = false;  // one that we do not know

  void add(const attribute_set& other);
};

// The type specifiers that are words, as they are counted; and whether there was another one.
struct type_words {
  keyword base = keyword::none;  // void, char, int, ...: all but the next five
  keyword sign = keyword::none;  // signed, unsigned
  std::uint8_t shorts = 0, longs = 0;
  bool complex = false;
  bool has_other = false;  // a typedef name, a tag, typeof: a type by itself
  std::uint8_t qualifiers = 0;

  bool has_word() const {
    return base != keyword::none || sign != keyword::none || shorts || longs || complex;
  }
};

// declaration-specifiers
struct specifier_parts {
  qualified_type type;  // int if none is written
  attribute_set attributes;
  std::vector<node*> records;  // definitions of records and enumerations, as declaration nodes
  token_index first = kNoToken, last = kNoToken;
  storage where = storage::automatic;
  bool has_storage_class = false;
  bool has_type = false;  // false: implicit int
  bool has_tag = false;   // struct, union or enum, with a tag or a body
  bool is_inline = false;
  bool is_thread = false;
  bool is_auto_type = false;
  bool translate = false;     // they spell what C does not
  bool is_respelled = false;  // they do so outside `records`: in typeof, _Atomic, _Alignas

  bool is_empty() const { return first == last; }
  bool is_typedef() const { return where == storage::typedef_; }
};

// The part of a function in a declarator: `( parameters )`.
struct function_part {
  std::vector<parameter> parameters;
  std::vector<token_index> names;  // of a K&R definition: the identifiers
  std::vector<kept_name> kept;  // what the prototype's scope bound
  std::vector<entity*> announced;          // GNU: parameters declared before a `;`
  bool variadic = false;
  bool prototyped = false;
};

// One step from a name to its type: `x` is a pointer to, an array of, a function that returns.
struct derivation {
  enum class kind : std::uint8_t { pointer, array, spread_bound, function };
  kind step = kind::pointer;
  reach view = reach::local;    // of pointers
  std::uint8_t qualifiers = 0;  // of pointers; in the brackets of a parameter's array
  bound_kind bound = bound_kind::unknown;
  bool starts_spread = false;  // the first of the bounds before a `::`
  std::uint64_t count = 0;
  node* bound_node = nullptr;
  function_part* function = nullptr;
  token_index at = kNoToken;
};

// A declarator that was read. Its derivations are on the parser's stack, from the name outwards.
struct declarator_parts {
  identifier* name = nullptr;  // null: abstract
  token_index name_at = kNoToken;
  token_index first = kNoToken, last = kNoToken;
  token_index suffix_first = kNoToken;  // asm label and attributes behind it: [suffix_first, last)
  std::size_t derivations_first = 0;
  function_part* function = nullptr;  // of the derivation next to the name, if that is a function
  std::uint8_t array_qualifiers = 0;  // `[const]` next to the name
  attribute_set attributes;
  std::string assembler_name;
  bool translate = false;  // it spells what C does not
};

// A record whose members are being read.
struct record_parts {
  declaration_info* info;
  std::vector<member> members;
  bool layout_is_known = true;
};

// Whether a declarator must have a name, may have one, must have none.
enum class naming : std::uint8_t { named, optional, abstract };

// Whether a bound that is not a constant is outside the spread array, if there is one.
bool has_variable_bound(const type* t);

}  // namespace splitcc

#endif
