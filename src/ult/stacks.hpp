// SPDX-License-Identifier: Apache-2.0
// Stacks: address space with a guard below and the thread's control block above, in sizes that
// are powers of two. Kept by the worker that used them last, while they are warm.
#pragma once

#include "ramjet/ult/detail/worker.hpp"
#include "ult/sanitizers.hpp"

namespace ramjet::ult::detail {

inline constexpr std::size_t kStackBytesMin = 16 * 1024;
inline constexpr unsigned kStackClasses = 17;  // up to 1 GiB
inline constexpr std::size_t kPageBytes = 4096;

// The class of the smallest stacks of at least `bytes` bytes; ends the process if there is none.
std::uint32_t stack_class_of(std::size_t bytes);

// Stacks from somewhere else; half of the list to somewhere else.
RAMJET_COLD void refill_stacks(worker* w, free_list& list, std::uint32_t stack_class);
RAMJET_COLD void shrink_stacks(free_list& list, std::uint32_t stack_class);
RAMJET_COLD free_list& other_stacks(worker* w, std::uint32_t stack_class);
inline constexpr std::uint32_t kStacksMax = 256;  // of one class that a worker keeps to itself

extern std::uint32_t default_stack_class;

RAMJET_INLINE free_list& stacks_of(worker* w, std::uint32_t stack_class) {
  if (stack_class == default_stack_class) [[likely]]
    return w->stacks;
  return other_stacks(w, stack_class);
}

// The control block of a stack that nobody uses. Its context stands in ramjet_ult_main, which goes
// on with `todo`; its home is this worker.
RAMJET_INLINE control* take_stack(worker* w, std::uint32_t stack_class) {
  free_list& list = stacks_of(w, stack_class);
  if (list.first == nullptr) [[unlikely]]
    refill_stacks(w, list, stack_class);
  auto* c = static_cast<control*>(list.first);
  list.first = c->next;
  --list.count;
  return c;
}

// The running stack may be given: it is used until the next switch, by this worker.
RAMJET_INLINE void give_stack(worker* w, control* c) {
  free_list& list = stacks_of(w, c->stack_class);
  if (list.count >= kStacksMax) [[unlikely]]
    shrink_stacks(list, c->stack_class);
  forget_frames(c);
  c->next = list.first;
  list.first = c;
  ++list.count;
}

// For the watcher: the system thread's own stack.
void adopt_system_stack(control* c);

// Whether a fault at this address means that the thread's stack has overflowed: it is in the guard,
// or in the frame at the stack pointer, which reaches beyond the guard.
bool is_overflow(const control* c, const void* address, std::uintptr_t stack_pointer) noexcept;

}  // namespace ramjet::ult::detail
