// SPDX-License-Identifier: Apache-2.0
#include "base/instrumentation.hpp"

#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {
// Null in a process without the sanitizer's run-time.
__attribute__((weak)) void __sanitizer_start_switch_fiber(void**, const void*, std::size_t);
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void __tsan_acquire(void*);
__attribute__((weak)) void __tsan_release(void*);
}
#pragma GCC visibility pop

namespace ramjet::base {

constinit unsigned found_tools = 0;

namespace {

// Numbers of valgrind's client requests (valgrind.h, helgrind.h, drd.h). The answer to a request of
// a tool that does not run is 0.
enum request : std::uintptr_t {
  kRunningOnValgrind = 0x1001,
  kStackRegister = 0x1501,
  kHelgrindReadAbits = ('H' << 24 | 'G' << 16) + 256 + 46,
  kDrdThreadNumber = ('D' << 24 | 'R' << 16) + 1,
};

// The instructions change nothing on a processor; valgrind takes them for a request, whose answer
// they leave in the second register. The answer is 0 without valgrind.
std::uintptr_t ask_valgrind(request what, const void* first = nullptr, const void* second = nullptr,
                            std::uintptr_t third = 0) noexcept {
  const volatile std::uintptr_t arguments[6] = {what, reinterpret_cast<std::uintptr_t>(first),
                                                reinterpret_cast<std::uintptr_t>(second), third};
#if defined(__x86_64__)
  std::uintptr_t answer = 0;
  asm volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(&arguments[0])
      : "cc", "memory");
  return answer;
#elif defined(__aarch64__)
  register std::uintptr_t answer asm("x3") = 0;
  register const volatile std::uintptr_t* from asm("x4") = &arguments[0];
  asm volatile(
      "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(answer)
      : "r"(from)
      : "cc", "memory");
  return answer;
#endif
}

}  // namespace

void find_tools() noexcept {
  unsigned found = 0;
  if (__sanitizer_start_switch_fiber != nullptr) found |= address_sanitizer;
  if (__tsan_get_current_fiber != nullptr) found |= thread_sanitizer;
  if (ask_valgrind(kRunningOnValgrind) != 0) {
    const char readable = 0;
    char bits = 0;
    found |= valgrind;
    if (ask_valgrind(kHelgrindReadAbits, &readable, &bits, 1) == 1) found |= helgrind;
    if (ask_valgrind(kDrdThreadNumber) != 0) found |= drd;
  }
  found_tools = found;
}

void note_release_slow(const void* at) noexcept { __tsan_release(const_cast<void*>(at)); }

void note_acquire_slow(const void* at) noexcept { __tsan_acquire(const_cast<void*>(at)); }

// An assertion of drd fails in a process that has registered a stack (drd_stop_using_mem, 3.19).
void register_stack(const void* low, const void* high) noexcept {
  if (is_present(valgrind) && !is_present(drd)) ask_valgrind(kStackRegister, low, high);
}

}  // namespace ramjet::base
