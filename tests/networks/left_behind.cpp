// SPDX-License-Identifier: Apache-2.0
// What rank 0 has begun arrives at the last rank while rank 0 computes without a call of Ramjet.
// The last rank says by a signal that it has everything; rank 0 gives it half a minute.
//
//   left_behind coproc WHAT     a co-processor sends it
//   left_behind flush WHAT      ramjet::flush() has sent it
//   left_behind next WHAT       one message to another rank, after a pause, has sent it
//   left_behind end WHAT        the end of a collective has sent it
//
// WHAT: requests, medium, long, puts, chained (from inside a handler); with `flush` aggregated,
// too; with `end`: barrier, barrier_notify, broadcast, each while other messages keep the wire
// busy, in a job of two ranks
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kCount = 100;
constexpr int kRounds = 20;
constexpr std::size_t kBlockBytes = 3000;

int arrived = 0;
volatile std::sig_atomic_t all_there = 0;

void on_item(ramjet::request_token, int) { ++arrived; }
void on_gathered(int) { ++arrived; }
void on_block(ramjet::request_token, ramjet::payload) { ++arrived; }
void on_deposit(ramjet::request_token, ramjet::deposit) { ++arrived; }
void on_start(ramjet::request_token) {
  for (int i = 0; i < kCount; ++i) static_cast<void>(ramjet::chain<on_item>(ramjet::size() - 1, i));
}
int pid_of() { return getpid(); }

}  // namespace
template <>
inline constexpr bool ramjet::aggregated<&on_gathered> = true;
namespace {

void pass(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (all_there == 0 && std::chrono::steady_clock::now() < until) {
  }
}

// By the names of what is begun: begins it, in that round, for the i-th time.
std::map<std::string, std::function<void(int, int)>> beginnings(int last,
                                                                std::span<std::uint64_t> words,
                                                                std::ptrdiff_t offset,
                                                                const std::vector<char>& block) {
  return {
      {"requests", [=](int, int i) { static_cast<void>(ramjet::request<on_item>(last, i)); }},
      {"aggregated",
       [=](int, int i) { static_cast<void>(ramjet::request<&on_gathered>(last, i)); }},
      {"medium",
       [=, &block](int, int) {
         static_cast<void>(ramjet::request_medium<on_block>(last, block.data(), kBlockBytes));
       }},
      {"long",
       [=, &block](int, int) {
         static_cast<void>(ramjet::request_long<on_deposit>(
             last, ramjet::segment_begin(last) + offset, block.data(), kBlockBytes));
       }},
      {"puts",
       [=](int round, int i) {
         ramjet::put(ramjet::global_ptr<std::uint64_t>(last, &words[std::size_t(i)]),
                     std::uint64_t(round));
       }},
  };
}

// Rank 0's part in a collective is a message, which it sends without a poll. `arrived` counts what
// the other one sends after its part.
void end_collective(const std::string& what) {
  const int other = 1 - ramjet::rank();
  int value = 0;
  if (ramjet::rank() != 0) {
    if (what == "broadcast") {
      static_cast<void>(ramjet::broadcast(value, 0));
      return;
    }
    static_cast<void>(ramjet::barrier_notify());
    static_cast<void>(ramjet::request<on_item>(other, 0));
    static_cast<void>(ramjet::barrier_wait());
    return;
  }
  if (what != "broadcast") static_cast<void>(ramjet::wait_until([] { return arrived != 0; }));
  for (int i = 0; i < kCount; ++i) static_cast<void>(ramjet::request<on_item>(other, i));
  if (what == "broadcast") static_cast<void>(ramjet::broadcast(value, 0));
  if (what == "barrier") static_cast<void>(ramjet::barrier());
  if (what == "barrier_notify") static_cast<void>(ramjet::barrier_notify());
}

// Whether the other rank's call has ended while rank 0 computes after its own.
bool collective_ends(const std::string& what, int main_pid) {
  end_collective(what);
  if (ramjet::rank() != 0) return kill(main_pid, SIGUSR2) == 0;
  pass(std::chrono::seconds(30));
  if (all_there == 0) std::printf("rank 1 waits for rank 0's part in a %s\n", what.c_str());
  if (what == "barrier_notify") static_cast<void>(ramjet::barrier_wait());
  return all_there != 0;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.segment_bytes = 1 << 20;
  ramjet::init(argc, argv, wanted);
  if (argc != 3) return 2;
  std::signal(SIGUSR2, [](int) { all_there = 1; });
  const std::string how = argv[1], what = argv[2];
  const int last = ramjet::size() - 1;
  const auto words = ramjet::segment_array<std::uint64_t>(kCount);
  const std::ptrdiff_t offset =
      ramjet::segment_array<std::byte>(kBlockBytes).data() - ramjet::segment_begin(ramjet::rank());
  const int main_pid = ramjet::call<pid_of>(0).get();
  const std::vector<char> block(kBlockBytes, 1);

  const auto begin = beginnings(last, words, offset, block);
  const auto all_arrived = [&](int round) {
    if (what != "puts") return arrived == kCount;
    int seen = 0;
    for (const std::uint64_t& w : words)
      seen += *static_cast<const volatile std::uint64_t*>(&w) == std::uint64_t(round);
    return seen == kCount;
  };

  bool right = true;
  for (int round = 1; round <= kRounds && right; ++round) {
    arrived = 0;
    all_there = 0;
    ramjet::barrier();
    if (how == "end") {
      right = collective_ends(what, main_pid);
    } else if (ramjet::rank() == 0) {
      if (what == "chained") {
        static_cast<void>(ramjet::request<on_start>(0));
        static_cast<void>(ramjet::poll());  // runs the handler
      } else {
        for (int i = 0; i < kCount; ++i) begin.at(what)(round, i);
      }
      if (how == "flush") ramjet::flush();
      if (how == "next") {
        pass(std::chrono::milliseconds(1));
        static_cast<void>(ramjet::request<on_item>(1, 0));
      }
      pass(std::chrono::seconds(30));
      right = all_there != 0;
      if (!right) std::printf("round %d: rank %d did not get everything\n", round, last);
    } else if (ramjet::rank() == last) {
      if (what == "puts" && how == "coproc") {
        while (!all_arrived(round)) {  // looks at its memory only
        }
      } else {
        static_cast<void>(ramjet::wait_until([&] { return all_arrived(round); }));
      }
      kill(main_pid, SIGUSR2);
    }
    ramjet::sync_all();
    ramjet::broadcast(right, 0);
  }
  ramjet::finalize();
  return right ? 0 : 1;
}
