// SPDX-License-Identifier: Apache-2.0
// What bare code needs for what the library of user-level threads does: a switch written by hand,
// contexts that pass the processor around, a stack that is lent to one function after the other.
// No scheduler, no checks, no results.
//
// Threads: a ring or a lender belongs to one system thread.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

#include "harness/check.hpp"

namespace bench {

inline constexpr std::size_t kLineBytes = 64;

// Where something goes on. The asm knows the order.
struct alignas(kLineBytes) bare_context {
  void* stack = nullptr;
  void* frame = nullptr;
  void* code = nullptr;
  bare_context* next = nullptr;  // in a ring
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};
static_assert(sizeof(bare_context) == kLineBytes);

// Everything but the stack, the frame and the place in the code is the compiler's to save.
[[gnu::always_inline]] inline void bare_jump(bare_context* from, bare_context* to) {
#if defined(__x86_64__)
  asm volatile(
      "movq %%rsp, 0(%[from])\n\t"
      "movq %%rbp, 8(%[from])\n\t"
      "leaq 7f(%%rip), %%rcx\n\t"
      "movq %%rcx, 16(%[from])\n\t"
      "movq 0(%[to]), %%rsp\n\t"
      "movq 8(%[to]), %%rbp\n\t"
      "jmpq *16(%[to])\n"
      "7:"
      : [from] "+a"(from), [to] "+d"(to)
      :
      : "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
        "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#elif defined(__aarch64__)
  register bare_context* leave asm("x0") = from;
  register bare_context* enter asm("x1") = to;
  asm volatile(
      "mov x2, sp\n\t"
      "adr x3, 7f\n\t"
      "stp x2, x29, [%[from]]\n\t"
      "str x3, [%[from], #16]\n\t"
      "ldr x3, [%[to], #16]\n\t"
      "ldp x2, x29, [%[to]]\n\t"
      "mov sp, x2\n\t"
      "br x3\n"
      "7:"
      : [from] "+r"(leave), [to] "+r"(enter)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
        "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
        "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
        "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#else
#error "the limits of the user-level threads are written for x86-64 and 64-bit ARM"
#endif
}

// Stacks, side by side, whose pages appear one by one. Unmapped with the object.
class bare_stacks {
 public:
  static constexpr std::size_t kBytes = 64 * 1024;

  explicit bare_stacks(unsigned count) : bytes_(count * kBytes) {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    BENCH_CHECK(memory_ != MAP_FAILED, "no address space for the stacks of the limit");
    ::madvise(memory_, bytes_, MADV_NOHUGEPAGE);
  }
  ~bare_stacks() { ::munmap(memory_, bytes_); }
  bare_stacks(const bare_stacks&) = delete;
  bare_stacks& operator=(const bare_stacks&) = delete;

  // The upper end of a stack, staggered: tops a power of two apart share few sets of a cache.
  std::byte* top(unsigned i) const {
    return static_cast<std::byte*>(memory_) + (i + 1) * kBytes - i % 16 * 2 * kLineBytes;
  }

 private:
  std::size_t bytes_;
  void* memory_;
};

// A context at the upper end of its stack, which begins in `code` as if that had been called.
inline bare_context* bare_begin(std::byte* top, void (*code)()) {
  auto* c = ::new (top - sizeof(bare_context)) bare_context;
  c->stack = c;
#if defined(__x86_64__)
  c->stack =
      reinterpret_cast<std::byte*>(c) - sizeof(void*);  // where a call would have returned to
#endif
  c->code = reinterpret_cast<void*>(code);
  return c;
}

// Contexts in a circle, the caller's among them, that hand the processor on.
class bare_ring {
 public:
  // All but the caller's run `code`, which never returns and calls pass().
  bare_ring(unsigned count, void (*code)()) : stacks_(count) {
    bare_context* last = &caller_;
    for (unsigned i = 1; i < count; ++i) {
      last->next = bare_begin(stacks_.top(i), code);
      last = last->next;
    }
    last->next = &caller_;
    running = &caller_;
  }

  [[gnu::always_inline]] static void pass() {
    bare_context* me = running;
    running = me->next;
    bare_jump(me, me->next);
  }

  static inline bare_context* running = nullptr;  // of the one ring in use

 private:
  bare_stacks stacks_;
  bare_context caller_;
};

// A stack that is lent to a function and taken back when that has returned.
class bare_lender {
 public:
  bare_lender() : stacks_(1), free_(bare_begin(stacks_.top(0), nullptr)), stack_(free_->stack) {}

  bare_context* create(void (*function)(void*), void* argument) {
    bare_context* c = free_;
    free_ = c->next;
    c->function = function;
    c->argument = argument;
    c->stack = stack_;
    c->code = reinterpret_cast<void*>(&serve);
    return c;
  }
  void run_and_join(bare_context* c) {
    running_ = c;
    caller_ = &here_;
    bare_jump(&here_, c);
    c->next = free_;
    free_ = c;
  }

 private:
  static void serve() {
    running_->function(running_->argument);
    bare_jump(running_, caller_);
  }

  static inline thread_local bare_context* running_ = nullptr;
  static inline thread_local bare_context* caller_ = nullptr;
  bare_stacks stacks_;
  bare_context here_;
  bare_context* free_;
  void* stack_;
};

}  // namespace bench
