// SPDX-License-Identifier: Apache-2.0
// Threads as a program in TL0: each variant of a function is a code block. It is partitioned,
// declared and filled before the next one is looked at, so that little memory is needed.
#ifndef IDC_EMIT_EMIT_HPP
#define IDC_EMIT_EMIT_HPP

#include <functional>

#include "idc/graph/graph.hpp"
#include "tl0/program/program.hpp"

namespace idc::emit {

struct line_of_source {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t begin = 0, end = 0;  // offsets: of the line, and behind it
};
using find_line = std::function<line_of_source(position)>;

tl0::program emit(const graph::program& from, const find_line& lines);

// The same, block by block: `use` gets the program when what this block declares and its
// instructions are in it, and of the other ones only names: those of blocks that are called, and of
// inlets behind the own ones.
using use_block = std::function<void(const tl0::program&, tl0::index block)>;
void emit(const graph::program& from, const find_line& lines, const use_block& use);

}  // namespace idc::emit

#endif
