// SPDX-License-Identifier: Apache-2.0
// User-level threads that communicate, handlers that run in threads, coroutines.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <numeric>
#include <vector>

#include "ramjet/coroutine.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"
#include "spmd.hpp"

#include "am/engine_cold.hpp"

namespace {

namespace ult = ramjet::ult;
using word = std::uint64_t;
using namespace std::chrono_literals;

word next_of(word x) { return x + 1; }
word sleepy_double(word x) {
  ult::this_thread::sleep_for(1ms);
  return 2 * x;
}
// Goes round all ranks; each hop waits for the next in a thread of its own.
word hops(word left) {
  if (left == 0) return 0;
  return ramjet::spawn_call<hops>(spmd::right(), left - 1).get() + 1;
}
word visits;
void visit() { ++visits; }

word answered, sum_of_answers;
void on_answer(ramjet::reply_token, word value) {
  ++answered;
  sum_of_answers += value;
}
void on_question(ramjet::thread_token t, word value) {
  const word other = ramjet::call<next_of>(t.source(), value).get();
  EXPECT_OK(ramjet::reply<on_answer>(std::move(t), other * 2));
}

word bytes_right, echoes;
void on_echo(ramjet::reply_token, word key, ramjet::payload p) {
  bytes_right += spmd::first_wrong(p.data(), p.size(), key) == p.size();
  ++echoes;
}
void on_payload(ramjet::thread_token t, word key, ramjet::payload p) {
  ult::this_thread::yield();  // the message is gone by now
  const std::vector<std::byte> copy(p.bytes, p.bytes + p.count);
  EXPECT_OK(ramjet::reply_medium<on_echo>(std::move(t), copy.data(), copy.size(), key));
}

ramjet::task<word> add_two(int to, word x) {
  const word once = co_await ramjet::call<next_of>(to, x);
  co_return co_await ramjet::call<next_of>(to, once);
}
ramjet::task<word> add_four(int to, word x) {
  co_return co_await add_two(to, co_await add_two(to, x));
}
ramjet::task<> fails(int to) {
  static_cast<void>(co_await ramjet::call<next_of>(to, 1u));
  throw 7;
}

word told, heard;
void tell(ramjet::request_token) { ++told; }
void on_heard(ramjet::reply_token) { ++heard; }
void tell_and_reply(ramjet::request_token t) {
  ++told;
  ramjet::reply<on_heard>(std::move(t));
}

}  // namespace

SPMD_CASE(user_threads, calls_block_only_their_thread) {
  const std::size_t threads = 64, each = spmd::scaled(200);
  std::vector<ult::thread<word>> callers;
  for (std::size_t i = 0; i < threads; ++i)
    callers.push_back(ult::spawn([=] {
      word right = 0;
      for (std::size_t k = 0; k < each; ++k) {
        const int to = int((i + k) % std::size_t(spmd::size()));
        right += ramjet::call<next_of>(to, word(k)).get() == k + 1;
      }
      return right;
    }));
  for (const auto& t : callers) EXPECT_EQUAL(t.join(), each);
}

SPMD_CASE(user_threads, a_call_runs_in_a_thread_there) {
  EXPECT_EQUAL(ramjet::spawn_call<sleepy_double>(spmd::right(), 21u).get(), 42u);
  ramjet::spawn_call<visit>(spmd::right()).get();
  EXPECT_OK(ramjet::barrier());
  EXPECT_EQUAL(visits, 1u);
  EXPECT_OK(ramjet::barrier());
  visits = 0;
  EXPECT_EQUAL(ramjet::spawn_call<hops>(spmd::right(), 10u).get(), 10u);
  std::vector<ramjet::future<word>> many;
  for (word i = 0; i < 50; ++i) many.push_back(ramjet::spawn_call<sleepy_double>(spmd::right(), i));
  for (word i = 0; i < 50; ++i) EXPECT_EQUAL(many[i].get(), 2 * i);
}

SPMD_CASE(user_threads, handlers_in_threads_block_and_reply_later) {
  answered = sum_of_answers = 0;
  const word count = spmd::scaled(100);
  for (word i = 0; i < count; ++i) EXPECT_OK(ramjet::spawn_request<on_question>(spmd::right(), i));
  ult::wait_until(ult::value(answered) == count);
  EXPECT_EQUAL(sum_of_answers, count * (count - 1) + 2 * count);
}

SPMD_CASE(user_threads, payloads_stay_for_the_thread) {
  bytes_right = echoes = 0;
  std::vector<std::uint8_t> data(5000);
  const std::size_t sizes[] = {0, 1, 56, 57, 1000, 5000};
  for (const std::size_t n : sizes) {
    spmd::fill(data.data(), n, n);
    EXPECT_OK(ramjet::spawn_request_medium<on_payload>(spmd::right(), data.data(), n, word(n)));
    std::fill(data.begin(), data.end(), std::uint8_t{0});
  }
  ult::wait_until(ult::value(echoes) == std::size(sizes));
  EXPECT_EQUAL(bytes_right, std::size(sizes));
}

SPMD_CASE(user_threads, quiesce_waits_for_threads_of_messages) {
  answered = 0;
  for (word i = 0; i < 10; ++i) EXPECT_OK(ramjet::spawn_request<on_question>(spmd::right(), i));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(answered, 10u);
}

