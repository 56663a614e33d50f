// SPDX-License-Identifier: Apache-2.0
// Threads and inlets as functions in C.
#ifndef TL0_EMIT_BODY_EMITTER_HPP
#define TL0_EMIT_BODY_EMITTER_HPP

#include <string>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

class body_emitter {
 public:
  // `again`: of each thread whether it may be enabled more than once, so that its entry count is
  // set again when it is.
  body_emitter(const program& p, const std::vector<bool>& again, std::string& out)
      : p_(p), again_(again), out_(out) {}

  void thread(index at);
  void inlet(index at);

 private:
  void line(const std::string& text) { out_ += "  " + text + "\n"; }
  void place(const position& where);
  void begin(index block, const body& code);
  void statement(index at);
  void value(const instruction& it, index at);
  void effect(const instruction& it, index at);
  void send(const instruction& it);
  void spawn(const instruction& it, index at);
  bool call(const instruction& it, index at);
  void falloc_at(const instruction& it, index at);
  void structure(const instruction& it, index at);
  void print_items(const instruction& it);
  void add_items(const instruction& it, const std::string& margin);
  void posts(const tl0::inlet& of);

  // The statement that gives a thread of this frame an entry; `last`: the function's last one.
  std::string give(index thread, bool last, bool is_post) const;
  bool is_last(index at) const;
  bool ends_with_send(index send) const;

  std::string name_of(operand o) const;
  std::string constant(index c) const;
  index type_of(operand o) const;
  std::string word(operand o) const { return as_word_of(o); }
  std::string as_word_of(operand o) const;
  std::string words(const instruction& it) const;  // ", W0, W1"
  std::string words_from(const instruction& it, index first) const;
  std::string four_words(const instruction& it) const;
  std::string inlet_value(index own_inlet) const;
  std::string answer(const instruction& it, index own_inlet) const;
  std::string rank(const instruction& it, index at) const;
  std::string block_address(const instruction& it) const;
  index number_of(index inlet) const;
  // Which falloc or own_frame made the temporary, in this body; kNone: none.
  index maker(operand o) const;
  // The inlet of this activation that a call by a thread is answered at, by its first word; kNone.
  index reply_of(const instruction& call) const;
  void assign(operand to, const std::string& text);

  const program& p_;
  const std::vector<bool>& again_;
  std::string& out_;
  index block_ = kNone;
  bool is_thread_ = false;
  const body* body_ = nullptr;
  position now_;
};

}  // namespace tl0

#endif
