// SPDX-License-Identifier: Apache-2.0
// Broken contracts end the process loudly. RAMJET_CHECK is always on: at public edges and on every
// field read from another process. RAMJET_DCHECK is on in debug builds only, and so are audits: a
// structure's audit() checks every equation that its header states, and is called at seams between
// operations. It is compiled in every build, so that tests of any build can call it.
#pragma once

#pragma GCC visibility push(default)

namespace ramjet::detail {

// Prints one line that names this rank, what was expected and where, and aborts.
[[noreturn]] void check_failed(const char* expression, const char* what, const char* file,
                               int line) noexcept;

}  // namespace ramjet::detail

#pragma GCC visibility pop

#define RAMJET_CHECK(condition, what)                                       \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::ramjet::detail::check_failed(#condition, what, __FILE__, __LINE__); \
  } while (0)

namespace ramjet::detail {

// Whether the library's own seams call audit(): in debug and sanitizer builds.
#ifdef NDEBUG
inline constexpr bool kAudits = false;
#else
inline constexpr bool kAudits = true;
#endif

}  // namespace ramjet::detail

#ifdef NDEBUG
#define RAMJET_DCHECK(condition, what) static_cast<void>(0)
#else
#define RAMJET_DCHECK(condition, what) RAMJET_CHECK(condition, what)
#endif
