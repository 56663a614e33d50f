// SPDX-License-Identifier: Apache-2.0
// From one thread to another. The code stands where it is used: a jump through the thread's own
// control block is predicted by its own history, where a `ret` would miss every time; the compiler
// saves what is alive around it, and nothing else. Nothing is written to the stacks.
// Floating-point control words and signal masks are not switched.
//
// Sanitizers have to be told of a switch. In a process with one of them no switch is made here:
// each goes through go_on_handling (worker.hpp), which announces it.
//
// What the compiler saves are the registers that this file was compiled for. A function with a
// larger instruction set than its file (target("avx512f"), #pragma GCC target, the versions of
// target_clones) has registers that no switch in it names, and the compiler refuses to name them
// without the instruction set: vectors from zmm16 and masks are lost where such a function waits,
// and so in all that is inlined into it. It calls no function that may switch; or its whole file is
// compiled for the instruction set.
#pragma once

#include "ramjet/ult/detail/control.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

// The asm below knows these.
static_assert(offsetof(context, sp) == 0 && offsetof(context, fp) == 8 &&
              offsetof(context, pc) == 16);

// Saves this thread in `from` and goes on in `to`; returns when somebody switches back.
#if defined(__x86_64__)
RAMJET_INLINE void bare_switch(context* from, context* to) noexcept {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %%rbp, 8(%0)\n\t"
      "movq %%rax, 16(%0)\n\t"
      "movq (%1), %%rsp\n\t"
      "movq 8(%1), %%rbp\n\t"
      "jmpq *16(%1)\n"  // a new thread finds its context in rsi
      "1:\n\t"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
        "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)",
        "st(4)", "st(5)", "st(6)", "st(7)"
#if defined(__AVX512F__)
        ,  // k0, too: it cannot predicate an instruction, but holds masks between others
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
        "k6", "k7"
#endif
  );
}
#elif defined(__aarch64__)
RAMJET_INLINE void bare_switch(context* from, context* to) noexcept {
  register context* x0 asm("x0") = from;
  register context* x1 asm("x1") = to;
  asm volatile(
      "adr x9, 1f\n\t"
      "mov x10, sp\n\t"
      "stp x10, x29, [%0]\n\t"
      "str x9, [%0, #16]\n\t"
      "ldp x10, x29, [%1]\n\t"
      "ldr x9, [%1, #16]\n\t"
      "mov sp, x10\n\t"
      "br x9\n"  // a new thread finds its context in x1
      "1:\n\t"
      "hint #36\n\t"  // bti j: a place to jump to
      : "+r"(x0), "+r"(x1)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
        "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10",
        "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
        "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#if defined(__ARM_FEATURE_SVE)
        ,
        "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",
        "p14", "p15", "ffr"
#endif
  );
}
#else
#error "user-level threads know how to switch on x86-64 and on 64-bit ARM"
#endif

RAMJET_INLINE void switch_context(control* from, control* to) noexcept {
  context& here = *from;  // of a pointer the compiler would ask whether it is null
  context& there = *to;
  bare_switch(&here, &there);
}

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
