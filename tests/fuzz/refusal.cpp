// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <cstdio>
#include <cstdlib>

namespace fuzz {

std::jmp_buf refused;
bool may_refuse = false;

namespace {

[[noreturn]] void refuse(const char* why) {
  if (may_refuse) std::longjmp(refused, 1);
  std::fprintf(stderr, "refused where nothing is wrong: %s\n", why);
  std::abort();
}

}  // namespace
}  // namespace fuzz

// The names that the linker's --wrap looks for: __wrap_ and the mangled name.
extern "C" {

[[noreturn]] void __wrap__ZN6ramjet6detail12check_failedEPKcS2_S2_i(const char*, const char* what,
                                                                    const char*, int) noexcept;
void __wrap__ZN6ramjet6detail12check_failedEPKcS2_S2_i(const char*, const char* what, const char*,
                                                       int) noexcept {
  fuzz::refuse(what);
}

[[noreturn]] void __wrap__ZN6ramjet6detail3dieEPKc(const char* message) noexcept;
void __wrap__ZN6ramjet6detail3dieEPKc(const char* message) noexcept { fuzz::refuse(message); }

const char* __asan_default_options();
const char* __asan_default_options() { return "detect_leaks=0"; }
}
