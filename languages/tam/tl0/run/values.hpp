// SPDX-License-Identifier: Apache-2.0
// Words, and the operations of operations.def on them.
#ifndef TL0_RUN_VALUES_HPP
#define TL0_RUN_VALUES_HPP

#include <cstdint>
#include <string>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

using word = std::uint64_t;

// An operation has no value for its operands: a sentence.
struct no_value {
  const char* why;
};

// b is not looked at where the operation takes one operand.
word apply(opcode op, word a, word b);

// As it is printed. Floats have as few digits as give them back, of 15, 16 and 17.
std::string text_of(word value, kind is);
// Of an operand in a thread's or inlet's body that is not a string.
kind kind_of(const program& p, index block, const body& in, operand item);

}  // namespace tl0

#endif
