// SPDX-License-Identifier: Apache-2.0
// The part of work_queue that does not depend on its items: making, the end of all work, sleepers.
//
// Sleepers. A rank that has polled in vain for some time announces that before it sleeps: it writes
// its own word, then the word that the others read (the count at rank 0, or the ring's), then polls
// once more. A pusher publishes the item, then reads the count. All of these are sequentially
// consistent, so either the rank sees the item or the other sees the count, and wakes one rank by a
// message. Every rank that notices the end wakes all sleepers in the same way. A rank that frees
// slots reads the ring's word only twice a lap: a rank that waits for room and is missed polls by
// itself.
#include "ramjet/detail/gas/work_rings.hpp"

#include <new>
#include <utility>

#include "gas/wake.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"

namespace ramjet::detail {

namespace {

// Polls without work after which a rank announces that it waits. It does not sleep before.
constexpr unsigned kPollsToShow = 16;

}  // namespace

work_rings work_rings::all_make(std::size_t ring_bytes) {
  work_rings made;
  made.base_ = all_spread_malloc(std::size_t(size()), ring_bytes);
  if (!made) return {};
  auto* bytes = static_cast<std::byte*>(made.base_.local());
  std::memset(bytes, 0, ring_bytes);  // the turn of every slot is that of the first lap
  work_ring* own = new (bytes) work_ring{};
  own->created = own->held = 1;  // the main program
  return barrier() == status::ok ? made : work_rings{};
}

void work_rings::all_free() { all_spread_free(std::exchange(base_, nullptr)); }

bool work_rings::all_finished() const {
  std::uint64_t created = 0, finished = 0;
  for (int r = 0; r < size(); ++r)
    finished += read(of(r).member(&work_ring::finished));  // pairs: gas.work_finished (acquire)
  for (int r = 0; r < size(); ++r) created += read(of(r).member(&work_ring::created));
  return created == finished;
}

bool work_rings::is_over() const {
  if (!all_finished()) return false;
  if (read(of(0).member(&work_ring::work_wanted)) != 0) wake_slow(kForWork, 0, size());
  return true;
}

status work_rings::all_restart() const try {
  RAMJET_CHECK(all_finished(), "work_queue: all_restart before next has said that all is done");
  if (const status s = barrier(); s != status::ok) return s;
  mine().held = 1;
  write(of(rank()).member(&work_ring::created), mine().created + 1);
  return barrier();  // no rank is done before all have begun
} catch (const failure& f) {
  return f.code();
}

void work_rings::wake_slow(std::uint64_t what, int first, int most) const {
  for (int i = 0; i < size() && most > 0; ++i) {
    const int r = (first + i) % size();
    const auto waits = of(r).member(&work_ring::waits);
    try {
      if (r == rank() || read(waits) != what || compare_swap(waits, what, 0) != what) continue;
    } catch (const failure&) {  // a dead rank needs no waking
      continue;
    }
    if (what == kForWork) add(of(0).member(&work_ring::work_wanted), ~std::uint64_t{0});
    wake_port_by_message(std::uint64_t(unsigned(r)) * job::self().layout.endpoints);
    --most;
  }
}

bool work_wait::in_vain() {
  const auto waits = rings_.of(rank()).member(&work_ring::waits);
  if (shown_ && read(waits) == 0) {  // woken, and others were faster
    shown_ = false;
    polls_ = 0;
  }
  if (shown_ || ++polls_ < kPollsToShow) return false;
  shown_ = true;
  write(waits, what_);
  if (what_ == kForWork) {
    add(rings_.of(0).member(&work_ring::work_wanted), 1);
  } else {
    write(rings_.of(int(what_ - for_room(0))).member(&work_ring::room_wanted), 1);
  }
  return false;
}

work_wait::~work_wait() {
  if (!shown_ || exchange(rings_.of(rank()).member(&work_ring::waits), 0) == 0) return;
  if (what_ == kForWork) add(rings_.of(0).member(&work_ring::work_wanted), ~std::uint64_t{0});
}

}  // namespace ramjet::detail
