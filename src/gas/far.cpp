// SPDX-License-Identifier: Apache-2.0
// The requester's side of accesses that leave the fast path. A far one is a call (am.hpp) whose
// state says where its answer goes; its parts are answered one by one. They go past the handlers
// where the channel to the owner takes accesses, else as messages; to one owner all go one way, in
// which one thread's keep their order, so its accesses to one place are as in the program. What is
// done at the owner is done before the answer is sent, so reads and writes that wait for it stay
// sequentially consistent (docs/memory-model.md).
//
// A state belongs to the requester's endpoint and its thread.
#include "gas/far.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "am/accesses.hpp"
#include "am/engine_parts.hpp"
#include "base/who.hpp"
#include "gas/places.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/procedure.hpp"

namespace ramjet::detail {

namespace {

const char kFarAccess = 0;

// In a call's state: where the answers to an access go, row by row. 0 < left <= bytes.
struct far_access {
  std::byte* into;  // null: nobody wants them. They may go where this stands
  std::size_t row_bytes, stride;
  std::size_t bytes;
  std::size_t left;  // of `bytes`, not yet answered for
  const void* kind;  // &kFarAccess while it is under way
};
static_assert(sizeof(far_access) <= call_state::kValueBytes);

far_access& access_of(call_state& s) noexcept {
  return *std::launder(reinterpret_cast<far_access*>(s.value));
}

rectangle one_row(std::size_t bytes) noexcept { return {1, bytes, bytes, bytes}; }

// --- Beginning -----------------------------------------------------------------------------------

[[noreturn]] void refuse(std::uint64_t bits, const char* call, const char* why) noexcept {
  std::fprintf(stderr, "%s: %s: the memory of rank %u is on another node: %s\n", base::who(), call,
               unsigned(rank_of(bits)), why);
  std::fflush(stderr);
  std::abort();
}

engine& engine_for(std::uint64_t bits, completes when, const char* call) noexcept {
  engine& e = *current_engine;
  if (e.ranks() == 0)
    refuse(bits, call, "only a thread with an endpoint reaches it (ramjet::endpoint)");
  if (when == completes::now && e.in_handler())
    refuse(bits, call,
           "a handler may not wait for it; get, put, add and store are for handlers too");
  return e;
}

// Its target is who serves it, for all that belongs to it: a rank's server changes by a death.
call_state* begin(engine& e, std::uint64_t bits, void* into, const rectangle& shape) {
  const std::size_t bytes = shape.rows * shape.row_bytes;
  call_state* s = start_call(e, int(server_of(e, unsigned(rank_of(bits)))));
  ::new (s->value) far_access{static_cast<std::byte*>(into),
                              shape.row_bytes,
                              shape.local_stride,
                              bytes,
                              bytes,
                              &kFarAccess};
  return s;
}

template <auto F, class... A>
status send(engine& e, const call_state& s, const A&... a) {
  return e.in_handler() ? chain<F>(s.target, s.id, a...) : request<F>(s.target, s.id, a...);
}
template <auto F, class... A>
status send_medium(engine& e, const call_state& s, const void* data, std::size_t count,
                   const A&... a) {
  return e.in_handler() ? chain_medium<F>(s.target, data, count, s.id, a...)
                        : request_medium<F>(s.target, data, count, s.id, a...);
}

// Past the handlers: the request's values, in one run.
template <class... Values>
struct packed_values {
  std::array<std::byte, (sizeof(Values) + ...)> bytes;
  explicit packed_values(const Values&... v) noexcept {
    std::byte* to = bytes.data();
    ((std::memcpy(to, &v, sizeof v), to += sizeof v), ...);
  }
  channel::piece piece() const noexcept { return {bytes.data(), bytes.size()}; }
};
template <class... Values>
status ask_for(engine& e, peer& owner, const call_state& s, far_code what, const Values&... v) {
  const packed_values<Values...> request(v...);
  return begin_access(e, owner, {.what = what.packed(), .id = s.id, .request = request.piece()});
}

// How long the parts of a copy are: of several rows together, of one.
struct part_sizes {
  std::size_t rows, one;
};
constexpr part_sizes kMessageParts{kMediumBytesMax, kMediumBytesMax};
constexpr part_sizes kReadParts{channel::access::kGatheredBytesMax,
                                channel::access::kAnswerBytesMax};
constexpr std::size_t kFetchedRow = 64 * 1024;  // from here on it is worth it
constexpr part_sizes kFetchedParts{kReadParts.rows, channel::access::kFetchBytesMax};
constexpr std::size_t kWrittenInline = channel::access::kRequestBytesMax - sizeof(far_part);
constexpr part_sizes kWriteParts{kWrittenInline, kMediumBytesMax};

// Calls send_part(part) for the parts of a copy, until one cannot be sent.
template <class Send>
status each_part(std::uint64_t bits, const rectangle& shape, const part_sizes& most,
                 Send&& send_part) {
  const std::size_t rows_at_once = std::max<std::size_t>(most.rows / shape.row_bytes, 1);
  for (std::size_t row = 0; row < shape.rows; row += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, shape.rows - row);
    for (std::size_t inside = 0; inside < shape.row_bytes; inside += most.one) {
      const far_part part{bits + row * shape.far_stride + inside,
                          std::min(shape.row_bytes - inside, most.one), rows,
                          rows > 1 ? shape.far_stride : 0, row * shape.row_bytes + inside};
      if (const status s = send_part(part); s != status::ok) return s;
    }
  }
  return status::ok;
}

call_state* sent(engine& e, call_state* s, status how) {
  if (how != status::ok) finish_call(e, *s, how);
  return s;
}

peer* owner_of(engine& e, const call_state& s) { return find_access_peer(e, unsigned(s.target)); }

call_state* begin_load(engine& e, void* into, std::uint64_t bits, std::size_t bytes) {
  call_state* s = begin(e, bits, into, one_row(bytes));
  const auto word = std::uint8_t(bytes);
  if (peer* owner = owner_of(e, *s))
    return sent(e, s, ask_for(e, *owner, *s, {.op = far_op::load, .bytes = word}, bits));
  return sent(e, s, send<far_load>(e, *s, bits, word));
}

call_state* begin_store(engine& e, std::uint64_t bits, std::uint64_t value, std::size_t bytes,
                        bool counted) {
  call_state* s = begin(e, bits, nullptr, one_row(bytes));
  const far_code what{.op = far_op::store, .bytes = std::uint8_t(bytes), .flag = counted};
  if (peer* owner = owner_of(e, *s)) return sent(e, s, ask_for(e, *owner, *s, what, bits, value));
  return sent(e, s, send<far_store>(e, *s, bits, value, what.bytes, counted));
}

status ask_atomic(engine& e, const call_state& s, const far_code& what, std::uint64_t bits,
                  std::uint64_t operand, std::uint64_t expected) {
  if (peer* owner = owner_of(e, s)) return ask_for(e, *owner, s, what, bits, operand, expected);
  return send<far_atomic>(e, s, bits, operand, expected, what.kind, what.bytes, what.flag);
}

call_state* begin_atomic(engine& e, atomic_kind kind, void* into, std::uint64_t bits,
                         std::uint64_t operand, std::uint64_t expected, std::size_t bytes,
                         bool wakes) {
  call_state* s = begin(e, bits, into, one_row(bytes));
  const far_code what{
      .op = far_op::atomic, .bytes = std::uint8_t(bytes), .flag = wakes, .kind = kind};
  return sent(e, s, ask_atomic(e, *s, what, bits, operand, expected));
}

// From the first of all segments.
std::uint64_t place_of(std::uint64_t bits) noexcept {
  return rank_of(bits) * live_space.segment_bytes + address_of(bits) - live_space.window_base;
}

// A part that is asked for, or fetched where it is longer than an answer.
status ask_part(engine& e, peer& owner, const call_state& s, const far_part& part) {
  const packed_values request(part);
  channel::access a{.what = far_code{far_op::read}.packed(),
                    .id = s.id,
                    .request = request.piece(),
                    .answer_bytes = part.rows * part.row_bytes};
  a.fetch = a.answer_bytes > channel::access::kAnswerBytesMax;
  if (a.fetch) {
    a.fetch_at = place_of(part.bits);
    a.fetched = {.what = std::uint8_t(far_answer::data), .word = part.at};
  }
  const status how = begin_access(e, owner, a);
  if (how != status::retry) return how;
  return each_part(part.bits, one_row(part.row_bytes), kReadParts, [&](far_part shorter) {
    shorter.at += part.at;
    return ask_part(e, owner, s, shorter);
  });
}

status ask_in(engine& e, const call_state& s, std::uint64_t bits, const rectangle& shape) {
  if (peer* owner = owner_of(e, s)) {
    const bool fetched =
        shape.row_bytes >= kFetchedRow && owner->rank == rank_of(bits) && fetches(e, *owner);
    return each_part(bits, shape, fetched ? kFetchedParts : kReadParts,
                     [&](const far_part& part) { return ask_part(e, *owner, s, part); });
  }
  return each_part(bits, shape, kMessageParts,
                   [&](const far_part& part) { return send<far_read>(e, s, part); });
}

call_state* begin_in(engine& e, void* into, std::uint64_t bits, const rectangle& shape) {
  call_state* s = begin(e, bits, into, shape);
  return sent(e, s, ask_in(e, *s, bits, shape));
}

// A part as the owner takes it: in the request, or deposited in front of one.
status ask_out(engine& e, peer& owner, const call_state& s, const far_part& part,
               const std::byte* bytes, bool counted) {
  const std::size_t count = part.rows * part.row_bytes;
  if (count <= kWrittenInline) {
    const packed_values request(part);
    return begin_access(e, owner,
                        {.what = far_code{.op = far_op::write, .flag = counted}.packed(),
                         .id = s.id,
                         .request = request.piece(),
                         .more = {bytes, count}});
  }
  const packed_values request(part.bits, std::uint64_t{count});
  return begin_access(e, owner,
                      {.what = far_code{.op = far_op::wrote, .flag = counted}.packed(),
                       .id = s.id,
                       .request = request.piece(),
                       .deposit = {bytes, count},
                       .deposit_at = place_of(part.bits)});
}

call_state* begin_out(engine& e, std::uint64_t bits, const void* from, const rectangle& shape,
                      bool counted) {
  call_state* s = begin(e, bits, nullptr, shape);
  peer* const owner = owner_of(e, *s);
  auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(from));  // read only
  const auto give = [&](const far_part& part, const std::byte* run) {
    return owner != nullptr
               ? ask_out(e, *owner, *s, part, run, counted)
               : send_medium<far_write>(e, *s, run, part.rows * part.row_bytes, part, counted);
  };
  const auto give_part = [&](const far_part& part) {
    if (part.rows == 1)
      return give(part, place_in_rows(first, shape.row_bytes, shape.local_stride, part.at));
    const std::size_t bytes = part.rows * part.row_bytes;
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    gather(packed.get(), first, shape.row_bytes, shape.local_stride, part.at, bytes);
    return give(part, packed.get());
  };
  return sent(e, s,
              each_part(bits, shape, owner != nullptr ? kWriteParts : kMessageParts, give_part));
}

