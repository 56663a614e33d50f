// SPDX-License-Identifier: Apache-2.0
// Accesses to the memory of ranks on other nodes whose main thread does not poll. Each rank but the
// one that a test names waits for nothing else than the end of its accesses.
//
//   far_from_polls threads     all main threads sit in join; in each rank two threads with
//                              endpoints of their own access all ranks by every kind of access
//   far_from_polls compute     rank 0 computes until the others have signalled to its memory
//   far_from_polls blocked     rank 0 sleeps in read() of a pipe until a helper thread, which has
//                              no endpoint, sees the others' signals
//   far_from_polls begun       rank 0 has begun accesses of its own and computes, while the others
//                              access its memory; its answers are there when it syncs
//   far_from_polls handlers    a message to rank 0, which computes, is not handled before it polls
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

using ramjet::global_ptr;

constexpr unsigned kThreads = 2;
constexpr int kRounds = 20;
constexpr std::size_t kBlock = 300'000;  // bytes; longer than any one answer

// What each rank has in its segment, alike for all.
struct memory {
  std::uint64_t sum, locked_sum, lock, signals, computes;
  std::uint64_t words[64];
  unsigned char block[kThreads + 1][kBlock];
};
memory* mine = nullptr;

template <class T>
global_ptr<T> at(int rank, T& of_mine) {
  return {rank, &of_mine};
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d: %s\n", ramjet::rank(), what);
  std::_Exit(1);
}

// Every kind of access to the rank's memory, by one thread; `own` names its part there.
void access_all_kinds(int to, unsigned own) {
  static thread_local std::vector<unsigned char> out(kBlock), in(kBlock);
  for (int round = 0; round < kRounds; ++round) {
    const auto mark = std::uint64_t(round) << 32 | std::uint64_t(ramjet::rank()) << 8 | own;
    ramjet::fetch_add(at(to, mine->sum), std::uint64_t(1));
    ramjet::add(at(to, mine->sum), std::uint64_t(1));
    while (ramjet::compare_swap(at(to, mine->lock), std::uint64_t(0), std::uint64_t(1)) != 0) {
    }
    const std::uint64_t before = ramjet::read(at(to, mine->locked_sum));
    ramjet::write(at(to, mine->locked_sum), before + 1);
    ramjet::write(at(to, mine->lock), std::uint64_t(0));
    // One word of the target belongs to this thread alone.
    const std::size_t word = (std::size_t(ramjet::rank()) * (kThreads + 1) + own) % 64;
    ramjet::put(at(to, mine->words[word]), mark);
    static_cast<void>(ramjet::sync_all());
    expect(ramjet::read(at(to, mine->words[word])) == mark, "a put is not there after sync");
  }
  if (to != (ramjet::rank() + 1) % ramjet::size()) return;  // the block has one writer
  for (std::size_t i = 0; i < kBlock; ++i) out[i] = static_cast<unsigned char>(i * 7 + own);
  ramjet::bulk_write(at(to, mine->block[own][0]), out.data(), kBlock);
  ramjet::bulk_read(in.data(), at(to, mine->block[own][0]), kBlock);
  expect(in == out, "a block came back otherwise");
}

void check_sums(std::uint64_t threads) {
  const std::uint64_t each = threads * std::uint64_t(ramjet::size()) * kRounds;
  (void)ramjet::barrier();
  expect(mine->sum == 2 * each, "additions are lost");
  expect(mine->locked_sum == each, "two threads held the lock");
}

void by_threads() {
  std::vector<std::thread> all;
  for (unsigned t = 1; t <= kThreads; ++t)
    all.emplace_back([t] {
      const ramjet::endpoint e(t);
      for (int k = 0; k < ramjet::size(); ++k)
        access_all_kinds((ramjet::rank() + k) % ramjet::size(), t);
    });
  for (std::thread& t : all) t.join();
  check_sums(kThreads);
}

std::uint64_t signals_here() { return __atomic_load_n(&mine->signals, __ATOMIC_ACQUIRE); }
std::uint64_t awaited_signals() { return std::uint64_t(ramjet::size()) - 1; }

