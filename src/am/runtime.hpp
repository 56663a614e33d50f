// SPDX-License-Identifier: Apache-2.0
// The process's side of the engine: the handler tables, init and finalize, how a process ends when
// it cannot go on.
#pragma once

#include <cstdint>

#include "ramjet/detail/am/registry.hpp"
#include "ramjet/status.hpp"

namespace ramjet::detail {

#pragma GCC visibility push(default)  // as their definitions say, whichever comes first
class engine;
struct call_state;
struct waiting;
#pragma GCC visibility pop

// The tables that receivers index; complete once the job is joined.
handler_table request_handlers() noexcept;
handler_table reply_handlers() noexcept;
// What the handler of that index was registered as.
const char* handler_name(unsigned index, bool reply) noexcept;
// Whether the request handler of that index brings a thread's answer (threads.hpp, delivers): where
// nobody awaits it any more, it is dropped.
bool is_answer(unsigned handler) noexcept;

// Gives every registered handler its index and returns a hash of all names, the same for the same
// program. No handler can be registered afterwards.
std::uint64_t number_handlers();

// Of threads without an endpoint: has no ranks, so every send is refused.
extern engine no_engine;

// One line on stderr, then exit status 70.
[[noreturn]] void die(const char* message) noexcept;

// The same for a broken contract: aborts.
[[noreturn]] void die_of_misuse(const char* message) noexcept;
// Says what the exception that is being handled is, and that `what` may not throw.
[[noreturn]] void die_of_exception(const char* what) noexcept;
// Ends the process if a thread_token was dropped in an exception that has not left its thread.
void report_dropped_token(engine& e) noexcept;
// Says why the calling thread has no endpoint for this call: no job, none any more, or none here.
[[noreturn]] void no_endpoint(const char* call) noexcept;
// Whether the calling system thread runs user-level threads (threads.cpp).
bool is_worker() noexcept;

// The bytes of the segment that init reserves for a stack (languages/splitc/runtime/stack.hpp), or
// 0. Set before init.
extern std::uint64_t stack_bytes_in_segment;

// Under the default policy the launcher ends this process once a rank has died: waits for that.
[[noreturn]] void await_the_end() noexcept;

// The barrier inside another collective: `name` stands in a report of who waits for what.
status barrier_of(const char* name);

// Joins this thread's endpoint to the user-level threads, if any run here (threads.cpp).
void lend_to_threads() noexcept;
// What the thread with the smallest number waits for, of the calling worker's threads that wait for
// messages; `none` if there is none. While all of them wait.
const waiting& first_wait_of_threads(const waiting& none) noexcept;
// The endpoint is about to close: it waits by itself again.
void leave_threads(engine& e) noexcept;

// Waits until nothing is in flight and all ranks are here, or one has died.
status leave_together();

// For last_failure().
void remember_failure(unsigned rank) noexcept;

// Ends every call to the rank with peer_failed.
void fail_calls(engine& e, int rank);

}  // namespace ramjet::detail
