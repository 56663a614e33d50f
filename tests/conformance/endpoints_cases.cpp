// SPDX-License-Identifier: Apache-2.0
// Endpoints: several threads of a rank that communicate by themselves. Run with --endpoints=2 to 4.
//
// Threads: every worker has an endpoint; what its handlers touch is thread_local.
#include <atomic>
#include <thread>
#include <vector>

#include "spmd.hpp"

#include "am/collectives/ahead.hpp"

namespace {

using word = std::uint64_t;
using ramjet::address;

struct worker_state {
  unsigned index = 0;
  word asked = 0, answered = 0;
  word crossed = 0;
  std::vector<unsigned> next;  // by source port
};
thread_local worker_state mine;

unsigned endpoints() { return spmd::given.endpoints; }

void on_answer(ramjet::reply_token t, unsigned from) {
  EXPECT_EQUAL(from, t.source().endpoint);
  ++mine.answered;
}
void on_ask(ramjet::request_token t, unsigned to, unsigned from) {
  EXPECT_EQUAL(to, mine.index);  // the handler runs on the thread that owns the endpoint
  EXPECT_EQUAL(from, t.source().endpoint);
  ++mine.asked;
  ramjet::reply<on_answer>(std::move(t), mine.index);
}

// Among the endpoints of one index: messages, collectives, quiesce, as if they were alone.
void talk_along_one_index(unsigned index) {
  const auto n = unsigned(spmd::size());
  const auto count = unsigned(spmd::scaled(5000, 50));
  for (unsigned i = 0; i < count; ++i)
    EXPECT_OK(ramjet::request<on_ask>({int(i % n), index}, index, index));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(mine.answered, count);
  word all = mine.asked;
  EXPECT_OK(ramjet::all_reduce(all, [](word a, word b) { return a + b; }));
  EXPECT_EQUAL(all, word{count} * n);
  for (unsigned round = 0; round < 20; ++round) {
    word value = unsigned(spmd::rank()) == round % n ? index * 1000 + round : 0;
    EXPECT_OK(ramjet::broadcast(value, int(round % n)));
    EXPECT_EQUAL(value, index * 1000 + round);
    EXPECT_OK(ramjet::barrier());
  }
}

void on_cross(ramjet::request_token t, unsigned i, unsigned to) {
  EXPECT_EQUAL(to, mine.index);
  unsigned& next = mine.next[unsigned(t.rank()) * endpoints() + t.source().endpoint];
  EXPECT_EQUAL(i, next);
  ++next;
  ++mine.crossed;
}

// From every endpoint to every endpoint of every rank.
void talk_across() {
  const auto n = unsigned(spmd::size());
  const auto count = unsigned(spmd::scaled(3000, 20));
  for (unsigned i = 0; i < count; ++i)
    for (unsigned r = 0; r < n; ++r)
      for (unsigned e = 0; e < endpoints(); ++e)
        EXPECT_OK(ramjet::request<on_cross>({int(r), e}, i, e));
  const word expected = word{count} * n * endpoints();
  EXPECT_OK(ramjet::wait_until([=] { return mine.crossed == expected; }));
  // What went to other indices is none of this round's: it must not keep quiesce from ending.
  EXPECT_OK(ramjet::quiesce());
}

// What rank 0 has taken it tells endpoints that are closed by then.
void close_ahead_of_rank_0() {
  const std::size_t in_a_half =
      ramjet::detail::half_bytes(spmd::size()) / ramjet::detail::cost_of_message(sizeof(word));
  const spmd::stopwatch since;
  while (spmd::rank() == 0 && since.ms() < 30) ramjet::poll();
  for (word i = 0; i < in_a_half + 5; ++i) {
    word value = i;
    EXPECT_OK(ramjet::reduce(value, [](word a, word b) { return a + b; }));
    if (spmd::rank() == 0) EXPECT_EQUAL(value, i * unsigned(spmd::size()));
  }
}

std::atomic<unsigned> done{0};

void work(unsigned index) {
  mine = {};
  mine.index = index;
  mine.next.assign(std::size_t(spmd::size()) * endpoints(), 0);
  EXPECT_OK(ramjet::barrier());
  talk_along_one_index(index);
  talk_across();
  EXPECT_OK(ramjet::barrier());
  done.fetch_add(1);
}

}  // namespace

SPMD_CASE(endpoints, talk_along_and_across) {
  std::vector<std::thread> threads;
  for (unsigned e = 1; e < endpoints(); ++e) {
    threads.emplace_back([e] {
      ramjet::endpoint own(e);
      EXPECT_EQUAL(own.index(), e);
      work(e);
      close_ahead_of_rank_0();
    });
  }
  work(0);
  EXPECT_OK(ramjet::wait_until([] { return done == endpoints(); }));
  for (std::thread& t : threads) t.join();
}

SPMD_CASE(endpoints, outside_the_asked_number_are_refused) {
  EXPECT(ramjet::try_request<on_cross>({0, endpoints()}, 0u, 0u) == ramjet::status::bad_rank);
  // A thread without an endpoint can send nothing.
  std::thread([] {
    EXPECT(ramjet::try_request<on_cross>(0, 0u, 0u) == ramjet::status::bad_rank);
  }).join();
}
