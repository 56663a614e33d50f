// SPDX-License-Identifier: Apache-2.0
// A worker: a system thread that runs user-level threads, and the hot half of its scheduler. The
// ready ring is the worker's own, so that no step of it is atomic; others reach it through its
// inbox and its attention word.
//
// Equations between calls: head <= tail <= head + capacity, a power of two; the running thread and
// the watcher are not in the ring. The watcher is the context that tests conditions, polls the
// network and waits when nothing is ready; it gets a turn every `ticks` switches, and whenever the
// ring is empty.
#pragma once

#include <limits>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/ult/detail/control.hpp"
#include "ramjet/ult/detail/switch.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

struct worker_parts;  // src/ult/parts.hpp: posted conditions, pools, how to sleep

// The start of the C++ run-time's exception state of a system thread (Itanium C++ ABI, 2.2.2).
struct exceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// Blocks that only one worker uses. When there are too many they become the spare, all at once, and
// the spare goes to everybody (src/ult/pools.cpp).
struct free_list {
  linked* first = nullptr;
  linked* spare = nullptr;  // kBatch blocks, or none
  std::uint32_t count = 0;  // in first
};
inline constexpr unsigned kBlockClasses = 4;  // 32, 64, 128 and 256 bytes
inline constexpr std::size_t kBlockBytesMin = 32;

// Of threads' numbers, which come again after it; the bit above takes what a sum carries over.
inline constexpr std::uint32_t kIdMask = 0x7fffffff;

struct alignas(kCacheLineBytes) worker {
  control* self = nullptr;  // the running thread
  item* ring = nullptr;  // the ready ones, oldest at head
  std::uint32_t capacity = 0;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  std::int32_t ticks = kUnwatched;  // switches until the watcher's turn
  control* watcher = nullptr;
  exceptions* raised = nullptr;
  std::uint64_t next_identity = 0;  // identity_word of the next descriptor
  std::uint32_t id_step = 1;  // a power of two above the number of workers
  std::uint16_t index = 0;
  bool open = false;
  bool handler_free = false;  // open, and no handlers run here: all but the watcher may block
  // The second line: making and ending threads.
  alignas(kCacheLineBytes) free_list descriptors;
  free_list stacks;  // of the default class: control blocks
  free_list blocks[kBlockClasses];
  worker_parts* parts = nullptr;
  std::uint64_t started = 0;  // threads, ever
  std::uint64_t finished = 0;
  // Tasks of a group of another worker that have ended here since that was last told. Told before a
  // task of another group runs, before anything but a task, and before a thread leaves this worker.
  task_count* ended_of = nullptr;
  std::int64_t ended = 0;
  // 0: nothing. kShare: another worker is idle, and this one, which wrote that itself, had nothing
  // to give; it checks again when it has more than one ready, and with each of the watcher's turns.
  // kShareLone: one has been idle for long, and takes a lone one, too.
  // kNever: another worker, which wrote it, wants something at once.
  alignas(kCacheLineBytes) std::atomic<std::int32_t> attention{0};
  std::atomic<std::uintptr_t> inbox{0};  // a list of items, newest first
  std::atomic<std::uint32_t> asleep{0};
  // Whether it would take a part of the ready ones (src/ult/parts.hpp). Raised by this worker,
  // lowered by it and by whoever gives it work; read by all. Publishes nothing.
  std::atomic<std::uint32_t> idleness{0};

  static constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int32_t kShare = 1;
  static constexpr std::int32_t kShareLone = 2;
  // Switches until the watcher's turn where there is nothing to watch: loops of yields would keep
  // the core from the worker or process that they wait for, and the watcher yields it.
  static constexpr std::int32_t kUnwatched = 4096;

  RAMJET_INLINE bool empty() const noexcept { return head == tail; }
  RAMJET_INLINE std::uint32_t ready_count() const noexcept { return tail - head; }
};

// The calling system thread's worker; one that is not open, before the scheduler is started there.
// A thread may go on at another worker after it blocked: ask again then.
extern constinit thread_local worker* current_worker asm("ramjet_ult_current_worker");

__attribute__((noinline)) worker* find_worker() noexcept;  // the same, out of line
RAMJET_INLINE worker* this_worker() noexcept {
#if defined(__x86_64__)  // the compiler would keep the address of a thread_local across a switch
  worker* w;
  asm volatile(
      "movq ramjet_ult_current_worker@GOTTPOFF(%%rip), %0\n\t"
      "movq %%fs:(%0), %0"
      : "=r"(w));
  return w;
#else
  return find_worker();
#endif
}

// What concurrent access the objects here have to expect. Changes only while there is one worker.
enum worker_mode_kind : std::uint8_t {
  one_worker,  // and no co-processor, whose handlers wake threads
  many_workers,  // with a barrier that one can impose on all others
  many_without_barrier,  // where the system does not grant it
};
extern worker_mode_kind worker_mode asm("ramjet_ult_worker_mode");

// --- The cold half (src/ult/watch.cpp, threads.cpp, inbox.cpp) -----------------------------------

