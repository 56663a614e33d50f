// SPDX-License-Identifier: Apache-2.0
// Aggregation: the items of one handler for one port wait in a block at their sender. An item
// leaves at once while its receiver has taken all that was sent before; behind a busy one the
// block fills. It leaves when it is full, when the receiver has caught up, or when polls find that
// nothing more comes.
#include <algorithm>
#include <cstring>

#include "am/engine_cold.hpp"
#include "base/machine_profile.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

namespace {

constexpr std::uint16_t kLookBytesMin = 256;

// To another machine: there a block is some calls of the system, whatever its size. As much as one
// message takes, and an item_block counts, nearly.
constexpr std::size_t kFarBlockBytes = 60 * 1024;
static_assert(kFarBlockBytes <= kMediumBytesMax && kFarBlockBytes <= UINT16_MAX);

std::size_t block_bytes_max(const peer& p, answers may_come) {
  if (p.far && may_come == answers::none) return kFarBlockBytes;
  return std::size_t(base::machine(base::figure::block_bytes));
}

// How many bytes of whole items, at least one.
std::size_t whole(std::size_t most, std::size_t item_bytes) {
  return std::max<std::size_t>(most / item_bytes, 1) * item_bytes;
}

void grow(item_block& b, std::size_t bytes) {
  auto* const begin = new std::byte[bytes];
  const std::size_t held = b.bytes();
  if (held != 0) std::memcpy(begin, b.begin, held);
  delete[] b.begin;
  b.begin = begin;
  b.at = begin + held;
  b.capacity = std::uint16_t(bytes);
}

// The block takes items until the next look at the receiver. It may come to hold `most` bytes.
void extend(item_block& b, std::size_t most, std::size_t item_bytes) {
  b.look = std::max(b.look, kLookBytesMin);
  const std::size_t next = std::max<std::size_t>(2 * b.bytes(), b.look);
  const std::size_t bytes = whole(std::min(next, most), item_bytes);
  if (bytes > b.capacity) grow(b, bytes);
  b.end = b.begin + bytes;
}

}  // namespace

block_tables::block_tables(unsigned handlers, unsigned ports)
    : none_(std::make_unique<item_block[]>(ports)),
      ports_(ports),
      tables_(handlers),
      by_handler_(handlers, none_.get()) {}

block_tables::~block_tables() {
  for (const auto& table : tables_)
    for (unsigned port = 0; table != nullptr && port < ports_; ++port) delete[] table[port].begin;
}

item_block& block_tables::find_or_make(unsigned handler, unsigned port) {
  if (tables_[handler] == nullptr) {
    tables_[handler] = std::make_unique<item_block[]>(ports_);
    by_handler_[handler] = tables_[handler].get();
  }
  return tables_[handler][port];
}

void block_tables::stop_holding(entry of) {
  const auto at = std::find(holding.begin(), holding.end(), of);
  *at = holding.back();
  holding.pop_back();
}

// Whether the receiver may stand idle: it has answered, or given credit for, all that was sent.
// Takes the credit; answers wait for a poll.
bool engine::has_taken_all(peer& p) {
  for (std::uint64_t before = p.tail; p.answered != p.tail && p.answered != before;) {
    before = p.answered;
    if (!take_credit(p)) return false;
  }
  if (p.blocked == 0) p.limit = p.answered + mask_ + 1;
  return p.answered == p.tail ||
         std::uint32_t(p.out_credit->freed.load(std::memory_order_acquire)) ==  // pairs: am.credit
             std::uint32_t(p.tail);
}

bool engine::has_room_for(peer& p, std::size_t payload_bytes) {
  return (p.blocked & (kChained | kDead | kDepositing)) == 0 && has_free_line(p) &&
         payload_fits(p, payload_bytes);
}

// What handlers add meanwhile may fill the block, and send it.
status engine::make_room_for_block(peer& p, const item_block& b) {
  RAMJET_CHECK(!is_.polling, "a handler may not send a request; it can reply, or chain");
  if (has_room_for(p, b.bytes())) return status::ok;
  waiting w{.name = "request (the lane is full)",
            .target = int(p.rank),
            .any_death = any_death_ends(*parts_),
            .messages_only = true,
            .room_at = &p};
  return wait(w, [&] { return b.at != b.end || b.empty() || has_room_for(p, b.bytes()); });
}

void engine::count_held(peer& p) noexcept {
  const std::uint64_t queued = p.chain != nullptr ? p.chain->messages : 0;
  p.count->chained.store(queued + p.gathering, std::memory_order_relaxed);
}

