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
#include <cstring>
#include <memory>
#include <new>

#include "am/accesses.hpp"
#include "am/engine_cold.hpp"
#include "base/machine_profile.hpp"
#include "gas/access_note.hpp"
#include "gas/in_place.hpp"
#include "gas/stores.hpp"
#include "gas/under_way.hpp"
#include "job/join.hpp"
#include "ramjet/gas.hpp"

namespace ramjet::detail {

constinit thread_local unsigned polls_far_words::living_ = 0;

void note_access(engine& e, std::uint64_t bits, std::size_t bytes, const char* call) {
  trace::recorder* const to = e.parts().recorder.get();
  if (to == nullptr) return;
  const unsigned port = e.port_of(unsigned(rank_of(bits)), e.endpoint()).port;
  to->add(trace::kind::access, port, to->name_of(call), 0, bytes);
}

namespace {

using channel::access_answer;
using channel::piece;

const char kFarAccess = 0;

// In a call's state: where the answers to an access go, row by row. 0 < left <= bytes.
struct far_access {
  std::byte* into;  // null: nobody wants them. They may go where this stands
  std::size_t row_bytes, stride;
  std::size_t bytes;
  std::size_t left;  // of `bytes`, not yet answered for
  const void* kind;  // &kFarAccess while it is under way
  bool counted;      // as a message there and one back
};
static_assert(sizeof(far_access) <= call_state::kValueBytes);

far_access& access_of(call_state& s) noexcept {
  return *std::launder(reinterpret_cast<far_access*>(s.value));
}

rectangle one_row(std::size_t bytes) noexcept { return {1, bytes, bytes, bytes}; }

// --- Beginning -----------------------------------------------------------------------------------

engine& engine_for(std::uint64_t bits, completes when, const char* call) noexcept {
  engine& e = *current_engine;
  if (e.ranks() == 0)
    out_of_reach(bits, call, "only a thread with an endpoint reaches it (ramjet::endpoint)");
  if (when == completes::now && e.in_handler())
    out_of_reach(bits, call,
                 "a handler may not wait for it; get, put, add and store are for handlers too");
  return e;
}

// As `into`: the value of the call's own state.
std::byte own_value;

// Its target is who serves it, for all that belongs to it: a rank's server changes by a death.
call_state* begin(engine& e, std::uint64_t bits, void* into, const rectangle& shape,
                  bool counted = true) {
  const std::size_t bytes = shape.rows * shape.row_bytes;
  call_state* s = start_numbered_call(e, int(server_of(e, unsigned(rank_of(bits)))));
  auto* const to = into == &own_value ? s->value : static_cast<std::byte*>(into);
  ::new (s->value)
      far_access{to, shape.row_bytes, shape.local_stride, bytes, bytes, &kFarAccess, counted};
  return s;
}

call_state* begun(engine& e, call_state* s, status how) {
  if (how != status::ok) finish_call(e, *s, how);
  return s;
}

constexpr std::size_t kWrittenInline = channel::access::kRequestBytesMax - sizeof(far_part);

// Sends a request, and the bytes that are written, to whoever serves the access. `answer_bytes`
// are to come back; retry: there is no room for an answer of that size.
status send(engine& e, const call_state& s, far_code what, const far_words& words,
            const piece& data = {nullptr, 0}, std::size_t answer_bytes = 0,
            bool more_follow = false) {
  peer* const server = find_access_peer(e, unsigned(s.target));
  if (server == nullptr) {
    if (e.in_handler())
      return chain_medium<far_request>(s.target, data.bytes, data.count, s.id, what.packed(),
                                       words);
    ++e.parts().access_messages;
    const status how =
        request_medium<far_request>(s.target, data.bytes, data.count, s.id, what.packed(), words);
    --e.parts().access_messages;
    return how;
  }
  // From the first of all segments.
  const std::uint64_t place =
      rank_of(words[0]) * live_space.segment_bytes + address_of(words[0]) - live_space.window_base;
  channel::access a{.id = s.id,
                    .request = {reinterpret_cast<const std::byte*>(words.data()),
                                sizeof(std::uint64_t) * words_of(what.op)},
                    .answer_bytes = answer_bytes,
                    .more_follow = more_follow};
  if (data.count <= kWrittenInline) {
    a.more = data;
  } else {
    what.op = access_op::wrote;
    a.deposit = data;
    a.deposit_at = place;
  }
  if (answer_bytes > channel::access::kAnswerBytesMax) {
    a.fetch = true;
    a.fetch_at = place;
    a.fetched = {.what = std::uint8_t(far_answer::data),
                 .word = std::bit_cast<far_part>(words).at,
                 .by_network = true};
  }
  a.what = what.packed();
  return begin_access(e, *server, a, what.is_counted());
}

// How long the parts of a copy are: of several rows together, of one.
struct part_sizes {
  std::size_t rows, one;
};
part_sizes read_parts() noexcept {
  return {channel::access::kGatheredBytesMax,
          std::size_t(base::machine(base::figure::far_read_part_bytes))};
}
constexpr std::size_t kFetchedRow = 64 * 1024;  // from this size on it is worth it
constexpr part_sizes kFetchedParts{channel::access::kGatheredBytesMax,
                                   channel::access::kFetchBytesMax};
// Messages carry no more than a medium one.
part_sizes write_parts(bool by_messages) noexcept {
  const auto one = std::size_t(base::machine(base::figure::far_write_part_bytes));
  return {kWrittenInline, by_messages ? std::min(one, kMediumBytesMax) : one};
}

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

status send_read(engine& e, const call_state& s, const far_part& part) {
  const status how = send(e, s, {access_op::read}, std::bit_cast<far_words>(part), {nullptr, 0},
                          part.rows * part.row_bytes);
  if (how != status::retry) return how;
  return each_part(part.bits, one_row(part.row_bytes), read_parts(), [&](far_part shorter) {
    shorter.at += part.at;
    return send_read(e, s, shorter);
  });
}

call_state* begin_in(engine& e, void* into, std::uint64_t bits, const rectangle& shape) {
  call_state* s = begin(e, bits, into, shape);
  const auto are_fetched = [&] {
    peer* const server = find_access_peer(e, unsigned(s->target));
    return server != nullptr && server->rank == rank_of(bits) && fetches(e, *server);
  };
  const bool fetched = shape.row_bytes >= kFetchedRow && are_fetched();
  return begun(e, s,
               each_part(bits, shape, fetched ? kFetchedParts : read_parts(),
                         [&](const far_part& part) { return send_read(e, *s, part); }));
}

call_state* begin_out(engine& e, std::uint64_t bits, const void* from, const rectangle& shape,
                      bool counted) {
  call_state* s = begin(e, bits, nullptr, shape);
  auto* const first = const_cast<std::byte*>(static_cast<const std::byte*>(from));  // read only
  const auto send_write = [&](const far_part& part) {
    const std::size_t bytes = part.rows * part.row_bytes;
    std::unique_ptr<std::byte[]> packed;
    const std::byte* run = place_in_rows(first, shape.row_bytes, shape.local_stride, part.at);
    if (part.rows > 1) {
      packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
      gather(packed.get(), first, shape.row_bytes, shape.local_stride, part.at, bytes);
      run = packed.get();
    }
    return send(e, *s, {.op = access_op::write, .flag = counted}, std::bit_cast<far_words>(part),
                {run, bytes});
  };
  const bool by_messages = find_access_peer(e, unsigned(s->target)) == nullptr;
  return begun(e, s, each_part(bits, shape, write_parts(by_messages), send_write));
}

// The part of a share from element `first` on. What it brings is one run, made in `room`.
status send_list(engine& e, const call_state& s, access_op op, const element_share& share,
                 std::size_t first, std::size_t count, std::span<std::byte> room) {
  const far_list part{share.bits, share.element_bytes, share.row_bytes, count,
                      first * share.element_bytes};
  const std::byte* const rows = share.rows + first * share.row_bytes;
  const std::size_t bytes = count * share.element_bytes, bytes_of_rows = count * share.row_bytes;
  piece data{rows, bytes_of_rows};
  if (op != access_op::read_list) {
    std::memcpy(room.data(), rows, bytes_of_rows);
    std::memcpy(room.data() + bytes_of_rows, share.values + part.at, bytes);
    data = {room.data(), bytes_of_rows + bytes};
  }
  return send(e, s, {op}, std::bit_cast<far_words>(part), data,
              op == access_op::read_list ? bytes : 0);
}

call_state* begin_list(engine& e, access_op op, const element_share& share) {
  const bool reads = op == access_op::read_list;
  call_state* s = begin(e, share.bits, reads ? share.values : nullptr,
                        one_row(share.count * share.element_bytes));
  std::array<std::byte, kWrittenInline> room;
  const std::size_t at_once = reads
                                  ? std::min(kWrittenInline / share.row_bytes,
                                             channel::access::kAnswerBytesMax / share.element_bytes)
                                  : kWrittenInline / (share.row_bytes + share.element_bytes);
  for (std::size_t first = 0; first < share.count; first += at_once) {
    const std::size_t count = std::min(at_once, share.count - first);
    const status how = send_list(e, *s, op, share, first, count, room);
    if (how != status::ok) return begun(e, s, how);
  }
  return s;
}

call_state* begin_word(engine& e, const far_code& what, void* into, std::uint64_t bits,
                       std::uint64_t operand, std::uint64_t expected = 0,
                       bool more_follow = false) {
  const rectangle bytes = one_row(what.bytes);
  if (bits % what.bytes != 0)  // no atomic operation
    return what.op == access_op::load ? begin_in(e, into, bits, bytes)
                                      : begin_out(e, bits, &operand, bytes, what.flag);
  call_state* s = begin(e, bits, into, bytes, what.is_counted());
  return begun(e, s, send(e, *s, what, {bits, operand, expected}, {nullptr, 0}, 0, more_follow));
}

// --- Ending --------------------------------------------------------------------------------------

// The access has ended, or is given up: no answer is for it any more.
void end_access(call_state& s) noexcept { ::new (s.value) far_access{}; }

// Waits for an access that is complete on return, and ends it; how it went.
status outcome_of(engine& e, call_state* s, const char* call) {
  if (!s->is.done && e.serves_threads()) {
    static_cast<void>(wait_call(e, *s));
  } else if (!s->is.done) {
    waiting w{.name = call,
              .target = s->target,
              .any_death = false,
              .messages_only = true,
              .hidden = !polls_far_words::loads_are_counted()};
    static_cast<void>(e.wait(w, [s] { return s->is.done; }));
    // A wait whose condition made this access checks it once more before it sleeps.
    e.port().asleep.store(0, std::memory_order_relaxed);
  }
  const status how = s->is.done ? s->outcome : status::peer_failed;
  end_access(*s);
  release_call(e, s);
  return how;
}
void await(engine& e, call_state* s, const char* call) {
  if (const status how = outcome_of(e, s, call); how != status::ok) throw_failure(how);
}

void finish(engine& e, std::uint64_t bits, call_state* s, completes when, const char* call) {
  if (when == completes::now) return await(e, s, call);
  if (when != completes::counted) {
    at_end_of(*s, [of = operation_begins(e)](call_state& ended) {
      end_access(ended);
      operation_ends(of, ended.outcome);
    });
  } else {
    far_store_begins(rank_of(bits), access_of(*s).bytes);
    at_end_of(*s, [](call_state& ended) {
      end_access(ended);
      far_store_ends(ended.outcome);
    });
  }
  release_call(e, s);
}

// --- Answers -------------------------------------------------------------------------------------

constexpr const char* kUnasked = "it answers an access that was not asked for, or otherwise";

// What an answer brings: `bytes` of the access, from `at` on; null if they are not wanted, or have
// landed there.
struct arrival {
  call_state* access = nullptr;  // null: none that is under way
  const char* wrong = nullptr;  // with the rank that answers
  std::size_t at = 0;
  piece bytes{nullptr, 0};
};

arrival arrival_of(unsigned rank, std::uint32_t id, const access_answer& answer) {
  engine& e = *current_engine;
  call_state* s = look_up_call(e, id, int(rank));
  if (s == nullptr && !is_dead(e, rank) && !job::has_left(rank)) return {.wrong = kUnasked};
  if (s == nullptr || s->is.done || s->outcome != status::ok) return {};
  const far_access& a = access_of(*s);
  arrival got{.access = s, .bytes = answer.bytes};
  bool fits = a.kind == &kFarAccess;
  if (fits && far_answer(answer.what) == far_answer::value) {
    got.bytes = {reinterpret_cast<const std::byte*>(&answer.word), a.bytes};
    fits = a.bytes <= sizeof answer.word && a.left == a.bytes;
  } else if (fits && far_answer(answer.what) == far_answer::data) {
    got.at = answer.word;
    fits =
        a.into != nullptr && got.bytes.count <= a.left && answer.word <= a.bytes - got.bytes.count;
  } else if (fits) {
    got.bytes = {nullptr, answer.word};
    fits = far_answer(answer.what) == far_answer::done && a.into == nullptr &&
           answer.word <= a.left && answer.word != 0;
  }
  return fits ? got : arrival{.wrong = kUnasked};
}

// Long answers are parts of one row.
std::byte* landing_of(unsigned port, std::uint32_t id, const access_answer& answer,
                      const char*& wrong) {
  const arrival got = arrival_of(current_engine->peer_at(port).rank, id, answer);
  wrong = got.wrong;
  if (got.access == nullptr) return nullptr;
  const far_access& a = access_of(*got.access);
  const bool in_row = far_answer(answer.what) == far_answer::data &&
                      got.bytes.count <= a.row_bytes - got.at % a.row_bytes;
  if (!in_row) wrong = kUnasked;
  return in_row ? place_in_rows(a.into, a.row_bytes, a.stride, got.at) : nullptr;
}

// What is wrong with the answer, or null. The last bytes may overwrite the access itself.
const char* take_answer(unsigned rank, std::uint32_t id, const access_answer& answer) {
  const arrival got = arrival_of(rank, id, answer);
  if (got.access == nullptr) return got.wrong;
  far_access& under_way = access_of(*got.access);
  under_way.left -= got.bytes.count;
  const far_access a = under_way;
  if (a.left == 0 && a.into == got.access->value) under_way.kind = nullptr;
  if (a.into != nullptr && got.bytes.bytes != nullptr)
    scatter(a.into, a.row_bytes, a.stride, got.at, got.bytes.bytes, got.bytes.count);
  if (a.left == 0) finish_call(*current_engine, *got.access, status::ok);
  return nullptr;
}

const char* take_channel_answer(unsigned port, std::uint32_t id, const access_answer& answer) {
  engine& e = *current_engine;
  const unsigned rank = e.peer_at(port).rank;
  call_state* s = look_up_call(e, id, int(rank));
  const bool counted = s == nullptr || access_of(*s).kind != &kFarAccess || access_of(*s).counted;
  if (counted && !answer.by_network) count_answered(e, port);
  return take_answer(rank, id, answer);
}

[[maybe_unused]] const bool functions_are_set =
    (channel::set_access_functions({serve_access, landing_of, take_channel_answer}), true);

}  // namespace

void on_far_answer(reply_token t, std::uint32_t id, std::uint8_t what, std::uint64_t number,
                   payload data) {
  const char* const wrong =
      take_answer(unsigned(t.rank()), id, {what, number, {data.bytes, data.count}});
  RAMJET_CHECK(wrong == nullptr, wrong);
}

// --- Words ---------------------------------------------------------------------------------------

void word_slow(access_op op, void* into, std::uint64_t bits, std::uint64_t operand,
               std::uint64_t expected, std::size_t bytes, completes when, const char* call) {
  std::byte* const here = reach_slow(bits, bytes, call);
  if (is_atomic(op) && address_of(bits) % bytes != 0) misaligned(bits, bytes, call);
  if (here != nullptr) {
    const std::uint64_t before = do_in_place(here, op, bits, operand, expected, bytes);
    if (into != nullptr) std::memcpy(into, &before, bytes);
    if (op == access_op::store) write_end = live_space.words_end;  // store_word noted this one
    if (when == completes::counted) count_stored(rank_of(bits), bytes);
    return;
  }
  engine& e = engine_for(bits, when, call);
  const bool flag =
      op == access_op::load ? !polls_far_words::loads_are_counted() : when == completes::counted;
  // Where threads share the endpoint, a wait may hand the processor to one that computes.
  const bool more_follow = when == completes::more && !e.serves_threads();
  note_access(e, bits, bytes, call);
  finish(e, bits,
         begin_word(e, {op, std::uint8_t(bytes), flag}, into, bits, operand, expected, more_follow),
         when, call);
}

// --- Copies --------------------------------------------------------------------------------------

void far_in(void* into, std::uint64_t bits, std::size_t bytes, completes when, const char* call) {
  far_in(into, bits, one_row(bytes), when, call);
}
void far_out(std::uint64_t bits, const void* from, std::size_t bytes, completes when,
             const char* call) {
  far_out(bits, from, one_row(bytes), when, call);
}
void far_in(void* into, std::uint64_t bits, const rectangle& shape, completes when,
            const char* call) {
  engine& e = engine_for(bits, when, call);
  note_access(e, bits, shape.rows * shape.row_bytes, call);
  finish(e, bits, begin_in(e, into, bits, shape), when, call);
}
void far_out(std::uint64_t bits, const void* from, const rectangle& shape, completes when,
             const char* call) {
  engine& e = engine_for(bits, when, call);
  note_access(e, bits, shape.rows * shape.row_bytes, call);
  finish(e, bits, begin_out(e, bits, from, shape, when == completes::counted), when, call);
}

// --- Lists ---------------------------------------------------------------------------------------

call_state* far_list_call(access_op op, const element_share& share, const char* call) {
  engine& e = engine_for(share.bits, completes::now, call);
  note_access(e, share.bits, share.count * share.element_bytes, call);
  return begin_list(e, op, share);
}
void await_far_calls(std::span<call_state* const> calls, const char* call) {
  status all = status::ok;
  for (call_state* const s : calls) {
    const status how = outcome_of(*current_engine, s, call);
    if (how != status::ok) all = how;
  }
  if (all != status::ok) throw_failure(all);
}

// --- Futures -------------------------------------------------------------------------------------

call_state* far_value_call(std::uint64_t bits, std::size_t bytes, const char* call) {
  return far_in_call(&own_value, bits, bytes, call);
}
call_state* far_in_call(void* into, std::uint64_t bits, std::size_t bytes, const char* call) {
  check_local(into, call);
  engine& e = engine_for(bits, completes::at_sync, call);
  note_access(e, bits, bytes, call);
  return begin_in(e, into, bits, one_row(bytes));
}
call_state* far_out_call(std::uint64_t bits, const void* from, std::size_t bytes,
                         const char* call) {
  check_local(from, call);
  engine& e = engine_for(bits, completes::at_sync, call);
  note_access(e, bits, bytes, call);
  return begin_out(e, bits, from, one_row(bytes), false);
}
call_state* far_add_call(std::uint64_t bits, std::uint64_t by, std::size_t bytes,
                         const char* call) {
  if (address_of(bits) % bytes != 0) misaligned(bits, bytes, call);
  engine& e = engine_for(bits, completes::at_sync, call);
  note_access(e, bits, bytes, call);
  return begin_word(e, {access_op::add, std::uint8_t(bytes)}, &own_value, bits, by);
}

}  // namespace ramjet::detail
