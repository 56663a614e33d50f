// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/runtime/stack.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/process_label.hpp"
#include "job/forks.hpp"
#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"

// Of the sanitizers' libraries; null where the program was built without them.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** kept, const void* low, std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* kept, const void** low,
                                                   std::size_t* bytes);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);

// f(argument) with the stack pointer at `top`, a multiple of 16. Where the stack pointer was is in
// a frame that debuggers and unwinders walk through.
void ramjet_splitc_call(void (*f)(void*), void* argument, void* top);
}

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl ramjet_splitc_call
.hidden ramjet_splitc_call
.type ramjet_splitc_call, @function
ramjet_splitc_call:
.cfi_startproc
  endbr64
  pushq %rbp
.cfi_def_cfa_offset 16
.cfi_offset rbp, -16
  movq %rsp, %rbp
.cfi_def_cfa_register rbp
  movq %rdx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  callq *%rax
  leave
.cfi_def_cfa rsp, 8
  retq
.cfi_endproc
.size ramjet_splitc_call, .-ramjet_splitc_call
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl ramjet_splitc_call
.hidden ramjet_splitc_call
.type ramjet_splitc_call, %function
ramjet_splitc_call:
.cfi_startproc
  hint #34
  stp x29, x30, [sp, -16]!
.cfi_def_cfa_offset 16
.cfi_offset x29, -16
.cfi_offset x30, -8
  mov x29, sp
.cfi_def_cfa_register x29
  mov sp, x2
  mov x8, x0
  mov x0, x1
  blr x8
  mov sp, x29
.cfi_def_cfa_register sp
  ldp x29, x30, [sp], 16
.cfi_def_cfa_offset 0
  ret
.cfi_endproc
.size ramjet_splitc_call, .-ramjet_splitc_call
)");
#endif

namespace ramjet::splitc {

namespace {

// Set once, by run_on_segment_stack.
std::byte* low = nullptr;  // of the stack; the guard ends here
std::byte* top = nullptr;
std::byte* system_stack = nullptr;  // free below this while the other one is in use

constexpr std::ptrdiff_t kRoomOfAFrame = 4096;  // below where its caller's ends
std::byte* here() { return static_cast<std::byte*>(__builtin_frame_address(0)); }
std::byte* rounded(std::byte* at) { return at - reinterpret_cast<std::uintptr_t>(at) % 16; }

// --- Overflow -----------------------------------------------------------------------------------

struct sigaction before_fault;

// Then what was there before decides: the fault happens again.
void on_fault(int signal, siginfo_t* info, void*) {
  const auto* const at = static_cast<std::byte*>(info->si_addr);
  if (info->si_code > 0 && at < low && at >= low - kGuardBytes) {
    char text[200];
    const int length =
        std::snprintf(text, sizeof text,
                      "%s: the stack of splitc_main is used up: it has %llu MiB; set "
                      "RAMJET_SPLITC_STACK to give it more, such as 1G\n",
                      base::process_label(), static_cast<unsigned long long>(top - low) >> 20);
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, std::size_t(length));
  }
  sigaction(signal, &before_fault, nullptr);
  if (info->si_code <= 0) ::raise(signal);  // it was sent; blocked until this returns
}

// A used-up stack has no room for the handler.
void report_overflow() {
  alignas(16) static std::byte signal_stack[64 * 1024];
  stack_t now{};
  if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0) {
    const stack_t ours{signal_stack, 0, sizeof signal_stack};
    sigaltstack(&ours, nullptr);
  }
  sigaction(SIGSEGV, nullptr, &before_fault);
  struct sigaction fault{};
  fault.sa_sigaction = on_fault;
  fault.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &fault, nullptr);
}

// --- Switches -----------------------------------------------------------------------------------

// What the function that runs on the other stack is to do, and what the sanitizers know of the
// first one.
struct errand {
  void (*f)(void*);
  void* argument;
  void* kept = nullptr;
  const void* old_low = nullptr;
  std::size_t old_bytes = 0;
};

void arrive(void* given) {
  auto& e = *static_cast<errand*>(given);
  if (__sanitizer_finish_switch_fiber != nullptr)
    __sanitizer_finish_switch_fiber(nullptr, &e.old_low, &e.old_bytes);
  e.f(e.argument);
  if (__sanitizer_start_switch_fiber != nullptr)
    __sanitizer_start_switch_fiber(nullptr, e.old_low, e.old_bytes);
}

#if defined(__has_attribute) && __has_attribute(no_sanitize)
#define RAMJET_SWITCHES __attribute__((no_sanitize("thread")))
#else
#define RAMJET_SWITCHES
#endif

RAMJET_SWITCHES void arrive_in_fiber(void* given) {
  void* const fiber = *static_cast<void**>(static_cast<errand*>(given)->kept);
  arrive(given);
  __tsan_switch_to_fiber(fiber, 0);
}

RAMJET_SWITCHES void switch_as_fiber(errand& e, void* to) {
  void* own = __tsan_get_current_fiber();
  void* const fiber = __tsan_create_fiber(0);
  e.kept = &own;
  __tsan_switch_to_fiber(fiber, 0);
  ramjet_splitc_call(arrive_in_fiber, &e, to);
  __tsan_destroy_fiber(fiber);
}

}  // namespace

void run_on_segment_stack(std::uint64_t stack_bytes, void (*f)(void*), void* argument) {
  const job::membership& m = job::self();
  RAMJET_CHECK(low == nullptr && m.program.stack_bytes >= kGuardBytes + stack_bytes,
               "there is one stack in the segment, and it is reserved when the job is joined");
  auto* const guard = reinterpret_cast<std::byte*>(m.layout.window_base + m.program.variable_bytes);
  RAMJET_CHECK(mprotect(guard, kGuardBytes, PROT_NONE) == 0, "the guard below a stack is refused");
  low = guard + kGuardBytes;
  top = low + m.program.stack_bytes - kGuardBytes;
  report_overflow();
  system_stack = rounded(here() - kRoomOfAFrame);
  errand e{f, argument};
  if (__tsan_switch_to_fiber != nullptr) {
    switch_as_fiber(e, top);
  } else {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(&e.kept, low, std::size_t(top - low));
    ramjet_splitc_call(arrive, &e, top);
    if (__sanitizer_finish_switch_fiber != nullptr)
      __sanitizer_finish_switch_fiber(e.kept, nullptr, nullptr);
  }
  system_stack = nullptr;
}

void run_on_system_stack(void (*f)(void*), void* argument) {
  if (system_stack == nullptr || here() < low || here() >= top) return f(argument);
  job::stack_in_use = here() - kRoomOfAFrame;
  ramjet_splitc_call(f, argument, system_stack);
}

}  // namespace ramjet::splitc
