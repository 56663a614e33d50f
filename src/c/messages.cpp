// SPDX-License-Identifier: Apache-2.0
// ramjet.h over the C++ core: handlers and messages. A C handler's message is a record like any
// other, its arguments whole words. Each handler has a second entry for long messages, whose words
// are led by the deposit.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ramjet/ramjet.h"
#include "ramjet/ramjet.hpp"

using ramjet::deposit;
using ramjet::status;
using ramjet::detail::engine;
using ramjet::detail::on_full;
using ramjet::detail::peer;
using ramjet::detail::word;

// What ramjet_request_handler and ramjet_reply_handler return; lives as long as the process.
struct ramjet_handler {
  ramjet_function function;
  bool reply;
  bool coproc_safe;
  unsigned item_words = 0;  // of a block handler: argument words of each message; else 0
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
  word* record;  // nullptr once the request is answered
  std::uint64_t header;

  bool is_reply() const {
    return ramjet::detail::state_of(header) == ramjet::detail::record_state::reply;
  }
  ramjet_address source() const { return {int(from.rank), self.endpoint_of(from.port)}; }
};

namespace {

// The token of the handler that runs in this thread: each ends before another one begins.
thread_local const ramjet_token* token_in_use = nullptr;

// Runs a handler of the program with its token.
void run_function(const ramjet_handler& h, ramjet_token& token, const std::uint64_t* arguments,
                  unsigned count, void* payload, std::size_t bytes) {
  token_in_use = &token;
  h.function(&token, arguments, count, payload, bytes);
  token_in_use = nullptr;
}

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::size_t kWordsBytesMax = RAMJET_ARGUMENTS_MAX * kWordBytes;
static_assert(sizeof(deposit) + kWordsBytesMax <= ramjet::detail::kArgumentBytesMax);
static_assert(RAMJET_MEDIUM_BYTES_MAX == ramjet::medium_bytes_max);

// The arguments of one message, and how they are packed.
struct argument_words {
  const std::uint64_t* first;
  unsigned count;

  std::size_t bytes() const { return count * kWordBytes; }
  void operator()(std::byte* to) const {
    if (count != 0) std::memcpy(to, first, bytes());
  }
};

// Those of a long message. They are packed once there is room, and the data moves with them: a
// refused message leaves no trace.
struct long_words {
  engine& by;
  peer& to_whom;
  deposit where;
  const void* data;
  argument_words rest;
  bool handles;  // handlers run while it waits for the network

