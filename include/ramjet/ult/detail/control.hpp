// SPDX-License-Identifier: Apache-2.0
// What a user-level thread is made of. (SCALE Suite 1997, section 2 and Figure 6.)
//
//   descriptor   a line, from spawn until its handle is gone: the name that others know it by, and
//                room for its callable with the arguments, and for the result
//   stack        from the start to the end; its control block lies directly above it:
//
//     low                                                     control
//      | guard      | ... the stack grows downwards <-- top   | 128 bytes | up to 2 KiB colour |
//
// A thread that waits to be started owns no stack. Colour staggers the control blocks, so that
// those of many threads do not fall into the same sets of the first cache.
//
// Every thread has a home: the worker that runs it. Only its home changes a thread's state; other
// workers send the home a parcel. A thread moves while it is ready, and its home sends it away.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "ramjet/detail/base/cpu.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

using ramjet::detail::kCacheLineBytes;

struct linked {
  linked* next = nullptr;
};

struct worker;
struct control;

// What the ready ring and the inboxes hold: a pointer whose low bits say to what.
using item = std::uintptr_t;
enum item_kind : item {
  kStarted = 0,  // control: a thread that goes on
  kFresh = 1,  // descriptor: a thread that starts
  kTask = 2,  // task: runs to its end on whatever stack is there
  kParcel = 3,  // parcel: only in inboxes
};
inline constexpr item kKindMask = 3;
inline linked* linked_of(item i) noexcept { return reinterpret_cast<linked*>(i & ~kKindMask); }
template <class T>
T* of(item i) noexcept {
  return static_cast<T*>(linked_of(i));
}

// Why a thread does not run. Lies on its stack while it is blocked.
struct blocked_on {
  const char* what;  // "mutex", "condition", ...
  const void* object = nullptr;  // its address
  std::uint32_t owner = 0;  // id of the thread that can end it, 0: unknown
  // Ends the wait before its time, at the thread's home; false if it has ended already.
  bool (*withdraw)(blocked_on&) = nullptr;
};

enum class wake : std::uint32_t { normal, timed_out, cancelled };

enum cancellation : bool { uncancellable, cancellable };

// What a thread ends with, where that is not kept in its descriptor.
struct outcome {
  void (*drop)(outcome*) noexcept;
};

inline constexpr std::size_t kInsideBytes = 32;

// What a descriptor holds where its callable lies elsewhere: it is large, or the thread has a name
// or a stack of its own size.
struct chosen {
  void* job;
  char* name;  // on the heap, handed on; where descriptor::named
  std::uint32_t stack_class;  // where descriptor::own_stack
};
static_assert(sizeof(chosen) <= kInsideBytes);

// A thread as others know it. `ended` goes from joiners to kEnded once; all of it is written at the
// thread's home only, but for `requests` and, once it has ended, by the owner of the handle.
struct alignas(kCacheLineBytes) descriptor : linked {
  static constexpr std::uintptr_t kEnded = 1;
  // requests:
  static constexpr std::uint8_t kCancel = 1;  // until it is thrown
  static constexpr std::uint8_t kDetach = 2;  // its handle is gone: `detached` once home knows
  std::atomic<std::uintptr_t> ended;  // joiners (a list of control), kEnded afterwards
  union {
    outcome* (*run)(descriptor*);  // until it starts: calls and destroys the callable; the result
    control* stack;  // then; that of its joiner, where that lends it
    outcome* result;  // at the end; nullptr: none, or inside
  };
  std::uint32_t id;  // 0: nobody's. From here to `inside`: identity_word
  std::atomic<std::uint16_t> home;
  std::atomic<std::uint8_t> requests;  // by anyone
  bool detached : 1;
  bool started : 1;
  bool bound : 1;  // stays at its home
  bool threw : 1;  // the result is an exception
  bool own_stack : 1;  // else that of options::stack_bytes
  bool named : 1;
  bool runs_task : 1;  // of a group that it waits for, on its stack: that is not cancelled
  std::byte inside[kInsideBytes];  // the callable and its arguments, or chosen; then the result

  template <class T>
  T* inner() noexcept {
    return std::launder(reinterpret_cast<T*>(inside));
  }
};
static_assert(sizeof(descriptor) == kCacheLineBytes);

struct locals;  // src/ult/locals.cpp

// What few threads have.
struct extras {
  char* name;  // on the heap
  locals* values;
  bool any() const noexcept { return (name != nullptr) | (values != nullptr); }
};

// A thread that joins one which has not begun may run it on its own stack: it lends that, and this
// record lies there until the other has ended. Its control block is the other's meanwhile; nobody
// but the other's end can make it go on. Where it has to stay at its home itself, it goes back
// there then.
struct lender {
  extras more;
  const descriptor* joins;  // the thread that runs on its stack
  std::uint64_t identity;  // of the control block, at the worker where it lent the stack
  lender* below;  // whose stack it is that this one has borrowed
  descriptor* who;
};

// Where a thread goes on, while it does not run.
struct context {
  void* sp = nullptr;
  void* fp = nullptr;
  void* pc = nullptr;
};

// A thread that has a stack. The first line is what a switch touches.
struct alignas(kCacheLineBytes) control : linked, context {
  descriptor* who = nullptr;
  const blocked_on* waits = nullptr;  // nullptr: it runs or is ready
  std::uint32_t id = 0;
  std::atomic<std::uint16_t> home{0};
  std::uint16_t pins = 0;  // while not 0 it stays at its home
  wake woken_by = wake::normal;
  // The second line: its stack, its name, what tools want to know.
  std::byte* low = nullptr;  // of the stack, above the guard
  std::uint32_t stack_class = 0;
  extras more{};
  void* fiber = nullptr;  // the thread sanitizer's
  void* fake_stack = nullptr;  // the address sanitizer's
  std::size_t stack_bytes = 0;  // from low to here
  union {
    item todo = 0;  // what it starts with, until it has
    lender* lenders;  // then: those who wait below the running thread, the newest first
  };
};
static_assert(sizeof(control) == 2 * kCacheLineBytes);

// Something that a worker does for another one.
struct parcel : linked {
  void (*run)(worker*, parcel*) = nullptr;
};

// What runs to its end on any stack; it has no name, no handle and no stack of its own.
struct task_count;
struct task : linked {
  void (*run)(task*) = nullptr;
  task_count* count = nullptr;  // of its group
};

// A thread's number, its home (kHomeShift), and what follows these, kRestShift: the pins of a
// control block; what is special about a descriptor. One word, so that it is copied in one step: a
// thread about which nothing is special has the same in both.
inline constexpr unsigned kHomeShift = 32, kRestShift = 48;
template <class T>
RAMJET_INLINE std::uint64_t identity_word(const T& of) noexcept {
  using word [[gnu::may_alias]] = std::uint64_t;
  return __atomic_load_n(reinterpret_cast<const word*>(&of.id), __ATOMIC_RELAXED);
}
template <class T>
RAMJET_INLINE void set_identity_word(T& of, std::uint64_t value) noexcept {
  using word [[gnu::may_alias]] = std::uint64_t;
  __atomic_store_n(reinterpret_cast<word*>(&of.id), value, __ATOMIC_RELAXED);
}

inline item item_of(control* c) noexcept { return reinterpret_cast<item>(c); }
inline item item_of(descriptor* d) noexcept { return reinterpret_cast<item>(d) | kFresh; }
inline item item_of(task* t) noexcept { return reinterpret_cast<item>(t) | kTask; }
inline item item_of(parcel* p) noexcept { return reinterpret_cast<item>(p) | kParcel; }

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
