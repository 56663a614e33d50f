// SPDX-License-Identifier: Apache-2.0
// What the tests of traces run: events of each kind, in numbers that trace_test.py knows.
//
//   traced all | moves | names | fill | pause | hold | signals
//   traced flood MESSAGES | die MESSAGES | die_told PART
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "ramjet/ramjet.hpp"
#include "ramjet/ult.hpp"

namespace {

constexpr int kQuestions = 200, kPayloads = 10, kPuts = 5;
constexpr std::size_t kPayloadBytes = 1000;

int answered = 0;
std::size_t received = 0;
long taken = 0, dies_at = 0;

void on_answer(ramjet::reply_token, std::uint64_t) { ++answered; }
void on_question(ramjet::request_token t, std::uint64_t n) {
  ramjet::reply<on_answer>(std::move(t), n);
}
void on_bytes(ramjet::payload p) { received += p.count; }
const char* part = nullptr;  // of a trace: dies when what rank 1 did is in it
constexpr std::uintmax_t kToldBytes = 64 << 10;

void on_number(std::uint64_t) {
  if (++taken == dies_at) std::raise(SIGKILL);
  if (part == nullptr || taken % 1000 != 0) return;
  std::error_code none;  // no size where there is no file yet
  const std::uintmax_t bytes = std::filesystem::file_size(part, none);
  if (!none && bytes >= kToldBytes) std::raise(SIGKILL);
}

using words = std::vector<ramjet::global_ptr<std::uint64_t>>;

// Where each rank's `mine` is; empty: a rank has died. Collective.
words of_all_ranks(std::uint64_t* mine) {
  words all(std::size_t(ramjet::size()));
  const ramjet::global_ptr<std::uint64_t> own(mine);
  if (ramjet::all_gather(own, all.data()) != ramjet::status::ok) all.clear();
  return all;
}

// Each rank asks the next one, gives it payloads, and writes to its memory.
bool do_everything() {
  const int next = (ramjet::rank() + 1) % ramjet::size();
  const auto mine = ramjet::segment_array<std::uint64_t>(kPuts);
  const words all = of_all_ranks(mine.data());
  if (all.empty()) return false;
  for (int i = 0; i < kQuestions; ++i) ramjet::request<on_question>(next, std::uint64_t(i));
  ramjet::wait_until([] { return answered == kQuestions; });
  const std::vector<char> bytes(kPayloadBytes);
  for (int i = 0; i < kPayloads; ++i)
    ramjet::request_medium<on_bytes>(next, bytes.data(), bytes.size());
  ramjet::wait_until([] { return received == kPayloads * kPayloadBytes; });
  for (int i = 0; i < kPuts; ++i) ramjet::put(all[std::size_t(next)] + i, std::uint64_t(i + 1));
  ramjet::sync_all();
  ramjet::barrier();
  return mine[kPuts - 1] == kPuts;
}

// Rank 0 sends to rank 1, which takes it all, or dies of it.
void flood(long messages) {
  if (ramjet::rank() == 0)
    for (long i = 0; i < messages; ++i) ramjet::request<on_number>(1, std::uint64_t(i));
  if (ramjet::rank() == 1) ramjet::wait_until([=] { return taken == messages; });
}

// Rank 0 sends payloads to rank 1, which polls no more, until one finds no room; says how many.
void fill() {
  constexpr std::size_t kBytes = 64 * 1024;
  const auto done = ramjet::segment_array<std::uint64_t>(1);
  const words all = of_all_ranks(done.data());
  if (ramjet::rank() == 0) {
    const std::vector<char> bytes(kBytes);
    int sent = 0;
    while (ramjet::try_request_medium<on_bytes>(1, bytes.data(), bytes.size()) ==
           ramjet::status::ok)
      ++sent;
    std::printf("%d\n", sent);
    ramjet::write(all[1], std::uint64_t{1});
  } else {
    while (std::atomic_ref(done[0]).load() == 0) ::usleep(100);
  }
}

// Rank 0 sends to rank 1 more than a poll takes, once that one polls no more; rank 1 polls once,
// and then not for a second.
void pause_behind_a_poll() {
  constexpr long kMessages = 100;
  const auto told = ramjet::segment_array<std::uint64_t>(1);
  const words all = of_all_ranks(told.data());
  const auto wait_without_polls = [&] {
    while (std::atomic_ref(told[0]).load() == 0) ::usleep(100);
  };
  if (ramjet::rank() == 0) {
    wait_without_polls();
    for (long i = 0; i < kMessages; ++i) ramjet::request<on_number>(1, std::uint64_t(i));
    ramjet::write(all[1], std::uint64_t{1});
  } else {
    ramjet::write(all[0], std::uint64_t{1});
    wait_without_polls();
    ramjet::poll();
    std::printf("%ld of %ld\n", taken, kMessages);
    ::usleep(1'000'000);
    ramjet::wait_until([] { return taken == kMessages; });
  }
}

// Two waits whose names stand in the same place, one after the other.
void wait_by_names() {
  char name[] = "first wait";
  const auto some_looks = [] { return [looks = 0]() mutable { return ++looks > 10; }; };
  ramjet::wait_until(some_looks(), name);
  std::memcpy(name, "other", 5);
  ramjet::wait_until(some_looks(), name);
}

// Waits until somebody ends the job: the main program, and two user-level threads.
void hold() {
  static int looks[2] = {};
  const auto hold_at = [](int& look) {
    ramjet::wait_until([&look] { return ++look < 0; }, "the end of the job");
  };
  for (int& look : looks) ramjet::ult::spawn([&look, hold_at] { hold_at(look); }).detach();
  ramjet::wait_until([] { return looks[0] > 10 && looks[1] > 10; });
  ramjet::barrier();
  if (ramjet::rank() == 0) std::puts("all hold");
  std::fflush(stdout);
  ramjet::wait_until([] { return false; }, "the end of the job");
}

// Ranks 0 and 1 signal to each other in turn.
void signal_in_turn() {
  constexpr std::uint64_t kRounds = 200;
  const auto counter = ramjet::segment_array<std::uint64_t>(1);
  const words all = of_all_ranks(counter.data());
  const int me = ramjet::rank();
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    if (me == 0) ramjet::signal(all[1]);
    static_cast<void>(ramjet::wait_signal(all[std::size_t(me)], round));
    if (me == 1) ramjet::signal(all[0]);
  }
}

// Rank 0 sends to rank 1 as long as that lives.
void flood_till_death() {
  std::uint64_t sent = 0;
  if (ramjet::rank() == 0)
    while (ramjet::request<on_number>(1, sent) == ramjet::status::ok) ++sent;
  if (ramjet::rank() == 1) ramjet::wait_until([] { return false; });
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const std::string_view what = argc > 1 ? argv[1] : "all";
  if (what == "die_told") part = argv[2];
  const long messages = argc > 2 ? std::atol(argv[2]) : 0;
  bool right = true;
  if (what == "moves") right = ::chdir("/") == 0;
  if (what == "all" || what == "moves") right = do_everything() && right;
  if (what == "names") wait_by_names();
  if (what == "fill") fill();
  if (what == "hold") hold();
  if (what == "signals") signal_in_turn();
  if (what == "pause") pause_behind_a_poll();
  if (what == "die") dies_at = messages;
  if (what == "die_told") flood_till_death();
  if (what == "die" || what == "flood") flood(messages + (what == "die" ? 1 : 0));
  ramjet::finalize();
  return right ? 0 : 1;
}
