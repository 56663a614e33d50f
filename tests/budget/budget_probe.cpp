// SPDX-License-Identifier: Apache-2.0
// Sends messages to itself and handles them, and accesses its own memory by global and spread
// pointers, in functions of known names, so that valgrind can
// count the instructions of each path. check_budget.py runs it and divides by kMessages.
#include <cstdint>
#include <cstdio>
#include <ramjet/ramjet.hpp>

namespace {

constexpr int kMessages = 256;  // fit a ring beside what the warm-up left uncredited
std::uint64_t sum = 0, answered = 0, items = 0;
ramjet::global_ptr<std::uint64_t> words;  // kMessages of them, and the same as a spread array
std::uint64_t got = 0;

void on_number(std::uint64_t n) { sum += n; }
void on_item(std::uint64_t n) { items += n; }
void on_answer(ramjet::reply_token, std::uint64_t n) { answered += n; }
void on_question(ramjet::request_token t, std::uint64_t n) {
  ramjet::reply<on_answer>(std::move(t), n);
}

}  // namespace

template <>
inline constexpr bool ramjet::aggregated<&on_item> = true;

// External and not inlined: valgrind switches counting at these names.
extern "C" {
__attribute__((noinline)) void probe_send() {
  for (int i = 0; i < kMessages; ++i) ramjet::request<on_number>(0, std::uint64_t(1));
}
__attribute__((noinline)) void probe_handle() {
  const std::uint64_t goal = sum + kMessages;
  while (sum < goal) ramjet::poll();
}
__attribute__((noinline)) void probe_round_trip() {
  for (int i = 0; i < kMessages; ++i) {
    const std::uint64_t goal = answered + 1;
    ramjet::request<on_question>(0, std::uint64_t(1));
    while (answered < goal) ramjet::poll();
  }
}
__attribute__((noinline)) void probe_add_item() {
  for (int i = 0; i < kMessages; ++i) ramjet::request<&on_item>(0, std::uint64_t(1));
}
__attribute__((noinline)) void probe_take_items() {
  const std::uint64_t goal = items + kMessages;
  while (items < goal) ramjet::poll();
}
__attribute__((noinline)) void probe_idle() {
  for (int i = 0; i < kMessages; ++i) ramjet::poll();
}
__attribute__((noinline)) void probe_read() {
  for (int i = 0; i < kMessages; ++i) got += ramjet::read(words + i);
}
__attribute__((noinline)) void probe_spread_read() {
  const ramjet::spread_ptr<std::uint64_t> spread(words);
  for (int i = 0; i < kMessages; ++i) got += ramjet::read(spread + i);
}
__attribute__((noinline)) void probe_put() {
  for (int i = 0; i < kMessages; ++i) ramjet::put(words + i, std::uint64_t(1));
}
__attribute__((noinline)) void probe_store() {
  for (int i = 0; i < kMessages; ++i) ramjet::store(words + i, std::uint64_t(1));
}
__attribute__((noinline)) void probe_fetch_add() {
  for (int i = 0; i < kMessages; ++i) got += ramjet::fetch_add(words + i, 1u);
}
}

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  words = ramjet::global_ptr<std::uint64_t>(ramjet::segment_array<std::uint64_t>(kMessages).data());
  for (int turn = 0; turn < 3; ++turn) {
    probe_send();
    probe_handle();
    probe_round_trip();
    probe_add_item();
    probe_take_items();
    for (int i = 0; i < 100; ++i) ramjet::poll();
    probe_idle();
    probe_put();  // 1 everywhere
    ramjet::sync();
    probe_read();
    probe_spread_read();
    probe_fetch_add();
    probe_store();
  }
  std::printf("%d messages a probe, 3 turns, sum %llu\n", kMessages,
              static_cast<unsigned long long>(sum));
  const bool right = sum == 3 * kMessages && items == 3 * kMessages && answered == 3 * kMessages &&
                     got == 3 * 3 * kMessages;
  ramjet::finalize();
  return right ? 0 : 1;
}
