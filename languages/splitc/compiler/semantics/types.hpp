// SPDX-License-Identifier: Apache-2.0
// The types of a compilation: making derived ones, comparing, layout, printing.
// (C17 6.2.5, 6.2.7; the x86-64 and AArch64 System V layouts.)
#ifndef SPLITCC_SEMANTICS_TYPES_HPP
#define SPLITCC_SEMANTICS_TYPES_HPP

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "languages/splitc/compiler/tree/entity.hpp"
#include "languages/splitc/compiler/tree/type.hpp"
#include "languages/support/arena.hpp"

namespace splitcc {

using frontend::arena;  // where nodes, entities and types live: freed together at the end

class type_table {
 public:
  explicit type_table(arena& memory);

  void make_char_unsigned();  // before any other use
  const type* basic(type_kind k) const;  // of the kinds up to float128, and va_list
  const type* complex_of(const type* element);
  const type* pointer_to(qualified_type target, reach view = reach::local);
  // Attributes can change a type while its declaration is read; so types are made writable.
  type* array_of(qualified_type element, bound_kind bound, std::uint64_t count, node* bound_node);
  type* spread_array_of(qualified_type block, std::vector<node*> bounds);
  type* function_of(qualified_type result, std::vector<parameter> parameters, bool variadic,
                    bool prototyped);
  type* record_type(bool is_union, identifier* tag, token_index at);
  type* enumeration_type(identifier* tag, token_index at);
  const type* vector_of(const type* element, std::uint64_t count);
  type* copy(const type* t);  // for attributes: aligned, mode

  const type* size_type() const { return basic(type_kind::unsigned_long); }
  const type* difference_type() const { return basic(type_kind::long_); }

  arena& memory() { return memory_; }

 private:
  type* make(type_kind kind);

  struct pointer_key {
    const type* target;
    std::uint8_t qualifiers;
    reach view;
    bool operator==(const pointer_key&) const = default;
  };
  struct pointer_hash {
    std::size_t operator()(const pointer_key& k) const;
  };

  arena& memory_;
  std::vector<type*> basic_;  // by kind
  std::unordered_map<const type*, type*> complex_;
  std::unordered_map<pointer_key, type*, pointer_hash> pointers_to_qualified_;
};

// What kind of type.
bool is_integer(const type* t);  // char, enumerations and _Bool included
bool is_floating(const type* t);
bool is_arithmetic(const type* t);  // complex too
bool is_scalar(const type* t);      // arithmetic, pointers of any reach
bool is_unsigned(const type* t);
bool is_record(const type* t);
bool is_pointer(const type* t, reach view);  // of that reach
bool is_any_pointer(const type* t);
bool is_wide_pointer(const type* t);  // global or spread
bool is_complete(const type* t);
bool is_variably_modified(const type* t);
// A global or spread pointer or a spread array is part of it: the type has another spelling in C.
bool has_wide_part(const type* t);

// Compatible (C17 6.2.7); qualifiers of the top level are the caller's matter.
bool same_type(const type* a, const type* b);
bool same_type(qualified_type a, qualified_type b);
// The composite of two compatible types.
const type* composite(type_table& types, const type* a, const type* b);

// Nothing where the C compiler alone knows (attributes) or only the running program (VLAs).
std::optional<std::uint64_t> size_of(const type* t);
std::uint32_t alignment_of(const type* t);
void lay_out(record& r);  // when its members are complete

// The member of that name, those of anonymous members included; `path`: the way to it.
const member* find_member(const record& r, const identifier* name,
                          std::vector<const member*>* path = nullptr);

// In the words of the language, for messages: `int *global`.
std::string describe(qualified_type t);
// Of arithmetic types, void and va_list, else nothing; C takes the same words.
std::string_view basic_words(type_kind k);

}  // namespace splitcc

#endif
