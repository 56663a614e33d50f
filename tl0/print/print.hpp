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

// The same, some blocks at a time. Meanwhile the program may become another one that has the same
// files, and the first `types_kept` of its types.
class block_printer {
 public:
  explicit block_printer(const program& p);
  // What is printed next stands at the beginning, or behind something.
  void begin(bool is_first, index types_kept);
  void print(const code_block& b);
  // What was printed since then. Behind something it begins with a blank line, and a line that says
  // from where it was made: not needed where what is ahead was made from there, too.
  std::string_view text() const { return out_.view(); }
  std::size_t bytes_of_place() const { return bytes_of_place_; }
  const position& place_of_first() const { return place_of_first_; }  // block
  const position& end() const { return now_; }  // from where what comes last was made

 private:
  static constexpr std::size_t kBytesExpected = 128 * 1024;

  // What comes next was made from there.
  void place(const position& where) {
    if (where.file != now_.file || (where.file != 0 && where.line != now_.line)) place_slow(where);
  }
  void place_slow(const position& where);
  void inlet_lines(const code_block& b, const inlet& shown);
  void thread_lines(const code_block& b, index at);
  void body_lines(const code_block& b, const body& shown);

  const program& p_;
  text_buffer out_;
  body_text statements_;
  position now_;
  bool is_first_ = true;  // of what is printed
  std::size_t bytes_of_place_ = 0;
  position place_of_first_;
};

// Inlets and threads of each code block, and who gives whom an entry.
std::string dot(const program& p);

}  // namespace tl0

#endif
