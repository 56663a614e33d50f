// SPDX-License-Identifier: Apache-2.0
// The owner's side of far accesses: each request is checked, done in place, and answered. All of it
// comes from another process, so nothing is believed.
#include <cstring>
#include <memory>

#include "am/accesses.hpp"
#include "am/coproc.hpp"
#include "gas/far.hpp"
#include "gas/places.hpp"
#include "job/join.hpp"

namespace ramjet::detail {

namespace {

// Bytes that this rank serves: its own, at the window, or another rank's of its node, which has
// them served here (am/accesses.hpp); null if they are not all in one such segment.
std::byte* find_own(std::uint64_t bits, std::uint64_t bytes) noexcept {
  const address_space& here = live_space;
  const std::uint64_t rank = rank_of(bits), offset = address_of(bits) - here.window_base;
  if (bytes > here.segment_bytes || offset > here.segment_bytes - bytes) return nullptr;
  if (rank == here.rank()) return reinterpret_cast<std::byte*>(here.window_base + offset);
  if (!one_serves_node() || rank >= here.ranks || !job::self().near(unsigned(rank))) return nullptr;
  return reinterpret_cast<std::byte*>(here.segment_base + rank * here.segment_bytes + offset);
}

std::byte* own_place(std::uint64_t bits, std::uint64_t bytes) noexcept {
  std::byte* const place = find_own(bits, bytes);
  RAMJET_CHECK(place != nullptr, "a peer reaches for memory outside this rank's segment");
  return place;
}

std::byte* own_word(std::uint64_t bits, std::size_t bytes) noexcept {
  RAMJET_CHECK(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
               "a peer reaches for a word of no known size");
  return own_place(bits, bytes);
}

bool makes_sense(const far_part& p) noexcept {
  return p.row_bytes >= 1 && p.row_bytes <= kMediumBytesMax && p.rows >= 1 &&
         p.rows <= kMediumBytesMax / p.row_bytes && p.stride <= live_space.segment_bytes;
}

std::uint64_t extent_of(const far_part& p) noexcept {
  return (p.rows - 1) * p.stride + p.row_bytes;
}

std::byte* own_rows(const far_part& p) noexcept {
  RAMJET_CHECK(makes_sense(p), "a peer reaches for more bytes than a message holds");
  return own_place(p.bits, extent_of(p));
}

// Of the thread that handles: room for the rows of one message.
std::byte* gathered_rows() {
  static thread_local const auto room =
      std::make_unique_for_overwrite<std::byte[]>(kMediumBytesMax);
  return room.get();
}

// The bytes of a part, that begins there, in one run.
const std::byte* in_one_run(const far_part& part, std::byte* first) {
  const std::byte* run = first;
  if (part.rows > 1) {
    run = gathered_rows();
    gather(gathered_rows(), first, part.row_bytes, part.stride, 0, part.rows * part.row_bytes);
  }
  value_fence(std::memory_order_acquire);  // pairs: gas.value
  return run;
}

void write_rows(const far_part& part, std::byte* first, const std::byte* from) {
  value_fence(std::memory_order_release);  // pairs: gas.value
  scatter(first, part.row_bytes, part.stride, 0, from, part.rows * part.row_bytes);
  note_write();
}

// --- Accesses that the channel serves ------------------------------------------------------------

using channel::access_answer;
using channel::piece;

constexpr const char* kSenseless = "it asks for memory in a way that makes no sense";
constexpr const char* kOutside = "it reaches for memory outside this rank's segment";

// Exactly these values.
template <class... T>
bool unpack(const piece& request, T&... into) {
  if (request.count != (sizeof into + ...)) return false;
  const std::byte* from = request.bytes;
  ((std::memcpy(&into, from, sizeof into), from += sizeof into), ...);
  return true;
}

const char* serve_load(far_code c, const piece& request, access_answer& into) {
  std::uint64_t bits;
  if (!unpack(request, bits) || bits % c.bytes != 0) return kSenseless;
  std::byte* const word = find_own(bits, c.bytes);
  if (word == nullptr) return kOutside;
  into = {std::uint8_t(far_answer::value), load_word(word, c.bytes)};
  return nullptr;
}

const char* serve_store(far_code c, std::uint64_t from, const piece& request, access_answer& into) {
  std::uint64_t bits, value;
  if (!unpack(request, bits, value) || bits % c.bytes != 0) return kSenseless;
  std::byte* const word = find_own(bits, c.bytes);
  if (word == nullptr) return kOutside;
  store_word(word, value, c.bytes);
  if (c.flag) count_stored_at(rank_of(bits), from, c.bytes);
  into = {std::uint8_t(far_answer::done), c.bytes};
  return nullptr;
}

const char* serve_atomic(far_code c, const piece& request, access_answer& into) {
  std::uint64_t bits, operand, expected;
  if (!unpack(request, bits, operand, expected) || c.kind > atomic_kind::compare_swap ||
      c.bytes < 4 || bits % c.bytes != 0)
    return kSenseless;
  std::byte* const word = find_own(bits, c.bytes);
  if (word == nullptr) return kOutside;
  into = {std::uint8_t(far_answer::value), change_word(word, c.kind, operand, expected, c.bytes)};
  if (c.flag) wake_rank(rank_of(bits));
  return nullptr;
}

const char* serve_read(const piece& request, access_answer& into) {
  far_part part;
  if (!unpack(request, part) || !makes_sense(part)) return kSenseless;
  const std::size_t bytes = part.rows * part.row_bytes;
  if (bytes > channel::access::kAnswerBytesMax) return kSenseless;
  std::byte* const first = find_own(part.bits, extent_of(part));
  if (first == nullptr) return kOutside;
  into = {std::uint8_t(far_answer::data), part.at, {in_one_run(part, first), bytes}};
  return nullptr;
}

const char* serve_write(far_code c, std::uint64_t from, const piece& request, access_answer& into) {
  far_part part;
  if (request.count < sizeof part || !unpack({request.bytes, sizeof part}, part) ||
      !makes_sense(part) || request.count - sizeof part != part.rows * part.row_bytes)
    return kSenseless;
  std::byte* const first = find_own(part.bits, extent_of(part));
  if (first == nullptr) return kOutside;
  write_rows(part, first, request.bytes + sizeof part);
  const std::size_t bytes = request.count - sizeof part;
  if (c.flag) count_stored_at(rank_of(part.bits), from, bytes);
  into = {std::uint8_t(far_answer::done), bytes};
  return nullptr;
}

// Of a deposit that came just before: it was checked where it landed.
const char* serve_wrote(far_code c, std::uint64_t from, const piece& request, access_answer& into) {
  std::uint64_t bits, bytes;
  if (!unpack(request, bits, bytes)) return kSenseless;
  if (find_own(bits, bytes) == nullptr) return kOutside;
  value_fence(std::memory_order_release);  // pairs: gas.value
  note_write();
  if (c.flag) count_stored_at(rank_of(bits), from, bytes);
  into = {std::uint8_t(far_answer::done), bytes};
  return nullptr;
}

}  // namespace

const char* serve_access(unsigned port, std::uint8_t what, const piece& request,
                         access_answer& into) {
  const std::uint64_t from = current_engine->peer_at(port).rank;
  const far_code c = far_code::of(what);
  count_served(*current_engine, port);
  switch (c.op) {
    case far_op::load:
      return serve_load(c, request, into);
    case far_op::store:
      return serve_store(c, from, request, into);
    case far_op::read:
      return serve_read(request, into);
    case far_op::write:
      return serve_write(c, from, request, into);
    case far_op::wrote:
      return serve_wrote(c, from, request, into);
    case far_op::atomic:
      return serve_atomic(c, request, into);
  }
  return kSenseless;
}

// --- Accesses that come as messages --------------------------------------------------------------

void far_load(request_token t, std::uint32_t id, std::uint64_t bits, std::uint8_t bytes) {
  reply<on_far_word>(std::move(t), id, load_word(own_word(bits, bytes), bytes));
}

void far_store(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t value,
               std::uint8_t bytes, bool counted) {
  store_word(own_word(bits, bytes), value, bytes);
  if (counted) count_stored_at(rank_of(bits), unsigned(t.rank()), bytes);
  reply<on_far_done>(std::move(t), id, std::uint64_t{bytes});
}

void far_atomic(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t operand,
                std::uint64_t expected, atomic_kind kind, std::uint8_t bytes, bool wakes) {
  RAMJET_CHECK((bytes == 4 || bytes == 8) && bits % bytes == 0,
               "a peer asks for an atomic operation on no integer");
  const std::uint64_t before = change_word(own_word(bits, bytes), kind, operand, expected, bytes);
  if (wakes) wake_rank(rank_of(bits));
  reply<on_far_word>(std::move(t), id, before);
}

void far_read(request_token t, std::uint32_t id, far_part part) {
  const std::byte* from = in_one_run(part, own_rows(part));
  reply_medium<on_far_data>(std::move(t), from, part.rows * part.row_bytes, id, part.at);
}

void far_write(request_token t, std::uint32_t id, far_part part, bool counted, payload data) {
  std::byte* const first = own_rows(part);
  RAMJET_CHECK(data.size() == part.rows * part.row_bytes,
               "a peer writes other bytes than it has sent");
  write_rows(part, first, data.bytes);
  if (counted) count_stored_at(rank_of(part.bits), unsigned(t.rank()), data.size());
  reply<on_far_done>(std::move(t), id, std::uint64_t{data.size()});
}

}  // namespace ramjet::detail
