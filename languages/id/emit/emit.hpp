// SPDX-License-Identifier: Apache-2.0
// Threads as a program in TL0: each variant of a function is a code block.
#ifndef IDC_EMIT_EMIT_HPP
#define IDC_EMIT_EMIT_HPP

#include <functional>

#include "languages/id/graph/graph.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace idc::emit {

struct line_of_source {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t begin = 0, end = 0;  // offsets: of the line, and behind it
};
using find_line = std::function<line_of_source(position)>;

tl0::program emit(const graph::program& from, const find_line& lines);

}  // namespace idc::emit

#endif
