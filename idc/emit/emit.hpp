// SPDX-License-Identifier: Apache-2.0
// Threads as a program in TL0: each variant of a function is a code block.
#ifndef IDC_EMIT_EMIT_HPP
#define IDC_EMIT_EMIT_HPP

#include <functional>

#include "idc/partition/partition.hpp"
#include "tl0/program/program.hpp"

namespace idc::emit {

struct line_of_source {
  std::string_view file;
  std::uint32_t line = 0, column = 0;
};
using find_line = std::function<line_of_source(position)>;

tl0::program emit(const partition::plans& of, const graph::program& from, const find_line& lines);

// The same, block by block: `use` gets the program when the instructions of this block are in it,
// and of no other one.
using use_block = std::function<void(const tl0::program&, tl0::index block)>;
void emit(const partition::plans& of, const graph::program& from, const find_line& lines,
          const use_block& use);

}  // namespace idc::emit

#endif
