// SPDX-License-Identifier: Apache-2.0
// What splitcc's output calls and programs written by hand do not need (splitc_compiled.h): the
// atomic functions of Split-C, and gets that are followed by more.
#include <array>
#include <cstdint>

#include "c/checks.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc.h"

// splitc_compiled.h declares them so; it is for the compiler's output alone.
#pragma GCC visibility push(default)

namespace {

// Takes a function and its arguments out of the words. Its address is the same in all ranks, which
// run one binary at one place.
using thunk = std::uint64_t (*)(void* at, const std::uint64_t* words);

std::uint64_t run(void* at, const std::uint64_t* arguments, unsigned) {
  auto* const checked = ramjet::checks::now();
  if (checked != nullptr) checked->atomic_begins();
  const std::uint64_t result = reinterpret_cast<thunk>(arguments[0])(at, arguments + 1);
  if (checked != nullptr) checked->atomic_ends();
  return result;
}

splitc_procedure* const procedure = splitc_procedure_named("splitc.atomic", run, 1);

void go_on(ramjet_status s) {
  RAMJET_CHECK(s == RAMJET_OK, "a rank died, and a Split-C program cannot go on without it");
}

}  // namespace

extern "C" std::uint64_t splitc_run_atomic(thunk f, std::uint64_t at, const std::uint64_t* words,
                                           unsigned count, int waits) {
  RAMJET_CHECK(count < RAMJET_ARGUMENTS_MAX, "atomic: a function takes at most 6 arguments more");
  std::array<std::uint64_t, RAMJET_ARGUMENTS_MAX> arguments{reinterpret_cast<std::uint64_t>(f)};
  for (unsigned i = 0; i < count; ++i) arguments[i + 1] = words[i];
  std::uint64_t result = 0;
  auto* const checked = ramjet::checks::now();
  const auto target = unsigned(ramjet::detail::rank_of(at));
  if (checked != nullptr) checked->atomic_calls(target);
  if (waits != 0)
    go_on(splitc_atomic_call(procedure, {at}, arguments.data(), count + 1, &result));
  else
    go_on(splitc_atomic(procedure, {at}, arguments.data(), count + 1));
  if (checked != nullptr && waits != 0) checked->atomic_has_ended(target);
  return result;
}

extern "C" void splitc_get_followed_slow(void* into, std::uint64_t bits, std::size_t bytes,
                                         const char* call) {
  using namespace ramjet::detail;
  word_slow(access_op::load, into, bits, 0, 0, bytes, completes::more, call);
}

#pragma GCC visibility pop
