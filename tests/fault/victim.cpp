// SPDX-License-Identifier: Apache-2.0
// A program for the launcher's tests: every rank joins and meets the others in a barrier, then one
// of them (the victim, by default the last) does something wrong while the others wait.
//
//   victim WHAT [NUMBER [RANK]]
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

int answers = 0;

int answer(int x) { return x + 1; }

void on_answer(ramjet::reply_token) { ++answers; }
void on_question(ramjet::request_token t) { ramjet::reply<on_answer>(std::move(t)); }
void on_trap(ramjet::request_token) {
  for (;;) ::pause();
}

[[noreturn]] void compute_forever() {
  for (volatile unsigned long i = 0;;) i = i + 1;
}

// Before any rank has heard of another: those of even rank ask their neighbour, and all wait but
// the victim, which does not even poll. With an odd victim and two ranks on each node no message
// leaves a node.
[[noreturn]] void be_apart(bool is_victim) {
  if (is_victim) {
    for (;;) ::pause();
  }
  if (ramjet::rank() % 2 == 0) ramjet::request<on_question>(ramjet::rank() + 1);
  ramjet::wait_until([] { return false; }, "apart");
  std::_Exit(1);  // a death was reported
}

void say_that_it_stays() {
  std::printf("staying\n");
  std::fflush(stdout);
}

// The thread of a message to the victim never ends, so the job never comes to rest.
void on_endless(ramjet::thread_token) {
  ramjet::ult::semaphore never(0);
  never.acquire();
}
[[noreturn]] void quiesce_in_vain(int victim) {
  if (ramjet::rank() == 0) ramjet::spawn_request<on_endless>(victim);
  static_cast<void>(ramjet::quiesce());
  std::_Exit(1);
}

// The victim computes; the others wait for its answer.
[[noreturn]] void be_stuck(bool is_victim, int victim) {
  say_that_it_stays();
  if (is_victim) compute_forever();
  while (ramjet::call<answer>(victim, 1).wait() == ramjet::status::ok) {
  }  // it is still on its way out of init
  std::_Exit(1);  // a death was reported
}

// The others wait in a call of this name for the victim, which never comes.
void wait_in(const std::string& call) {
  if (call == "quiesce") ramjet::quiesce();
  if (call == "finalize") ramjet::finalize();
}

// More than a network takes of it while the victim takes nothing.
void on_deposit(ramjet::request_token, ramjet::deposit) {}
int send_long(int victim) {
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  const std::vector<char> bytes(kBytes);
  say_that_it_stays();
  ramjet::request_long<on_deposit>(victim, ramjet::segment_begin(victim), bytes.data(), kBytes);
  const ramjet::status s = ramjet::call<answer>(victim, 1).wait();
  std::printf("call: %s\n", ramjet::to_string(s));
  ramjet::finalize();
  return 0;
}

int others_that_wait = 0;  // at the victim: or that are some instructions before it
void on_waits() { ++others_that_wait; }
bool dies(const std::string& what) { return what == "kill" || what == "exit" || what == "leave"; }

// The others wait; what they get is printed: under --on-failure=continue they live on.
int wait_for_the_victim(const std::string& what, int victim) {
  if (dies(what)) ramjet::request<on_waits>(victim);
  const ramjet::status s = ramjet::barrier();
  std::printf("rank %d: %s\n", ramjet::rank(), ramjet::to_string(s));
  if (s != ramjet::status::ok) {
    const ramjet::lost_rank lost = ramjet::last_failure();
    std::printf("lost rank %d signal %d status %d\n", lost.rank, lost.signal, lost.exit_status);
  }
  ramjet::finalize();
  return 0;
}

// Again while there is an answer: the victim may be on its way out of the barrier.
int ask(int victim) {
  for (int asked = 1;; ++asked) {
    ramjet::request<on_question>(victim);
    const auto answered = [asked] { return answers == asked; };
    if (ramjet::wait_until(answered, "ask") != ramjet::status::ok) return 1;
  }
}

// As many calls ahead of it as the victim keeps.
int run_ahead(int victim) {
  for (int calls = 0; calls < 20'000; ++calls) {
    int value = 1;
    ramjet::reduce(value, [](int a, int b) { return a + b; }, victim);
  }
  return 1;
}

