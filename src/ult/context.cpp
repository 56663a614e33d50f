// SPDX-License-Identifier: Apache-2.0
// How a thread begins, and what the sanitizers hear of a switch.
#include "ramjet/ult/detail/switch.hpp"
#include "ult/sanitizers.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RAMJET_ULT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define RAMJET_ULT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define RAMJET_ULT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define RAMJET_ULT_TSAN 1
#endif

#if defined(RAMJET_ULT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(RAMJET_ULT_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

// The outermost frame of a thread: goes to ramjet_ult_main with the context that the switch left in
// a register. It jumps, with no return address behind it: a call that never returns would put every
// return after the thread's end out of step with the processor's prediction. Debuggers and
// unwinders end here.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl ramjet_ult_entry
.hidden ramjet_ult_entry
.type ramjet_ult_entry, @function
ramjet_ult_entry:
.cfi_startproc
.cfi_undefined rip
  xorl %ebp, %ebp
  movq %rsi, %rdi
  pushq $0
  jmp ramjet_ult_main
.cfi_endproc
.size ramjet_ult_entry, .-ramjet_ult_entry
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl ramjet_ult_entry
.hidden ramjet_ult_entry
.type ramjet_ult_entry, %function
ramjet_ult_entry:
.cfi_startproc
.cfi_undefined x30
  hint #36
  mov x29, xzr
  mov x30, xzr
  mov x0, x1
  b ramjet_ult_main
.cfi_endproc
.size ramjet_ult_entry, .-ramjet_ult_entry
)");
#endif

namespace ramjet::ult::detail {

#if defined(RAMJET_ULT_ANNOTATED)

#if defined(RAMJET_ULT_ASAN)
void annotated_switch(control* from, control* to) noexcept {
  __sanitizer_start_switch_fiber(&from->fake_stack, to->low, to->stack_bytes);
  bare_switch(from, to);
  __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
}
void* make_fiber() { return nullptr; }
void* current_fiber() { return nullptr; }
void forget_frames(control* c) noexcept { __asan_unpoison_memory_region(c->low, c->stack_bytes); }
void arrived() noexcept { __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr); }
#else
__attribute__((no_sanitize("thread"))) void annotated_switch(control* from, control* to) noexcept {
  __tsan_switch_to_fiber(to->fiber, 0);
  bare_switch(from, to);
}
void* make_fiber() { return __tsan_create_fiber(0); }
void* current_fiber() { return __tsan_get_current_fiber(); }
void forget_frames(control*) noexcept {}
void arrived() noexcept {}
#endif

#else
void arrived() noexcept {}
#endif

}  // namespace ramjet::ult::detail
