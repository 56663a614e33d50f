// SPDX-License-Identifier: Apache-2.0
// Between workers: items in inboxes, and work given to those that have none.
//
// Sleep and wake, per worker. The sleeper: asleep = 1, full fence, one more test of its inbox and
// of `stopping`, sleep while asleep == 1. The sender: item into the inbox, attention, full fence,
// load of asleep. Either the sender sees 1 and wakes, or the sleeper's last test sees the item.
#include <algorithm>

#include "base/clock.hpp"
#include "ramjet/ult/detail/blocks.hpp"
#include "ramjet/ult/tasks.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/parts.hpp"

namespace ramjet::ult::detail {

namespace {

constexpr std::uint32_t kGivenMax = 1024;  // items that change hands at a time

void deliver(worker* w, item i) {
  if ((i & kKindMask) != kParcel) return push(w, i);
  auto* p = of<parcel>(i);
  p->run(w, p);
}

void drain(worker* w) {
  item list = w->inbox.exchange(0, std::memory_order_acquire);  // pairs: ult.inbox
  note_acquire(&w->inbox);
  item in_order = 0;
  while (list != 0) {  // the newest comes first
    linked* l = linked_of(list);
    const item older = reinterpret_cast<item>(l->next);
    l->next = reinterpret_cast<linked*>(in_order);
    in_order = list;
    list = older;
  }
  while (in_order != 0) {
    const item i = in_order;
    in_order = reinterpret_cast<item>(linked_of(i)->next);
    deliver(w, i);
  }
}

bool may_leave(item i) {
  switch (i & kKindMask) {
    case kStarted: {
      const auto* c = of<control>(i);  // a lender is neither pinned nor bound
      return c->pins == 0 && !c->who->bound;
    }
    case kFresh:
      return !of<descriptor>(i)->bound;
    default:
      return true;
  }
}

// The home of what is sent changes here, where it still is ours to change.
void set_home(worker* from, item i, std::uint16_t home) {
  if ((i & kKindMask) == kStarted) {
    move_home(from, of<control>(i), home);
  } else if ((i & kKindMask) == kFresh) {
    // pairs: ult.home
    of<descriptor>(i)->home.store(home, std::memory_order_release);
  }
}

// What may be given away: several ready ones, a part of them; a lone one that has not begun, by a
// worker that is busy itself, to one that has waited for long. Any other lone one would only travel
// to and fro.
enum class surplus { none, lone, some };

surplus surplus_of(const worker* w) {
  const std::uint32_t ready = w->ready_count();
  for (std::uint32_t at = w->head; at != w->tail && at - w->head < kGivenMax; ++at) {
    const item i = w->ring[at & (w->capacity - 1)];
    if (!may_leave(i)) continue;
    if (ready > 1) return surplus::some;
    const bool busy = w->self != w->watcher;
    return busy && (i & kKindMask) != kStarted ? surplus::lone : surplus::none;
  }
  return surplus::none;
}

// Whether the item `at` places behind the oldest is a task of that one's group.
bool of_the_oldest_group(const worker* w, std::uint32_t at) {
  const item oldest = w->ring[w->head & (w->capacity - 1)];
  const item other = w->ring[(w->head + at) & (w->capacity - 1)];
  return (other & kKindMask) == kTask && of<task>(other)->count == of<task>(oldest)->count;
}

// How many tasks there are of the oldest one's group, up to `most`: they lie side by side, for a
// group's tasks are put into the ring where those before them still are.
std::uint32_t oldest_group(const worker* w, std::uint32_t most) {
  std::uint32_t inside = 0, outside = most;
  if (of_the_oldest_group(w, most - 1)) return most;
  while (outside - inside > 1) {
    const std::uint32_t middle = inside + (outside - inside) / 2;
    (of_the_oldest_group(w, middle) ? inside : outside) = middle;
  }
  return outside;
}

// How many ready items to give; there is at least one. Where programs fork, older items are larger:
// one such item goes, and nothing of the part that runs here.
std::uint32_t share_of(const worker* w) {
  const std::uint32_t most = std::min(w->ready_count(), 2 * kGivenMax);
  const item oldest = w->ring[w->head & (w->capacity - 1)];
  const bool depth_first = w->self->lenders != nullptr;
  if ((oldest & kKindMask) == kTask)
    return of<task>(oldest)->count->halves ? 1 : (oldest_group(w, most) + 1) / 2;
  if ((oldest & kKindMask) == kFresh && depth_first) return 1;
  return (most + 1) / 2;
}

// Work that one worker gives to another, in order: one step for all of it, and the receiver need
// not read the items before it runs them. They lie behind this.
struct gift : parcel {
  std::uint32_t capacity = 0;
  std::uint32_t count = 0;  // <= capacity
  bool lone = false;