// --- Ending --------------------------------------------------------------------------------------

// The access has ended, or is given up. Of a dead rank come zero bytes.
void end_access(call_state& s) noexcept {
  far_access& a = access_of(s);
  if (s.outcome != status::ok && a.into != nullptr) {
    each_run(a.into, a.row_bytes, a.stride, 0, a.bytes,
             [](std::byte* to, std::size_t run, std::size_t) { std::memset(to, 0, run); });
  }
  a.into = nullptr;
  a.kind = nullptr;
}

// Waits for an access that is complete on return.
void await(engine& e, call_state* s, const char* call) noexcept {
  if (!s->done && e.serves_threads()) {
    static_cast<void>(wait_call(e, *s));
  } else if (!s->done) {
    waiting w{.name = call, .target = s->target, .any_death = false, .messages_only = true};
    static_cast<void>(e.wait(w, [s] { return s->done; }));
    // A wait whose condition made this access takes another look before it sleeps.
    e.port().asleep.store(0, std::memory_order_relaxed);
  }
  if (!s->done) s->outcome = status::peer_failed;
  if (s->outcome != status::ok) procedures.failed = true;
  end_access(*s);
  release_call(e, s);
}

// Calls end(state) when the access has ended, and leaves it alone.
template <class End>
void end_by(engine& e, call_state* s, End end) {
  if (s->done) {
    end(*s);
  } else {
    s->then = end;
  }
  release_call(e, s);
}

