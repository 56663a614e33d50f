// SPDX-License-Identifier: Apache-2.0
// The placement "least loaded": a few unstarted activations wait in a pool. This rank starts the
// youngest when it has nothing else to run; an idle one gets the older half, of a tree of calls the
// larger ones, so that it has something to do for longer than the next answer takes. Once the pool
// has been filled, calls are started where they are made until it is empty: if each that leaves it
// made room for another, most calls of a tree would go through it, and it would hold small ones.
// Threads that make one activation after the other, for the elements of a list, are put aside
// meanwhile: there the pool is filled again as soon as half of it has left.
//
// A rank that becomes idle asks those that lie 1, 2, 4 ... behind it, once; one that has nothing to
// give remembers who asked until it has. So an idle rank sends log2(ranks) messages, then sleeps,
// and over those edges work reaches all ranks. (Saraswat et al. 2011, Lifeline-based Global Load
// Balancing.)
#include "languages/tam/runtime/placement.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

#include "languages/tam/runtime/machine.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "languages/tam/runtime/sites.hpp"
#include "languages/tam/runtime/termination.hpp"
#include "languages/tam/runtime/waiting.hpp"
#include "ramjet/am.hpp"
#include "ramjet/job.hpp"

namespace ramjet::tam {
namespace {

constexpr unsigned kPooledMax = 32;
constexpr unsigned kEdgesMax = 16;  // 2^16 ranks

struct aside {
  tam_frame* frame;
  tam_thread thread;
};

// The main thread's.
struct {
  activation pooled[kPooledMax];  // oldest first
  unsigned count = 0;  // of them; count + pool_room <= kPooledMax
  unsigned edges = 0;  // edge i goes to the rank that lies 2^i behind this one
  std::uint32_t asked = 0, asks = 0;  // bits: edges whose rank knows that this one is idle; over
      // which ranks are known to be idle here
  std::uint64_t given = 0;
  std::vector<aside> put_aside;
} state;

int behind(unsigned edge) { return (rank() + here.ranks - (1 << edge)) % here.ranks; }
int ahead(unsigned edge) { return (rank() + (1 << edge)) % here.ranks; }

void set_room(unsigned activations) {
  tam_here.pool_room = activations;
  tam_here.share_end = activations == 0 ? tam_here.calls_end : 0;
}

// Posts the thread that was put aside last; it may be put aside again.
bool resume_one() {
  if (state.put_aside.empty()) return false;
  const aside a = state.put_aside.back();
  state.put_aside.pop_back();
  post_again(a.frame, a.thread);
  return true;
}

// `count` activations have left the pool.
void note_left(unsigned count) {
  state.count -= count;
  if (state.count != 0 && (state.put_aside.empty() || state.count > kPooledMax / 2)) return;
  set_room(kPooledMax - state.count);
  resume_one();
}

void on_gift(unsigned edge, std::int64_t block, std::uint32_t count, tam_word w0, tam_word w1,
             tam_word w2, tam_word w3);

void give(const activation& a, unsigned edge, caller by) {
  ++state.given;
  ++messages.sent;
  const auto send = [&](auto way) {
    return way(ahead(edge), edge, encode_site(a.block), a.count, a.words[0], a.words[1], a.words[2],
               a.words[3]);
  };
  const status s = by == caller::thread
                       ? send([](const auto&... x) { return request<on_gift>(x...); })
                       : send([](const auto&... x) { return chain<on_gift>(x...); });
  if (s != status::ok) stop("rank %d has died", ahead(edge));
}

// To the rank ahead over this edge, which is idle.
void give_half(unsigned edge, caller by) {
  activation given[kPooledMax];
  const unsigned half = (state.count + 1) / 2;
  std::copy(state.pooled, state.pooled + half, given);
  std::copy(state.pooled + half, state.pooled + state.count, state.pooled);
  note_left(half);
  state.asks &= ~(1u << edge);
  for (unsigned i = 0; i < half; ++i) give(given[i], edge, by);  // the pool may change meanwhile
}

void pool(const activation& a) {
  state.pooled[state.count++] = a;
  set_room(tam_here.pool_room - 1);
}

void on_gift(unsigned edge, std::int64_t block, std::uint32_t count, tam_word w0, tam_word w1,
             tam_word w2, tam_word w3) {
  ++messages.handled;
  state.asked &= ~(1u << edge % kEdgesMax);
  // Started at once: one that waited here could go back to whom it came from, and so on.
  const tam_word words[] = {w0, w1, w2, w3};
  spawn_here(block_of(block), {words, std::min(count, 4u)});
}

void on_ask(unsigned edge) {
  if (edge >= state.edges) return;
  state.asks |= 1u << edge;
  if (state.count > 0) give_half(edge, caller::handler);
}

}  // namespace

void open_placement() {
  state = {};
  while (state.edges < kEdgesMax && 1 << state.edges < here.ranks) ++state.edges;
  set_room(state.edges == 0 ? 0 : kPooledMax);
}

void spawn_anywhere(const activation& a) {
  if (tam_here.pool_room == 0) return spawn_here(a.block, {a.words, a.count});
  pool(a);
}

// Between looks at the network, so that what was shared since then goes together.
void give_if_asked() {
  if (state.asks != 0 && state.count > 0)
    give_half(static_cast<unsigned>(std::countr_zero(state.asks)), caller::thread);
}

bool start_pooled() {
  give_if_asked();  // a single one, too: else it would never leave this rank
  if (tam_here.pool_room != 0 && resume_one()) return true;
  if (state.count == 0) return false;
  const activation a = state.pooled[state.count - 1];
  note_left(1);
  spawn_here(a.block, {a.words, a.count});
  return true;
}

void ask_for_work() {
  if (state.asked == (1u << state.edges) - 1) return;
  for (unsigned edge = 0; edge < state.edges; ++edge) {
    if ((state.asked >> edge & 1) != 0) continue;
    state.asked |= 1u << edge;
    if (request<on_ask>(behind(edge), edge) != status::ok) stop("rank %d has died", behind(edge));
  }
}

void end_placement() { state.asked = state.asks = 0; }

}  // namespace ramjet::tam

int tam_put_aside(tam_frame* frame, tam_thread thread) {
  using namespace ramjet::tam;
  if (state.edges == 0 || here.scheduler == TAM_MD) return 0;
  try {
    state.put_aside.push_back({frame, thread});
  } catch (const std::bad_alloc&) {
    stop("%s: no memory to put a thread of %s aside", frame->block->site, frame->block->name);
  }
  return 1;
}

uint64_t tam_given(void) { return ramjet::tam::state.given; }