  std::size_t bytes() const { return sizeof where + rest.bytes(); }
  void operator()(std::byte* to) const {
    by.deposit(to_whom, where.bytes, data, where.count, handles);
    std::memcpy(to, &where, sizeof where);
    rest(to + sizeof where);
  }
};

// --- Handlers ---

std::vector<std::unique_ptr<ramjet_handler>>& handlers() {
  static std::vector<std::unique_ptr<ramjet_handler>> all;
  return all;
}

// The thunk of C handlers; those of long messages find their payload by the deposit.
template <bool Long>
void run_c_handler(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
  constexpr std::size_t lead_bytes = Long ? sizeof(deposit) : 0;
  ramjet_token token{e, p, w, header};
  const std::size_t bytes = ramjet::detail::argument_bytes_of(header);
  RAMJET_CHECK(
      bytes >= lead_bytes && bytes <= lead_bytes + kWordsBytesMax && bytes % kWordBytes == 0,
      "a message's arguments are not those of a C handler");
  const engine::extent x =
      token.is_reply() ? e.open_reply(p, w, header) : e.open_request(p, w, header);
  RAMJET_CHECK(x.arguments != reinterpret_cast<const std::byte*>(w + 1) ||
                   1 + bytes / kWordBytes <= ramjet::detail::words_of(header),
               "a message's arguments do not fit its record");
  std::uint64_t arguments[RAMJET_ARGUMENTS_MAX];
  std::memcpy(arguments, x.arguments + lead_bytes, bytes - lead_bytes);
  deposit at{{x.payload_bytes != 0 ? x.payload : nullptr, x.payload_bytes}};
  if constexpr (Long) {
    at = ramjet::detail::read_argument<deposit>(x.arguments);
    RAMJET_CHECK(e.in_segment(e.rank(), at.bytes, at.count),
                 "a long message's data lies outside this rank's segment");
  }
  const auto* h = static_cast<const ramjet_handler*>(e.context_of(header));
  run_function(*h, token, arguments, unsigned((bytes - lead_bytes) / kWordBytes), at.bytes,
               at.count);
  if ((header & ramjet::detail::kExtended) == 0) return;
  token.is_reply() ? e.close_reply(p) : e.close_request(p, w);
}

// The thunk of block handlers: a message by itself has its words in the record.
void run_c_block(engine& e, peer& p, word* w, std::uint64_t header) noexcept {
  const auto* h = static_cast<const ramjet_handler*>(e.context_of(header));
  const std::size_t item_bytes = h->item_words * kWordBytes;
  ramjet_token token{e, p, w, header};
  if ((header & ramjet::detail::kExtended) == 0) {
    RAMJET_CHECK(ramjet::detail::argument_bytes_of(header) == item_bytes &&
                     1 + h->item_words <= ramjet::detail::words_of(header),
                 "a message's arguments are not those of its block handler");
    std::uint64_t item[RAMJET_ARGUMENTS_MAX];
    std::memcpy(item, static_cast<const void*>(w + 1), item_bytes);
    run_function(*h, token, nullptr, 0, item, item_bytes);
  } else {
    const engine::extent x = e.open_request(p, w, header);
    RAMJET_CHECK(x.payload_bytes != 0 && x.payload_bytes % item_bytes == 0,
                 "a block's items are not those of its handler");
    run_function(*h, token, nullptr, 0, x.payload, x.payload_bytes);
    e.close_request(p, w);
  }
}

ramjet_handler* add(const char* name, ramjet_function f, bool reply, bool coproc_safe = false) {
  RAMJET_CHECK(name != nullptr && f != nullptr, "a C handler has a name and a function");
  const std::string long_name = std::string(name) + " (long)";
  for (const auto& h : handlers())
    RAMJET_CHECK(
        h->reply != reply || (h->name != name && h->long_name != name && h->name != long_name),
        "a C handler's name is taken");
  handlers().push_back(std::make_unique<ramjet_handler>());
  ramjet_handler* h = handlers().back().get();
  h->function = f;
  h->reply = reply;
  h->coproc_safe = coproc_safe;
  h->name = name;
  h->long_name = long_name;
  h->record = {h->name.c_str(), &run_c_handler<false>, h, &h->index, reply, nullptr};
  h->long_record = {h->long_name.c_str(), &run_c_handler<true>, h, &h->long_index, reply, nullptr};
  ramjet::detail::register_handler(&h->record);
  ramjet::detail::register_handler(&h->long_record);
  return h;
}

// --- Requests ---

void check_words(const argument_words& words) {
  RAMJET_CHECK(words.count <= RAMJET_ARGUMENTS_MAX, "a C message takes at most 8 argument words");
  RAMJET_CHECK(words.count == 0 || words.first != nullptr,
               "a C message's arguments are null, and their count is not 0");
}
void check_data(const void* data, std::size_t bytes) {
  RAMJET_CHECK(bytes == 0 || data != nullptr,
               "a C message's payload or data is null, and its length is not 0");
}

void check_request(const ramjet_handler* h, const argument_words& words) {
  RAMJET_CHECK(h != nullptr, "a request names no handler");
  RAMJET_CHECK(!h->reply, "a request names a reply handler");
  check_words(words);
}

peer* find(engine& e, ramjet_address to, const ramjet_handler* h) {
  return h->coproc_safe ? e.find_for_coprocessor(to.rank, to.endpoint)
                        : e.find(to.rank, to.endpoint);
}

// What misuse comes to: a value for the try_ forms, else the end.
template <on_full Policy>
ramjet_status refuse(status bad, const char* call, ramjet_address to, const ramjet_handler* h,
                     std::size_t bytes) {
  if constexpr (Policy != on_full::give_up)
    ramjet::detail::misuse(bad, call, h->name.c_str(), {to.rank, to.endpoint}, bytes);
  return static_cast<ramjet_status>(bad);
}

template <on_full Policy, class Words>
ramjet_status post(engine& e, peer& p, unsigned handler, const Words& words,
                   const void* payload = nullptr, std::size_t bytes = 0) {
  status s = e.post < Policy == on_full::wait > (p, handler, words.bytes(), words, payload, bytes);
  if constexpr (Policy == on_full::queue) {
    if (s == status::retry) [[unlikely]] {
      std::byte arguments[kWordsBytesMax];
      words(arguments);
      e.enqueue(p, handler, arguments, words.bytes(), payload, bytes);
      s = status::ok;
    }
  }
  return static_cast<ramjet_status>(s);
}

template <on_full Policy>
ramjet_status post_item(engine& e, ramjet_address to, const ramjet_handler* h,
                        argument_words words) {
  RAMJET_CHECK(
      words.count == h->item_words,
      "a message to a block handler has as many argument words as that was registered for");
  const unsigned port = e.port_number<false>(to.rank, to.endpoint);
  ramjet::detail::item_block& b = e.block_of(h->index, port);
  if (b.at == b.end)  // each handler of this interface gets a token
    return static_cast<ramjet_status>(
        e.add_item(port, h->index, reinterpret_cast<const std::byte*>(words.first), words.bytes(),
                   Policy, ramjet::detail::answers::one));
  words(b.at);
  b.at += words.bytes();
  return RAMJET_OK;
}

// A short message is a medium one without a payload.
template <on_full Policy>
ramjet_status send(const char* call, ramjet_address to, const ramjet_handler* h,
                   argument_words words, const void* payload = nullptr, std::size_t bytes = 0) {
  check_request(h, words);
  engine& e = *ramjet::detail::current_engine;
  peer* p = find(e, to, h);
  if (p == nullptr) [[unlikely]]
    return refuse<Policy>(status::bad_rank, call, to, h, bytes);
  if (bytes > ramjet::medium_bytes_max) [[unlikely]]
    return refuse<Policy>(status::too_large, call, to, h, bytes);
  check_data(payload, bytes);
  if (h->item_words != 0) {
    RAMJET_CHECK(bytes == 0, "a block handler's messages have no payload");
    return post_item<Policy>(e, to, h, words);
  }
  return post<Policy>(e, *p, h->index, words, payload, bytes);
}

template <on_full Policy>
ramjet_status send_long(const char* call, ramjet_address to, const ramjet_handler* h,
                        argument_words words, void* destination, const void* data,
                        std::size_t bytes) {
  check_request(h, words);
  engine& e = *ramjet::detail::current_engine;
  peer* p = find(e, to, h);
  if (p == nullptr) [[unlikely]]
    return refuse<Policy>(status::bad_rank, call, to, h, bytes);
  if (!e.in_segment(to.rank, destination, bytes)) [[unlikely]] {
    if (Policy == on_full::give_up) return RAMJET_BAD_ADDRESS;
    ramjet::detail::refuse_destination(call, h->name.c_str(), {to.rank, to.endpoint}, destination,
                                       bytes);
  }
  check_data(data, bytes);
  RAMJET_CHECK(h->item_words == 0, "a block handler's messages have no deposit");
  const deposit where{{static_cast<std::byte*>(destination), bytes}};
  return post<Policy>(e, *p, h->long_index,
                      long_words{e, *p, where, data, words, Policy == on_full::wait});
}

// --- Replies ---

void check_reply(const ramjet_token* token, const ramjet_handler* h, const argument_words& words) {
  RAMJET_CHECK(token != nullptr, "a reply has no token");
  RAMJET_CHECK(token == token_in_use,
               "a token was used after its handler had returned: reply inside the handler");
  RAMJET_CHECK(!token->is_reply(), "a reply handler may not reply");
  RAMJET_CHECK(token->record != nullptr, "a request is replied to at most once");
  RAMJET_CHECK(h != nullptr, "a reply names no handler");
  RAMJET_CHECK(h->reply, "a reply names a request handler");
  check_words(words);
}

template <class Words>
void answer(ramjet_token* token, unsigned handler, const Words& words,
            const void* payload = nullptr, std::size_t bytes = 0) {
  token->self.answer(token->from, std::exchange(token->record, nullptr), token->header, handler,
                     words.bytes(), words, payload, bytes);
}

}  // namespace

