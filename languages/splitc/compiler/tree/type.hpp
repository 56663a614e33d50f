// SPDX-License-Identifier: Apache-2.0
// Types. Each lives as long as the compilation. Pointers to one type with one reach are one object;
// other derived types may occur twice: compare by same_type() (semantics/types.hpp).
#ifndef SPLITCC_TREE_TYPE_HPP
#define SPLITCC_TREE_TYPE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "languages/splitc/compiler/lex/token.hpp"

namespace splitcc {

struct node;
struct type;
struct record;
struct enumeration;
struct entity;

enum class type_kind : std::uint8_t {
  error,  // of what was reported; goes with everything in silence
  void_,
  bool_,
  char_,  // plain; signed on x86-64, unsigned on AArch64
  signed_char,
  unsigned_char,
  short_,
  unsigned_short,
  int_,
  unsigned_int,
  long_,
  unsigned_long,
  long_long,
  unsigned_long_long,
  int128,
  unsigned_int128,
  float16,
  float_,
  double_,
  long_double,
  float32,
  float64,
  float32x,
  float64x,
  float128,
  decimal32,
  decimal64,
  decimal128,
  complex,  // of `target`, floating or integer
  va_list,  // __builtin_va_list: an array of one on x86-64; opaque here
  enumeration,  // enumeration->underlying
  pointer,  // to target; reach
  array,  // of target
  spread_array,  // `T A[d1]...::[e1]...`: of blocks, target is the block's type
  function,  // returns target
  structure,  // record
  union_,  // record
  vector,  // count elements of target: attribute vector_size
};

// What a pointer can name, and by which view.
enum class reach : std::uint8_t { local, global, spread };

enum qualifier : std::uint8_t {
  kConst = 1,
  kVolatile = 2,
  kRestrict = 4,
  kAtomic = 8,
  kSegment = 16,  // __seg_fs, __seg_gs: left to the C compiler
};

// A type with its qualifiers.
struct qualified_type {
  const type* of = nullptr;
  std::uint8_t qualifiers = 0;

  const type* operator->() const { return of; }
  explicit operator bool() const { return of != nullptr; }
};

enum class bound_kind : std::uint8_t { unknown, constant, variable, star };

struct parameter {
  qualified_type type;  // adjusted: arrays and functions are pointers
  identifier* name = nullptr;
  entity* declared = nullptr;  // null in a prototype without names
};

struct type {
  type_kind kind = type_kind::error;
  reach view = reach::local;  // of pointers
  bound_kind bound = bound_kind::unknown;  // of arrays
  bool variadic = false;  // of functions: `...`
  bool prototyped = false;  // of functions: false for `f()` and K&R definitions
  bool is_bit_field_promotion = false;
  bool char_is_unsigned = false;  // of plain char: AArch64, -funsigned-char
  qualified_type target;
  std::uint64_t count = 0;  // arrays with a constant bound, vectors: elements
  node* bound_node = nullptr;  // arrays: the expression between the brackets, if there is one
  std::vector<node*> spread_bounds;  // spread arrays: d1...dk, not empty
  std::vector<parameter> parameters;  // functions
  struct record* record = nullptr;  // structures and unions
  struct enumeration* enumeration = nullptr;  // enumerations
  std::uint32_t alignment_asked = 0;  // attribute aligned on a typedef; 0: none
  identifier* typedef_name = nullptr;  // of a copy made for attributes; else null
  // Kept by the tables of derived types.
  const type* pointers_to[3] = {nullptr, nullptr, nullptr};  // by reach, unqualified target
};

struct member {
  identifier* name = nullptr;  // null: an unnamed bit-field, or an anonymous struct or union
  qualified_type type;
  std::optional<std::uint32_t> bits;  // bit-fields: the width
  std::uint64_t offset = 0;  // bytes; of a bit-field: of its storage unit
  std::uint32_t bit_offset = 0;  // within the storage unit
  token_index at = kNoToken;
  std::uint32_t alignment_asked = 0;
  bool packed = false;
};

// A struct or union. Several types (qualified, aligned copies) may share one.
struct record {
  identifier* tag = nullptr;  // null: none was written
  std::string name_in_output;  // of one without a tag: what the emitter calls it; else empty
  bool is_union = false;
  bool is_complete = false;
  bool is_anonymous_member = false;  // must stay without a tag in the output
  bool packed = false;
  bool is_transparent = false;  // attribute transparent_union: an argument may be any member
  std::uint32_t pack = 0;  // #pragma pack(n): no member is aligned to more; 0: none
  bool layout_is_known = false;  // false: attributes that we leave to the C compiler
  std::uint32_t alignment = 1;
  std::uint64_t bytes = 0;
  std::vector<member> members;
  token_index at = kNoToken;
  bool holds_global = false;  // a global or spread pointer is among the members, at any depth
};

struct enumeration {
  identifier* tag = nullptr;
  bool is_complete = false;
  const type* underlying = nullptr;  // int, unsigned, long or unsigned long
  token_index at = kNoToken;
};

}  // namespace splitcc

#endif
