// SPDX-License-Identifier: Apache-2.0
// Sends messages to itself and handles them, and accesses its own memory by global and spread
// pointers, in functions of known names, so that valgrind can count the instructions of each path.
// check_budget.py runs it and divides by kMessages.
// With a number: that many calls of its own rank by each of 64 user-level threads. Valgrind cannot
// follow a function from stack to stack, so the script compares two runs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ramjet/ramjet.hpp>
#include <ramjet/threads.hpp>
#include <ramjet/ult.hpp>
#include <vector>

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

namespace {

std::uint64_t next_of(std::uint64_t x) { return x + 1; }

int call_by_threads(std::uint64_t each) {
  constexpr unsigned kThreads = 64;
  std::uint64_t right = 0;
  std::vector<ramjet::ult::thread<>> callers;
  for (unsigned t = 0; t < kThreads; ++t)
    callers.push_back(ramjet::ult::spawn([&right, each] {
      for (std::uint64_t i = 0; i < each; ++i)
        right += ramjet::call<next_of>(0, i).get() == i + 1;
    }));
  for (const auto& c : callers) c.join();
  ramjet::finalize();
  return right == kThreads * each ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (argc > 1) return call_by_threads(std::strtoull(argv[1], nullptr, 10));
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
    ramjet::sync_all();
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
