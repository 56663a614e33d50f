// SPDX-License-Identifier: Apache-2.0
// How a thread begins, and what the sanitizers are told of a switch.
#include "ramjet/ult/detail/switch.hpp"
#include "ult/sanitizers.hpp"

// Null in a process without the sanitizer's run-time.
#pragma GCC visibility push(default)
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** kept, const void* low, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* kept, const void** low,
                                                   std::size_t* bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* low, std::size_t bytes);
[[gnu::weak]] void __lsan_register_root_region(const void* low, std::size_t bytes);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
#pragma GCC visibility pop

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

using base::is_present;

#if defined(__has_attribute) && __has_attribute(no_sanitize)
__attribute__((no_sanitize("thread")))  // enters on one fiber, would leave on another
#endif
void announced_switch(control* from, control* to) noexcept {
  const bool poisons = is_present(base::address_sanitizer);
  if (poisons) __sanitizer_start_switch_fiber(&from->fake_stack, to->low, to->stack_bytes);
  if (is_present(base::thread_sanitizer)) __tsan_switch_to_fiber(to->fiber, 0);
  switch_context(from, to);
  if (poisons) __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
}

void arrived() noexcept {
  if (is_present(base::address_sanitizer))
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

// What only a waiting thread's stack points to is no leak.
void announce_stack(control* c) noexcept {
  base::register_stack(c->low, c);
  if (is_present(base::thread_sanitizer)) c->fiber = __tsan_create_fiber(0);
  if (__lsan_register_root_region != nullptr) __lsan_register_root_region(c->low, c->stack_bytes);
}

void announce_system_stack(control* c) noexcept {
  if (is_present(base::thread_sanitizer)) c->fiber = __tsan_get_current_fiber();
}

void forget_frames_slow(control* c) noexcept {
  __asan_unpoison_memory_region(c->low, c->stack_bytes);
}

}  // namespace ramjet::ult::detail
