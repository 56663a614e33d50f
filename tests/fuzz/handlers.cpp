// SPDX-License-Identifier: Apache-2.0
#include "handlers.hpp"

#include <algorithm>
#include <utility>

#include "ramjet/ramjet.h"

namespace fuzz {

namespace {
volatile unsigned seen;
}  // namespace

void look_at(const void* bytes, std::size_t count) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<const unsigned char*>(bytes)[i];
  seen = sum;
}

void on_answer(ramjet::reply_token, std::uint64_t value) { look_at(&value, sizeof value); }
void on_answer_none(ramjet::reply_token) {}
void on_answer_large(ramjet::reply_token, large values) { look_at(&values, sizeof values); }
void on_answer_medium(ramjet::reply_token, std::uint32_t, ramjet::payload p) {
  look_at(p.data(), p.size());
}
// The whole segment may be named: its ends are enough to look at.
void on_answer_long(ramjet::reply_token, std::uint32_t, ramjet::deposit d) {
  look_at(d.data(), std::min<std::size_t>(d.size(), 64));
  if (d.size() > 64) look_at(d.bytes + d.size() - 1, 1);
}

void on_none() {}
void on_short(ramjet::request_token t, std::uint64_t value) {
  if (value & 1) ramjet::reply<on_answer>(std::move(t), value);
}
void on_line(ramjet::request_token t, eight_words values) {
  look_at(&values, sizeof values);
  ramjet::reply<on_answer_none>(std::move(t));
}
void on_large(ramjet::request_token t, large values) {
  look_at(&values, sizeof values);
  ramjet::reply<on_answer_large>(std::move(t), values);
}
void on_medium(ramjet::request_token t, std::uint32_t i, ramjet::payload p) {
  look_at(p.data(), p.size());
  if (i & 1) {
    static_cast<void>(ramjet::chain<on_short>(0, i));
  } else if (p.size() != 0) {
    ramjet::reply_medium<on_answer_medium>(std::move(t), p.data(), p.size(), i);
  }
}
void on_medium_quiet(ramjet::payload p) { look_at(p.data(), p.size()); }
void on_long(ramjet::request_token t, std::uint32_t i, ramjet::deposit d) {
  look_at(d.data(), std::min<std::size_t>(d.size(), 64));
  if (d.size() > 64) look_at(d.bytes + d.size() - 1, 1);
  ramjet::reply_long<on_answer_long>(std::move(t), d.data(), "x", d.size() != 0, i);
}
std::uint64_t add(std::uint64_t a, std::uint32_t b) { return a + b; }

namespace {

const ramjet_handler* c_answer;

void on_c_answer(ramjet_token*, const std::uint64_t* arguments, unsigned count, void* payload,
                 std::size_t bytes) {
  look_at(arguments, count * sizeof *arguments);
  look_at(payload, std::min<std::size_t>(bytes, 64));
}
void on_c_request(ramjet_token* token, const std::uint64_t* arguments, unsigned count,
                  void* payload, std::size_t bytes) {
  on_c_answer(token, arguments, count, payload, bytes);
  if (count != 0) ramjet_reply(token, c_answer, arguments, count);
}

}  // namespace

void register_c_handlers() {
  c_answer = ramjet_reply_handler("answer", on_c_answer);
  ramjet_request_handler("request", on_c_request);
}

}  // namespace fuzz
