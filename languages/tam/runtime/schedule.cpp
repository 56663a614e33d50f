// SPDX-License-Identifier: Apache-2.0
// The schedulers. AM: the first frame that the last quantum posted runs until its continuation
// vectors are empty, which is a quantum; inlets have posted into it meanwhile. MD: the oldest
// message's inlet runs, and what it enables. (Spertus and Dally 1995, Figure 1.)
#include "languages/tam/runtime/schedule.hpp"

#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/placement.hpp"
#include "languages/tam/runtime/queue.hpp"
#include "languages/tam/runtime/termination.hpp"

namespace ramjet::tam {
namespace {

// Takes a message from the queue; the inlet's continuation vector is what is returned.
inline tam_lcv take_message(tam_lcv lcv, tam_frame*& frame) {
  tam_word* m = here.queue_head;
  const auto inlet = reinterpret_cast<tam_inlet>(m[0]);
  frame = reinterpret_cast<tam_frame*>(m[1] & ~tam_word{TAM_FRAME_UNIT - 1});
  here.queue_head = m + 2 + (m[1] & (TAM_FRAME_UNIT - 1));
  return inlet(frame, lcv, m[2], m[3], m[4], m[5]);
}

inline bool messages_wait() {
  return here.queue_head != tam_here.queue_tail || back_to_older_messages();
}

void serve_messages() {
  tam_frame* frame;
  while (messages_wait()) take_message(here.lcv, frame);
}

// Runs the last of the threads that stand in the frame's remote continuation vector from `first` to
// `end`; the others are on the local one then.
tam_lcv run_posted(tam_frame* f, tam_lcv lcv, std::uint32_t first, std::uint32_t end) {
  auto* rcv = reinterpret_cast<tam_entry*>(f + 1);
  f->posted = 1;  // it runs: what is posted from now on stands from entry 1 on
  const tam_thread last = rcv[--end].run;
  for (; first < end; ++first) lcv = tam_push(lcv, rcv[first].run);
  return last(f, lcv);
}

// Goes on with a quantum one of whose threads has returned `lcv`. Returns the result that the frame
// leaves (tam_result_for), null if it is gone without one, or the bottom.
template <int kScheduler>
inline tam_lcv go_on(tam_frame* f, const tam_lcv bottom, tam_lcv lcv) {
  for (;;) {
    if constexpr (kScheduler == TAM_UNENABLED) serve_messages();
    if (kScheduler == TAM_HYBRID && tam_is_result(lcv)) {
      return lcv;
    } else if (lcv > bottom) {
      --lcv;
      lcv = lcv->run(f, lcv);
    } else if (lcv == nullptr) {
      return lcv;
    } else if (f->posted > 1) {
      if (--tam_here.calls_left == 0) serve_network();
      lcv = run_posted(f, bottom, 1, f->posted);
    } else {
      if (f->block->exit != nullptr) f->block->exit(f, bottom);
      f->posted = 0;
      return lcv;
    }
  }
}

// The end of an activation whose last thread has left a result.
inline void pass_on(tam_frame* f, tam_lcv result) {
  tam_give_frame(f, f->block->frame_bytes);
  tam_send1(nullptr, reinterpret_cast<tam_name>(result) - 1, tam_here.result);
}

template <int kScheduler>
bool run_ready(unsigned& quanta) {
  const tam_lcv bottom = here.lcv;
  for (; quanta > 0; --quanta) {
    if constexpr (kScheduler == TAM_UNENABLED) serve_messages();
    tam_frame* f = tam_here.ready;
    if (f == nullptr) return false;
    tam_here.ready = f->link;
    tam_here.next_ready = &tam_here.ready;
    if (f->block->entry != nullptr) f->block->entry(f, bottom);
    const std::uint32_t posted = f->posted;
    const tam_lcv lcv = posted == 1 ? reinterpret_cast<tam_entry*>(f + 1)->run(f, bottom)
                                    : run_posted(f, bottom, 0, posted);
    const tam_lcv last = go_on<kScheduler>(f, bottom, lcv);
    if (kScheduler == TAM_HYBRID && tam_is_result(last)) pass_on(f, last);
  }
  return true;
}

bool run_messages(unsigned& count) {
  const tam_lcv bottom = here.lcv;
  for (; count > 0; --count) {
    if (!messages_wait()) return false;
    tam_frame* f;
    tam_lcv lcv = take_message(bottom, f);
    while (lcv > bottom) {
      --lcv;
      lcv = lcv->run(f, lcv);
    }
  }
  return true;
}

// Of a call whose first thread has returned `lcv`.
tam_lcv rest_of_call(tam_frame* frame, tam_lcv bottom, tam_lcv lcv) {
  if (--tam_here.calls_left == 0) serve_network();
  if (lcv == bottom && frame->posted == 2) {  // what a call's result has enabled meanwhile
    frame->posted = 1;
    lcv = reinterpret_cast<tam_entry*>(frame + 1)[1].run(frame, bottom);
  }
  return go_on<TAM_HYBRID>(frame, bottom, lcv);
}

}  // namespace

bool run_some(unsigned& count) {
  switch (here.scheduler) {
    case TAM_MD:
      return run_messages(count);
    case TAM_UNENABLED:
      return run_ready<TAM_UNENABLED>(count);
    case TAM_HYBRID:
      return run_ready<TAM_HYBRID>(count);
    default:
      return run_ready<TAM_AM>(count);
  }
}

void deliver(tam_name to, std::span<const tam_word> words) {
  checked_frame(to);
  deliver_own(to, words);
}

void deliver_own(tam_name to, std::span<const tam_word> words) {
  tam_frame* f = tam_frame_of(to);
  const tam_inlet inlet = tam_entries(f->block)[tam_inlet_of(to)];
  tam_word w[4] = {};
  for (std::size_t i = 0; i < words.size(); ++i) w[i] = words[i];
  if (here.scheduler == TAM_AM || here.scheduler == TAM_HYBRID)
    inlet(f, nullptr, w[0], w[1], w[2], w[3]);  // nothing runs before the handler has ended
  else
    tam_enqueue(inlet, f, static_cast<unsigned>(words.size()), w[0], w[1], w[2], w[3]);
}

}  // namespace ramjet::tam

tam_lcv tam_call_slow(tam_frame* frame, tam_lcv lcv, tam_thread thread) {
  return tam_post_last(frame, reinterpret_cast<tam_entry*>(frame + 1), 1, lcv, TAM_BY_CALL, thread);
}

void tam_serve(void) { ramjet::tam::serve_network(); }

void tam_go_on(tam_frame* frame, tam_lcv bottom, tam_lcv lcv) {
  if (!tam_is_result(lcv)) lcv = ramjet::tam::rest_of_call(frame, bottom, lcv);
  if (tam_is_result(lcv)) ramjet::tam::pass_on(frame, lcv);
}

int tam_after_call(tam_lcv lcv, tam_lcv after, tam_lcv result) {
  tam_frame* const frame = *tam_spare(lcv);
  *tam_spare(lcv) = &tam_no_frame;
  if (after == nullptr) return 0;
  if (after == lcv) {  // its last post called nothing
    if (frame->posted == 1) {
      frame->posted = 0;
      return 0;
    }
    if (frame->block->entry != nullptr) frame->block->entry(frame, lcv + 1);
    after = lcv + 1;
  }
  if (!tam_is_result(after)) after = ramjet::tam::rest_of_call(frame, lcv + 1, after);
  if (after == result) {
    *tam_spare(lcv) = frame;
    return 1;
  }
  if (tam_is_result(after)) ramjet::tam::pass_on(frame, after);
  return 0;
}
