// SPDX-License-Identifier: Apache-2.0
// The owner's side of far accesses: each request is checked, done in place, and answered. All of it
// comes from another process, so nothing is believed.
#include <cstring>
#include <memory>
#include <utility>

#include "am/accesses.hpp"
#include "am/coproc.hpp"
#include "gas/far.hpp"
#include "gas/in_place.hpp"
#include "gas/stores.hpp"
#include "job/join.hpp"

namespace ramjet::detail {

namespace {

using channel::access_answer;
using channel::piece;

constexpr const char* kSenseless = "it asks for memory in a way that makes no sense";
constexpr const char* kOutside = "it reaches for memory outside this rank's segment";

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

bool makes_sense(access_op op, const far_part& p) noexcept {
  const std::uint64_t most = op == access_op::wrote ? kDepositBytesMax : kMediumBytesMax;
  return p.row_bytes >= 1 && p.row_bytes <= most && p.rows >= 1 && p.rows <= most / p.row_bytes &&
         p.stride <= live_space.segment_bytes;
}

// The bytes of a part that begins there, in one run, until this thread's next call.
const std::byte* in_one_run(const far_part& part, std::byte* first) {
  static thread_local const auto room =
      std::make_unique_for_overwrite<std::byte[]>(kMediumBytesMax);
  if (part.rows > 1)
    gather(room.get(), first, part.row_bytes, part.stride, 0, part.rows * part.row_bytes);
  value_fence(std::memory_order_acquire);  // pairs: gas.value
  return part.rows > 1 ? room.get() : first;
}

const char* serve_word(far_code c, const far_words& w, access_answer& into) {
  if (w[0] % c.bytes != 0 || (is_atomic(c.op) && c.bytes < 4)) return kSenseless;
  std::byte* const here = find_own(w[0], c.bytes);
  if (here == nullptr) return kOutside;
  const std::uint64_t before = do_in_place(here, c.op, w[0], w[1], w[2], c.bytes);
  into = c.op == access_op::store ? access_answer{std::uint8_t(far_answer::done), c.bytes}
                                  : access_answer{std::uint8_t(far_answer::value), before};
  return nullptr;
}

const char* serve_part(access_op op, const far_part& part, const piece& data, access_answer& into) {
  const std::size_t bytes = part.rows * part.row_bytes;
  if (!makes_sense(op, part) ||
      (op == access_op::read && bytes > channel::access::kAnswerBytesMax) ||
      data.count != (op == access_op::write ? bytes : 0))
    return kSenseless;
  std::byte* const first = find_own(part.bits, (part.rows - 1) * part.stride + part.row_bytes);
  if (first == nullptr) return kOutside;
  if (op == access_op::read) {
    into = {std::uint8_t(far_answer::data), part.at, {in_one_run(part, first), bytes}};
    return nullptr;
  }
  value_fence(std::memory_order_release);  // pairs: gas.value
  scatter(first, part.row_bytes, part.stride, 0, data.bytes, data.count);
  note_write();
  into = {std::uint8_t(far_answer::done), bytes};
  return nullptr;
}

// Calls f(k, row k) for the rows of a list; false at the first that is not below `end`.
template <class Row, class F>
bool each_row(const std::byte* rows, std::size_t count, std::uint64_t end, F&& f) {
  for (std::size_t k = 0; k < count; ++k) {
    Row row;
    std::memcpy(&row, rows + k * sizeof(Row), sizeof row);
    if (row >= end) return false;
    f(k, row);
  }
  return true;
}

bool makes_sense(access_op op, const far_list& l, std::size_t data_bytes) noexcept {
  const std::uint64_t max = op == access_op::add_list ? 8 : kListedBytesMax;
  if (l.element_bytes < 1 || l.element_bytes > max || l.count < 1 || l.count > kMediumBytesMax ||
      (l.row_bytes != 4 && l.row_bytes != 8))
    return false;
  const std::size_t bytes = l.count * l.element_bytes, bytes_of_rows = l.count * l.row_bytes;
  if (op == access_op::read_list)
    return data_bytes == bytes_of_rows && bytes <= channel::access::kAnswerBytesMax;
  const bool can_be_added =
      (l.element_bytes == 4 || l.element_bytes == 8) && l.bits % l.element_bytes == 0;
  return data_bytes == bytes_of_rows + bytes && (op == access_op::write_list || can_be_added);
}

const char* serve_list(access_op op, const far_list& list, const piece& data, access_answer& into) {
  if (!makes_sense(op, list, data.count)) return kSenseless;
  std::byte* const first = find_own(list.bits, list.element_bytes);
  if (first == nullptr) return kOutside;
  const std::uint64_t before = address_of(list.bits) - live_space.window_base;
  const std::uint64_t rows_end = (live_space.segment_bytes - before) / list.element_bytes;
  static thread_local const auto room =
      std::make_unique_for_overwrite<std::byte[]>(channel::access::kAnswerBytesMax);
  const std::byte* const given = data.bytes + list.count * list.row_bytes;
  const auto access = [&](std::size_t k, std::uint64_t row) {
    std::byte* const here = first + row * list.element_bytes;
    const std::size_t at = k * list.element_bytes;
    if (op == access_op::read_list)
      read_element(here, room.get() + at, list.element_bytes);
    else
      change_element(op, here, given + at, list.element_bytes);
  };
  const bool are_inside = list.row_bytes == 4
                              ? each_row<std::uint32_t>(data.bytes, list.count, rows_end, access)
                              : each_row<std::uint64_t>(data.bytes, list.count, rows_end, access);
  if (!are_inside) return kOutside;
  const std::size_t bytes = list.count * list.element_bytes;
  into = op == access_op::read_list
             ? access_answer{std::uint8_t(far_answer::data), list.at, {room.get(), bytes}}
             : access_answer{std::uint8_t(far_answer::done), bytes};
  return nullptr;
}

// Does what rank `from` asks for; what is wrong with that, or null.
const char* serve(std::uint64_t from, far_code c, const far_words& words, const piece& data,
                  access_answer& into) {
  if (c.op > access_op::add_list || (c.op < access_op::read && data.count != 0)) return kSenseless;
  if (is_list(c.op)) return serve_list(c.op, std::bit_cast<far_list>(words), data, into);
  const char* wrong = c.op < access_op::read
                          ? serve_word(c, words, into)
                          : serve_part(c.op, std::bit_cast<far_part>(words), data, into);
  if (wrong == nullptr && into.what == std::uint8_t(far_answer::done) && c.flag)
    count_stored_at(rank_of(words[0]), from, into.word);
  return wrong;
}

}  // namespace

const char* serve_access(unsigned port, std::uint8_t what, const piece& request,
                         access_answer& into, channel::server by) {
  const far_code c = far_code::of(what);
  if (c.is_counted()) count_served(port, by);
  const std::size_t bytes = sizeof(std::uint64_t) * words_of(c.op);
  if (request.count < bytes) return kSenseless;
  far_words words{};
  std::memcpy(words.data(), request.bytes, bytes);
  return serve(port / job::self().layout.endpoints, c, words,
               {request.bytes + bytes, request.count - bytes}, into);
}

void far_request(request_token t, std::uint32_t id, std::uint8_t what, far_words words,
                 payload data) {
  access_answer answer{};
  const char* const wrong =
      serve(unsigned(t.rank()), far_code::of(what), words, {data.bytes, data.count}, answer);
  RAMJET_CHECK(wrong == nullptr, wrong);
  reply_medium<on_far_answer>(std::move(t), answer.bytes.bytes, answer.bytes.count, id, answer.what,
                              answer.word);
}

}  // namespace ramjet::detail