void finish(engine& e, std::uint64_t bits, call_state* s, completes when,
            const char* call) noexcept {
  switch (when) {
    case completes::now:
      return await(e, s, call);
    case completes::at_sync:
      ++procedures.begun;
      return end_by(e, s, [](call_state& ended) {
        end_access(ended);
        end_procedure(ended.outcome);
      });
    case completes::counted: {
      far_store_begins(rank_of(bits), access_of(*s).bytes);
      return end_by(e, s, [](call_state& ended) {
        end_access(ended);
        far_store_ends(ended.outcome);
      });
    }
  }
}

// --- Answers -------------------------------------------------------------------------------------

// The access that an answer of so many bytes belongs to; null if it has ended already.
call_state* answered_access(const reply_token& t, std::uint32_t id, std::size_t bytes) {
  call_state* s = find_call(*current_engine, id, t.rank());
  if (s == nullptr || s->done || s->outcome != status::ok) return nullptr;
  RAMJET_CHECK(access_of(*s).kind == &kFarAccess && bytes <= access_of(*s).left,
               "an answer belongs to no access of this rank, or is longer than what it asked for");
  return s;
}

// Puts [at, at + bytes) of the access in place, unless they have landed there; without `from`. The
// last of them may overwrite what is said of it.
void settle(call_state& s, std::size_t at, const void* from, std::size_t bytes) {
  const far_access a = access_of(s);
  const bool is_last = a.left == bytes;
  access_of(s).left = a.left - bytes;
  if (is_last && a.into == s.value) access_of(s).kind = nullptr;
  if (a.into != nullptr && from != nullptr)
    scatter(a.into, a.row_bytes, a.stride, at, static_cast<const std::byte*>(from), bytes);
  if (is_last) finish_call(*current_engine, s, status::ok);
}

