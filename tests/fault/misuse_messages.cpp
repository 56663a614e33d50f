// SPDX-License-Identifier: Apache-2.0
// Mistakes with tokens, arguments and destinations of messages. Rank 0 asks, the last rank answers.
#include <deque>
#include <stdexcept>

#include "misuse.hpp"
#include "ramjet/coroutine.hpp"
#include "ramjet/ramjet.h"
#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

int answers = 0;
void on_answer(ramjet::reply_token) { ++answers; }

// At the last rank; the others wait for an answer.
template <auto F>
void ask() {
  if (ramjet::rank() == 0) ramjet::spawn_request<F>(ramjet::size() - 1);
  static_cast<void>(ramjet::wait_until([] { return answers != 0; }));
}

std::deque<ramjet::request_token> kept;
void on_question(ramjet::request_token t) { kept.push_back(std::move(t)); }
void reply_to_kept() { ramjet::reply<on_answer>(std::move(kept.front())); }
void on_other() {
  if (!kept.empty()) reply_to_kept();
}
// The token is used by main, or by another handler.
void reply_late(bool in_handler) {
  if (ramjet::rank() == 0) {
    ramjet::request<on_question>(ramjet::size() - 1);
    if (in_handler) ramjet::request<on_other>(ramjet::size() - 1);
  }
  static_cast<void>(ramjet::wait_until([] { return !kept.empty() || answers != 0; }));
  if (!in_handler) reply_to_kept();
  static_cast<void>(ramjet::wait_until([] { return answers != 0; }));
}
void on_question_for_a_thread(ramjet::request_token t) {
  ramjet::ult::spawn([t = std::move(t)]() mutable {
    ramjet::reply<on_answer>(std::move(t));
  }).detach();
}

void on_dropped(ramjet::thread_token) {}
void on_moved_and_dropped(ramjet::thread_token t) {
  const auto last = std::move(t);
  ramjet::ult::this_thread::yield();
}
void on_dropped_by_a_caught_exception(ramjet::thread_token t) {
  try {
    const auto last = std::move(t);
    throw std::runtime_error("lost");
  } catch (const std::runtime_error&) {
  }
}
void on_throwing(ramjet::thread_token) { throw std::runtime_error("lost"); }
ramjet::task<> drop_in_a_coroutine(ramjet::thread_token) { co_return; }
void on_dropped_by_a_coroutine(ramjet::thread_token t) { drop_in_a_coroutine(std::move(t)).get(); }
int throws(int) { throw std::runtime_error("lost"); }

void on_short(short) {}
void on_flag(bool) {}
template <auto F>
void send(int value) {
  if (ramjet::rank() == 0) ramjet::request<F>(ramjet::size() - 1, value);
  static_cast<void>(ramjet::wait_until([] { return false; }));
}

void on_row(ramjet::deposit) {}
int* memory() { return ramjet::segment_array<int>(4).data(); }
void long_to_local() {
  const auto there = ramjet::global_ptr<int>(ramjet::size() - 1, memory());
  ramjet::request_long<on_row>(ramjet::size() - 1, there.local(), "row", 4);
}
void long_to_another_rank() {
  const auto here = ramjet::global_ptr<int>(0, memory());
  ramjet::request_long<on_row>(1, here, "row", 4);
}

ramjet_token* c_token = nullptr;
ramjet_handler* const c_answer =
    ramjet_reply_handler("misuse.answer", [](ramjet_token*, auto...) {});
ramjet_handler* const c_question =
    ramjet_request_handler("misuse.question", [](ramjet_token* t, auto...) { c_token = t; });
void reply_late_in_c() {
  ramjet_request(ramjet_at(ramjet::rank(), 0), c_question, nullptr, 0);
  static_cast<void>(ramjet::wait_until([] { return c_token != nullptr; }));
  ramjet_reply(c_token, c_answer, nullptr, 0);
}

const mistake kMistakes[] = {
    {"late_reply", [] { reply_late(false); }},
    {"late_reply_in_handler", [] { reply_late(true); }},
    {"late_reply_in_thread",
     [] {
       if (ramjet::rank() == 0) ramjet::request<on_question_for_a_thread>(ramjet::size() - 1);
       static_cast<void>(ramjet::wait_until([] { return answers != 0; }));
     }},
    {"late_reply_in_c", reply_late_in_c},
    {"dropped_token", ask<on_dropped>},
    {"moved_token_dropped", ask<on_moved_and_dropped>},
    {"token_dropped_by_an_exception", ask<on_dropped_by_a_caught_exception>},
    {"token_dropped_by_a_coroutine", ask<on_dropped_by_a_coroutine>},
    {"throwing_thread", ask<on_throwing>},
    {"throwing_call",
     [] {
       if (ramjet::rank() == 0) ramjet::spawn_call<throws>(ramjet::size() - 1, 1).get();
       static_cast<void>(ramjet::wait_until([] { return answers != 0; }));
     }},
    {"too_large_for_a_short", [] { send<on_short>(70'000); }},
    {"no_flag", [] { send<on_flag>(2); }},
    {"long_to_local", long_to_local},
    {"long_to_another_rank", long_to_another_rank},
    {"c_long_to_local",
     [] {
       const auto there = ramjet::global_ptr<int>(1, memory());
       ramjet_request_long(ramjet_at(1, 0), c_question, nullptr, 0, there.local(), "row", 4);
     }},
};

}  // namespace

std::span<const mistake> message_mistakes() { return kMistakes; }
