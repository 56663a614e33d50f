// SPDX-License-Identifier: Apache-2.0
// Joining and leaving a job, and who is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

// Who acts for a rank besides its own calls. main: nobody runs handlers; accesses of other machines
// to its memory are served without its polls (gas.hpp). coproc: a thread of the library in each
// rank runs handlers that are safe there (coproc_safe in handler.hpp), and serves those accesses.
enum class progress_mode { main, coproc };

// What a program asks for when it joins; the same in every rank.
struct options {
  // Per rank: one for each thread that communicates by itself. Ranks x endpoints: at most 1024.
  unsigned endpoints = 1;
  // Address space of each rank's segment, at most 4 TiB, and 64 TiB of all ranks; 0: about the
  // machine's memory, 1 to 64 GiB, the smallest of all machines. RAMJET_SEGMENT_BYTES goes before
  // it.
  std::size_t segment_bytes = 0;
  // RAMJET_PROGRESS goes before it, and knows a third: `node`, in which one co-processor serves
  // other machines' accesses to all memory of its machine (docs/adr/0011-coprocessor.md).
  // Co-processors add an endpoint to each rank's, which counts in the limits.
  progress_mode progress = progress_mode::main;
};

// The containers of libstdc++ have another layout under _GLIBCXX_DEBUG, so the library has to be
// built with it where the program is: else the linker finds no init, and names this.
#if defined(_GLIBCXX_DEBUG)
#define RAMJET_CONTAINERS [[gnu::abi_tag("build_the_library_with_GLIBCXX_DEBUG_too")]]
#else
#define RAMJET_CONTAINERS
#endif

// Joins the job that started this process, or becomes a job of one rank. Collective. Ends the
// process with one clear line (status 70) if that is impossible. Once per process, main thread. The
// arguments are the program's own: none is taken away today, and a later version may take some.
//
// In a process that a launcher has started, init makes `stdout` line-buffered where it is a pipe or
// a socket, and a signal that ends the process by its default action first writes what `stdout`
// holds (docs/launchers.md, "Output of the ranks"). A program that prints much may call setvbuf
// afterwards.
//
// A child that a rank forks is not a rank of the job, though it inherits the job's memory: it may
// exec another program, or end; a call of Ramjet in it, apart from initialized(), ends it with one
// line. The parent goes on as before. It should have no co-processor and one worker while it forks,
// as any program with threads, unless the child calls exec at once. A child that goes on without it
// keeps the parent's connections to other machines open: ranks there learn of the parent's death by
// its silence only (RAMJET_FAILURE_TIMEOUT).
RAMJET_CONTAINERS void init(int& argc, char**& argv, const options& wanted = {});

// The same, but returns what went wrong and leaves the line in `message`.
RAMJET_CONTAINERS [[nodiscard]] status try_init(const options& wanted, std::string& message);

// Collective: waits until no message is in flight between endpoints 0 and co-processors, so that
// what was sent and chained is handled, then leaves. Other endpoints are closed before and quiesce
// by themselves. Once a rank is dead it waits for nobody. Main thread, not in a handler. Nothing
// of Ramjet may be used afterwards, except that a future may go and initialized() says false: what
// is called ends the process with one line.
void finalize();

// Ends the whole job, not this rank alone: every rank's process ends, whatever it does, and the
// command that started the job ends with the low 8 bits of `exit_status`, 0 included, and without a
// word. Flushes the C streams of this process; no destructor and no atexit function runs here, and
// the other ranks get a SIGTERM and shortly after a SIGKILL. What ranks have written by then comes
// out. Of several statuses one counts. Started by another launcher the job ends as that one ends
// aborted jobs: docs/launchers.md. Any thread, legal in handlers; outside a job it ends the process
// alone.
[[noreturn]] void end_job(int exit_status) noexcept;

// Whether this process is between init and finalize. Any thread.
bool initialized() noexcept;

// Between init and finalize; else they end the process with one line. Any thread, in handlers too.
int rank() noexcept;  // 0 .. size() - 1
int size() noexcept;  // number of ranks in the job

// The machines of the job, numbered in the order of their lowest ranks. Ranks of one machine share
// memory: there a plain pointer into another one's segment can be followed. -1 if there is no such
// rank. As rank().
int node_of(int rank) noexcept;
int nodes() noexcept;

// A rank that died.
struct lost_rank {
  int rank = -1;
  int signal = 0;  // that killed it; 0 if it exited, or nobody knows
  int exit_status = 0;  // of its exit; -1 if nobody knows: other launchers, another machine
};

// The most recent death that this rank has noticed; rank -1 if there was none. Any thread.
lost_rank last_failure() noexcept;

// Whether the rank is one of the job and not known to be dead. Any thread; a load of shared memory.
bool alive(int rank) noexcept;

// Thrown by future::get when the call failed: because the callee died, or left, or this rank's
// endpoint was closed before the answer came. Thrown by blocking accesses to memory of another node
// whose owner died (gas.hpp).
class failure : public std::runtime_error {
 public:
  failure(status s, const lost_rank& who);
  status code() const noexcept { return code_; }
  const lost_rank& who() const noexcept { return who_; }

 private:
  status code_;
  lost_rank who_;
};

}  // namespace ramjet

#pragma GCC visibility pop
