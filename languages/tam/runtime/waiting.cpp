// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/runtime/waiting.hpp"

#include <deque>
#include <new>

#include "languages/tam/runtime/polled_elements.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/termination.hpp"

namespace ramjet::tam {
namespace {

std::deque<activation> in_turn;

// Stands among the ready frames for a thread of another one.
struct later {
  tam_frame head;
  tam_entry rcv[1];
  tam_frame* frame;
  tam_thread thread;
};

tam_lcv go_on_now(tam_frame* frame, tam_lcv lcv);

const tam_thread_info kThreads[] = {{"go on", "the run-time", 0}};
const tam_block later_block = {"a thread that goes on",
                               "the run-time",
                               0,
                               sizeof(later),
                               0,
                               1,
                               nullptr,
                               kThreads,
                               nullptr,
                               nullptr,
                               nullptr};

tam_lcv go_on_now(tam_frame* frame, tam_lcv lcv) {
  const auto* l = reinterpret_cast<later*>(frame);
  switch (here.ranks > 1 ? choose_next_step() : next_step::go_on) {
    case next_step::go_on:
      post_again(l->frame, l->thread);
      break;
    case next_step::run:
      tam_go_on_after(l->frame, lcv, l->thread);
      break;
    case next_step::hold:
      suspend_loop(l->frame, l->thread);
      break;
  }
  return tam_end_frame(frame, sizeof(later));
}

}  // namespace

void open_waiting() { in_turn.clear(); }

bool has_waiting() noexcept { return !in_turn.empty(); }

void post_again(tam_frame* frame, tam_thread thread) {
  constexpr std::size_t kAlwaysFits = SIZE_MAX;
  tam_post(frame, reinterpret_cast<tam_entry*>(frame + 1), kAlwaysFits, here.lcv, TAM_BY_RCV,
           thread);
}

bool start_waiting() {
  if (in_turn.empty()) return false;
  const activation a = in_turn.front();
  in_turn.pop_front();
  spawn_here(a.block, {a.words, a.count});
  return true;
}

void begin_in_turn(const activation& a) {
  if (here.scheduler == TAM_MD) return spawn_here(a.block, {a.words, a.count});
  try {
    in_turn.push_back(a);
  } catch (const std::bad_alloc&) {
    stop("%s: no memory for activations of %s that wait", a.block->site, a.block->name);
  }
}

}  // namespace ramjet::tam

tam_lcv tam_go_on_after(tam_frame* frame, tam_lcv lcv, tam_thread thread) {
  using namespace ramjet::tam;
  auto* l = reinterpret_cast<later*>(tam_take_frame(&later_block, sizeof(later)));
  l->frame = frame;
  l->thread = thread;
  tam_post(&l->head, l->rcv, 1, nullptr, TAM_BY_RCV, go_on_now);
  return lcv;
}
