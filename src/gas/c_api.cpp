// SPDX-License-Identifier: Apache-2.0
// ramjet.h over the C++ core. A C handler's message is a record like any other, its arguments whole
// words. Each request handler has a second entry for long messages, whose arguments are led by
// where their data lies.
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "am/runtime.hpp"
#include "ramjet/ramjet.h"
#include "ramjet/ramjet.hpp"

using ramjet::detail::engine;
using ramjet::detail::peer;
using ramjet::detail::word;

// What ramjet_request_handler and ramjet_reply_handler return; lives as long as the process.
struct ramjet_handler {
  ramjet_function function;
  std::string name;
  std::uint16_t index = 0;
  ramjet::detail::handler_record record{};
  std::string long_name;
  std::uint16_t long_index = 0;
  ramjet::detail::handler_record long_record{};
};

struct ramjet_token {
  engine& self;
  peer& from;
  word* record;  // nullptr: nothing to answer, or answered
  std::uint64_t header;
};

namespace {

// Leads the argument words of a long message.
struct where {
  std::uint64_t address;
  std::uint64_t bytes;
};

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::size_t kArgumentBytes = RAMJET_ARGUMENTS_MAX * kWordBytes;

std::vector<std::unique_ptr<ramjet_handler>>& handlers() {
  static std::vector<std::unique_ptr<ramjet_handler>> all;
  return all;
}

// The thunk of C handlers; Lead is `where` for long messages.
template <class Lead>
void run_c_handler(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
  constexpr bool is_long = std::is_same_v<Lead, where>;
  constexpr std::size_t lead_bytes = is_long ? sizeof(where) : 0;
  const bool reply = ramjet::detail::state_of(header) == ramjet::detail::record_state::reply;
  const std::size_t bytes = ramjet::detail::argument_bytes_of(header);
  RAMJET_CHECK(
      bytes >= lead_bytes && bytes <= lead_bytes + kArgumentBytes && bytes % kWordBytes == 0,
      "a message's arguments are not those of a C handler");
  const engine::extent x = reply ? e.open_reply(p, w, header) : e.open_request(p, w, header);
  RAMJET_CHECK(x.arguments != reinterpret_cast<const std::byte*>(w + 1) ||
                   1 + bytes / kWordBytes <= ramjet::detail::words_of(header),
               "a message's arguments do not fit its record");
  std::uint64_t arguments[RAMJET_ARGUMENTS_MAX];
  std::memcpy(arguments, x.arguments + lead_bytes, bytes - lead_bytes);
  void* payload = x.payload_bytes != 0 ? x.payload : nullptr;
  std::size_t count = x.payload_bytes;
  if constexpr (is_long) {
    where at;
    std::memcpy(&at, x.arguments, sizeof at);
    payload = reinterpret_cast<void*>(at.address);
    count = at.bytes;
    RAMJET_CHECK(e.in_segment(e.rank(), payload, count),
                 "a long message's data lies outside this rank's segment");
  }
  ramjet_token token{e, p, reply ? nullptr : w, header};
  const auto* h = static_cast<const ramjet_handler*>(e.context_of(header));
  h->function(&token, arguments, unsigned((bytes - lead_bytes) / kWordBytes), payload, count);
  if ((header & ramjet::detail::kExtended) != 0) reply ? e.close_reply(p) : e.close_request(p, w);
}

ramjet_handler* add(const char* name, ramjet_function f, bool reply) {
  for (const auto& h : handlers())
    RAMJET_CHECK(h->name != name || h->record.reply != reply, "a C handler's name is taken");
  handlers().push_back(std::make_unique<ramjet_handler>());
  ramjet_handler* h = handlers().back().get();
  h->function = f;
  h->name = name;
  h->record = {h->name.c_str(), &run_c_handler<void>, h, &h->index, reply, nullptr};
  ramjet::detail::register_handler(&h->record);
  if (reply) return h;
  h->long_name = h->name + " (long)";
  h->long_record = {h->long_name.c_str(), &run_c_handler<where>, h, &h->long_index, false, nullptr};
  ramjet::detail::register_handler(&h->long_record);
  return h;
}

ramjet_status c_status(ramjet::status s) { return static_cast<ramjet_status>(s); }

auto packer(const std::uint64_t* arguments, unsigned count) {
  return [=](std::byte* to) {
    if (count != 0) std::memcpy(to, arguments, count * kWordBytes);
  };
}

peer& find(const char* call, int rank, const ramjet_handler* h, unsigned count, std::size_t bytes) {
  engine& e = *ramjet::detail::current_engine;
  peer* p = e.find(rank, 0);
  if (p == nullptr)
    ramjet::detail::misuse(ramjet::status::bad_rank, call, h->name.c_str(), rank, 0);
  if (bytes > RAMJET_MEDIUM_BYTES_MAX)
    ramjet::detail::misuse(ramjet::status::too_large, call, h->name.c_str(), rank, bytes);
  RAMJET_CHECK(count <= RAMJET_ARGUMENTS_MAX, "a C message takes at most 8 argument words");
  return *p;
}

ramjet_status send(const char* call, int rank, const ramjet_handler* h,
                   const std::uint64_t* arguments, unsigned count, const void* payload,
                   std::size_t bytes) {
  peer& p = find(call, rank, h, count, bytes);
  RAMJET_CHECK(!h->record.reply, "a request names a reply handler");
  return c_status(ramjet::detail::current_engine->post<true>(
      p, h->index, count * kWordBytes, packer(arguments, count), payload, bytes));
}

void answer(ramjet_token* token, const ramjet_handler* h, const std::uint64_t* arguments,
            unsigned count, const void* payload, std::size_t bytes) {
  RAMJET_CHECK(token->record != nullptr, "a request is replied to at most once");
  RAMJET_CHECK(h->record.reply, "a reply names a request handler");
  RAMJET_CHECK(count <= RAMJET_ARGUMENTS_MAX && bytes <= RAMJET_MEDIUM_BYTES_MAX,
               "a reply takes at most 8 argument words and RAMJET_MEDIUM_BYTES_MAX bytes");
  token->self.answer(token->from, token->record, token->header, h->index, count * kWordBytes,
                     packer(arguments, count), payload, bytes);
  token->record = nullptr;
}

}  // namespace

