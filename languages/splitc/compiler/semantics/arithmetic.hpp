// SPDX-License-Identifier: Apache-2.0
// The types of arithmetic: integer promotion and the usual arithmetic conversions.
// (C17 6.3.1.1, 6.3.1.8; GNU: __int128, complex integers; TS 18661-3: _FloatN.)
#ifndef SPLITCC_SEMANTICS_ARITHMETIC_HPP
#define SPLITCC_SEMANTICS_ARITHMETIC_HPP

#include "languages/splitc/compiler/semantics/types.hpp"
#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

// Of integer types: bits of value and sign; 1 for _Bool.
std::uint32_t width_of(const type* t);

// What is left of `value` in an object of integer type `t`.
__int128 wrapped(__int128 value, const type* t);

// Of an arithmetic type; other types come back as they are.
const type* promoted(const type_table& types, const type* t);

// The bits of a value that is a bit-field's; 0 if it is not one.
std::uint32_t bit_field_width(const node* e);

// Of an operand of arithmetic type: narrow bit-fields are int.
const type* promoted_operand(const type_table& types, const node* e, const type* t);

// Of two arithmetic types, promoted already.
const type* common_type(type_table& types, const type* a, const type* b);

}  // namespace splitcc

#endif
