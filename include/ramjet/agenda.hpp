// SPDX-License-Identifier: Apache-2.0
// Agenda parallelism: a bag of items of work that one rank, the master, hands out to user-level
// threads at all ranks as they ask for it. (SCALE Suite 1997, section 5, Figure 15.)
//
//   ramjet::run_agenda(rows, {.granularity = 4, .concurrency = 2},
//                      [&](std::size_t first, std::size_t last) { ... });   // at every rank
//
// Granularity is how many items go out at a time. Concurrency is how many threads a rank has, each
// with one request for work outstanding: while one of them computes, the next piece comes for
// another. The master serves requests between its own pieces, so a rank that is not to wait for it
// has at least two threads, and a master with long pieces makes them shorter.
#pragma once

#include <cstddef>
#include <type_traits>

#include "ramjet/detail/base/callback.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

struct agenda_options {
  // Items that are handed out at a time, at least 1. The master's counts.
  std::size_t granularity = 1;
  // Threads of this rank that take work: its requests outstanding. Each rank has its own. 0: this
  // rank does none, and returns with the others; a master without threads of its own only serves.
  unsigned concurrency = 2;
  // The rank that keeps the items; the same everywhere.
  int master = 0;
  // Called as progress(done, count) at the master, by the thread that called run_agenda, when more
  // of the items are done, the last time with done == count. It may wait. What it throws is treated
  // as what the work throws.
  detail::callback<std::size_t, std::size_t> progress = nullptr;
};

namespace detail {
// The work, without its type.
struct agenda_work {
  void (*run)(void* context, std::size_t first, std::size_t last);
  void* context;
};
status run_agenda(std::size_t count, const agenda_options& o, agenda_work work);
}  // namespace detail

// Collective: calls work(first, last) for pieces [first, last) that together are the items 0 to
// count - 1, at whatever rank requests them, and returns, everywhere, when all are done. What a
// piece wrote to any rank's memory, and finished (sync), is seen by all then. A rank that comes
// late holds nobody up, and nobody waits for it at the end.
//
// `count` and the master are the same everywhere. The work runs in user-level threads at the
// caller's worker, several at a time, which may block, but not call collectives.
//
// Exceptions: a piece that throws counts as done, and the rest goes on. When all is done, the call
// throws, at the rank where it happened, what the first of them threw there.
// Deaths: what a rank held when it died is handed out again, so that a piece may be begun twice, at
// different ranks; with ok every item was done by a rank that lived. peer_failed if the master died
// or left, or if no rank is left that takes work; items may be missing then. Survivors that call
// again have to agree to do so: a rank waits as long as its master lives and does not come.
// Main thread's endpoint, one agenda at a time, not in a handler. Different counts, a granularity
// of 0, or no thread at any rank end the process with one line.
// Cost: a piece takes two short messages and two switches; nothing is allocated for it.
template <class Work>
status run_agenda(std::size_t count, const agenda_options& o, Work&& work) {
  static_assert(std::is_invocable_v<Work&, std::size_t, std::size_t>,
                "the work of an agenda is called with the first item of a piece and its end");
  auto run = [&work](std::size_t first, std::size_t last) { static_cast<void>(work(first, last)); };
  const auto call = [](void* context, std::size_t first, std::size_t last) {
    (*static_cast<decltype(run)*>(context))(first, last);
  };
  return detail::run_agenda(count, o, {call, &run});
}

}  // namespace ramjet

#pragma GCC visibility pop
