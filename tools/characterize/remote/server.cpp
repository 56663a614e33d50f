// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/server.hpp"

#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "ramjet/ramjet.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

enum class task : std::uint64_t { none, write, read, collect, barriers, end };

// How long messages are left lying: they have all come by then.
constexpr double kLyingNs = 200'000;

// Of this rank; handlers write it.
struct {
  task asked = task::none;       // rank 1
  std::uint64_t amount = 0;
  std::uint64_t counted = 0;     // messages handled since the start
  bool answered = false;         // rank 0
  bool ready = false;
  double answer = 0;
} state;
std::uint64_t counted_sent = 0;  // rank 0
std::byte* memory = nullptr;     // rank 1's

void on_task(std::uint64_t what, std::uint64_t amount) {
  state.asked = task(what);
  state.amount = amount;
}
void on_answer(double value) {
  state.answer = value;
  state.answered = true;
}
void on_ready() { state.ready = true; }
void on_counted() { ++state.counted; }
std::uint64_t counted_here() { return state.counted; }

void begin_task(task what, std::uint64_t amount) {
  state.answered = state.ready = false;
  ramjet::request<on_task>(1, std::uint64_t(what), amount);
}

double end_task() {
  ramjet::wait_until([] { return state.answered; }, "characterize: an answer");
  return state.answer;
}

double collect(std::uint64_t count) {
  const std::uint64_t due = state.counted + count;
  ramjet::request<on_ready>(0);
  for (const stopwatch lying; lying.ns() < kLyingNs;) continue;
  const stopwatch time;
  while (state.counted < due) ramjet::poll();
  return time.ns() / double(count);
}

std::uint64_t sum_of(const std::byte* bytes, std::uint64_t count) {
  std::uint64_t sum = 0, part;
  for (std::uint64_t at = 0; at + sizeof part <= count; at += sizeof part) {
    std::memcpy(&part, bytes + at, sizeof part);
    sum += part;
  }
  return sum;
}

double carry_out(task what, std::uint64_t amount) {
  switch (what) {
    case task::write:
      std::memset(memory, 0, amount);
      return 0;
    case task::read:
      return double(sum_of(memory, amount));
    case task::collect:
      return collect(amount);
    case task::barriers:
      for (std::uint64_t i = 0; i < amount; ++i) ramjet::barrier();
      return 0;
    default:
      return 0;
  }
}

}  // namespace

bool is_near() { return ramjet::node_of(1) == ramjet::node_of(0); }

server_place begin_serving() {
  server_place place;
  if (ramjet::rank() == 1) {
    memory = static_cast<std::byte*>(ramjet::segment_allocate(kServerBytes));
    if (memory == nullptr) throw std::runtime_error("the segment has no room for 8 MiB");
    std::memset(memory, 0, kServerBytes);
    place.address = std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
    const ramjet::global_ptr<std::byte> own(memory);
    place.own_address = std::uint64_t(reinterpret_cast<std::uintptr_t>(own.local()));
    place.process = std::uint64_t(::getpid());
  }
  ramjet::broadcast(place, 1);
  return place;
}

void serve() {
  for (;;) {
    ramjet::wait_until([] { return state.asked != task::none; }, "characterize: a task");
    const task what = state.asked;
    const std::uint64_t amount = state.amount;
    state.asked = task::none;
    const double answer = carry_out(what, amount);
    ramjet::request<on_answer>(0, answer);
    if (what == task::end) return;
  }
}

void ask_to_write(std::size_t bytes) {
  begin_task(task::write, bytes);
  end_task();
}

void ask_to_read(std::size_t bytes) {
  begin_task(task::read, bytes);
  end_task();
}

double ask_to_collect(unsigned count) {
  begin_task(task::collect, count);
  ramjet::wait_until([] { return state.ready; }, "characterize: rank 1");
  for (unsigned i = 0; i < count; ++i) send_counted();
  return end_task();
}

void ask_for_barriers(unsigned count) { begin_task(task::barriers, count); }

void await_task() { end_task(); }

void ask_to_end() {
  begin_task(task::end, 0);
  end_task();
}

void send_counted() {
  ++counted_sent;
  ramjet::request<on_counted>(1);
}

void await_counted() {
  const std::uint64_t due = counted_sent;
  while (ramjet::call<counted_here>(1).get() < due) continue;
}

double counted_trip_ns(unsigned count) {
  const stopwatch time;
  for (unsigned i = 0; i < count; ++i) ramjet::call<counted_here>(1).get();
  return time.ns() / count;
}

}  // namespace characterize
