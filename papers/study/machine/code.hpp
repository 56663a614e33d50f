// SPDX-License-Identifier: Apache-2.0
// A program as the abstract target's code: what the execution of each instruction of TL0 fetches,
// reads and writes. The code is that of a simple compiler: temporaries and slots stay in registers
// within a thread, forks at a thread's end are branches, threads stand behind what jumps to them;
// for MD with the optimisations of Spertus and Dally 1995, section 2.2.
#pragma once

#include <cstdint>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"
#include "papers/study/machine/target.hpp"

namespace study {

using tl0::index;
using tl0::kNone;

// What enables a thread: a fork, one side of a switch, a post.
struct arm {
  index thread = kNone;  // none: the thread ends, where the arm is its last
  bool is_last = false;  // the thread is gone on with, if it is enabled
  index counts = kNone;  // pieces: an entry is counted; kNone: not a synchronising thread
  index enables = kNone;  // the thread is enabled
  index ends = kNone;     // it is not, or there is none, and this thread ends
};

// Of an instruction of TL0.
struct instruction_code {
  index main = kNone;    // a piece
  index arms = kNone;    // of fork and stop one, of switch two
  index stores = kNone;  // a piece: what follows on a routine
  bool makes_bool = false;  // of a word: 0 or 1
};

struct thread_code {
  index begins = kNone;  // AM: the window in which inlets run
  bool pops = false;     // MD: its end takes a thread from the vector, else it suspends
  bool ends_activation = false;
};

struct inlet_code {
  index takes = kNone;   // arguments
  index counts = kNone;  // the counter
  index arms = kNone;    // one for each post, in order; the last one is the last
  index suspends = kNone;  // where nothing is posted, and for AM
  bool pops = false;  // as of a thread
};

struct block_code {
  std::uint32_t frame_words = 0;
  std::uint32_t counts_at = 0, slots_at = 0;  // in words
  std::uint32_t vector_words = 0;  // AM: threads and the bottom
  index begins = kNone;            // a piece: the entry counts of a new activation
};

struct target_code {
  discipline how = discipline::am;
  std::vector<event> events;
  std::vector<piece> pieces;
  std::vector<arm> arms;
  std::vector<instruction_code> instructions;  // as in the program
  std::vector<thread_code> threads;
  std::vector<inlet_code> inlets;
  std::vector<block_code> blocks;
  std::uint32_t begin = 0, end = 0;  // behind the system's routines

  std::uint32_t bytes() const { return end - begin; }
};

target_code lower(const tl0::program& p, discipline how);

}  // namespace study