// The block holds items from now on.
void engine::note_items(item_block& b, peer& p, unsigned handler) {
  parts_->blocks->holding.push_back({handler, p.port});
  b.polled = 0;
  ++p.gathering;
  ++gathering_;
  count_held(p);
  block(p, kGathering);
  set_chores();
  stay_awake();
}

// They are sent, or have nowhere to go.
void engine::forget_items(item_block& b, peer& p) {
  b.at = b.end = b.begin;
  --gathering_;
  if (--p.gathering == 0) unblock(p, kGathering);
  set_chores();
}

// In one message; behind others that wait where there is no room.
void engine::send_block(item_block& b, peer& p, unsigned handler) {
  parts_->blocks->stop_holding({handler, p.port});
  const std::size_t bytes = b.bytes();
  forget_items(b, p);
  unblock(p, kGathering);  // those of other handlers have no order with these
  if (post<false>(p, handler, 0, [](std::byte*) {}, b.begin, bytes) == status::retry)
    enqueue(p, handler, nullptr, 0, b.begin, bytes);
  if (p.gathering != 0) block(p, kGathering);
  count_held(p);
}

status engine::add_item(unsigned port, unsigned handler, const std::byte* item, std::size_t bytes,
                        on_full policy, answers may_come) {
  peer& p = peers_[port];
  const std::size_t most = block_bytes_max(p, may_come);
  item_block& b = parts_->blocks->find_or_make(handler, port);
  bool has_polled = false;
  while (b.at == b.end) {
    if (p.blocked & kDead) return status::peer_failed;
    if (has_taken_all(p) && (b.empty() || has_room_for(p, b.bytes()))) {
      if (!b.empty()) {  // it keeps up with this stream: larger blocks cost both sides less
        b.look = std::uint16_t(std::min(2 * b.bytes(), most));
        send_block(b, p, handler);
        continue;
      }
      if (bytes <= (kLineWords - 1) * sizeof(word)) {
        const auto pack = [=](std::byte* to) { std::memcpy(to, item, bytes); };
        if (post<false>(p, handler, bytes, pack) == status::ok) return status::ok;
      }
    }
    if (b.bytes() >= whole(most, bytes)) {
      if (policy == on_full::give_up && !has_room_for(p, b.bytes())) return status::retry;
      if (policy == on_full::wait)
        if (const status s = make_room_for_block(p, b); s != status::ok) return s;
      if (b.at != b.end) break;
      if (!b.empty()) send_block(b, p, handler);
      // A stream both ways moves as fast as both take.
      if (policy == on_full::wait && !std::exchange(has_polled, true))
        arrivals_ += poll_unchecked();
      continue;
    }
    if (b.empty()) note_items(b, p, handler);
    extend(b, most, bytes);
  }
  std::memcpy(b.at, item, bytes);
  b.at += bytes;
  return status::ok;
}

// Before a message of another kind leaves for the peer.
void engine::send_gathered_for(peer& p) {
  for (std::size_t i = parts_->blocks->holding.size(); i-- > 0;) {
    const auto [handler, port] = parts_->blocks->holding[i];
    if (port == p.port) send_block(block_of(handler, port), p, handler);
  }
}

void engine::send_gathered() {
  for (std::size_t i = parts_->blocks->holding.size(); i-- > 0;) {
    const auto [handler, port] = parts_->blocks->holding[i];
    item_block& b = block_of(handler, port);
    if (has_room_for(peers_[port], b.bytes())) send_block(b, peers_[port], handler);
  }
}

// A poll's part: what its receiver waits for, and what has not grown since the last poll. Returns
// how many blocks left.
unsigned engine::send_gathered_if_due() {
  const std::vector<block_tables::entry>& holding = parts_->blocks->holding;
  unsigned sent = 0;
  for (std::size_t i = holding.size(); i-- > 0;) {
    const auto [handler, port] = holding[i];
    item_block& b = block_of(handler, port);
    peer& p = peers_[port];
    const bool is_due = has_taken_all(p) || b.polled == b.bytes();
    b.polled = std::uint16_t(b.bytes());
    if (!is_due || !has_room_for(p, b.bytes())) continue;
    b.look = 0;
    send_block(b, p, handler);
    ++sent;
  }
  return sent;
}

void engine::drop_gathered(peer& p) {
  if (p.gathering == 0) return;
  std::vector<block_tables::entry>& holding = parts_->blocks->holding;
  for (const auto& [handler, port] : holding)
    if (port == p.port) forget_items(block_of(handler, port), p);
  std::erase_if(holding, [&p](const auto& e) { return e.port == p.port; });
  count_held(p);
}

}  // namespace ramjet::detail