// --- Answers that the channel brings -------------------------------------------------------------

constexpr const char* kUnasked = "it answers an access that was not asked for, or otherwise";

// The access under way that such an answer is for; null and the reason if there is none.
call_state* find_asked(unsigned port, std::uint32_t id, const channel::access_answer& answer,
                       const char*& wrong) {
  engine& e = *current_engine;
  const unsigned rank = e.peer_at(port).rank;
  wrong = nullptr;
  call_state* s = look_up_call(e, id, int(rank));
  if (s == nullptr) wrong = is_dead(e, rank) ? nullptr : kUnasked;
  if (s == nullptr || s->done || s->outcome != status::ok) return nullptr;
  const far_access& a = access_of(*s);
  bool fits = a.kind == &kFarAccess;
  if (fits) switch (far_answer(answer.what)) {
      case far_answer::value:
        fits = a.bytes <= sizeof answer.word && a.left == a.bytes;
        break;
      case far_answer::data:
        fits = a.into != nullptr && answer.bytes.count <= a.left &&
               answer.word <= a.bytes - answer.bytes.count;
        break;
      case far_answer::done:
        fits = a.into == nullptr && answer.word <= a.left && answer.word != 0;
        break;
      default:
        fits = false;
    }
  if (!fits) wrong = kUnasked;
  return fits ? s : nullptr;
}

