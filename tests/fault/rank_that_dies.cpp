// SPDX-License-Identifier: Apache-2.0
// A job in which one rank dies in the middle of something, for kill_test.py. The others say what
// they saw and how long after the death, and show that they can still talk to each other.
//
//   rank_that_dies PLACE RANK DEATH DELAY_US      DEATH: a signal's number, or exitN
//
// Threads: in the rank that is to die, a second thread stamps the time and ends the process, so the
// main thread can be anywhere. The stamp lies in that rank's segment, where the others read it.
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rank_that_dies.hpp"

namespace {

using ramjet::status;

struct plan {
  std::string place;
  int victim = 0;
  std::string death;
  useconds_t delay_us = 0;
} the_plan;

std::atomic<std::uint64_t>* stamp = nullptr;  // of this rank; at the same offset in all segments

std::uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::uint64_t(t.tv_sec) * 1'000'000'000 + std::uint64_t(t.tv_nsec);
}

}  // namespace

bool is_victim() {
  const char* rank = std::getenv("RAMJET_RANK");
  return rank != nullptr && std::atoi(rank) == the_plan.victim;
}

namespace {

[[noreturn]] void die_now() {
  char line[64];
  const std::uint64_t now = now_ns();
  const int length =
      std::snprintf(line, sizeof line, "dead at %llu\n", static_cast<unsigned long long>(now));
  if (::write(STDOUT_FILENO, line, std::size_t(length)) < 0) ::_exit(99);
  if (stamp != nullptr) stamp->store(now_ns(), std::memory_order_release);
  if (the_plan.death.starts_with("exit")) ::_exit(std::atoi(the_plan.death.c_str() + 4));
  const int signal = std::atoi(the_plan.death.c_str());
  ::signal(signal, SIG_DFL);  // a sanitizer would make an exit of some
  ::kill(::getpid(), signal);
  for (;;) ::pause();
}

// Once: a call may come while the victim is on its way out of the first barrier.
void die_later() {
  static bool dying = false;
  if (std::exchange(dying, true)) return;
  std::thread([] {
    ::usleep(the_plan.delay_us);
    die_now();
  }).detach();
}

// --- Places to be in when it happens
// -----------------------------------------------------------------

bool stopped() { return false; }

void on_item(std::uint64_t) {}
int answer(int x) { return x + 1; }

}  // namespace

// With co-processors they answer; calls fail at the death of their ranks all the same.
template <>
inline constexpr bool ramjet::coproc_safe<&answer> = true;
template <>
inline constexpr bool ramjet::aggregated<&on_item> = true;

namespace {

int never_answered(int x) {
  if (is_victim()) {
    die_later();
    for (;;) ::pause();  // inside the handler when it dies
  }
  return x;
}
void on_nothing(std::uint64_t) {}
void on_payload(ramjet::payload) {}
void on_hop(unsigned left) {
  if (left != 0) static_cast<void>(ramjet::chain<on_hop>(int(left) % ramjet::size(), left - 1));
}

status in_barriers() {
  for (;;)
    if (status s = ramjet::barrier(); s != status::ok) return s;
}
status in_calls() {
  if (is_victim()) return ramjet::wait_until(stopped);
  for (;;)
    if (status s = ramjet::call<answer>(the_plan.victim, 1).wait(); s != status::ok) return s;
}
status in_a_call_without_answer() {
  if (is_victim()) return ramjet::wait_until(stopped);
  return ramjet::call<never_answered>(the_plan.victim, 1).wait();
}
status in_a_send_to_a_full_ring() {
  if (is_victim())
    for (;;) ::pause();
  for (;;)
    if (status s = ramjet::request<on_nothing>(the_plan.victim, 1u); s != status::ok) return s;
}
status in_a_stream_of_items() {
  if (is_victim())
    for (;;) ::pause();
  for (;;)
    for (int to = 0; to < ramjet::size(); ++to)
      if (status s = ramjet::request<&on_item>(to, 1u); s != status::ok) return s;
}
status in_a_send_of_payloads() {
  static char data[5000];
  if (is_victim())
    for (;;) ::pause();
  for (;;)
    if (status s = ramjet::request_medium<on_payload>(the_plan.victim, data, sizeof data);
        s != status::ok)
      return s;
}
status in_collectives() {
  static std::vector<std::uint64_t> large(20'000);
  for (int root = 0;; root = (root + 1) % ramjet::size()) {
    std::uint64_t value = 1;
    status s = ramjet::all_reduce(value, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    if (s == status::ok) s = ramjet::broadcast(std::span<std::uint64_t>(large), root);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ramjet::size()));
    if (s == status::ok) s = ramjet::gather(value, all.data(), root);
    if (s != status::ok) return s;
  }
}
std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a + b; }

