// SPDX-License-Identifier: Apache-2.0
#include "node/board.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/futex.hpp"

namespace ramjet::node {

std::vector<std::uint16_t> deal_ranks(unsigned ranks, unsigned nodes) {
  std::vector<std::uint16_t> node_of(ranks);
  for (unsigned r = 0; r < ranks; ++r) {
    node_of[r] = std::uint16_t(std::uint64_t{r} * nodes / ranks);
  }
  return node_of;
}

namespace {

std::uint64_t draw_number() {
  std::uint64_t number = 0;
  if (::getentropy(&number, sizeof number) == 0) return number;
  return base::now_ns() << 20 ^ std::uint64_t(::getpid());  // a kernel that has none
}

}  // namespace

board* format_board(void* memory, unsigned ranks, failure_policy policy, std::uint64_t secret,
                    std::span<const std::uint16_t> node_of, unsigned node) {
  board* b = new (memory) board{};
  b->version = kBoardVersion;
  b->ranks = ranks;
  b->policy = std::uint32_t(policy);
  b->processors = base::usable_cpus();
  b->secret = secret;
  b->node = node;
  b->number = draw_number();
  b->nodes = 1;
  for (unsigned r = 0; r < ranks; ++r) {
    const std::uint16_t its_node = node_of.empty() ? std::uint16_t{0} : node_of[r];
    rank_nodes(b, ranks)[r] = its_node;
    b->nodes = std::max(b->nodes, its_node + 1u);
    if (its_node == node) ++b->members;
    rank_lines(b)[r].exit_status.store(kStatusUnknown, std::memory_order_relaxed);
  }
  b->first_failed.store(-1, std::memory_order_relaxed);
  b->magic = kBoardMagic;
  return b;
}

const char* board_defect(const board* b, std::size_t bytes) {
  if (bytes < kRanksOffset || b->magic != kBoardMagic) return "it is not a Ramjet job's memory";
  if (b->version != kBoardVersion) return "the launcher is of another version of Ramjet";
  const unsigned ranks = b->ranks, nodes = b->nodes, node = b->node;
  if (ranks == 0 || ranks > kRanksMax) return "its number of ranks is out of range";
  if (bytes < board_bytes(ranks)) return "it is too short";
  if (nodes == 0 || nodes > ranks || node >= nodes) return "its number of nodes is out of range";
  unsigned members = 0;
  for (unsigned r = 0; r < ranks; ++r) {
    const unsigned its_node = rank_nodes(b, ranks)[r];
    if (its_node >= nodes) return "a rank is on a node that does not exist";
    if (its_node == node) ++members;
  }
  return members == b->members && members > 0 ? nullptr : "its ranks are miscounted";
}

namespace {

// Wakes those that sleep at a port, and keeps awake those about to.
void wake_ports(void* object, std::size_t bytes) {
  const auto* b = static_cast<const board*>(object);
  if (b->layout_state.load(std::memory_order_acquire) != 2) return;  // pairs: job.layout
  const geometry g = b->layout;
  const std::uint64_t needed = g.ports * sizeof(detail::port_line);
  const region_entry& entry = g.table[0];
  if (g.ports > detail::kPortsMax || entry.offset % alignof(detail::port_line) != 0 ||
      entry.offset > bytes || bytes - entry.offset < needed)
    return;
  auto* lines =
      reinterpret_cast<detail::port_line*>(static_cast<std::byte*>(object) + entry.offset);
  for (unsigned i = 0; i < g.ports; ++i) {
    // store-load: am.failure (reporter)
    lines[i].asleep.store(0, std::memory_order_seq_cst);
    base::futex_wake(lines[i].asleep);
  }
}

}  // namespace

bool report_failure(void* object, std::size_t bytes, unsigned rank, int signal, int exit_status) {
  board* b = static_cast<board*>(object);
  rank_line& line = rank_lines(b)[rank];
  std::uint32_t state = line.state.load(std::memory_order_relaxed);
  if (state == std::uint32_t(rank_state::finalized)) return false;
  const bool known = signal != 0 || exit_status != kStatusUnknown;
  if (known && line.exit_status.load(std::memory_order_relaxed) == kStatusUnknown) {
    line.signal.store(signal, std::memory_order_relaxed);
    line.exit_status.store(exit_status, std::memory_order_relaxed);
  }
  bool is_first = false;
  while (!is_first && state != std::uint32_t(rank_state::failed)) {
    if (state == std::uint32_t(rank_state::finalized)) return false;
    is_first = line.state.compare_exchange_weak(state, std::uint32_t(rank_state::failed),
                                                // store-load: node.failed (both)
                                                std::memory_order_seq_cst);
  }
  std::int32_t none = -1;
  b->first_failed.compare_exchange_strong(none, std::int32_t(rank), std::memory_order_relaxed);
  // Counted anew, not by one: right however many report this death, and if one of them dies here.
  const std::size_t ranks =
      std::min<std::size_t>(b->ranks, (bytes - kRanksOffset) / sizeof(rank_line));
  std::uint32_t failed = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    // store-load: node.failed (both)
    const std::uint32_t its_state = rank_lines(b)[r].state.load(std::memory_order_seq_cst);
    if (its_state == std::uint32_t(rank_state::failed)) ++failed;
  }
  std::uint32_t counted = b->failures.load(std::memory_order_relaxed);
  while (counted < failed &&
         !b->failures.compare_exchange_weak(counted, failed,
                                            std::memory_order_release,  // pairs: job.failure
                                            std::memory_order_relaxed)) {
  }
  base::futex_wake(b->failures);
  base::futex_wake(b->joined);
  wake_ports(object, bytes);
  return is_first;
}

}  // namespace ramjet::node