extern "C" {

const char* ramjet_status_text(ramjet_status s) {
  return ramjet::to_string(static_cast<ramjet::status>(s));
}

void ramjet_init(int* argc, char*** argv) { ramjet::init(*argc, *argv); }
void ramjet_init_with(int* argc, char*** argv, unsigned endpoints, size_t segment_bytes) {
  ramjet::init(*argc, *argv, {endpoints, segment_bytes});
}
void ramjet_finalize(void) { ramjet::finalize(); }
int ramjet_rank(void) { return ramjet::rank(); }
int ramjet_size(void) { return ramjet::size(); }

int ramjet_last_failure(int* signal, int* exit_status) {
  const ramjet::lost_rank lost = ramjet::last_failure();
  if (signal != nullptr) *signal = lost.signal;
  if (exit_status != nullptr) *exit_status = lost.exit_status;
  return lost.rank;
}

ramjet_handler* ramjet_request_handler(const char* name, ramjet_function f) {
  return add(name, f, false);
}
ramjet_handler* ramjet_reply_handler(const char* name, ramjet_function f) {
  return add(name, f, true);
}
int ramjet_source(const ramjet_token* token) { return int(token->from.rank); }

ramjet_status ramjet_request(int rank, const ramjet_handler* h, const uint64_t* arguments,
                             unsigned count) {
  return send("ramjet_request", rank, h, arguments, count, nullptr, 0);
}
ramjet_status ramjet_request_medium(int rank, const ramjet_handler* h, const uint64_t* arguments,
                                    unsigned count, const void* payload, size_t bytes) {
  return send("ramjet_request_medium", rank, h, arguments, count, payload, bytes);
}
ramjet_status ramjet_request_long(int rank, const ramjet_handler* h, const uint64_t* arguments,
                                  unsigned count, void* destination, const void* data,
                                  size_t bytes) {
  peer& p = find("ramjet_request_long", rank, h, count, 0);
  RAMJET_CHECK(!h->record.reply, "a request names a reply handler");
  engine& e = *ramjet::detail::current_engine;
  if (!e.in_segment(rank, destination, bytes))
    ramjet::detail::misuse(ramjet::status::bad_address, "ramjet_request_long", h->name.c_str(),
                           rank, bytes);
  const where at{reinterpret_cast<std::uintptr_t>(destination), bytes};
  const auto pack = [&](std::byte* to) {
    if (bytes != 0) std::memmove(destination, data, bytes);
    std::memcpy(to, &at, sizeof at);
    packer(arguments, count)(to + sizeof at);
  };
  return c_status(e.post<true>(p, h->long_index, sizeof at + count * kWordBytes, pack));
}
ramjet_status ramjet_chain(int rank, const ramjet_handler* h, const uint64_t* arguments,
                           unsigned count) {
  peer& p = find("ramjet_chain", rank, h, count, 0);
  RAMJET_CHECK(!h->record.reply, "a chain names a reply handler");
  engine& e = *ramjet::detail::current_engine;
  const std::size_t bytes = count * kWordBytes;
  const ramjet::status s = e.post<false>(p, h->index, bytes, packer(arguments, count));
  if (s != ramjet::status::retry) return c_status(s);
  e.enqueue(p, h->index, arguments, bytes, nullptr, 0);
  return RAMJET_OK;
}
void ramjet_reply(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                  unsigned count) {
  answer(token, h, arguments, count, nullptr, 0);
}
void ramjet_reply_medium(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                         unsigned count, const void* payload, size_t bytes) {
  answer(token, h, arguments, count, payload, bytes);
}

unsigned ramjet_poll(void) { return ramjet::poll(); }
ramjet_status ramjet_wait_until(int (*done)(void* context), void* context) {
  return c_status(ramjet::wait_until([&] { return done(context) != 0; }));
}
ramjet_status ramjet_barrier(void) { return c_status(ramjet::barrier()); }
ramjet_status ramjet_quiesce(void) { return c_status(ramjet::quiesce()); }
ramjet_status ramjet_broadcast(void* data, size_t bytes, int root) {
  return c_status(ramjet::detail::broadcast_bytes(data, bytes, root));
}
ramjet_status ramjet_gather(const void* mine, size_t bytes, void* all, int root) {
  return c_status(ramjet::detail::gather_bytes(mine, bytes, all, root));
}
ramjet_status ramjet_all_reduce(void* data, size_t bytes,
                                void (*combine)(void* context, void* into, const void* other),
                                void* context) {
  return c_status(ramjet::detail::all_reduce_bytes(data, bytes, combine, context));
}

void* ramjet_segment_allocate(size_t bytes) { return ramjet::segment_allocate(bytes); }
void ramjet_segment_free(void* memory) { ramjet::segment_free(memory); }
size_t ramjet_segment_bytes(void) { return ramjet::segment_bytes(); }
void* ramjet_segment_begin(int rank) { return ramjet::segment_begin(rank); }

}  // extern "C"
