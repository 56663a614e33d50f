// SPDX-License-Identifier: Apache-2.0
// The schedulers. AM: the frame whose thread was posted last runs until its continuation vectors
// are empty, which is a quantum; inlets have posted into it meanwhile. MD: the oldest message's
// inlet runs, and what it enables. (Spertus and Dally 1995, Figure 1.)
#include "tam/schedule.hpp"

#include "tam/machine.hpp"

namespace ramjet::tam {
namespace {

// Takes a message from the queue; the inlet's continuation vector is what is returned.
inline tam_lcv take_message(tam_lcv lcv, tam_frame*& frame) {
  tam_word* m = here.queue_head;
  if (m[0] == 0) m = next_chunk(m);
  const auto inlet = reinterpret_cast<tam_inlet>(m[0]);
  frame = reinterpret_cast<tam_frame*>(m[1] & ~tam_word{TAM_FRAME_UNIT - 1});
  here.queue_head = m + 2 + (m[1] & (TAM_FRAME_UNIT - 1));
  return inlet(frame, lcv, m[2], m[3], m[4], m[5]);
}

inline bool messages_wait() { return here.queue_head != tam_here.queue_tail; }

void serve_messages() {
  tam_frame* frame;
  while (messages_wait()) take_message(here.lcv, frame);
}

// Runs the threads that stand in the frame's remote continuation vector from `first` to `end`, and
// what they fork. Null if the frame is gone.
template <bool kUnenabled>
inline tam_lcv run_posted(tam_frame* f, std::uint32_t first, std::uint32_t end) {
  auto* rcv = reinterpret_cast<tam_entry*>(f + 1);
  const tam_lcv bottom = here.lcv;
  tam_lcv lcv = bottom;
  f->posted = 1;  // it runs: what is posted from now on stands from entry 1 on
  tam_thread next = rcv[--end].run;
  for (; first < end; ++first) lcv = tam_push(lcv, rcv[first].run);
  for (;;) {
    if constexpr (kUnenabled) serve_messages();
    lcv = next(f, lcv);
    if (lcv <= bottom) return lcv;
    next = (--lcv)->run;
  }
}

template <bool kUnenabled>
void run_quantum(tam_frame* f) {
  const tam_block* block = f->block;
  if (block->entry != nullptr) block->entry(f, here.lcv);
  std::uint32_t first = 0;
  do {
    if (run_posted<kUnenabled>(f, first, f->posted) == nullptr) return;
    if constexpr (kUnenabled) serve_messages();
    first = 1;
  } while (f->posted > 1);
  if (block->exit != nullptr) block->exit(f, here.lcv);
  f->posted = 0;
}

template <bool kUnenabled>
bool run_ready(unsigned quanta) {
  for (; quanta > 0; --quanta) {
    if constexpr (kUnenabled) serve_messages();
    tam_frame* f = tam_here.ready;
    if (f == nullptr) return false;
    tam_here.ready = f->link;
    run_quantum<kUnenabled>(f);
  }
  return true;
}

bool run_messages(unsigned count) {
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

}  // namespace

bool run_some(unsigned count) {
  switch (here.scheduler) {
    case TAM_MD:
      return run_messages(count);
    case TAM_UNENABLED:
      return run_ready<true>(count);
    default:
      return run_ready<false>(count);
  }
}

bool work_waits() noexcept { return tam_here.ready != nullptr || messages_wait(); }

void deliver(tam_name to, std::span<const tam_word> words) {
  tam_frame* f = checked_frame(to);
  const tam_inlet inlet = tam_entries(f->block)[tam_inlet_of(to)];
  tam_word w[4] = {};
  for (std::size_t i = 0; i < words.size(); ++i) w[i] = words[i];
  if (here.scheduler == TAM_AM)
    inlet(f, here.lcv, w[0], w[1], w[2], w[3]);
  else
    tam_enqueue(inlet, f, static_cast<unsigned>(words.size()), w[0], w[1], w[2], w[3]);
}

}  // namespace ramjet::tam
