// SPDX-License-Identifier: Apache-2.0
// A job's run. A token goes round among ranks that have nothing to run, and adds up what each has
// sent and handled. Two rounds that find the same sums, as many sent as handled, show that nothing
// ran and nothing was in flight between them. If some rank holds something then, all of them let
// it go; else it is the end. (Mattern 1987, Algorithms for Distributed Termination
// Detection, section 6.)
#include "languages/tam/runtime/termination.hpp"

#include <algorithm>
#include <utility>

#include "am/engine_cold.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/placement.hpp"
#include "languages/tam/runtime/polled_elements.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/schedule.hpp"
#include "languages/tam/runtime/waiting.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/job.hpp"

namespace ramjet::tam {

message_counts messages;

namespace {

// Rank 0's token is here at first. All of it is touched by the main thread alone.
struct termination {
  struct {
    message_counts counts;
    std::uint64_t held = 0;  // elements that are watched, and loops
  } token;
  bool token_is_here = false, ended = false, lets_go = false;
  bool has_come_up = false;
  unsigned begins = 1, begins_left = 0;
  message_counts round_before;  // of rank 0
};
termination state;

void on_token(message_counts so_far, std::uint64_t held) {
  state.token = {so_far, held};
  state.token_is_here = true;
}
void on_end() { state.ended = true; }
void on_let_go() { state.lets_go = true; }

constexpr message_counts kNoRound{~std::uint64_t{0}, 0};  // no round finds these

// Before other ranks can run: the token may come before this rank does.
void begin() {
  if (tam_here.own == 0) state.token_is_here = true;
  state.round_before = kNoRound;
}

// From rank 0.
void begin_round(message_counts round_before) {
  state.round_before = round_before;
  request<on_token>(1, message_counts{}, std::uint64_t{0});
}

// Rank 0 has found the same twice.
void end_round(std::uint64_t held) {
  if (held == 0) {
    for (int r = 1; r < here.ranks; ++r) request<on_end>(r);
    state.ended = true;
    return;
  }
  for (int r = 1; r < here.ranks; ++r) request<on_let_go>(r);
  state.lets_go = true;
  begin_round(kNoRound);
}

// What this rank does with the token once it has nothing to run.
void pass_token() {
  state.token_is_here = false;
  const std::uint64_t held = state.token.held + held_count();
  const message_counts found{state.token.counts.sent + messages.sent,
                             state.token.counts.handled + messages.handled};
  if (rank() != 0) {
    request<on_token>((rank() + 1) % here.ranks, found, held);
  } else if (found.sent == found.handled && found == state.round_before) {
    end_round(held);
  } else {
    begin_round(found);
  }
}

// Between two pieces of work.
unsigned look_at_network() {
  send_waiting_fetches();
  return detail::poll_at_work(*detail::current_engine);
}

// Since this rank has found nothing to run.
bool something_has_come() {
  return work_has_come() || watched_are_due() || state.ended || state.lets_go;
}

// The token goes on only after kLooks looks at a network without news: longer than an answer takes
// on this machine, with which the token would compete for the cores' caches.
bool work_comes_soon() {
  constexpr unsigned kLooks = 64;
  for (unsigned i = 0; i < kLooks; ++i) {
    if (look_at_network() == 0)
      detail::cpu_relax();
    else
      i = 0;
    if (something_has_come()) return true;
  }
  return false;
}

// Whether messages that come enable anything, by posting into a frame or by standing in the queue.
bool look_for_work(unsigned looks) {
  for (; looks > 0; --looks) {
    if (look_at_network() == 0) detail::cpu_relax();
    if (tam_here.next_ready != &tam_here.ready || here.queue_head != tam_here.queue_tail)
      return true;
  }
  return false;
}

}  // namespace

// Ranks that work on neighbouring rows follow each other. One that has come up to the row of the
// other holds the loops that have called for its elements, and with them what waits to begin, until
// the other one is well ahead: else they would write and read the same lines of the cache from
// there on. What it waits for may wait for what it holds; so it lets go when no rank has anything
// else to run.
//
// For other elements, which it has requested, it waits a moment; if work comes, it waits a little
// more before it begins anything. If nothing comes, that may depend on work that waits here, so
// twice as much begins before the next wait.
next_step choose_next_step() {
  constexpr unsigned kLooks = 512, kPause = 128, kBeginsMax = 1024;
  const auto after = [](bool has_come) { return has_come ? next_step::run : next_step::go_on; };
  const bool awaits = tam_here.awaits != 0;
  if (awaits && use_allowed_start()) {
    tam_here.awaits = 0;
    return next_step::go_on;
  }
  if (awaits && has_watched()) return deliver_watched() ? next_step::run : next_step::hold;
  if (awaits && state.begins_left == 0) {
    tam_here.awaits = 0;
    state.has_come_up = look_for_work(kLooks);
    state.begins = state.has_come_up ? 1 : std::min(2 * state.begins, kBeginsMax);
    state.begins_left = state.begins - 1;
    return after(state.has_come_up);
  }
  if (state.begins_left > 0) --state.begins_left;
  return after(std::exchange(state.has_come_up, false) && look_for_work(kPause));
}

namespace {

// Begins what waits. False: there is nothing, or it is held.
bool start_something() {
  if (start_pooled()) return true;
  if (held_count() != 0) {
    tam_here.awaits = 0;  // all loops that wait for these are held
    tend_watched();
    return tam_here.ready != nullptr || (!holds_loops() && start_waiting());
  }
  const next_step step = choose_next_step();
  return step == next_step::run || (step == next_step::go_on && start_waiting());
}

// Runs at most `quanta` quanta, or begins what waits, between two looks at the network.
bool run_or_start(unsigned quanta) {
  while (run_some(quanta) || start_something())
    if (quanta-- <= 1) return true;
  return false;
}

[[gnu::noinline]] void wait_for_work() {
  const auto something = [] { return something_has_come() || state.token_is_here; };
  if (wait_until(something, "tam: nothing to run here") != status::ok) stop("a rank has died");
}

}  // namespace

void open_termination() {
  messages = {};
  state = {};
  begin();
}

void run_on_all_ranks() {
  constexpr unsigned kBetweenPolls = 16;
  while (!state.ended) {
    do {
      look_at_network();
      give_if_asked();
      if (std::exchange(state.lets_go, false)) resume_loops();
      tend_watched();
    } while (run_or_start(kBetweenPolls));
    send_waiting_fetches();  // this rank has to wait for what they bring
    ask_for_work();
    if (!state.token_is_here)
      wait_for_work();
    else if (!work_comes_soon())
      pass_token();
  }
  state.ended = false;
  begin();
  end_placement();
}

void serve_network() {
  constexpr std::uint32_t kCallsBetweenPolls = 256;
  tam_here.calls_left = kCallsBetweenPolls;
  if (here.ranks == 1) return;
  look_at_network();
  give_if_asked();
}

}  // namespace ramjet::tam