  item* items() noexcept { return reinterpret_cast<item*>(this + 1); }
  static std::size_t bytes(std::uint32_t items) { return sizeof(gift) + items * sizeof(item); }
};

gift* make_gift(worker* w, std::uint32_t capacity) {
  const std::size_t bytes = gift::bytes(capacity);
  const unsigned c = block_class(bytes);
  void* block = c < kBlockClasses ? take<linked>(w->blocks[c], c) : ::operator new(bytes);
  auto* g = ::new (block) gift;
  g->capacity = capacity;
  return g;
}

void release_gift(worker* w, gift* g) {
  const unsigned c = block_class(gift::bytes(g->capacity));
  if (c < kBlockClasses)
    give(w->blocks[c], static_cast<linked*>(g), c);
  else
    ::operator delete(g);
}

void unwrap(worker* w, parcel* p) {
  auto* g = static_cast<gift*>(p);
  for (std::uint32_t i = 0; i < g->count; ++i) push(w, g->items()[i]);
  w->parts->given_since_ns = base::now_ns();
  w->parts->given_lone = g->lone;
  release_gift(w, g);
}

// Sends a part of the ready ones, the oldest first. Items that have to stay keep their places: a
// thread that stands aside for one item would else let all of them go before it.
void give_share(worker* w, worker* to, bool lone) {
  constexpr std::uint32_t kAhead = 128;
  const std::uint32_t looked_at = std::min(w->ready_count(), kGivenMax), mask = w->capacity - 1;
  const std::uint32_t wanted = share_of(w);
  gift* g = make_gift(w, wanted);
  g->run = unwrap;
  g->lone = lone;
  std::uint32_t at = w->head, stay = 0;
  for (; at - w->head < looked_at && g->count < wanted; ++at) {
    const item i = w->ring[at & mask];
    if (may_leave(i)) {
      set_home(w, i, to->index);
      __builtin_prefetch(g->items() + g->count + kAhead, 1);  // its last user is another worker
      g->items()[g->count++] = i;
    } else {
      w->ring[(w->head + stay++) & mask] = i;
    }
  }
  for (; stay != 0; --stay) w->ring[--at & mask] = w->ring[(w->head + stay - 1) & mask];
  w->head = at;
  send(to, item_of(g));
}

bool somebody_long_idle(const worker* w) {
  const unsigned count = workers();
  for (unsigned i = 1; i < count; ++i) {
    const worker* other = worker_pool.workers[(w->index + i) % count];
    if (other->idleness.load(std::memory_order_relaxed) == kLongIdle) return true;
  }
  return false;
}

// Gives work to idle workers, beginning after this one, so that not all are served by the same.
void give_away(worker* w) {
  const unsigned count = workers();
  for (unsigned i = 1; i < count; ++i) {
    worker* to = worker_pool.workers[(w->index + i) % count];
    const std::uint32_t idleness = to->idleness.load(std::memory_order_relaxed);
    if (idleness == kHasWork) continue;
    const surplus have = surplus_of(w);
    if (have == surplus::none) return;
    if (have == surplus::lone && idleness != kLongIdle) continue;
    if (to->idleness.exchange(kHasWork, std::memory_order_relaxed) == kHasWork) continue;
    worker_pool.idle_workers.fetch_sub(1, std::memory_order_relaxed);
    give_share(w, to, have == surplus::lone);
  }
}

}  // namespace

void send(worker* to, item i) {
  linked* l = linked_of(i);
  item newest = to->inbox.load(std::memory_order_relaxed);
  note_release(&to->inbox);
  do {
    l->next = reinterpret_cast<linked*>(newest);
    // pairs: ult.inbox
  } while (!to->inbox.compare_exchange_weak(newest, i, std::memory_order_release,
                                            std::memory_order_relaxed));
  call(to);
}

void call(worker* w) {
  w->attention.store(worker::kNever, std::memory_order_release);  // pairs: ult.attention
  // store-load: ult.sleep (caller)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (w->asleep.load(std::memory_order_relaxed) != 0) wake_worker(w);
}

void drain_inbox(worker* w) {
  w->attention.exchange(0, std::memory_order_acquire);  // pairs: ult.attention
  if (w->inbox.load(std::memory_order_relaxed) != 0) drain(w);
  if (worker_pool.idle_workers.load(std::memory_order_relaxed) != 0) give_away(w);
  if (worker_pool.stopping.load(std::memory_order_relaxed) || w->parts->shuffle != 0) {
    w->attention.exchange(worker::kNever, std::memory_order_acquire);  // pairs: ult.attention
  } else if (worker_pool.idle_workers.load(std::memory_order_relaxed) != 0) {
    std::int32_t nothing = 0;  // else somebody wants something again
    const auto share = somebody_long_idle(w) ? worker::kShareLone : worker::kShare;
    w->attention.compare_exchange_strong(nothing, share, std::memory_order_relaxed);
    shorten_turn(w, kAskedTicks);
  }
}

void ready_elsewhere(control* c) {
  send(worker_pool.workers[c->home.load(std::memory_order_relaxed)], item_of(c));
}

void send_fresh(worker* w, descriptor* d) {
  const unsigned home = d->home.load(std::memory_order_relaxed);
  if (home != w->index) return send(worker_pool.workers[home], item_of(d));
  push(w, item_of(d));
  const bool wanted = w->attention.load(std::memory_order_relaxed) != 0;
  if (wanted && w->self != w->watcher) drain_inbox(w);  // it attends by itself, between its tests
}

}  // namespace ramjet::ult::detail
