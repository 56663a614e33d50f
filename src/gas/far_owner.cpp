// SPDX-License-Identifier: Apache-2.0
// The owner's side of far accesses: each request is checked, done in place, and answered. All of it
// comes from another process, so nothing is believed.
#include <memory>

#include "gas/far.hpp"
#include "gas/places.hpp"

namespace ramjet::detail {

namespace {

// This rank's own bytes, at the window.
std::byte* own_place(std::uint64_t bits, std::uint64_t bytes) noexcept {
  const std::uint64_t offset = bits - live_space.own_bits;
  RAMJET_CHECK(bytes <= live_space.segment_bytes && offset <= live_space.segment_bytes - bytes,
               "a peer reaches for memory outside this rank's segment");
  return reinterpret_cast<std::byte*>(live_space.window_base + offset);
}

std::byte* own_word(std::uint64_t bits, std::size_t bytes) noexcept {
  RAMJET_CHECK(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
               "a peer reaches for a word of no known size");
  return own_place(bits, bytes);
}

std::byte* own_rows(const far_part& p) noexcept {
  const bool sizes_fit = p.row_bytes >= 1 && p.row_bytes <= kMediumBytesMax && p.rows >= 1 &&
                         p.rows <= kMediumBytesMax / p.row_bytes &&
                         p.stride <= live_space.segment_bytes;
  RAMJET_CHECK(sizes_fit, "a peer reaches for more bytes than a message holds");
  return own_place(p.bits, (p.rows - 1) * p.stride + p.row_bytes);
}

// Of the thread that handles: room for the rows of one message.
std::byte* gathered_rows() {
  static thread_local const auto room =
      std::make_unique_for_overwrite<std::byte[]>(kMediumBytesMax);
  return room.get();
}

}  // namespace

void far_load(request_token t, std::uint32_t id, std::uint64_t bits, std::uint8_t bytes) {
  reply<on_far_word>(std::move(t), id, load_word(own_word(bits, bytes), bytes));
}

void far_store(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t value,
               std::uint8_t bytes, bool counted) {
  store_word(own_word(bits, bytes), value, bytes);
  if (counted) count_stored_here(unsigned(t.rank()), bytes);
  reply<on_far_done>(std::move(t), id, std::uint64_t{bytes});
}

void far_atomic(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t operand,
                std::uint64_t expected, atomic_kind kind, std::uint8_t bytes, bool wakes) {
  RAMJET_CHECK((bytes == 4 || bytes == 8) && bits % bytes == 0,
               "a peer asks for an atomic operation on no integer");
  const std::uint64_t before = change_word(own_word(bits, bytes), kind, operand, expected, bytes);
  if (wakes) wake_rank(live_space.rank());
  reply<on_far_word>(std::move(t), id, before);
}

void far_read(request_token t, std::uint32_t id, far_part part) {
  std::byte* const first = own_rows(part);
  const std::size_t bytes = part.rows * part.row_bytes;
  std::byte* from = first;
  if (part.rows > 1) {
    from = gathered_rows();
    gather(from, first, part.row_bytes, part.stride, 0, bytes);
  }
  value_fence(std::memory_order_acquire);  // pairs: gas.value
  reply_medium<on_far_data>(std::move(t), from, bytes, id, part.at);
}

void far_write(request_token t, std::uint32_t id, far_part part, bool counted, payload data) {
  std::byte* const first = own_rows(part);
  RAMJET_CHECK(data.size() == part.rows * part.row_bytes,
               "a peer writes other bytes than it has sent");
  value_fence(std::memory_order_release);  // pairs: gas.value
  scatter(first, part.row_bytes, part.stride, 0, data.bytes, data.size());
  note_write();
  if (counted) count_stored_here(unsigned(t.rank()), data.size());
  reply<on_far_done>(std::move(t), id, std::uint64_t{data.size()});
}

}  // namespace ramjet::detail
