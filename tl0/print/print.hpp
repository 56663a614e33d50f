// SPDX-License-Identifier: Apache-2.0
// A program as text: in the notation (the canonical form, from which the assembler makes the same
// program), and as a graph for Graphviz.
#ifndef TL0_PRINT_PRINT_HPP
#define TL0_PRINT_PRINT_HPP

#include <string>
#include <string_view>

#include "tl0/print/body_text.hpp"
#include "tl0/program/program.hpp"

namespace tl0 {

std::string print(const program& p);

// The same, block by block in their order. Meanwhile the program may get more types, and lose the
// bodies of blocks that are printed.
class block_printer {
 public:
  explicit block_printer(const program& p);
  // As if what was made from there had been printed: for printers that share a program.
  void begin_behind(const position& where) { now_ = where; }
  void print(const code_block& b);
  // What was not taken yet.
  std::string_view text() const { return out_.view(); }
  void take() { out_.clear(); }

 private:
  static constexpr std::size_t kBytesExpected = 128 * 1024;

  // What comes next was made from there.
  void place(const position& where);
  void name(index i) { out_.put(p_.name(i)); }
  void inlet_lines(const code_block& b, const inlet& shown);
  void thread_lines(const code_block& b, index at);
  void body_lines(const code_block& b, const body& shown);

  const program& p_;
  text_buffer out_;
  body_text statements_;
  position now_;
};

// From where what comes last in the block was made.
position end_of(const program& p, const code_block& b);

// Inlets and threads of each code block, and who gives whom an entry.
std::string dot(const program& p);

}  // namespace tl0

#endif
