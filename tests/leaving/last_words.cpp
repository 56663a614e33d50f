// SPDX-License-Identifier: Apache-2.0
// Two ranks, --on-failure=continue: rank 1 sends messages, writes to rank 0's memory and answers
// a call, and dies while rank 0 computes. What has arrived is handled when rank 0 learns of that.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kRequests = 1000;
int handled = 0, asked = 0;
ramjet::global_ptr<std::uint64_t> word;
std::uint64_t word_at_last_request = 0;

void on_request(ramjet::request_token, int i) {
  if (++handled == i) word_at_last_request = *word.local();
}
int answer(int x) {
  ++asked;
  return x + 1;
}

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "last_words: rank %d: %s\n", ramjet::rank(), what);
  std::_Exit(1);
}

void die_after_the_last_word() {
  for (int i = 1; i <= kRequests; ++i) {
    if (i == kRequests) ramjet::put(word, std::uint64_t{17});
    expect(ramjet::request<on_request>(0, i) == ramjet::status::ok, "a request");
  }
  expect(ramjet::wait_until([] { return asked == 1; }) == ramjet::status::ok, "to be asked");
  for (int i = 0; i < 100; ++i) ramjet::poll();
  ramjet::flush();
  ::usleep(100'000);
  ::kill(::getpid(), SIGKILL);
}

// Until it is known on this machine that rank 1 has died, and without a look at the network.
void compute_while_it_lives() {
  while (ramjet::alive(1)) ::usleep(1'000);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  word = {0, ramjet::segment_array<std::uint64_t>(1).data()};
  ramjet::barrier();
  if (ramjet::rank() == 1) die_after_the_last_word();
  ramjet::future<int> asks = ramjet::call<answer>(1, 41);
  ramjet::flush();
  compute_while_it_lives();
  expect(asks.wait() == ramjet::status::ok && asks.get() == 42, "a call that was answered failed");
  while (handled != kRequests) {
    const int before = handled;
    const ramjet::status s = ramjet::wait_for(200, [before] { return handled != before; });
    expect(s != ramjet::status::timed_out, "messages that had arrived are not handled");
  }
  expect(word_at_last_request == 17, "a write that came before a message");
  std::puts("everything that was sent has arrived");
  ramjet::finalize();
  return 0;
}
