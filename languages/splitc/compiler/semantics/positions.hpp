// SPDX-License-Identifier: Apache-2.0
// The parts of an aggregate in the order in which values without designators go to them. A position
// is an element's index, or a member's in record::members; unnamed bit-fields are passed over.
#ifndef SPLITCC_SEMANTICS_POSITIONS_HPP
#define SPLITCC_SEMANTICS_POSITIONS_HPP

#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {

inline bool is_aggregate(const type* t) {
  return t->kind == type_kind::array || t->kind == type_kind::vector || is_record(t);
}

// Past the last one.
inline std::uint64_t positions(const type* t) {
  if (is_record(t)) return t->record->members.size();
  if (t->kind == type_kind::vector || t->bound == bound_kind::constant) return t->count;
  return ~std::uint64_t{0};
}

inline std::uint64_t named_from(const record& r, std::uint64_t position) {
  while (position < r.members.size() && !r.members[position].name && r.members[position].bits)
    ++position;
  return position;
}

inline std::uint64_t first_position(const type* t) {
  return is_record(t) ? named_from(*t->record, 0) : 0;
}

// Only one member of a union has a value.
inline std::uint64_t next_position(const type* t, std::uint64_t position) {
  if (!is_record(t)) return position + 1;
  return t->record->is_union ? t->record->members.size() : named_from(*t->record, position + 1);
}

inline qualified_type subobject(qualified_type t, std::uint64_t position) {
  return is_record(t.of) ? t->record->members[position].type : t->target;
}

}  // namespace splitcc

#endif
