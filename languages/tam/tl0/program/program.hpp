// SPDX-License-Identifier: Apache-2.0
// A TL0 program in memory: dense arrays that refer to each other by index, so that it can be
// executed as it stands. Names and places are kept apart from what is executed.
//
// The parts of a code block are ranges: its slots, inlets and threads stand together in the arrays
// of the program, in the order in which they are written. So do a body's instructions and
// temporaries.
#ifndef TL0_PROGRAM_PROGRAM_HPP
#define TL0_PROGRAM_PROGRAM_HPP

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tl0 {

using index = std::uint32_t;
inline constexpr index kNone = ~index{0};

struct range {
  index first = 0;
  index count = 0;
  index end() const { return first + count; }
  bool contains(index i) const { return i - first < count; }
  bool operator==(const range&) const = default;
};

// What a slot, a temporary, an argument of an inlet, an element of a structure can be. Every value
// is one word of 64 bits.
enum class kind : std::uint8_t {
  none,
  integer,     // int: 64 bits, signed
  real,        // float: a double
  boolean,     // bool
  word,        // 64 bits of no known type
  frame,       // an activation of the code block `of`
  inlet,       // an inlet of some activation; takes `arguments`
  istructure,  // an array whose elements are written once; of type `of`
  mstructure,  // an array whose elements are taken and put; of type `of`
  code,        // a code block whose first inlet takes `arguments`
};

// Equal types have equal indices in program::types.
struct type {
  kind is = kind::none;
  index of = kNone;
  std::vector<index> arguments;
  bool operator==(const type&) const = default;
};

// Where an instruction finds a word, or a string.
enum class space : std::uint8_t { slot, temporary, constant, string };

struct operand {
  std::uint32_t bits = kNone;

  static constexpr operand in(space s, index i) {
    return {static_cast<std::uint32_t>(s) << 30 | i};
  }
  constexpr space where() const { return static_cast<space>(bits >> 30); }
  // Of the block's slots, of the body's temporaries, of the program's constants or strings.
  constexpr index at() const { return bits & 0x3fffffff; }
  constexpr bool is_none() const { return bits == kNone; }
  // That there is none is not in these spaces.
  constexpr bool is_temporary() const { return where() == space::temporary; }
  constexpr bool is_slot() const { return where() == space::slot; }
  bool operator==(const operand&) const = default;
};
static_assert(!operand{}.is_temporary() && !operand{}.is_slot());

// What one message carries, and an inlet takes.
inline constexpr index kWordsMax = 4;
// Of one code block.
inline constexpr index kInletsMax = 4096;

enum class opcode : std::uint8_t {
  move,         // to = a
  retype,       // to = a: between word and another type
  own_frame,    // to = this activation
  own_inlet,    // to = the inlet `target` of this activation
  rank,         // to = the number of the rank that executes this
  rank_count,   // to = how many ranks there are
  room,         // to = whether this rank keeps activations for idle ranks
  owner,        // to = the rank that keeps row b of the I-structure a
  choose,       // to = a ? b : argument
#define TL0_OPERATION(name, ...) name,
#include "languages/tam/tl0/program/operations.def"
#undef TL0_OPERATION
  // Control: each gives the thread `target` an entry.
  fork,
  again,         // as fork; the thread is the head of a loop that this thread is in
  choose_thread,  // switch: a ? target : other, either of which may be kNone
  stop,          // the last instruction of a thread, and none before it
  // Messages and activations.
  send,     // arguments to the inlet `target` of the frame a, or to the inlet a if that is kNone
  falloc,  // to = a new activation here of the block `target`, or of the code a if that is kNone
  falloc_at,  // the same on the rank that `place` and b say; its name goes to the inlet `other`
  spawn,  // the same, and the arguments go to its first inlet
  ffree,  // this activation ends
  // Structures. Answers go to the own inlet `target`, or to the inlet in the argument.
  length,  // how many elements a has to the inlet
  ialloc,  // to = a new I-structure of a elements; `other`: the number of dimensions whose bounds
  // are its first elements, lower and upper, or kNone; with arguments: of rows that ranks keep, how
  // many elements are ahead of them, the elements of a row, the number of the first row
  malloc,  // the same for an M-structure
  ifetch,  // element b of a to the inlet
  istore,  // element b of a is the argument
  mtake,  // element b of a to the inlet, when it is full; it is empty then
  mput,  // element b of a is the argument
  print,  // the arguments, and an end of line
  write,  // the arguments, into the line that the next print ends
  require,  // ends the program with the arguments if a is false
  fail,  // ends the program with the string a
};
inline constexpr unsigned kOpcodes = static_cast<unsigned>(opcode::fail) + 1;

// Where an activation is placed: here, on the ranks in turn, on whichever has nothing to do, on a
// rank, by a key. In turn: it waits there unstarted while anything else is ready.
enum class placement : std::uint8_t {
  local,
  round_robin,
  round_robin_in_turn,
  least_loaded,
  at,
  at_in_turn,
  by
};
inline constexpr bool is_in_turn(placement p) {
  return p == placement::round_robin_in_turn || p == placement::at_in_turn;
}
inline constexpr bool is_at(placement p) {
  return p == placement::at || p == placement::at_in_turn;
}

struct instruction {
  opcode op = opcode::stop;
  // Where falloc_at and spawn make the activation; b is the rank or the key.
  placement place = placement::local;
  std::uint16_t argument_count = 0;
  index first_argument = 0;  // in program::arguments
  operand to = {}, a = {}, b = {};
  index target = kNone;  // a thread, an inlet or a block: an index into the program's arrays
  index other = kNone;
  bool operator==(const instruction&) const = default;
};

// A line of a source: of the TL0 file itself (file 0), or of what it was made from. The column is
// for messages, and the notation does not keep it.
struct position {
  index file = 0;
  index line = 0;
  index column = 0;  // 0: not known
  bool operator==(const position& with) const { return file == with.file && line == with.line; }
};

struct temporary {
  index name = kNone;  // kNone: the value of a part of an expression
  index type = kNone;
};

struct body {
  range instructions;
  range temporaries;
};

struct parameter {
  operand to;  // a slot of the block or a temporary of the inlet's body
  index type = kNone;
};

struct slot {
  index name = kNone;
  index type = kNone;
  position where;
};

struct inlet {
  index name = kNone;
  index block = kNone;
  range parameters;
  // A slot of the block, or kNone. Each message takes one from it, and the one that leaves zero
  // posts; without it each message posts.
  index counter = kNone;
  range posts;  // in program::posts: threads
  body code;  // executed after the arguments are in their places; only `to = ...`
  position where;
};

struct thread {
  index name = kNone;
  index block = kNone;
  index entry_count = 1;  // above 1: a synchronising thread
  bool when_room = false;  // it waits while this rank keeps enough activations for others
  bool after_calls = false;  // it waits until what the quantum has posted has run
  body code;
  position where;
};

struct code_block {
  index name = kNone;
  range slots, inlets, threads;
  index entry = kNone;  // of these threads the one that begins every quantum, or kNone;
  index exit = kNone;  // the one that ends it: nothing forks them, and they fork nothing
  position where;
};

struct program {
  std::vector<code_block> blocks;
  std::vector<slot> slots;
  std::vector<inlet> inlets;
  std::vector<thread> threads;
  std::vector<parameter> parameters;
  std::vector<index> posts;
  std::vector<instruction> instructions;
  std::vector<operand> arguments;
  std::vector<std::uint64_t> constants;  // words; doubles by their bits
  index main = kNone;  // the block of that name

  // What is not executed.
  std::vector<temporary> temporaries;
  std::vector<type> types;
  std::vector<index> constant_types;
  std::vector<std::string> strings;
  std::vector<std::string> names;
  std::vector<std::string> files;  // 0: the TL0 file
  std::vector<position> positions;  // of each instruction

  index type_index(const type& wanted);  // adds it if it is not there
  operand constant(std::uint64_t word, index of_type);
  const std::string& name(index i) const { return names[i]; }
  const inlet* find_inlet(index block, std::string_view name) const;
};

// As it is written in the notation.
std::string spelling(const program& p, index type);
// Of program::strings, which are kept as they are written.
std::string unescaped(std::string_view written);
// FILE:LINE or FILE:LINE:COLUMN
std::string spelling(const program& p, const position& where);

// The inlet of the block `main` that takes the words of the command line.
inline constexpr std::string_view kMainInlet = "args";

enum class form : std::uint8_t { infix, prefix, call };

struct operation {
  std::string_view name;
  form written;
  std::string_view spelling;
  std::string_view operands;
  char result;
  std::string_view value;  // in C
};

inline constexpr unsigned kFirstOperation = static_cast<unsigned>(opcode::choose) + 1;
inline constexpr unsigned kOperations = static_cast<unsigned>(opcode::fork) - kFirstOperation;

inline constexpr std::array<operation, kOperations> kOperationTable{{
#define TL0_OPERATION(name, form_, spelling_, operands_, result_, value) \
  {#name, form::form_, spelling_, operands_, result_, #value},
#include "languages/tam/tl0/program/operations.def"
#undef TL0_OPERATION
}};

constexpr bool is_operation(opcode op) {
  return static_cast<unsigned>(op) - kFirstOperation < kOperations;
}
constexpr const operation& operation_of(opcode op) {
  return kOperationTable[static_cast<unsigned>(op) - kFirstOperation];
}
kind kind_of(char letter);  // of operation::operands

// Whether the instruction's only effect is the value of `to`.
constexpr bool is_value(opcode op) { return op < opcode::fork; }

// Same but for the places in the TL0 file itself, which a printed program does not keep.
bool equal(const program& a, const program& b);

}  // namespace tl0

#endif
