// SPDX-License-Identifier: Apache-2.0
// Handlers that are safe at a co-processor. Each promise holds with co-processors and without;
// what only they give (an answer from a rank that does not poll) is asked for only there.
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "job/join.hpp"
#include "ramjet/ult.hpp"
#include "spmd.hpp"

namespace {

using spmd::rank;
using spmd::right;
using spmd::scaled;
using spmd::size;

bool has_coprocessor() { return ramjet::detail::current_engine->coprocessor() != 0; }

// What handlers write; the main program reads.
struct {
  std::atomic<std::uint64_t> count = 0;
  std::atomic<bool> begun = false, released = false;
  std::atomic<bool> wrong = false;
} seen;
std::atomic<std::thread::id> main_thread;  // main: with every case; read by handlers
std::atomic<std::uint64_t> table[64];

bool is_where_safe_handlers_run() {
  const bool in_main = std::this_thread::get_id() == main_thread;
  return in_main != has_coprocessor();
}

std::uint64_t read_table(std::uint32_t at) {
  if (!is_where_safe_handlers_run()) seen.wrong = true;
  return table[at].load(std::memory_order_relaxed);
}

void on_begin() { seen.begun = true; }
void on_release() { seen.released = true; }

std::uint64_t answers = 0;  // the main program's alone
void on_answer(ramjet::reply_token, std::uint64_t value) {
  if (std::this_thread::get_id() != main_thread) seen.wrong = true;
  answers += value;
}
void on_ask(ramjet::request_token t, std::uint64_t value) {
  if (t.source().endpoint != 0 || t.rank() != t.source().rank) seen.wrong = true;
  ramjet::reply<on_answer>(std::move(t), value + 1);
}

// At the main program, whoever sends it.
std::uint64_t plain_count = 0;
void on_plain(ramjet::request_token t) {
  if (std::this_thread::get_id() != main_thread || t.source().endpoint != 0) seen.wrong = true;
  ++plain_count;
}
// Goes on to the next rank until there are no hops left; each stop tells the main program there.
void on_hop(ramjet::request_token t, std::uint32_t hops) {
  if (!is_where_safe_handlers_run()) seen.wrong = true;
  seen.count.fetch_add(1, std::memory_order_relaxed);
  ramjet::chain<on_plain>(t.source());
  if (hops != 0) ramjet::chain<on_hop>(right(), hops - 1);
}

void on_bytes(ramjet::request_token, std::uint64_t key, ramjet::payload p) {
  if (spmd::first_wrong(p.data(), p.size(), key) != p.size()) seen.wrong = true;
  seen.count.fetch_add(1, std::memory_order_relaxed);
}
void on_row(ramjet::request_token, std::uint64_t key, ramjet::deposit d) {
  if (spmd::first_wrong(d.data(), d.size(), key) != d.size()) seen.wrong = true;
  seen.count.fetch_add(1, std::memory_order_relaxed);
}
void on_in_order(ramjet::request_token t, std::uint64_t number) {
  // One writer of each sender's slot at a time: handlers of one sender run one after the other.
  std::atomic<std::uint64_t>& last = table[unsigned(t.rank()) % 64];
  if (size() <= 64 && last.load(std::memory_order_relaxed) + 1 != number) seen.wrong = true;
  last.store(number, std::memory_order_relaxed);
  seen.count.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t sum_over_ranks(std::uint64_t value) {
  EXPECT_OK(ramjet::all_reduce(value, std::plus<>()));
  return value;
}

namespace ult = ramjet::ult;

// Objects on which handlers make the main program's threads ready.
ult::semaphore given(0);
ult::latch* counted = nullptr;
void on_give() { given.release(); }
void on_count() { counted->count_down(); }

void start_case() {
  main_thread = std::this_thread::get_id();
  seen.count = 0;
  seen.begun = seen.released = seen.wrong = false;
  answers = plain_count = 0;
  for (auto& word : table) word = 0;
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

template <>
inline constexpr bool ramjet::coproc_safe<&read_table> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_begin> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_release> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_ask> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_hop> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_bytes> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_row> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_in_order> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_give> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&on_count> = true;

// Once the reader has begun, the owner does not poll until it has been read from and told so:
// without a co-processor this would never end, so there it polls.
SPMD_CASE(coproc, a_busy_owner_answers) {
  for (int round = 0; round < int(scaled(100, 3)); ++round) {
    start_case();
    for (std::uint32_t i = 0; i < 64; ++i) table[i] = std::uint64_t(rank()) * 1000 + i;
    EXPECT_OK(ramjet::barrier());
    const int owner = round % size(), reader = (owner + 1) % size();
    if (rank() == reader) {
      EXPECT_OK(ramjet::request<on_begin>(owner));
      for (std::uint32_t i = 0; i < 64; ++i)
        EXPECT_EQUAL(ramjet::call<read_table>(owner, i).get(), std::uint64_t(owner) * 1000 + i);
      EXPECT_OK(ramjet::request<on_release>(owner));
    }
    if (rank() == owner) {
      while (!seen.begun) ramjet::poll();
      while (!seen.released)
        if (!has_coprocessor()) ramjet::poll();
    }
    EXPECT(!seen.wrong);
  }
}

SPMD_CASE(coproc, replies_run_at_the_requester) {
  start_case();
  const std::uint64_t count = scaled(3000);
  for (std::uint64_t i = 0; i < count; ++i) {
    EXPECT_OK(ramjet::request<on_ask>(int(i % std::uint64_t(size())), i));
    if (i % 7 == 0) EXPECT_OK(ramjet::chain<on_ask>(right(), i));
  }
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < count; ++i) expected += (i + 1) * (i % 7 == 0 ? 2 : 1);
  EXPECT_OK(ramjet::wait_until([&] { return answers == expected; }));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(answers, expected);
  EXPECT(!seen.wrong);
}

// Chains from co-processor to co-processor, and to the main program: quiesce waits for both.
SPMD_CASE(coproc, quiesce_sees_what_co_processors_chain) {
  for (int round = 0; round < int(scaled(60, 2)); ++round) {
    start_case();
    const auto hops = std::uint32_t(3 * size() + round % 5);
    EXPECT_OK(ramjet::request<on_hop>(right(), hops));
    EXPECT_OK(ramjet::quiesce());
    const auto all = std::uint64_t(size()) * (hops + 1);
    EXPECT_EQUAL(sum_over_ranks(seen.count), all);
    EXPECT_EQUAL(sum_over_ranks(plain_count), all);
    EXPECT(!seen.wrong);
  }
}

SPMD_CASE(coproc, payloads_and_deposits) {
  start_case();
  const std::size_t count = scaled(400, 8);
  constexpr std::size_t kMost = 20'000;
  std::vector<std::byte> bytes(kMost);
  std::byte* const own = ramjet::segment_array<std::byte>(kMost).data();
  std::vector<std::byte*> rooms(static_cast<std::size_t>(size()));
  EXPECT_OK(ramjet::all_gather(own, rooms.data()));
  std::byte* const room = rooms[std::size_t(right())];
  std::uint64_t sent = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = i * 577 % kMost;
    spmd::fill(bytes.data(), length, i);
    EXPECT_OK(ramjet::request_medium<on_bytes>(right(), bytes.data(), length, std::uint64_t(i)));
    ++sent;
    if (ramjet::try_request_medium<on_bytes>(right(), bytes.data(), length, std::uint64_t(i)) ==
        ramjet::status::ok)
      ++sent;
    if (i % 16 != 0) continue;  // one row is there at a time
    EXPECT_OK(ramjet::quiesce());
    EXPECT_OK(ramjet::request_long<on_row>(right(), room, bytes.data(), length, std::uint64_t(i)));
    ++sent;
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(sum_over_ranks(seen.count), sum_over_ranks(sent));
  EXPECT(!seen.wrong);
  ramjet::segment_free(own);
}

// Both kinds in turn to everyone, while everyone polls or does not.
SPMD_CASE(coproc, each_kind_keeps_its_order) {
  start_case();
  const std::uint64_t count = scaled(5000);
  for (std::uint64_t i = 1; i <= count; ++i) {
    for (int r = 0; r < size(); ++r) {
      EXPECT_OK(ramjet::request<on_in_order>(r, i));
      EXPECT_OK(ramjet::request<on_plain>(r));
    }
    if (i % 64 == 0) ramjet::poll();
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(seen.count.load(), count * std::uint64_t(size()));
  EXPECT_EQUAL(plain_count, count * std::uint64_t(size()));
  EXPECT(!seen.wrong);
}

// It sleeps: it takes less than a hundredth of a processor. A channel that pumps has no sleepers.
SPMD_CASE(coproc, an_idle_one_costs_nothing) {
  start_case();
  const auto cpu_ns = [] {
    timespec t;
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000L + t.tv_nsec;
  };
  if (ramjet::job::self().settings.channel != "shm" || !ramjet::job::self().barrier_ok)
    return spmd::skip("the co-processor pumps this channel, or cannot sleep here");
  EXPECT_OK(ramjet::quiesce());
  const auto used_ns = [&cpu_ns](unsigned in_us) {
    const long before_ns = cpu_ns();
    ::usleep(in_us);
    return cpu_ns() - before_ns;
  };
  // It falls asleep once all have left quiesce, which on a crowded machine may take long. What the
  // host takes away counts as used, so that a second of that kind says nothing.
  const spmd::stopwatch waited;
  while (used_ns(1'000'000) > 10'000'000) EXPECT_BELOW(waited.undisturbed(), 30'000.0);
}

// They make user-level threads ready, while threads of the only worker use the same objects. A unit
// goes to the thread that has waited longest, whoever gave it: `lends` may wait until a message
// comes, and sends none itself.
SPMD_CASE(coproc, makes_threads_ready) {
  const int count = int(scaled(20'000));
  ult::latch all(count);
  counted = &all;
  start_case();
  auto takes = ult::spawn([count] {
    for (int i = 0; i < count; ++i) given.acquire_uncancellable();
  });
  auto lends = ult::spawn([count] {
    for (int i = 0; i < 50 * count; ++i) {
      given.release();
      given.acquire_uncancellable();
      if (i % 50 == 0) ult::this_thread::yield();
    }
  });
  for (int i = 0; i < count; ++i) {
    EXPECT_OK(ramjet::request<on_give>(right()));
    EXPECT_OK(ramjet::request<on_count>(right()));
    ult::this_thread::yield();
  }
  takes.join();
  lends.join();
  all.wait();
  EXPECT_OK(ramjet::barrier());  // before `all` is gone
}

// The program's endpoints are those that it asked for: the co-processor's is none of them.
SPMD_CASE(coproc, its_endpoint_is_hidden) {
  start_case();
  EXPECT(ramjet::try_request<on_ask>({right(), spmd::given.endpoints}, std::uint64_t{1}) ==
         ramjet::status::bad_rank);
}