SPMD_CASE(user_threads, barriers_and_waits_give_way) {
  word turns = 0;
  bool over = false;
  auto other = ult::spawn([&] {
    for (; !over; ++turns) ult::this_thread::yield();
  });
  for (int i = 0; i < 20; ++i) EXPECT_OK(ramjet::barrier());
  EXPECT(turns != 0 || spmd::size() == 1);  // a rank alone has nobody to wait for
  const word before = turns;
  for (int i = 0; i < 1000 && turns == before; ++i)  // a crowded rank may get no time in one
    EXPECT(ramjet::wait_for(5, [] { return false; }) == ramjet::status::timed_out);
  EXPECT(turns > before);
  over = true;
  other.join();
}

// Of two threads, each in a barrier of a team of its own, the one that began first ends first. The
// last rank sees to that.
SPMD_CASE(user_threads, collectives_of_two_teams_overlap) {
  told = 0;
  const ramjet::team one = ramjet::team::world().split(0, spmd::rank());
  const ramjet::team other = ramjet::team::world().split(0, spmd::rank());
  const int last = spmd::size() - 1;
  const word others = word(last);
  EXPECT_OK(ramjet::barrier());
  if (spmd::rank() == last) {
    EXPECT_OK(ramjet::wait_until([&] { return told == others; }));
    EXPECT_OK(ramjet::barrier(one));
    EXPECT_OK(ramjet::wait_until([&] { return told == 2 * others; }));
    EXPECT_OK(ramjet::barrier(other));
  } else {
    bool begun = false;
    const ult::attributes here{.worker = int(ult::this_thread::worker())};
    auto first = ult::spawn(here, [&] {
      begun = true;
      EXPECT_OK(ramjet::barrier(one));
      EXPECT_OK(ramjet::request<tell>(last));
    });
    auto second = ult::spawn(here, [&] {
      ult::wait_until(ult::value(begun) == true);
      EXPECT_OK(ramjet::request<tell>(last));
      EXPECT_OK(ramjet::barrier(other));
    });
    first.join();
    second.join();
  }
  EXPECT(ramjet::detail::current_engine->parts().collectives.name == nullptr);
  EXPECT_OK(ramjet::barrier());
}

SPMD_CASE(user_threads, a_message_and_a_future_are_conditions) {
  told = heard = 0;
  EXPECT_OK(ramjet::barrier());
  const auto news = ramjet::arrival();
  EXPECT_OK(ramjet::request<tell_and_reply>(spmd::right()));
  ult::wait_until(news);  // for the reply, at least: the left neighbour may have told before
  ramjet::future<word> f = ramjet::spawn_call<sleepy_double>(spmd::right(), 3u);
  const std::size_t first = ult::wait_any(ult::after(20s), ramjet::ended(f));
  EXPECT_EQUAL(first, 1u);
  EXPECT_EQUAL(f.get(), 6u);
  EXPECT_OK(ramjet::wait_until([] { return told == 1 && heard == 1; }));
}

// However it was found: the poll before a rank falls asleep may be the one that finds the message.
SPMD_CASE(user_threads, each_arrival_counts) {
  told = heard = 0;
  EXPECT_OK(ramjet::barrier());
  const word rounds = word(spmd::scaled(2000));
  for (word i = 0; i < rounds; ++i) {
    if (spmd::rank() % 2 == 0) ::usleep(useconds_t(i % 200));
    const auto news = ramjet::arrival();
    EXPECT_OK(ramjet::request<tell_and_reply>(spmd::right()));
    if (heard <= i) ult::wait_until(news);
    EXPECT_OK(ramjet::wait_until([&] { return heard > i; }));
  }
  EXPECT_OK(ramjet::wait_until([&] { return told == rounds; }));
}

SPMD_CASE(user_threads, coroutines_await_futures) {
  EXPECT_EQUAL(add_two(spmd::right(), 5).get(), 7u);
  EXPECT_EQUAL(add_four(spmd::right(), 5).get(), 9u);
  std::vector<ramjet::task<word>> many;
  for (word i = 0; i < 100; ++i) many.push_back(add_four(int(i) % spmd::size(), i));
  for (word i = 0; i < 100; ++i) EXPECT_EQUAL(many[i].get(), i + 4);
  int caught = 0;
  try {
    fails(spmd::right()).get();
  } catch (int what) {
    caught = what;
  }
  EXPECT_EQUAL(caught, 7);
}

namespace {
ramjet::task<word> double_slowly(int to) {
  co_return co_await ramjet::spawn_call<sleepy_double>(to, 1u);
}
}  // namespace

// A thread that is cancelled at the end of a task's scope waits for the coroutine all the same.
SPMD_CASE(user_threads, a_coroutine_ends_before_its_task_does) {
  bool begun = false, over = false;
  auto t = ult::spawn([&] {
    {
      const auto doubled = double_slowly(spmd::right());
      begun = true;
    }
    over = true;
    ult::this_thread::check_cancelled();
  });
  ult::wait_until([&] { return begun; });
  t.cancel();
  bool cancelled = false;
  try {
    t.join();
  } catch (const ult::cancelled&) {
    cancelled = true;
  }
  EXPECT(over && cancelled);
}

SPMD_CASE(user_threads, requests_without_room_let_others_go_on) {
  told = 0;
  EXPECT_OK(ramjet::barrier());
  const std::size_t threads = 4, each = spmd::scaled(20'000);
  std::vector<ult::thread<>> senders;
  for (std::size_t i = 0; i < threads; ++i)
    senders.push_back(ult::spawn([=] {
      for (std::size_t k = 0; k < each; ++k) EXPECT_OK(ramjet::request<tell>(spmd::right()));
    }));
  for (const auto& t : senders) t.join();
  EXPECT_OK(ramjet::wait_until([&] { return told == threads * each; }));
}
