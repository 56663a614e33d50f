// SPDX-License-Identifier: Apache-2.0
// The parser: from tokens to a tree. An error is reported, and the parser goes on behind the next
// semicolon of the same block.
#ifndef IDC_PARSE_PARSER_HPP
#define IDC_PARSE_PARSER_HPP

#include <deque>

#include "frontend/arena.hpp"
#include "frontend/source_text.hpp"
#include "frontend/team.hpp"
#include "idc/tree/tree.hpp"

namespace idc {

struct parser_memory {
  frontend::arena& tree;
  frontend::arena& datatypes;  // which are needed as long as there are types
};

// Adds to `to`. Offsets are those in the source plus `base`: sources share a space of offsets.
void parse(const frontend::source_text& source, std::uint32_t base, parser_memory memory,
           frontend::messages& report, program& to);

// The same by several threads, a piece for each. Where pieces begin with definitions and have no
// errors, they are the program. If not, or if it is short, false: then `to` is as it was.
struct parser_arenas {
  frontend::arena tree, datatypes;
};
bool parse_in_pieces(const frontend::source_text& source, std::deque<parser_arenas>& memory,
                     frontend::team& threads, program& to);

}  // namespace idc

#endif