status in_long_collectives() {
  const auto n = std::size_t(ramjet::size());
  std::vector<std::uint64_t> large(20'000 * n), into(20'000 * n), part(20'000);
  for (int root = 0;; root = (root + 1) % ramjet::size()) {
    std::uint64_t value = 1;
    status s = ramjet::all_reduce(std::span(part), add);
    if (s == status::ok) s = ramjet::reduce(std::span(part), add, root);
    if (s == status::ok) s = ramjet::inclusive_scan(std::span(part), add);
    if (s == status::ok) s = ramjet::exclusive_scan(value, 0, add);
    if (s == status::ok) s = ramjet::all_gather(std::span(part), std::span(into));
    if (s == status::ok) s = ramjet::all_to_all(std::span(large), std::span(into));
    if (s != status::ok) return s;
  }
}
// The victim never calls: they are far fewer calls ahead of it than they make before the end.
status in_reductions_ahead_of_a_root() {
  if (is_victim()) return ramjet::wait_until(stopped);
  for (int calls = 0; calls < 10'000; ++calls) {
    std::uint64_t value = 1;
    if (status s = ramjet::reduce(value, add, the_plan.victim); s != status::ok) return s;
  }
  return status::ok;
}
// Teams of which some have no dead member, made and used over and over.
status in_teams() {
  for (int round = 0;; ++round) {
    const ramjet::team t = ramjet::team::world().split(ramjet::rank() % 2, round % 2);
    std::uint64_t value = 1;
    status s = ramjet::all_reduce(value, add, t);
    if (s == status::ok) s = ramjet::barrier_notify(t);
    if (s == status::ok) s = ramjet::barrier_notify();
    if (s == status::ok) s = ramjet::broadcast(value, 0, t);
    if (s == status::ok) s = ramjet::barrier_wait();
    if (s == status::ok) s = ramjet::barrier_wait(t);
    if (s != status::ok) return s;
  }
}
status in_quiesce() {
  for (;;) {
    static_cast<void>(ramjet::chain<on_hop>((ramjet::rank() + 1) % ramjet::size(), 100u));
    if (status s = ramjet::quiesce(); s != status::ok) return s;
  }
}
// Nobody else could end them: the master, or the only rank that works.
status in_agendas(int master, unsigned threads) {
  for (;;) {
    const ramjet::agenda_options o{.granularity = 3, .concurrency = threads, .master = master};
    const status s = ramjet::run_agenda(100, o, [](std::size_t, std::size_t) { ramjet::poll(); });
    if (s != status::ok) return s;
  }
}
status in_agendas_of_a_lost_master() { return in_agendas(the_plan.victim, 2); }
status in_agendas_of_a_lost_worker() {
  return in_agendas((the_plan.victim + 1) % ramjet::size(), is_victim() ? 2 : 0);
}
status asleep() { return ramjet::wait_until(stopped); }

// The survivors have plenty to do and no message to expect from the dead.
status in_traffic_of_others() {
  if (is_victim()) return ramjet::wait_until(stopped);
  return ramjet::wait_until([] {
    for (int to = 0; to < ramjet::size(); ++to)
      if (to != the_plan.victim)
        static_cast<void>(ramjet::try_request<on_nothing>(to, std::uint64_t(to)));
    return false;
  });
}

constexpr place kPlaces[] = {{"barrier", in_barriers},
                             {"call", in_calls},
                             {"silent_call", in_a_call_without_answer},
                             {"full_ring", in_a_send_to_a_full_ring},
                             {"payloads", in_a_send_of_payloads},
                             {"items", in_a_stream_of_items},
                             {"collective", in_collectives},
                             {"long_collective", in_long_collectives},
                             {"ahead", in_reductions_ahead_of_a_root},
                             {"team", in_teams},
                             {"quiesce", in_quiesce},
                             {"agenda_master", in_agendas_of_a_lost_master},
                             {"agenda_worker", in_agendas_of_a_lost_worker},
                             {"asleep", asleep},
                             {"traffic", in_traffic_of_others}};

// --- Afterwards
// -----------------------------------------------------------------------------------

unsigned done = 0;
void on_done() { ++done; }

bool tell_what_was_seen(status s) {
  const std::uint64_t seen = now_ns();
  const ramjet::lost_rank lost = ramjet::last_failure();
  const auto offset = reinterpret_cast<std::byte*>(stamp) - ramjet::segment_begin(ramjet::rank());
  const auto* theirs = reinterpret_cast<std::atomic<std::uint64_t>*>(
      ramjet::segment_begin(the_plan.victim) + offset);
  const std::uint64_t died = theirs->load(std::memory_order_acquire);
  const double us = died == 0 ? -1 : double(std::int64_t(seen - died)) / 1000;
  std::printf("survivor %d: status %d lost %d signal %d exit %d after %.0f us\n", ramjet::rank(),
              int(s), lost.rank, lost.signal, lost.exit_status, us);
  std::fflush(stdout);
  return s == status::peer_failed && !ramjet::alive(the_plan.victim);
}

// The same wait again if it was ended by the death that is known already.
template <class Done>
bool wait_until(Done done_waiting) {
  for (int i = 0; i < 3; ++i)
    if (ramjet::wait_until(done_waiting, "afterwards") == status::ok) return true;
  return false;
}

bool talk_among_survivors() {
  const int n = ramjet::size();
  for (int to = 0; to < n; ++to) {
    if (to == the_plan.victim) {
      if (ramjet::request<on_nothing>(to, 1u) != status::peer_failed) return false;
      if (ramjet::request<&on_item>(to, 1u) != status::peer_failed) return false;
      if (ramjet::call<answer>(to, 1).wait() != status::peer_failed) return false;
      continue;
    }
    for (int i = 0; i < 100; ++i) {
      ramjet::future<int> f = ramjet::call<answer>(to, i);
      if (!wait_until([&] { return f.ready(); }) || f.get() != i + 1) return false;
      if (ramjet::chain<on_nothing>(to, 7u) != status::ok) return false;
      if (ramjet::chain<&on_item>(to, 7u) != status::ok) return false;
    }
    if (ramjet::request<on_done>(to) != status::ok) return false;
  }
  return wait_until([n] { return done == unsigned(n - 1); });
}

status stay(const std::string& where) {
  for (const place& p : kPlaces)
    if (where == p.name) return p.stay();
  for (const place& p : thread_places())
    if (where == p.name) return p.stay();
  for (const place& p : gas_places())
    if (where == p.name) return p.stay();
  std::fprintf(stderr, "rank_that_dies: there is no place '%s'\n", where.c_str());
  std::exit(2);
}

}  // namespace

int victim() { return the_plan.victim; }

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  the_plan = {argv[1], std::atoi(argv[2]), argv[3], useconds_t(std::atoi(argv[4]))};
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const bool at_start = the_plan.place == "start";
  if (at_start && is_victim()) die_later();
  ramjet::init(argc, argv);
  stamp = ramjet::segment_array<std::atomic<std::uint64_t>>(1).data();
  status s = ramjet::barrier();  // others may be in it when the victim is out of it, and dies
  if (!at_start && is_victim()) die_later();
  if (s == status::ok) s = at_start ? in_barriers() : stay(the_plan.place);
  if (!tell_what_was_seen(s)) return 3;
  if (!talk_among_survivors()) {
    std::printf("survivor %d: cannot talk to the others\n", ramjet::rank());
    return 4;
  }
  std::printf("survivor %d: talked\n", ramjet::rank());
  ramjet::finalize();
  return 0;
}
