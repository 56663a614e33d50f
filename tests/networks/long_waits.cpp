// SPDX-License-Identifier: Apache-2.0
// Rank 0 computes without a call of Ramjet until a signal tells it to go on. Rank 1 sends it more
// than the network takes, so that its call waits; what runs at rank 1 meanwhile gives the signal.
//
//   long_waits threads    another user-level thread of rank 1
//   long_waits handlers   a handler of rank 1, for a message of rank 2
//
// Rank 0 gives it half a minute.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

volatile std::sig_atomic_t is_told = 0;
int main_pid = 0;
bool arrived = false, waits = false, ran_meanwhile = false, is_over = false;

int pid_of() { return getpid(); }
void on_deposit(ramjet::request_token, ramjet::deposit d) {
  arrived = d.size() == kBytes && d.bytes[0] == std::byte{1} &&
            d.bytes[kBytes - 1] == std::byte{2};
}
void tell() {
  ran_meanwhile = waits;
  kill(main_pid, SIGUSR2);
}
void on_end(ramjet::reply_token) { is_over = true; }
void on_message(ramjet::request_token t) {
  if (!waits) return;  // this rank is not there yet
  tell();
  ramjet::reply<on_end>(std::move(t));
}

void send() {
  std::vector<char> block(kBytes);
  block.front() = 1;
  block.back() = 2;
  waits = true;
  static_cast<void>(
      ramjet::request_long<on_deposit>(0, ramjet::segment_begin(0), block.data(), kBytes));
  waits = false;
}

void compute() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (is_told == 0 && std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.segment_bytes = kBytes;
  ramjet::init(argc, argv, wanted);
  const std::string what = argc == 2 ? argv[1] : "";
  if (what != "threads" && what != "handlers") return 2;
  std::signal(SIGUSR2, [](int) { is_told = 1; });
  main_pid = ramjet::call<pid_of>(0).get();
  ramjet::barrier();
  bool right = true;
  if (ramjet::rank() == 0) {
    compute();
    right = is_told != 0;
    if (!right) std::printf("nothing ran at rank 1 while its call waited\n");
    static_cast<void>(ramjet::wait_until([] { return arrived; }));
  } else if (ramjet::rank() == 1 && what == "threads") {
    const auto sender = ramjet::ult::spawn(send);
    while (!waits) ramjet::ult::this_thread::yield();
    for (int i = 0; i < 1000; ++i) ramjet::ult::this_thread::yield();
    tell();
    sender.join();
  } else if (ramjet::rank() == 1) {
    send();
  } else if (what == "handlers") {
    while (!is_over) {
      static_cast<void>(ramjet::request<on_message>(1));
      usleep(1000);
      static_cast<void>(ramjet::poll());
    }
  }
  if (ramjet::rank() == 1 && !ran_meanwhile) {
    std::printf("the call did not wait\n");
    right = false;
  }
  ramjet::finalize();
  return right ? 0 : 1;
}
