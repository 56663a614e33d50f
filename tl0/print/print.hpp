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
// files, and the first `types_kept` of its types, and names and strings behind those that it had.
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
  static constexpr std::size_t kLineMax = 64;  // of a #line, without the file's name

  // What comes next was made from there.
  char* place(char* to, const position& where) {
    if (where.file == now_.file && (where.file == 0 || where.line == now_.line)) [[likely]]
      return to;
    return place_slow(to, where);
  }
  char* place_slow(char* to, const position& where);
  char* inlet_lines(char* to, const code_block& b, const inlet& shown);
  char* thread_lines(char* to, const code_block& b, index at);
  char* body_lines(char* to, const code_block& b, const body& shown);
  char* spelling(char* to, index type) { return statements_.kept(to, statements_.spelling(type)); }
  template <class... Parts>
  static char* put(char* to, const Parts&... parts) {
    return text_buffer::put(to, parts...);
  }

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
