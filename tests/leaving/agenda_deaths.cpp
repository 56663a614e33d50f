// SPDX-License-Identifier: Apache-2.0
// Five ranks, --on-failure=continue: what an agenda does when ranks die. First one that holds work,
// which others then do; then the only one that works; then the master. Then all but one leave.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::status;

constexpr std::size_t kItems = 200;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "agenda_deaths: rank %d: %s\n", ramjet::rank(), what);
  std::_Exit(1);
}

void die_if(int victim) {
  if (ramjet::rank() == victim) ::kill(::getpid(), SIGKILL);
}
// Not before it has been given work, and died of it.
void await_death(int victim) {
  while (ramjet::alive(victim)) ramjet::poll();
}

void check_work_is_done_by_others(ramjet::spread_ptr<std::uint64_t> items) {
  const status s = ramjet::run_agenda(kItems, {.granularity = 3, .concurrency = 3},
                                      [&](std::size_t first, std::size_t last) {
                                        die_if(2);
                                        await_death(2);
                                        for (; first < last; ++first)
                                          ramjet::fetch_add(items + std::ptrdiff_t(first), 1);
                                      });
  expect(s == status::ok, "the agenda ended badly though two ranks had worked");
  for (std::size_t i = 0; i < kItems; ++i)
    expect(ramjet::read(items + std::ptrdiff_t(i)) == 1, "an item was not done once");
}

void check_nobody_is_left_to_work() {
  const unsigned threads = ramjet::rank() == 1 ? 2 : 0;
  const status s = ramjet::run_agenda(kItems, {.concurrency = threads, .master = 3},
                                      [](std::size_t, std::size_t) { die_if(1); });
  expect(s == status::peer_failed, "the agenda had nobody left, and ended well");
  expect(!ramjet::alive(1), "it ended before its only worker died");
}

void check_the_master_dies() {
  std::size_t mine = 0;
  const status s = ramjet::run_agenda(kItems, {.master = 3}, [&](std::size_t, std::size_t) {
    die_if(3);
    await_death(3);
    ++mine;
  });
  expect(s == status::peer_failed, "the agenda ended well without its master");
  expect(mine < kItems, "all items went to one rank");
}

// The last rank has left, and never came: the master, which does no work, is told so.
void check_the_others_have_left() {
  const status s =
      ramjet::run_agenda(kItems, {.concurrency = 0}, [](std::size_t, std::size_t) {});
  expect(s == status::peer_failed, "the agenda ended well though nobody had come");
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const auto items = ramjet::all_spread_malloc<std::uint64_t>(kItems);
  if (ramjet::rank() == 0)
    for (std::size_t i = 0; i < kItems; ++i) ramjet::write(items + std::ptrdiff_t(i), 0);
  ramjet::barrier();
  check_work_is_done_by_others(items);
  check_nobody_is_left_to_work();
  check_the_master_dies();
  if (ramjet::rank() == 0) check_the_others_have_left();
  if (ramjet::rank() == 0) std::puts("the agenda went on as long as there was somebody");
  ramjet::finalize();
  return 0;
}
