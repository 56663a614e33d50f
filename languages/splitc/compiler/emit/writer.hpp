// SPDX-License-Identifier: Apache-2.0
// The text of the output: tokens of the unit as they are, with line marks that follow where they
// came from, and what the emitter puts between them.
#ifndef SPLITCC_EMIT_WRITER_HPP
#define SPLITCC_EMIT_WRITER_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/splitc/compiler/lex/token.hpp"

namespace splitcc {

class writer {
 public:
  writer(const token_list& tokens, bool line_marks);

  // Text of the emitter's. A space comes before it where it would run into what is there.
  void text(std::string_view s);
  // The tokens [first, last) as they are, and the pragmas between them.
  void tokens(token_index first, token_index last);
  // The tokens without pragmas and line marks, for what is written a second time.
  void tokens_again(token_index first, token_index last);
  // A statement or declaration begins whose first token this is: pragmas before it, its line.
  void begin(token_index at);
  // What comes next stands on the line of this token.
  void go_to(token_index at);
  // The same, but not back to an earlier line.
  void go_forward_to(token_index at);

  // What `write` writes, as a string instead; without line marks.
  template <class Write>
  std::string captured(Write&& write) {
    std::string kept = std::exchange(out_, {});
    const std::size_t column = column_;
    ++captures_;
    write();
    --captures_;
    column_ = column;
    return std::exchange(out_, std::move(kept));
  }

  // Where the output stands; text can be put in there later.
  std::size_t position() const { return out_.size(); }
  void put_in(std::size_t position, std::string text);
  // An external declaration begins; whole lines can be put before it while it is written.
  void start_of_declaration();
  void put_before_declaration(const std::string& text);
  // Where the `{` of a record's definition was written: its token. 0 if it was not.
  std::size_t brace_position(token_index brace) const;
  // Whose positions are to be kept.
  static token_index brace_of_record(const token_list& tokens, token_index word);

  std::string finish();

 private:
  void put(std::string_view s);
  void put_token(token_index i);
  void new_line();
  void mark(const token& t);
  std::string mark_text(std::uint32_t line, std::uint16_t file) const;
  void pad_to(const token& t);
  void pragmas_before(token_index at);

  const token_list& tokens_;
  const bool line_marks_;
  std::string out_;
  int captures_ = 0;
  std::size_t column_ = 0;  // characters since the last newline
  bool fresh_line_ = true;  // nothing is on the line yet
  std::uint32_t line_ = 0;  // of the user's file: where the next character stands; 0: nowhere
  std::uint16_t file_ = 0;
  token_index last_ = kNoToken;  // just written
  std::vector<std::pair<token_index, std::string_view>> pragmas_;
  std::size_t pragma_next_ = 0;
  std::unordered_map<token_index, std::size_t> braces_;
  std::size_t declaration_start_ = 0;
  std::string declaration_mark_;  // what says again where that is
  std::vector<std::pair<std::size_t, std::string>> later_;
};

}  // namespace splitcc

#endif
