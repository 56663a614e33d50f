// SPDX-License-Identifier: Apache-2.0
// The abstract target of the counted machine: a processor like the J-Machine's MDP (Dally et al.
// 1992). A word has 4 bytes and a tag, an instruction 2 bytes, one cycle, four general registers
// R0 to R3 and at most one operand in memory. A value of TL0 is one word. Messages arrive in a
// queue in memory, at either of two priorities, each of which has registers of its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace study {

// What runs inlets and threads, and when (Spertus and Dally 1995, Table 1).
enum class discipline : std::uint8_t {
  am,  // inlets at high priority, when a thread begins; threads by frame, in quanta
  am_enabled,  // the same, but inlets interrupt threads between their instructions
  md,  // inlets at low priority, each with the threads that it enables
};
inline constexpr discipline kDisciplines[] = {discipline::am, discipline::am_enabled,
                                              discipline::md};
std::string_view name_of(discipline d);

// What memory is used for. The last four are the system's.
enum class region : std::uint8_t { user_code, frame, heap, system_code, vector, queue, globals };
inline constexpr unsigned kRegions = 7;
constexpr bool is_system(region r) { return r >= region::system_code; }
std::string_view name_of(region r);

inline constexpr std::uint32_t kWordBytes = 4;
inline constexpr std::uint32_t kInstructionBytes = 2;
inline constexpr unsigned kRegisters = 4;

enum class access : std::uint8_t { fetch, read, write };

// What an address is counted from, when the instruction is executed.
enum class place : std::uint8_t {
  none,
  frame,  // the activation frame that the code works on
  made,  // one that is allocated or swapped in
  vector,  // the next or last entry of a continuation vector
  message,  // that the handler was started by
  element,  // of a structure
  node,  // of a deferred reader
  descriptor,  // of a code block
  globals,
};
inline constexpr unsigned kPlaces = 9;

// Of `globals`, in words.
enum global : std::uint32_t { kReady, kBreak, kNodes, kRank, kRanks, kGlobals = 16 };
// Of a frame, where it has a remote continuation vector: before the vector itself.
enum frame_word : std::uint32_t { kLink, kTop, kVector };
// Of a descriptor: free frames, their size.
inline constexpr std::uint32_t kDescriptorWords = 2;

// Some instructions, the last of which makes an access or calls a routine.
struct event {
  enum class kind : std::uint8_t { none, read, write, call };
  std::uint16_t instructions = 0;
  kind does = kind::none;
  place base = place::none;
  region where = region::globals;
  std::int32_t offset = 0;  // in bytes; of a call: the routine
};

// Instructions that stand together in memory, and are executed together.
struct piece {
  std::uint32_t address = 0;
  std::uint32_t first = 0, count = 0;  // events
  std::uint32_t instructions = 0;
  region where = region::user_code;

  std::uint32_t end() const { return address + instructions * kInstructionBytes; }
};

// Where things lie. The system's memory comes first, then its code, the program's,
// and all that is allocated.
inline constexpr std::uint32_t kGlobalsAt = 0x400;
inline constexpr std::uint32_t kLocalVectorAt = 0x800;  // MD's, one for all frames
inline constexpr std::uint32_t kLowQueueAt = 0x1000;
inline constexpr std::uint32_t kQueueBytes = 4096;  // of each; a larger one lies at kLargeQueueAt
inline constexpr std::uint32_t kHighQueueAt = kLowQueueAt + kQueueBytes;
inline constexpr std::uint32_t kSystemCodeAt = kHighQueueAt + kQueueBytes;
inline constexpr std::uint32_t kLargeQueueAt = 0x80000000;

}  // namespace study
