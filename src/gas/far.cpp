// SPDX-License-Identifier: Apache-2.0
// The requester's side of accesses that leave the fast path. A far one is a call (am.hpp) whose
// state says where its answer goes; its parts are answered one by one. Messages of one thread to
// one owner are handled in order, so its accesses to one place keep the order of the program. What
// is done at the owner is done before the answer is sent, so reads and writes that wait for it stay
// sequentially consistent (docs/memory-model.md).
//
// A state belongs to the requester's endpoint and its thread.
#include "gas/far.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

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

call_state* begin(engine& e, std::uint64_t bits, void* into, const rectangle& shape) {
  const std::size_t bytes = shape.rows * shape.row_bytes;
  call_state* s = start_call(e, int(rank_of(bits)));
  ::new (s->value) far_access{static_cast<std::byte*>(into),
                              shape.row_bytes,
                              shape.local_stride,
                              bytes,
                              bytes,
                              &kFarAccess};
  return s;
}

template <auto F, class... A>
status send(engine& e, std::uint64_t bits, const A&... a) {
  const auto to = int(rank_of(bits));
  return e.in_handler() ? chain<F>(to, a...) : request<F>(to, a...);
}
template <auto F, class... A>
status send_medium(engine& e, std::uint64_t bits, const void* data, std::size_t count,
                   const A&... a) {
  const auto to = int(rank_of(bits));
  return e.in_handler() ? chain_medium<F>(to, data, count, a...)
                        : request_medium<F>(to, data, count, a...);
}

// Calls send_part(part) for the parts of a copy, until one cannot be sent.
template <class Send>
status each_part(std::uint64_t bits, const rectangle& shape, Send&& send_part) {
  constexpr std::size_t kMost = kMediumBytesMax;
  const std::size_t rows_at_once = std::max<std::size_t>(kMost / shape.row_bytes, 1);
  for (std::size_t row = 0; row < shape.rows; row += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, shape.rows - row);
    for (std::size_t inside = 0; inside < shape.row_bytes; inside += kMost) {
      const far_part part{bits + row * shape.far_stride + inside,
                          std::min(shape.row_bytes - inside, kMost), rows,
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

call_state* begin_load(engine& e, void* into, std::uint64_t bits, std::size_t bytes) {
  call_state* s = begin(e, bits, into, one_row(bytes));
  return sent(e, s, send<far_load>(e, bits, s->id, bits, std::uint8_t(bytes)));
}

call_state* begin_store(engine& e, std::uint64_t bits, std::uint64_t value, std::size_t bytes,
                        bool counted) {
  call_state* s = begin(e, bits, nullptr, one_row(bytes));
  return sent(e, s, send<far_store>(e, bits, s->id, bits, value, std::uint8_t(bytes), counted));
}

call_state* begin_atomic(engine& e, atomic_kind kind, void* into, std::uint64_t bits,
                         std::uint64_t operand, std::uint64_t expected, std::size_t bytes,
                         bool wakes) {
  call_state* s = begin(e, bits, into, one_row(bytes));
  return sent(
      e, s,
      send<far_atomic>(e, bits, s->id, bits, operand, expected, kind, std::uint8_t(bytes), wakes));
}

call_state* begin_in(engine& e, void* into, std::uint64_t bits, const rectangle& shape) {
  call_state* s = begin(e, bits, into, shape);
  const auto ask = [&](const far_part& part) { return send<far_read>(e, bits, s->id, part); };
  return sent(e, s, each_part(bits, shape, ask));
}

call_state* begin_out(engine& e, std::uint64_t bits, const void* from, const rectangle& shape,
                      bool counted) {
  call_state* s = begin(e, bits, nullptr, shape);
  auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(from));  // read only
  const auto give = [&](const far_part& part) {
    const std::size_t bytes = part.rows * part.row_bytes;
    if (part.rows == 1) {
      const std::byte* row =
          first + part.at / shape.row_bytes * shape.local_stride + part.at % shape.row_bytes;
      return send_medium<far_write>(e, bits, row, bytes, s->id, part, counted);
    }
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    gather(packed.get(), first, shape.row_bytes, shape.local_stride, part.at, bytes);
    return send_medium<far_write>(e, bits, packed.get(), bytes, s->id, part, counted);
  };
  return sent(e, s, each_part(bits, shape, give));
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

void finish(engine& e, call_state* s, completes when, const char* call) noexcept {
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
      far_store_begins(unsigned(s->target), access_of(*s).bytes);
      return end_by(e, s, [](call_state& ended) {
        end_access(ended);
        far_store_ends();
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

// Puts [at, at + bytes) of the access in place. The last of them may overwrite what is said of it.
void settle(call_state& s, std::size_t at, const void* from, std::size_t bytes) {
  const far_access a = access_of(s);
  const bool is_last = a.left == bytes;
  access_of(s).left = a.left - bytes;
  if (is_last && a.into == s.value) access_of(s).kind = nullptr;
  if (a.into != nullptr)
    scatter(a.into, a.row_bytes, a.stride, at, static_cast<const std::byte*>(from), bytes);
  if (is_last) finish_call(*current_engine, s, status::ok);
}

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
  finish(e, begin_load(e, into, bits, bytes), completes::at_sync, call);
}

void store_slow(std::uint64_t bits, std::uint64_t value, std::size_t bytes, completes when,
                const char* call) noexcept {
  if (std::byte* const here = reach_slow(bits, bytes, call); here != nullptr) {
    store_word(here, value, bytes);
    if (when == completes::counted) count_stored(rank_of(bits), bytes);
    return;
  }
  engine& e = engine_for(bits, when, call);
  finish(e, begin_store(e, bits, value, bytes, when == completes::counted), when, call);
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
  finish(e, begin_atomic(e, atomic_kind::add, nullptr, bits, by, 0, bytes, wakes),
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
  finish(e, begin_in(e, into, bits, shape), when, call);
}
void far_out(std::uint64_t bits, const void* from, const rectangle& shape, completes when,
             const char* call) noexcept {
  engine& e = engine_for(bits, when, call);
  finish(e, begin_out(e, bits, from, shape, when == completes::counted), when, call);
}

// --- Futures -------------------------------------------------------------------------------------

call_state* far_value_call(std::uint64_t bits, std::size_t bytes, const char* call) {
  engine& e = engine_for(bits, completes::at_sync, call);
  call_state* s = begin(e, bits, nullptr, one_row(bytes));
  access_of(*s).into = s->value;
  const far_part part{bits, bytes, 1, 0, 0};
  return sent(e, s, send<far_read>(e, bits, s->id, part));
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
              send<far_atomic>(e, bits, s->id, bits, by, std::uint64_t{0}, atomic_kind::add,
                               std::uint8_t(bytes), false));
}

}  // namespace ramjet::detail
