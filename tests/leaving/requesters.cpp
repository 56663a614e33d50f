// SPDX-License-Identifier: Apache-2.0
// What holds when a requester closes its endpoint, or dies, before its answers have come.
//
//   requesters answers | death | spawned | futures | reports
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string_view>
#include <thread>

#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

constexpr int kQuestions = 10, kReports = 100;  // the answers do not fit their ring

std::array<char, 60'000> block{};
int questions = 0, marks = 0, reports = 0;

void on_answer(ramjet::reply_token, ramjet::payload) {}
void on_question(ramjet::request_token t) {
  ++questions;
  ramjet::reply_medium<on_answer>(std::move(t), block.data(), block.size());
}
void on_mark() { ++marks; }
void on_report() { ++reports; }

bool holds(bool is_so, const char* what) {
  if (!is_so) std::printf("not so: %s\n", what);
  return is_so;
}

void ask() {
  for (int i = 0; i < kQuestions; ++i) ramjet::request<on_question>({1, 0});
  ramjet::request<on_mark>({1, 0});
}

template <class Work>
void with_endpoint(Work work) {
  std::thread([&] {
    const ramjet::endpoint own(1);
    work();
  }).join();
}

bool all_has_been_handled() {
  static_cast<void>(ramjet::wait_for(5000, [] { return marks > 0; }));
  return holds(questions == kQuestions && marks == 1, "what came first is handled");
}

// All that was asked is handled, though nobody takes the answers.
bool answers() {
  if (ramjet::rank() == 0) with_endpoint(ask);
  return ramjet::rank() == 0 || all_has_been_handled();
}
bool death() {
  if (ramjet::rank() == 0) {
    ask();
    std::raise(SIGKILL);
  }
  while (ramjet::alive(0)) ramjet::poll();
  return all_has_been_handled();
}

int later(int x) {
  ramjet::ult::this_thread::sleep_for(std::chrono::milliseconds(100));
  return x + 1;
}
void on_late_answer(ramjet::reply_token) {}
void answer_later(ramjet::thread_token t) {
  later(0);
  ramjet::reply<on_late_answer>(std::move(t));
}
// Threads whose answers nobody awaits any more end in silence.
bool spawned() {
  if (ramjet::rank() == 0)
    with_endpoint([] {
      for (int i = 0; i < 2000; ++i) static_cast<void>(ramjet::spawn_call<later>({1, 0}, i));
      ramjet::spawn_request<answer_later>({1, 0});
    });
  return holds(ramjet::wait_for(1000, [] { return false; }) == ramjet::status::timed_out, "alive");
}

// A future that outlives its endpoint has failed.
bool futures() {
  if (ramjet::rank() == 1) return true;
  std::optional<ramjet::future<int>> lost, continued;  // of calls in threads
  std::optional<ramjet::status> outcome;
  std::thread([&] {
    {
      const ramjet::endpoint own(1);
      lost.emplace(ramjet::spawn_call<later>({1, 0}, 1));
      continued.emplace(ramjet::spawn_call<later>({1, 0}, 1));
    }
    std::move(*continued).then([&](ramjet::status s, int) { outcome = s; });
  }).join();
  return holds(lost->ready() && lost->wait() == ramjet::status::peer_failed, "it has failed") &&
         holds(outcome == ramjet::status::peer_failed, "what follows it is told");
}

// Of threads to the main one, just before the end: they are handled.
bool all_reports() {
  if (ramjet::rank() == 1)
    with_endpoint([] {
      for (int i = 0; i < kReports; ++i) ramjet::request<on_report>({0, 0});
    });
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.endpoints = 2;
  ramjet::init(argc, argv, wanted);
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool is_first = ramjet::rank() == 0;
  bool right = false;
  if (what == "answers") right = answers();
  if (what == "death") right = death();
  if (what == "spawned") right = spawned();
  if (what == "futures") right = futures();
  if (what == "reports") right = all_reports();
  ramjet::finalize();
  if (what == "reports" && is_first) right = holds(reports == kReports, "reports are handled");
  std::printf("%s\n", right ? "as promised" : "not as promised");
  return right ? 0 : 1;
}