RAMJET_COLD void grow_ring(worker* w);
RAMJET_COLD void push_ready_slow(worker* w, item i) noexcept;  // into a full ring
RAMJET_COLD void yield_slow(worker* w);
RAMJET_COLD item next_slow(worker* w);  // attends to what others want, then pops
RAMJET_COLD void ready_elsewhere(control* c);  // sends it to its home
// In the midst of an exception, in a traced job, and in a process with a sanitizer.
RAMJET_COLD void go_on_handling(worker* w, control* from, item next);
void run_item(worker* w, control* from, item next);  // leaves `from` for what has no stack yet
// The worker of this system thread. Starts the scheduler if nobody has. Ends the process with a
// line that names `call` where another system thread has started it, and on a co-processor.
worker* open_worker(const char* call);
// Counts a failure of something that a program tries until it succeeds; after 64 failures, or more,
// it yields the processor. From any system thread.
RAMJET_COLD void note_failed_try() noexcept;
// As open_worker, before the running thread blocks; ends the process in a handler or a condition's
// test.
RAMJET_COLD worker* check_blocking(const char* what);

// --- The hot half --------------------------------------------------------------------------------

// Whether the watcher's turn has come, or another worker wants something.
RAMJET_INLINE bool due(worker* w) noexcept {
  return --w->ticks < w->attention.load(std::memory_order_relaxed);
}

RAMJET_INLINE void push(worker* w, item i) {
  if (w->tail - w->head >= w->capacity) [[unlikely]]
    grow_ring(w);
  w->ring[w->tail++ & (w->capacity - 1)] = i;
}

// The same for what was not ready before: the next step finds who would take a part.
RAMJET_INLINE void push_ready(worker* w, item i) {
  if (w->tail - w->head >= w->capacity) [[unlikely]]
    return push_ready_slow(w, i);
  w->ring[w->tail++ & (w->capacity - 1)] = i;
  const bool asked = w->attention.load(std::memory_order_relaxed) != 0;
  if (asked && w->ready_count() > 1) [[unlikely]]
    w->attention.store(worker::kNever, std::memory_order_relaxed);
}

inline constexpr std::uint32_t kCrowd = 64;

// Whether somebody would take a part of the ready ones once there is one more.
RAMJET_INLINE bool would_share(const worker* w) noexcept {
  const std::int32_t wanted = w->attention.load(std::memory_order_relaxed);
  if (wanted == 0) [[likely]]
    return false;
  return wanted > (w->empty() ? worker::kShare : 0);
}

// The next to run: the oldest ready one, or the watcher.
RAMJET_INLINE item pop(worker* w) noexcept {
  if (w->empty()) return item_of(w->watcher);
  const item next = w->ring[w->head++ & (w->capacity - 1)];
  if (w->ready_count() > kCrowd) {  // their control blocks and tops of stacks are far away
    const item after = w->ring[(w->head + 1) & (w->capacity - 1)];
    const auto* ahead = reinterpret_cast<const std::byte*>(after);
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead - kCacheLineBytes);
  }
  return next;
}

// Leaves `from`, which is saved, for `next`.
RAMJET_INLINE void go_on(worker* w, control* from, item next) {
  const bool raised = (w->raised->caught != nullptr) | (w->raised->uncaught != 0);
  if (raised) [[unlikely]]
    return go_on_handling(w, from, next);
  if ((next & kKindMask) != kStarted) [[unlikely]]
    return run_item(w, from, next);
  auto* to = of<control>(next);
  w->self = to;
  switch_context(from, to);
}

// The worker at which the running thread is about to block, for a `what`.
RAMJET_INLINE worker* blocking_worker(const char* what) {
  worker* w = this_worker();
  if (!w->handler_free || w->self == w->watcher) [[unlikely]]
    return check_blocking(what);
  return w;
}

// Lets the others run.
RAMJET_INLINE void yield() {
  worker* w = this_worker();
  if (due(w)) [[unlikely]]
    return yield_slow(w);
  if (w->empty()) return;
  control* me = w->self;
  const item next = pop(w);
  w->ring[w->tail++ & (w->capacity - 1)] = item_of(me);
  go_on(w, me, next);
}

// Blocks the running thread until somebody makes it ready, to whom it is known already. The worker
// is what blocking_worker said.
RAMJET_INLINE wake suspend(worker* w, const blocked_on& why) {
  control* me = w->self;
  me->waits = &why;
  go_on(w, me, due(w) ? next_slow(w) : pop(w));
  me->waits = nullptr;
  return me->woken_by;
}

// Makes a blocked thread ready; from any thread of any worker, and from handlers.
RAMJET_INLINE void ready(control* c, wake by = wake::normal) {
  worker* w = this_worker();
  c->woken_by = by;  // NOLINT(clang-analyzer-core.NullDereference): every waiter has a thread
  if (c->home.load(std::memory_order_relaxed) != w->index) [[unlikely]]
    return ready_elsewhere(c);
  push_ready(w, item_of(c));
}

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
