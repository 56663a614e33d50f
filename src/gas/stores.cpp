// SPDX-License-Identifier: Apache-2.0
// The accounting of one-way stores. Each (sender, target) pair has a counter that the sender alone
// writes, so a store takes no locked instruction and a target knows who sent what.
//
// Equations, at a target:
//   received = sum over senders of store_line::stored       consumed <= received
//   credit   = received - consumed
// all_store_sync consumes up to E, the sum of the counts as of every sender's entry. Only what
// handlers stored in a rank that had entered, and waited there, can have been consumed beyond E.
//
// Two copies of the counts at entry are enough: a sender writes a copy again two calls later, and
// gets there only when every target has entered the call in between, so has read the old one.
//
// For a far sender the server of the target's memory writes the counter, and the target's handlers
// write the copies. The sender has an answer for each of its stores, and for each copy that it had
// to send, before it enters the barrier. A store whose server died may have been counted or not:
// the sender enters no barrier any more, and no target consumes what it says.
#include <algorithm>
#include <atomic>
#include <vector>

#include "am/runtime.hpp"
#include "gas/stores.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/am/engine.hpp"
#include "ramjet/gas.hpp"

namespace ramjet {

namespace {

using detail::space;

// Of this rank; the main thread's.
std::uint64_t consumed = 0;
unsigned phase = 0;  // of the all_store_sync that was entered last: 0 or 1

// Of this rank to far targets: bytes stored by target, and the copy that the target has, by phase.
// The storing thread's and the main thread's.
std::vector<std::uint64_t> stored_far, reported_far[2];
// Far stores that were sent; that have ended; whether one of them was lost: its target's count may
// be without it for ever. Any thread's; one that finds the second equal to the first sees the
// third.
std::atomic<std::uint64_t> far_begun{0}, far_ended{0};
std::atomic<bool> far_lost{false};

detail::engine& main_engine(const char* outside) {
  detail::engine& e = *detail::current_engine;
  RAMJET_CHECK(e.ranks() != 0 && e.endpoint() == 0, outside);
  RAMJET_CHECK(!e.in_handler(), "a handler may not wait for stores");
  return e;
}

const detail::store_line* own_row() noexcept { return space.stores + space.rank() * space.ranks; }

std::uint64_t received() noexcept {
  std::uint64_t sum = 0;
  for (const detail::store_line* from = own_row(); from != own_row() + space.ranks; ++from)
    sum += from->stored.load(std::memory_order_acquire);  // pairs: gas.stored
  return sum;
}

// At the target: what `sender` had stored as of its entry.
void note_entry(std::uint32_t sender, std::uint32_t which, std::uint64_t position) {
  RAMJET_CHECK(sender < space.ranks && !space.is_near(sender) && which < 2,
               "a peer counts the stores of no far rank");
  auto& line = const_cast<detail::store_line&>(own_row()[sender]);
  line.at_entry[which].store(position, std::memory_order_relaxed);  // read behind a barrier
}

// Reports to far targets the positions as of now, once all stores have landed.
status report_to_far_targets(detail::engine& e) {
  if (stored_far.empty()) return status::ok;
  const std::vector<std::uint64_t> at_entry = stored_far;  // handlers may store while it waits
  detail::waiting w{.name = "all_store_sync"};
  const status landed = e.wait(w, [] {
    return far_begun.load(std::memory_order_relaxed) ==
           far_ended.load(std::memory_order_acquire);  // pairs: gas.far_ended
  });
  if (landed != status::ok) return landed;
  if (far_lost.load(std::memory_order_relaxed)) return status::peer_failed;
  std::vector<future<void>> reports;
  reported_far[phase].resize(space.ranks);
  for (unsigned to = 0; to < space.ranks; ++to) {
    if (reported_far[phase][to] == at_entry[to]) continue;
    reported_far[phase][to] = at_entry[to];
    reports.push_back(call<&note_entry>(int(to), unsigned(e.rank()), phase, at_entry[to]));
  }
  for (future<void>& r : reports)
    if (const status s = r.wait(); s != status::ok) return s;
  return status::ok;
}

}  // namespace

void detail::count_stored_at(std::uint64_t target, std::uint64_t sender,
                             std::size_t bytes) noexcept {
  store_line& line = space.stores[target * space.ranks + sender];
  line.stored.fetch_add(bytes, std::memory_order_release);  // pairs: gas.stored
  // store-load: gas.gate (sender)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (space.gates[target].waiting.load(std::memory_order_relaxed) != 0) wake_rank(target);
}
void detail::far_store_begins(std::uint64_t target, std::size_t bytes) {
  stored_far.resize(space.ranks);
  stored_far[target] += bytes;
  far_begun.fetch_add(1, std::memory_order_relaxed);
}
void detail::far_store_ends(status how) noexcept {
  if (how != status::ok) far_lost.store(true, std::memory_order_relaxed);
  far_ended.fetch_add(1, std::memory_order_release);  // pairs: gas.far_ended
}

status store_sync(std::size_t bytes) {
  detail::engine& e = main_engine("store_sync belongs to a job's main thread");
  std::uint64_t enough = 0;
  RAMJET_CHECK(!__builtin_add_overflow(consumed, bytes, &enough),
               "store_sync: more bytes than can ever be stored");
  if (received() < enough) {
    if (e.failures() != 0) return status::peer_failed;
    std::atomic<std::uint32_t>& gate = space.gates[space.rank()].waiting;
    gate.store(1, std::memory_order_relaxed);
    detail::waiting w{.name = "store_sync"};
    const status s = e.wait(w, [&] { return received() >= enough; });
    gate.store(0, std::memory_order_relaxed);
    if (s != status::ok) return s;
  }
  consumed = enough;
  return status::ok;
}

void reset_store_sync() {
  main_engine("reset_store_sync belongs to a job's main thread");
  consumed = received();
}

status all_store_sync() {
  detail::engine& e = main_engine("all_store_sync belongs to a job's main thread");
  if (e.failures() != 0) return status::peer_failed;
  phase ^= 1;
  for (unsigned to = 0; to < space.ranks; ++to) {
    if (!space.is_near(to)) continue;
    detail::store_line& line = space.stores_to(to);
    line.at_entry[phase].store(line.stored.load(std::memory_order_relaxed),
                               std::memory_order_relaxed);  // published by the barrier
  }
  if (const status s = report_to_far_targets(e); s != status::ok) return s;
  if (const status s = detail::barrier_of("all_store_sync"); s != status::ok) return s;
  std::uint64_t at_entry = 0;
  for (const detail::store_line* from = own_row(); from != own_row() + space.ranks; ++from)
    at_entry += from->at_entry[phase].load(std::memory_order_relaxed);
  consumed = std::max(consumed, at_entry);
  return status::ok;
}

}  // namespace ramjet