void compute_until_signalled() {
  while (signals_here() < awaited_signals()) {
  }
}

void access_rank_0_and_signal() {
  access_all_kinds(0, 0);
  ramjet::fetch_add(at(0, mine->signals), std::uint64_t(1));
}

void compute() {
  if (ramjet::rank() == 0)
    compute_until_signalled();
  else
    access_rank_0_and_signal();
  (void)ramjet::barrier();
  if (ramjet::rank() == 0)
    expect(mine->sum == 2 * awaited_signals() * kRounds, "additions are lost");
}

void blocked() {
  if (ramjet::rank() != 0) {
    access_rank_0_and_signal();
  } else {
    int ends[2];
    expect(::pipe(ends) == 0, "no pipe");
    std::thread helper([&] {
      while (signals_here() < awaited_signals()) ::usleep(1000);
      expect(::write(ends[1], "x", 1) == 1, "nothing can be written");
    });
    char byte;
    expect(::read(ends[0], &byte, 1) == 1, "nothing can be read");
    helper.join();
  }
  (void)ramjet::barrier();
}

// Rank 0's own accesses, of many sizes, are answered while it computes.
void begun() {
  std::vector<unsigned char> in(kBlock);
  std::uint64_t words[64] = {};
  const int last = ramjet::size() - 1;
  for (std::size_t i = 0; i < kBlock; ++i)
    mine->block[0][i] = static_cast<unsigned char>(i * 3 + std::size_t(ramjet::rank()));
  for (std::uint64_t i = 0; i < 64; ++i) mine->words[i] = i * i;
  (void)ramjet::barrier();
  if (ramjet::rank() == 0) {
    ramjet::bulk_get(in.data(), at(last, mine->block[0][0]), kBlock);
    for (std::size_t i = 0; i < 64; ++i) ramjet::get(&words[i], at(last, mine->words[i]));
    compute_until_signalled();
    static_cast<void>(ramjet::sync_all());
    for (std::size_t i = 0; i < kBlock; ++i)
      expect(in[i] == static_cast<unsigned char>(i * 3 + std::size_t(last)), "a byte is wrong");
    for (std::uint64_t i = 0; i < 64; ++i) expect(words[i] == i * i, "a word is wrong");
  } else {
    for (int i = 0; i < 1000; ++i) ramjet::fetch_add(at(0, mine->sum), std::uint64_t(1));
    ramjet::fetch_add(at(0, mine->signals), std::uint64_t(1));
  }
  (void)ramjet::barrier();
}

int handled = 0;
void on_message(ramjet::request_token) { ++handled; }

void handlers() {
  if (ramjet::rank() == 0) {
    __atomic_store_n(&mine->computes, std::uint64_t(1), __ATOMIC_RELEASE);
    compute_until_signalled();
    expect(handled == 0, "a handler ran outside a poll");
    while (handled != int(awaited_signals())) ramjet::poll();
  } else {
    while (ramjet::read(at(0, mine->computes)) == 0) {  // rank 0 polls no more
    }
    (void)ramjet::request<on_message>(0);
    ramjet::fetch_add(at(0, mine->signals), std::uint64_t(1));
  }
  (void)ramjet::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options o;
  o.endpoints = kThreads + 1;
  o.segment_bytes = 16 << 20;
  ramjet::init(argc, argv, o);
  mine = reinterpret_cast<memory*>(
      ramjet::all_spread_malloc(std::size_t(ramjet::size()), sizeof(memory)).local());
  const std::map<std::string, std::function<void()>> cases = {{"threads", by_threads},
                                                              {"compute", compute},
                                                              {"blocked", blocked},
                                                              {"begun", begun},
                                                              {"handlers", handlers}};
  for (int i = 1; i < argc; ++i) {
    const auto which = cases.find(argv[i]);
    expect(which != cases.end(), "no such case");
    (void)ramjet::barrier();
    *mine = {};
    (void)ramjet::barrier();
    which->second();
  }
  ramjet::finalize();
}