extern "C" {

ramjet_handler* ramjet_request_handler(const char* name, ramjet_function f) {
  return add(name, f, false);
}
ramjet_handler* ramjet_coproc_request_handler(const char* name, ramjet_function f) {
  return add(name, f, false, true);
}
ramjet_handler* ramjet_block_handler(const char* name, ramjet_function f, unsigned words) {
  RAMJET_CHECK(words != 0 && words <= RAMJET_ARGUMENTS_MAX,
               "a block handler's messages have 1 to 8 argument words");
  ramjet_handler* const h = add(name, f, false);
  h->item_words = words;
  h->record.run = &run_c_block;
  return h;
}
ramjet_handler* ramjet_reply_handler(const char* name, ramjet_function f) {
  return add(name, f, true);
}
ramjet_address ramjet_source(const ramjet_token* token) {
  RAMJET_CHECK(token != nullptr, "ramjet_source: the token is null");
  return token->source();
}

ramjet_status ramjet_request(ramjet_address to, const ramjet_handler* h, const uint64_t* arguments,
                             unsigned count) {
  return send<on_full::wait>("ramjet_request", to, h, {arguments, count});
}
ramjet_status ramjet_request_medium(ramjet_address to, const ramjet_handler* h,
                                    const uint64_t* arguments, unsigned count, const void* payload,
                                    size_t bytes) {
  return send<on_full::wait>("ramjet_request_medium", to, h, {arguments, count}, payload, bytes);
}
ramjet_status ramjet_request_long(ramjet_address to, const ramjet_handler* h,
                                  const uint64_t* arguments, unsigned count, void* destination,
                                  const void* data, size_t bytes) {
  return send_long<on_full::wait>("ramjet_request_long", to, h, {arguments, count}, destination,
                                  data, bytes);
}

ramjet_status ramjet_try_request(ramjet_address to, const ramjet_handler* h,
                                 const uint64_t* arguments, unsigned count) {
  return send<on_full::give_up>("ramjet_try_request", to, h, {arguments, count});
}
ramjet_status ramjet_try_request_medium(ramjet_address to, const ramjet_handler* h,
                                        const uint64_t* arguments, unsigned count,
                                        const void* payload, size_t bytes) {
  return send<on_full::give_up>("ramjet_try_request_medium", to, h, {arguments, count}, payload,
                                bytes);
}
ramjet_status ramjet_try_request_long(ramjet_address to, const ramjet_handler* h,
                                      const uint64_t* arguments, unsigned count, void* destination,
                                      const void* data, size_t bytes) {
  return send_long<on_full::give_up>("ramjet_try_request_long", to, h, {arguments, count},
                                     destination, data, bytes);
}

ramjet_status ramjet_chain(ramjet_address to, const ramjet_handler* h, const uint64_t* arguments,
                           unsigned count) {
  return send<on_full::queue>("ramjet_chain", to, h, {arguments, count});
}
ramjet_status ramjet_chain_medium(ramjet_address to, const ramjet_handler* h,
                                  const uint64_t* arguments, unsigned count, const void* payload,
                                  size_t bytes) {
  return send<on_full::queue>("ramjet_chain_medium", to, h, {arguments, count}, payload, bytes);
}

void ramjet_reply(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                  unsigned count) {
  const argument_words words{arguments, count};
  check_reply(token, h, words);
  answer(token, h->index, words);
}
void ramjet_reply_medium(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                         unsigned count, const void* payload, size_t bytes) {
  const argument_words words{arguments, count};
  check_reply(token, h, words);
  if (bytes > ramjet::medium_bytes_max)
    refuse<on_full::wait>(status::too_large, "ramjet_reply_medium", token->source(), h, bytes);
  check_data(payload, bytes);
  answer(token, h->index, words, payload, bytes);
}
void ramjet_reply_long(ramjet_token* token, const ramjet_handler* h, const uint64_t* arguments,
                       unsigned count, void* destination, const void* data, size_t bytes) {
  const argument_words words{arguments, count};
  check_reply(token, h, words);
  if (!token->self.in_segment(int(token->from.rank), destination, bytes))
    ramjet::detail::refuse_destination("ramjet_reply_long", h->name.c_str(),
                                       {int(token->from.rank), token->source().endpoint},
                                       destination, bytes);
  check_data(data, bytes);
  const deposit where{{static_cast<std::byte*>(destination), bytes}};
  answer(token, h->long_index, long_words{token->self, token->from, where, data, words, false});
}

}  // extern "C"