// Long answers are parts of one row.
std::byte* landing_of(unsigned port, std::uint32_t id, const channel::access_answer& answer,
                      const char*& wrong) {
  call_state* s = find_asked(port, id, answer, wrong);
  if (s == nullptr) return nullptr;
  const far_access& a = access_of(*s);
  const bool in_row = far_answer(answer.what) == far_answer::data &&
                      answer.bytes.count <= a.row_bytes - answer.word % a.row_bytes;
  if (!in_row) wrong = kUnasked;
  return in_row ? place_in_rows(a.into, a.row_bytes, a.stride, answer.word) : nullptr;
}

const char* take_answer(unsigned port, std::uint32_t id, const channel::access_answer& answer) {
  const char* wrong = nullptr;
  call_state* s = find_asked(port, id, answer, wrong);
  count_answered(*current_engine, port);
  if (s == nullptr) return wrong;
  switch (far_answer(answer.what)) {
    case far_answer::value:
      settle(*s, 0, &answer.word, access_of(*s).bytes);
      break;
    case far_answer::data:
      settle(*s, answer.word, answer.bytes.bytes, answer.bytes.count);
      break;
    case far_answer::done:
      settle(*s, 0, nullptr, answer.word);
      break;
  }
  return nullptr;
}

[[maybe_unused]] const bool functions_are_set =
    (channel::set_access_functions({serve_access, landing_of, take_answer}), true);

}  // namespace

void on_far_word(reply_token t, std::uint32_t id, std::uint64_t value) {
  call_state* s = answered_access(t, id, 1);
  if (s == nullptr) return;
  RAMJET_CHECK(access_of(*s).bytes <= sizeof value, "an answer is shorter than what was asked for");
  settle(*s, 0, &value, access_of(*s).bytes);
}

void on_far_data(reply_token t, std::uint32_t id, std::uint64_t at, payload data) {
  call_state* s = answered_access(t, id, data.size());
  if (s == nullptr) return;
  RAMJET_CHECK(at <= access_of(*s).bytes - data.size(),
               "an answer is longer than what was asked for");
  settle(*s, at, data.bytes, data.size());
}

void on_far_done(reply_token t, std::uint32_t id, std::uint64_t bytes) {
  call_state* s = answered_access(t, id, bytes);
  if (s == nullptr) return;
  RAMJET_CHECK(access_of(*s).into == nullptr, "an answer brings nothing of what was asked for");
  settle(*s, 0, nullptr, bytes);
}

// --- Words ---------------------------------------------------------------------------------------

std::uint64_t load_slow(std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  if (std::byte* const here = reach_slow(bits, bytes, call); here != nullptr)
    return load_word(here, bytes);
  engine& e = engine_for(bits, completes::now, call);
  std::uint64_t value = 0;
  await(e, begin_load(e, &value, bits, bytes), call);
  return value;
}

void get_slow(void* into, std::uint64_t bits, std::size_t bytes, const char* call) noexcept {
  if (std::byte* const here = reach_slow(bits, bytes, call); here != nullptr) {
    const std::uint64_t value = load_word(here, bytes);
    std::memcpy(into, &value, bytes);
    return;
  }
  engine& e = engine_for(bits, completes::at_sync, call);
  finish(e, bits, begin_load(e, into, bits, bytes), completes::at_sync, call);
}

void store_slow(std::uint64_t bits, std::uint64_t value, std::size_t bytes, completes when,
                const char* call) noexcept {
  if (std::byte* const here = reach_slow(bits, bytes, call); here != nullptr) {
    store_word(here, value, bytes);
    if (when == completes::counted) count_stored(rank_of(bits), bytes);
    return;
  }
  engine& e = engine_for(bits, when, call);
  finish(e, bits, begin_store(e, bits, value, bytes, when == completes::counted), when, call);
}

