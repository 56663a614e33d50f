// SPDX-License-Identifier: Apache-2.0
// Constants and string literals as expressions.
#ifndef SPLITCC_SEMANTICS_LITERALS_HPP
#define SPLITCC_SEMANTICS_LITERALS_HPP

#include <cstdint>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

class literal_rules : private node_maker {
 public:
  using node_maker::node_maker;

  node* number(token_range r);
  node* character(token_range r);
  node* string(token_range r);  // all tokens of the range are literals

 private:
  static constexpr std::size_t kKeptStringTypes = 256;

  node* integer(token_range r, __int128 value, type_kind kind);
  node* floating(token_range r, std::string_view text);
  const type* string_type(type_kind unit, std::uint64_t count);

  std::vector<const type*> string_types_;  // arrays of char, by count
};

}  // namespace splitcc

#endif
