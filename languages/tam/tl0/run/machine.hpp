// SPDX-License-Identifier: Apache-2.0
// The reference executor: one rank, one queue of frames, a quantum at a time. It executes verified
// programs and checks what no verifier can: second writes, indices, messages to activations that
// are gone, and that nothing is left waiting at the end.
//
// A frame's name in a word is its number (32 bits), how often that number was given before (16) and
// an inlet's number in its block (16).
#ifndef TL0_RUN_MACHINE_HPP
#define TL0_RUN_MACHINE_HPP

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"
#include "languages/tam/tl0/run/values.hpp"

namespace tl0 {

// The program does what it may not: the place in the source, and a sentence or more.
class execution_error : public std::runtime_error {
 public:
  execution_error(position at, const std::string& text) : std::runtime_error(text), at_(at) {}
  const position& at() const { return at_; }

 private:
  position at_;
};

// What has been executed.
struct counts {
  std::uint64_t instructions = 0;
  std::uint64_t threads = 0;
  std::uint64_t quanta = 0;
  std::uint64_t messages = 0;
  std::uint64_t activations = 0;
  std::uint64_t frames_max = 0;  // at one time
};

class machine {
 public:
  // `output` gets what the program prints, a line at a time.
  machine(const program& p, void (*output)(void* to, std::string_view line), void* to);
  ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  // The words of the command line go to main's inlet `args`. Throws execution_error.
  void run(const std::vector<word>& arguments);

  const counts& counted() const { return counts_; }

 private:
  struct frame;
  struct reader;
  struct element;
  struct structure;

  // ---- frames.cpp ----
  frame* make_frame(index block, index instruction);
  void free_frame();
  frame& frame_of(word name, index instruction);
  word name_of(const frame& f, index inlet) const;
  std::string said(const frame& f) const;
  void deliver(frame& to, index inlet, const word* arguments, index instruction);
  void send_to(word name, const word* arguments, index instruction);
  void enable(frame& f, index thread);
  void push(frame& f, index thread);
  void execute_inlet(frame& f, const inlet& in);

  // ---- machine.cpp ----
  void quantum(frame& f);
  void execute(index thread);
  void execute_effect(const instruction& it, index at);
  word value_of(const instruction& it, index at);
  kind kind_of(operand o) const;
  word get(operand o) const { return bases_[static_cast<unsigned>(o.where())][o.at()]; }
  void set(operand o, word value) { bases_[static_cast<unsigned>(o.where())][o.at()] = value; }
  void send(const instruction& it, index at);
  word activate(const instruction& it, index at, frame** made);
  void spawn(const instruction& it, index at);
  void print_items(const instruction& it);
  std::string text_of_items(const instruction& it) const;
  [[noreturn]] void wrong(index instruction, const std::string& text) const;

  // ---- structures.cpp ----
  word make_structure(const instruction& it, index at);
  element& element_of(const instruction& it, index at, structure*& of);
  std::string said(const structure& s, word which) const;
  void fetch(const instruction& it, index at);
  void store(const instruction& it, index at);
  word length_of(const instruction& it, index at) const;
  void answer(const instruction& it, index own_inlet, index at, word value);
  std::string outstanding(std::size_t most) const;

  // ---- frames.cpp ----
  [[noreturn]] void deadlock();
  std::string waiting_threads(const frame& f) const;

  const program& p_;
  void (*output_)(void*, std::string_view);
  void* output_to_;
  counts counts_;

  std::vector<std::unique_ptr<frame>> frames_;  // by number
  std::vector<std::vector<index>> free_;  // of each block, numbers of frames
  std::vector<frame*> ready_;  // frames with enabled threads; the last is next
  std::vector<std::unique_ptr<structure>> structures_;
  std::vector<reader> readers_;  // of elements that are empty
  index free_reader_ = kNone;
  std::size_t frames_now_ = 0;

  frame* now_ = nullptr;  // whose quantum it is
  bool freed_ = false;  // and it is gone
  const body* body_ = nullptr;  // that is executed
  word* bases_[3] = {};  // slots, temporaries, constants
  std::vector<word> temporaries_;
  std::vector<word> inlet_temporaries_;
  std::vector<word> constants_;
  std::vector<word> arguments_;
  std::string line_;  // what is written of it
};

}  // namespace tl0

#endif
