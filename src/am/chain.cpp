// SPDX-License-Identifier: Apache-2.0
// Chains: what a handler sends when there is no room waits here, so that no handler ever waits.
#include "am/chain.hpp"

#include <cstdio>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

namespace {

constexpr std::size_t pad8(std::size_t n) { return (n + 7) & ~std::size_t{7}; }

std::size_t stored_bytes(const chain_queue::entry& e) {
  return sizeof e + pad8(e.argument_bytes) + pad8(e.payload_bytes);
}

void append(std::vector<std::byte>& to, const void* from, std::size_t bytes) {
  const std::size_t at = to.size();
  to.resize(at + pad8(bytes));
  if (bytes != 0) std::memcpy(to.data() + at, from, bytes);
}

[[noreturn]] void end_at_limit(const char* what, std::uint64_t limit_bytes) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%s RAMJET_CHAIN_LIMIT (%llu bytes); raise it, or let the main program send less "
                "before it polls",
                what, static_cast<unsigned long long>(limit_bytes));
  die(text);
}

// Gives back the part of the vector that has been sent, when it is at least half of it.
void compact(chain_queue& q) {
  if (q.front * 2 < q.bytes.size()) return;
  q.bytes.erase(q.bytes.begin(), q.bytes.begin() + std::ptrdiff_t(q.front));
  q.front = 0;
}

}  // namespace

void check_waiting_bytes(engine_cold& x) {
  if (x.network->waiting_bytes() > x.chain_limit_bytes)
    end_at_limit("what handlers write to other nodes fills", x.chain_limit_bytes);
}

void engine::enqueue(peer& p, unsigned handler, const void* arguments, std::size_t argument_bytes,
                     const void* payload, std::size_t payload_bytes) {
  if (p.chain == nullptr) p.chain = new chain_queue;
  chain_queue& q = *p.chain;
  const chain_queue::entry e{handler, std::uint32_t(argument_bytes), std::uint32_t(payload_bytes),
                             0};
  if (chain_bytes_ + stored_bytes(e) > parts_->chain_limit_bytes)
    end_at_limit("chained messages fill", parts_->chain_limit_bytes);
  append(q.bytes, &e, sizeof e);
  append(q.bytes, arguments, argument_bytes);
  append(q.bytes, payload, payload_bytes);
  chain_bytes_ += stored_bytes(e);
  ++q.messages;
  count_held(p);
  block(p, kChained);
  set_chores();
  stay_awake();
}

// Sends from the queue's front while there is room; returns how many went out.
unsigned engine::flush_chain(peer& p) {
  chain_queue& q = *p.chain;
  unblock(p, kChained);
  unblock(p, kGathering);  // items that gather come after
  unsigned sent = 0;
  while (q.messages != 0) {
    const std::byte* at = q.bytes.data() + q.front;
    chain_queue::entry e;
    std::memcpy(&e, at, sizeof e);
    const std::byte* arguments = at + sizeof e;
    const auto pack = [&](std::byte* to) { std::memcpy(to, arguments, e.argument_bytes); };
    const status s = post<false>(p, e.handler, e.argument_bytes, pack,
                                 arguments + pad8(e.argument_bytes), e.payload_bytes);
    if (s == status::retry) break;
    ++sent;
    --q.messages;
    q.front += stored_bytes(e);
    chain_bytes_ -= stored_bytes(e);
  }
  compact(q);
  count_held(p);
  if (q.messages != 0) block(p, kChained);
  if (p.gathering != 0) block(p, kGathering);
  set_chores();
  return sent;
}

void engine::drop_chain(peer& p) {
  if (p.chain == nullptr) return;
  chain_bytes_ -= p.chain->bytes.size() - p.chain->front;
  *p.chain = {};
  count_held(p);
  unblock(p, kChained);
  set_chores();
}

}  // namespace ramjet::detail
