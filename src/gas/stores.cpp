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
#include <algorithm>

#include "am/runtime.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/engine.hpp"
#include "ramjet/gas.hpp"

namespace ramjet {

namespace {

using detail::space;

// Of this rank; the main thread's.
std::uint64_t consumed = 0;
unsigned phase = 0;  // of the all_store_sync that was entered last: 0 or 1

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

}  // namespace

status store_sync(std::size_t bytes) {
  detail::engine& e = main_engine("store_sync belongs to a job's main thread");
  std::uint64_t enough = 0;
  RAMJET_CHECK(!__builtin_add_overflow(consumed, bytes, &enough),
               "store_sync: so many bytes are never stored");
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
  main_engine("all_store_sync belongs to a job's main thread");
  phase ^= 1;
  for (unsigned to = 0; to < space.ranks; ++to) {
    detail::store_line& line = space.stores_to(to);
    line.at_entry[phase].store(line.stored.load(std::memory_order_relaxed),
                               std::memory_order_relaxed);  // published by the barrier
  }
  if (const status s = detail::barrier_of("all_store_sync"); s != status::ok) return s;
  std::uint64_t at_entry = 0;
  for (const detail::store_line* from = own_row(); from != own_row() + space.ranks; ++from)
    at_entry += from->at_entry[phase].load(std::memory_order_relaxed);
  consumed = std::max(consumed, at_entry);
  return status::ok;
}

}  // namespace ramjet