int be_the_victim(const std::string& what, int number) {
  if (dies(what)) {
    ramjet::wait_until([] { return others_that_wait == ramjet::size() - 1; });
    ::usleep(100'000);
  }
  if (what == "kill") ::raise(number);
  if (what == "exit") ::_exit(number);
  if (what == "end_job") ramjet::end_job(number);
  if (what == "leave") std::exit(0);
  if (what == "compute" || what == "unresponsive") compute_forever();
  if (what == "sleep" || what == "quiesce" || what == "finalize" || what == "long" ||
      what == "thread_in_barrier") {
    say_that_it_stays();
    for (;;) ::pause();
  }
  if (what == "mismatch" || what == "ahead") ramjet::wait_until([] { return false; }, "wait_until");
  if (what == "trapped") ramjet::wait_until([] { return false; }, "trap");
  return 1;
}

void on_flood(std::uint64_t) {}

// One dies; the others hear of it, maybe while they are still in the barrier, and all but rank 0
// leave at once. Whatever rank 0 then asks of them ends too.
int ask_those_who_gave_up(ramjet::status met, int victim) {
  if (met == ramjet::status::ok) ramjet::request<on_waits>(victim);
  if (met == ramjet::status::ok) (void)ramjet::wait_until([] { return false; }, "a death");
  if (ramjet::rank() == 0) {
    ramjet::status called = ramjet::status::ok;  // as long as rank 1 is on its way out
    while (called == ramjet::status::ok) called = ramjet::call<answer>(1, 1).wait();
    ramjet::status sent = ramjet::status::ok;
    while (sent == ramjet::status::ok) sent = ramjet::request<on_flood>(1, std::uint64_t{1});
    std::printf("call: %s; request: %s\n", ramjet::to_string(called), ramjet::to_string(sent));
  }
  ramjet::finalize();
  return 0;
}

int act(const std::string& what, int number, int victim) {
  const bool is_victim = ramjet::rank() == victim;
  if (what == "apart") be_apart(is_victim);
  const ramjet::status met = ramjet::barrier();
  if (what == "ok" || what == "late") {
    ramjet::finalize();
    return what == "late" && is_victim ? number : 0;
  }
  if (what == "threads") {
    ramjet::ult::semaphore never(0);
    auto cook = ramjet::ult::spawn({.name = "cook"}, [&never] { never.acquire(); });
    auto guest = ramjet::ult::spawn({.name = "guest"}, [&cook] { cook.join(); });
    ramjet::ult::this_thread::yield();
    say_that_it_stays();
    guest.join();
  }
  if (what == "thread_in_barrier" && !is_victim) {
    auto meets = ramjet::ult::spawn([] { static_cast<void>(ramjet::barrier()); });
    say_that_it_stays();
    meets.join();
  }
  if (what == "barriers") {  // one after the other, until they are ended
    say_that_it_stays();
    while (ramjet::barrier() == ramjet::status::ok) {
    }
  }
  if (what == "stay") {  // all of them, until they are ended
    say_that_it_stays();
    ramjet::wait_until([] { return false; }, "stay");
  }
  if (what == "stuck") be_stuck(is_victim, victim);
  if (what == "in_vain") quiesce_in_vain(victim);
  if (is_victim) return be_the_victim(what == "give_up" ? "kill" : what, number);
  if (what == "give_up") return ask_those_who_gave_up(met, victim);
  if (what == "unresponsive") return ask(victim);
  if (what == "long") return send_long(victim);
  if (what == "ahead") return run_ahead(victim);
  if (what == "trapped") {
    ramjet::request<on_trap>(victim);
    return ask(victim);
  }
  wait_in(what);
  return wait_for_the_victim(what, victim);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "ok";
  const int number = argc > 2 ? std::atoi(argv[2]) : 0;
  const char* size = std::getenv("RAMJET_SIZE");
  const char* rank = std::getenv("RAMJET_RANK");
  const int victim = argc > 3 ? std::atoi(argv[3]) : std::atoi(size != nullptr ? size : "1") - 1;
  if (what == "early" && rank != nullptr && std::atoi(rank) == victim) {
    ::usleep(100'000);  // the others are waiting by now
    return number;
  }
  ramjet::init(argc, argv);
  return act(what, number, victim);
}
