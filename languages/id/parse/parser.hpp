// SPDX-License-Identifier: Apache-2.0
// The parser: from tokens to a tree. An error is reported, and the parser goes on behind the next
// semicolon of the same block.
#ifndef IDC_PARSE_PARSER_HPP
#define IDC_PARSE_PARSER_HPP

#include "languages/id/tree/tree.hpp"
#include "languages/support/arena.hpp"
#include "languages/support/source_text.hpp"

namespace idc {

struct parser_memory {
  frontend::arena& tree;
  frontend::arena& datatypes;  // which are needed as long as there are types
};

// Adds to `to`. Offsets are those in the source plus `base`: sources share a space of offsets.
void parse(const frontend::source_text& source, std::uint32_t base, parser_memory memory,
           frontend::messages& report, program& to);

}  // namespace idc

#endif