std::uint64_t atomic_slow(atomic_kind kind, std::uint64_t bits, std::uint64_t operand,
                          std::uint64_t expected, std::size_t bytes, const char* call) noexcept {
  std::byte* const here = reach_slow(bits, bytes, call);
  if (address_of(bits) % bytes != 0) misaligned(bits, bytes, call);
  if (here != nullptr) return change_word(here, kind, operand, expected, bytes);
  engine& e = engine_for(bits, completes::now, call);
  std::uint64_t before = 0;
  await(e, begin_atomic(e, kind, &before, bits, operand, expected, bytes, false), call);
  return before;
}

namespace {

void add_far(std::uint64_t bits, std::uint64_t by, std::size_t bytes, bool wakes,
             const char* call) noexcept {
  std::byte* const here = reach_slow(bits, bytes, call);
  if (address_of(bits) % bytes != 0) misaligned(bits, bytes, call);
  if (here != nullptr) {
    change_word(here, atomic_kind::add, by, 0, bytes);
    if (wakes) wake_rank(rank_of(bits));
    return;
  }
  engine& e = engine_for(bits, completes::at_sync, call);
  finish(e, bits, begin_atomic(e, atomic_kind::add, nullptr, bits, by, 0, bytes, wakes),
         completes::at_sync, call);
}

}  // namespace

void add_slow(std::uint64_t bits, std::uint64_t by, std::size_t bytes, const char* call) noexcept {
  add_far(bits, by, bytes, false, call);
}
void signal_slow(std::uint64_t bits, std::uint64_t by, std::size_t bytes,
                 const char* call) noexcept {
  add_far(bits, by, bytes, true, call);
}

// --- Copies --------------------------------------------------------------------------------------

void far_in(void* into, std::uint64_t bits, std::size_t bytes, completes when,
            const char* call) noexcept {
  far_in(into, bits, one_row(bytes), when, call);
}
void far_out(std::uint64_t bits, const void* from, std::size_t bytes, completes when,
             const char* call) noexcept {
  far_out(bits, from, one_row(bytes), when, call);
}
void far_in(void* into, std::uint64_t bits, const rectangle& shape, completes when,
            const char* call) noexcept {
  engine& e = engine_for(bits, when, call);
  finish(e, bits, begin_in(e, into, bits, shape), when, call);
}
void far_out(std::uint64_t bits, const void* from, const rectangle& shape, completes when,
             const char* call) noexcept {
  engine& e = engine_for(bits, when, call);
  finish(e, bits, begin_out(e, bits, from, shape, when == completes::counted), when, call);
}

// --- Futures -------------------------------------------------------------------------------------

call_state* far_value_call(std::uint64_t bits, std::size_t bytes, const char* call) {
  engine& e = engine_for(bits, completes::at_sync, call);
  call_state* s = begin(e, bits, nullptr, one_row(bytes));
  access_of(*s).into = s->value;
  return sent(e, s, ask_in(e, *s, bits, one_row(bytes)));
}
call_state* far_in_call(void* into, std::uint64_t bits, std::size_t bytes, const char* call) {
  engine& e = engine_for(bits, completes::at_sync, call);
  return begin_in(e, into, bits, one_row(bytes));
}
call_state* far_out_call(std::uint64_t bits, const void* from, std::size_t bytes,
                         const char* call) {
  engine& e = engine_for(bits, completes::at_sync, call);
  return begin_out(e, bits, from, one_row(bytes), false);
}
call_state* far_add_call(std::uint64_t bits, std::uint64_t by, std::size_t bytes,
                         const char* call) {
  if (address_of(bits) % bytes != 0) misaligned(bits, bytes, call);
  engine& e = engine_for(bits, completes::at_sync, call);
  call_state* s = begin(e, bits, nullptr, one_row(bytes));
  access_of(*s).into = s->value;
  return sent(e, s,
              ask_atomic(e, *s, {.op = far_op::atomic, .bytes = std::uint8_t(bytes)}, bits, by, 0));
}

}  // namespace ramjet::detail
