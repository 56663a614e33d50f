// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/run/values.hpp"

#include <bit>
#include <cmath>

#include "languages/support/number_text.hpp"

namespace tl0 {
namespace {

template <char letter>
auto from_word(word w) {
  if constexpr (letter == 'f')
    return std::bit_cast<double>(w);
  else if constexpr (letter == 'b')
    return w != 0;
  else
    return static_cast<std::int64_t>(w);
}

word to_word(std::int64_t value) { return static_cast<word>(value); }
word to_word(double value) { return std::bit_cast<word>(value); }
word to_word(bool value) { return value; }
[[maybe_unused]] word to_word(int value) { return value != 0; }  // & and | of two bools

std::int64_t checked_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) throw no_value{"division by zero"};
  return b == -1 ? static_cast<std::int64_t>(0 - static_cast<word>(a)) : a / b;
}
std::int64_t checked_remainder(std::int64_t a, std::int64_t b) {
  if (b == 0) throw no_value{"division by zero"};
  return b == -1 ? 0 : a % b;
}
std::int64_t checked_int(double a) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (!(a >= -kEnd && a < kEnd)) throw no_value{"no int is this float"};
  return static_cast<std::int64_t>(a);
}

}  // namespace

word apply(opcode op, word a_word, word b_word) {
  switch (op) {
#define TL0_OPERATION(name, form, spelling, operands, result, value)                     \
  case opcode::name: {                                                                   \
    [[maybe_unused]] const auto a = from_word<(operands)[0]>(a_word);                    \
    [[maybe_unused]] const auto b = from_word<(operands)[sizeof(operands) - 2]>(b_word); \
    return to_word(value);                                                               \
  }
#include "languages/tam/tl0/program/operations.def"
#undef TL0_OPERATION
    default:
      return 0;
  }
}

std::string text_of(word value, kind is) {
  if (is == kind::boolean) return value != 0 ? "true" : "false";
  if (is != kind::real) return std::to_string(static_cast<std::int64_t>(value));
  return frontend::number_text(std::bit_cast<double>(value));
}

kind kind_of(const program& p, index block, const body& in, operand item) {
  index type = kNone;
  if (item.where() == space::constant)
    type = p.constant_types[item.at()];
  else if (item.where() == space::slot)
    type = p.slots[p.blocks[block].slots.first + item.at()].type;
  else
    type = p.temporaries[in.temporaries.first + item.at()].type;
  return p.types[type].is;
}

}  // namespace tl0
