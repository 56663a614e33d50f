// SPDX-License-Identifier: Apache-2.0
// From the beginning of a compiled Split-C program to its end (splitc_start.h).
#include <cerrno>
#include <cstdlib>
#include <string>

#include "am/runtime.hpp"
#include "base/settings.hpp"
#include "c/checks.hpp"
#include "languages/splitc/check/checker.hpp"
#include "languages/splitc/runtime/heap.hpp"
#include "languages/splitc/runtime/objects.hpp"
#include "languages/splitc/runtime/refusal.hpp"
#include "languages/splitc/runtime/stack.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/splitc_start.h"

// splitc_names.h declares it so; its short names have no place in C++.
#pragma GCC visibility push(default)
extern "C" void splitc_barrier(void);
#pragma GCC visibility pop

namespace {

constinit splitc_start* first_start = nullptr;
constinit splitc_start* last_start = nullptr;
constinit bool has_started = false;

// The outermost function that runs at exit, after those of the program: where the job goes on, it
// ends with this rank.
void end_job_at_exit(int status, void*) {
  if (ramjet::initialized()) ramjet::end_job(status);
}

constexpr ramjet::splitc::check::heap_below kHeap = {
    ramjet::splitc::take, ramjet::splitc::usable_bytes, ramjet::splitc::give_back};

struct whole_program {
  int argc;
  char** argv;
  char** environment;
  splitc_program* main;
};

void run_program(void* given) {
  auto& p = *static_cast<whole_program*>(given);
  has_started = true;
  for (const splitc_start* s = first_start; s != nullptr; s = s->next) s->run();
  p.main(p.argc, p.argv, p.environment);
}

// Where the program ends, for messages: its splitc_main.
const void* site_of(splitc_program* main) {
  return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(main) + 1);
}

// The stack's bytes, after which the job is joined with them.
std::uint64_t reserve_stack() {
  std::string problem;
  const ramjet::base::settings* const settings = ramjet::base::process_settings(problem);
  if (settings == nullptr) ramjet::detail::die(problem.c_str());
  ramjet::detail::stack_bytes_in_segment =
      ramjet::splitc::kGuardBytes + settings->splitc_stack_bytes;
  return settings->splitc_stack_bytes;
}

}  // namespace

extern "C" {

void splitc_at_start(splitc_start* start) {
  start->next = nullptr;
  if (has_started) return start->run();  // of a shared object that came later
  (last_start == nullptr ? first_start : last_start->next) = start;
  last_start = start;
}

void splitc_exit_job(int status) { std::exit(status); }

void splitc_run(int argc, char** argv, char** environment, splitc_program* program) {
  ::on_exit(end_job_at_exit, nullptr);
  const std::uint64_t stack_bytes = reserve_stack();
  ramjet::init(argc, argv);
  const std::string problem = ramjet::splitc::object_of_another_version();
  if (!problem.empty()) ramjet::splitc::refuse_program(problem.c_str());
  whole_program p{argc, argv, environment, program};
  ramjet::splitc::open_heap();
  if (ramjet::splitc::check::is_wanted()) ramjet::splitc::check::open(site_of(program), kHeap);
  ramjet::splitc::run_on_segment_stack(stack_bytes, run_program, &p);
  if (auto* const o = ramjet::checks::now(); o != nullptr) {
    o->enter(ramjet::checks::collective::end, "the end of splitc_main()", 0, 0, nullptr);
    ramjet::splitc::check::current()->end();
  }
  splitc_barrier();
  ramjet::splitc::close_heap();
  ramjet::finalize();
}

void* splitc_heap_take(size_t bytes, size_t alignment, const void* caller) {
  auto* const checker = ramjet::splitc::check::current();
  return checker == nullptr ? ramjet::splitc::take(bytes, alignment)
                            : checker->take(bytes, alignment, caller);
}
size_t splitc_heap_usable(const void* block) {
  auto* const checker = ramjet::splitc::check::current();
  return checker == nullptr ? ramjet::splitc::usable_bytes(block) : checker->usable_bytes(block);
}
int splitc_heap_give_back(void* block, const void* caller) {
  auto* const checker = ramjet::splitc::check::current();
  const bool is_here =
      checker == nullptr ? ramjet::splitc::give_back(block) : checker->give_back(block, caller);
  return is_here ? 1 : 0;
}

void splitc_poll_in_wait(void) {
  ramjet::detail::engine& e = *ramjet::detail::current_engine;
  if (!e.is_open() || e.in_handler()) return;
  if (e.poll_and_yield() == 0) e.note_failed_try();
}

int splitc_fork(int (*fork)(void)) {
  struct call {
    int (*fork)(void);
    int result;
    int error;
  } c{fork, -1, ENOSYS};
  const auto run = [](void* given) {
    auto& called = *static_cast<call*>(given);
    if (called.fork == nullptr) return;
    called.result = called.fork();
    called.error = errno;
  };
  ramjet::splitc::run_on_system_stack(run, &c);
  if (c.result < 0) errno = c.error;
  return c.result;
}

}  // extern "C"
