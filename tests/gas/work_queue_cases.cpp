// SPDX-License-Identifier: Apache-2.0
// Work queues: every item is delivered once, refusals leave no trace, and the end is told when
// there is no work left, not before.
#include <algorithm>
#include <vector>

#include <sched.h>

#include "job/join.hpp"
#include "spmd.hpp"

namespace {

using ramjet::status;
using ramjet::work_queue;

// More than a word, so that a torn or stale item shows.
struct letter {
  std::int32_t from;
  std::uint32_t number;
  std::uint8_t text[20];

  static letter make(int from, std::uint32_t number) {
    letter l{from, number, {}};
    spmd::fill(l.text, sizeof l.text, number * 64 + std::uint64_t(from));
    return l;
  }
  bool is_whole() const {
    return spmd::first_wrong(text, sizeof text, number * 64 + std::uint64_t(from)) == sizeof text;
  }
};

std::uint64_t sum(std::uint64_t mine) {
  EXPECT_OK(ramjet::all_reduce(mine, [](std::uint64_t a, std::uint64_t b) { return a + b; }));
  return mine;
}

// Takes until the end, and counts; body(item) may push.
template <class T, class Body>
std::uint64_t work(const work_queue<T>& queue, Body&& body) {
  std::uint64_t taken = 0;
  std::optional<T> item;
  for (;;) {
    EXPECT_OK(queue.next(item));
    if (!item) return taken;
    ++taken;
    body(*item);
  }
}

}  // namespace

SPMD_CASE(work_queue, full_and_empty_are_values) {
  for (const std::size_t capacity : {1, 2, 3, 5, 64}) {
    auto queue = work_queue<std::uint64_t>::all_make(capacity);
    EXPECT(queue);
    EXPECT(queue.capacity() >= capacity && queue.capacity() < 2 * capacity);
    for (std::uint64_t lap = 0; lap < 5; ++lap) {
      EXPECT(!queue.try_pop());
      for (std::size_t i = 0; i < queue.capacity(); ++i)
        EXPECT_OK(queue.try_push(spmd::rank(), lap * 1000 + i));
      EXPECT(queue.try_push(spmd::rank(), 1) == status::retry);
      EXPECT_EQUAL(queue.count(spmd::rank()), queue.capacity());
      for (std::size_t i = 0; i < queue.capacity(); ++i) {
        const auto item = queue.try_pop();
        EXPECT(item && *item == lap * 1000 + i);
        queue.finish();
      }
      EXPECT_EQUAL(queue.count(spmd::rank()), 0u);
    }
    EXPECT_OK(ramjet::barrier());  // who works on takes from others
    EXPECT_EQUAL(work(queue, [](std::uint64_t) {}), 0u);
    queue.all_free();
    EXPECT(!queue);
  }
}

// All push to rank 0 through a ring that is far too small, round and round. What each rank pushed
// comes in its order, whole.
SPMD_CASE(work_queue, many_producers_round_a_small_ring) {
  const auto each = std::uint32_t(spmd::scaled(3000, 40));
  for (const std::size_t capacity : {1, 4}) {
    auto queue = work_queue<letter>::all_make(capacity);
    if (spmd::rank() != 0) {
      for (std::uint32_t i = 0; i < each; ++i)
        EXPECT_OK(queue.push(0, letter::make(spmd::rank(), i)));
    } else {
      const auto ranks = std::size_t(spmd::size());
      std::vector<std::uint32_t> numbers(ranks);
      for (std::uint32_t i = 0; i < each * unsigned(spmd::size() - 1); ++i) {
        std::optional<letter> got;
        EXPECT_OK(queue.next(got));
        EXPECT(got && got->is_whole());
        EXPECT_EQUAL(got->number, numbers[std::size_t(got->from)]++);
      }
    }
    EXPECT_OK(ramjet::barrier());
    EXPECT_EQUAL(work(queue, [](const letter&) {}), 0u);
    queue.all_free();
  }
}

// Thieves race with the owner and with other thieves: every item once.
SPMD_CASE(work_queue, thieves_get_every_item_once) {
  const auto each = std::uint32_t(spmd::scaled(2000, 30));
  const auto all = std::size_t(each) * std::size_t(spmd::size());
  auto queue = work_queue<letter>::all_make(16);
  std::vector<std::uint8_t> seen(all);
  std::uint64_t taken = 0;
  spmd::random random(spmd::given.seed * 1000 + std::uint64_t(spmd::rank()));
  const auto take = [&] {
    const auto got = queue.try_take(int(random.below(std::uint64_t(spmd::size()))));
    if (!got) return;
    EXPECT(got->is_whole());
    EXPECT_EQUAL(seen[got->number]++, 0);
    ++taken;
    queue.finish();
  };
  for (std::uint32_t i = 0; i < each; ++i) {
    const auto number = std::uint32_t(spmd::rank()) * each + i;
    const int to = int(random.below(std::uint64_t(spmd::size())));
    while (queue.try_push(to, letter::make(spmd::rank(), number)) == status::retry) take();
    if (random.below(2) == 0) take();
  }
  taken += work(queue, [&](const letter& l) {
    EXPECT(l.is_whole());
    EXPECT_EQUAL(seen[l.number]++, 0);
  });
  EXPECT_EQUAL(sum(taken), all);
  EXPECT_OK(ramjet::all_reduce(std::span<std::uint8_t>(seen),
                               [](std::uint8_t a, std::uint8_t b) { return std::uint8_t(a + b); }));
  EXPECT_EQUAL(std::size_t(std::ranges::count(seen, 1)), all);
  queue.all_free();
}

// Rank 0 keeps all work in its own queue and does none of it.
SPMD_CASE(work_queue, the_idle_take_from_the_busy) {
  const auto count = std::uint32_t(spmd::scaled(500, 20));
  auto queue = work_queue<std::uint32_t>::all_make(count);
  std::uint64_t done = 0;
  if (spmd::rank() == 0) {
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_OK(queue.push(0, i));
    if (spmd::size() > 1)
      EXPECT_OK(ramjet::wait_until([&] { return queue.count(0) == 0; }, "until all is stolen"));
  }
  done += work(queue, [](std::uint32_t) {});
  if (spmd::rank() == 0 && spmd::size() > 1) EXPECT_EQUAL(done, 0u);
  EXPECT_EQUAL(sum(done), count);
  queue.all_free();
}

// A rank takes half of a queue of another node at once, at most 16 items, and so round the end of
// the ring; of a queue near to it one. The rest of what it took is in its own queue, for anybody.
SPMD_CASE(work_queue, far_queues_are_halved) {
  auto queue = work_queue<letter>::all_make(64);
  const int thief = spmd::size() - 1;
  const bool far = !ramjet::detail::space.is_near(spmd::rank() == 0 ? unsigned(thief) : 0);
  const auto in_queue = [&](int of) { return queue.count(of); };
  std::uint32_t pushed = 0, taken = 0;
  std::optional<letter> item;
  for (const std::uint32_t count : {1u, 2u, 7u, 60u, 64u}) {
    if (spmd::rank() == 0)
      while (in_queue(0) < count) EXPECT_OK(queue.push(0, letter::make(0, pushed++)));
    EXPECT_OK(ramjet::barrier());
    if (thief != 0 && spmd::rank() == thief) {
      while (in_queue(0) != 0) {
        const std::size_t there = in_queue(0), room_to_end = 64 - taken % 64;
        const std::size_t due = far ? std::min({(there + 1) / 2, std::size_t{16}, room_to_end}) : 1;
        EXPECT_OK(queue.next(item));
        EXPECT(item && item->is_whole());
        EXPECT_EQUAL(item->number, taken);
        EXPECT_EQUAL(in_queue(0), there - due);
        EXPECT_EQUAL(in_queue(thief), due - 1);
        for (++taken; in_queue(thief) != 0; ++taken) {
          EXPECT_OK(queue.next(item));
          EXPECT(item && item->is_whole() && item->number == taken);
        }
      }
    }
    EXPECT_OK(ramjet::barrier());
  }
  work(queue, [](const letter&) {});
  queue.all_free();
}

// What is stolen stays whole where the thief's own queue has no room for it.
SPMD_CASE(work_queue, stolen_items_find_no_room) {
  const auto rounds = std::uint32_t(spmd::scaled(200, 10));
  auto queue = work_queue<letter>::all_make(32);
  std::uint32_t made = 0;
  std::uint64_t done = work(queue, [](const letter&) {});
  EXPECT_EQUAL(done, 0u);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    EXPECT_OK(queue.all_restart());
    const std::uint32_t before = made;
    const int to = int(round % unsigned(spmd::size()));
    for (unsigned i = 0; i < 40; ++i) {  // several push to one queue, and steal from it at once
      if (queue.try_push(to, letter::make(spmd::rank(), made)) == status::ok) ++made;
      if (queue.try_push(spmd::rank(), letter::make(spmd::rank(), made)) == status::ok) ++made;
    }
    done = work(queue, [&](const letter& l) { EXPECT(l.is_whole()); });
    EXPECT_EQUAL(sum(done), sum(made - before));
  }
  queue.all_free();
}

// Rank 0 computes and never polls until all its work is stolen: by ranks of its node by shared
// memory, by those of other nodes where a thread of the library serves them. On a channel that
// delays messages the owner polls: the others may still wait for a message of the barrier in
// all_make.
SPMD_CASE(work_queue, an_owner_that_computes_is_stolen_from) {
  const auto count = std::uint32_t(spmd::scaled(200, 40));
  auto queue = work_queue<letter>::all_make(count);
  const ramjet::base::settings& s = ramjet::job::self().settings;
  const bool by_thread = ramjet::job::self().nodes > 1 && !s.by_handlers && !s.all_far;
  const bool served = ((ramjet::detail::space.all_near() || by_thread) && s.channel == "shm") ||
                      ramjet::detail::current_engine->coprocessor() != 0;
  std::uint64_t done = 0;
  if (spmd::rank() == 0) {
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_OK(queue.push(0, letter::make(0, i)));
    if (spmd::size() > 1 && served)
      while (queue.count(0) != 0) sched_yield();  // reads of its own memory serve nobody
  }
  done += work(queue, [](const letter& l) { EXPECT(l.is_whole()); });
  if (spmd::rank() == 0 && spmd::size() > 1 && served) EXPECT_EQUAL(done, 0u);
  EXPECT_EQUAL(sum(done), count);
  queue.all_free();
}

// A tree of work whose shape its items decide, over small queues: where there is no room, the work
// is done on the spot. The end comes after the last leaf.
SPMD_CASE(work_queue, work_that_makes_work_is_all_done) {
  struct node {
    std::uint64_t key;
    std::uint32_t depth;
  };
  const auto children = [](const node& n) { return n.depth == 0 ? 0u : unsigned(n.key >> 40) % 4; };
  const auto child = [](const node& n, unsigned i) {
    return node{spmd::random(n.key + i + 1).next(), n.depth - 1};
  };
  const auto depth = std::uint32_t(spmd::scaled(12, 5));
  auto queue = work_queue<node>::all_make(8);
  spmd::random random(spmd::given.seed * 77 + std::uint64_t(spmd::rank()));
  for (std::uint64_t round = 0; round < 3; ++round) {
    std::uint64_t visited = 0, expected = 0;
    const node root{spmd::random(spmd::given.seed + round).next() | std::uint64_t{3} << 40, depth};
    const auto count_all = [&](const auto& self, const node& n) -> void {
      ++expected;
      for (unsigned i = 0; i < children(n); ++i) self(self, child(n, i));
    };
    count_all(count_all, root);
    const auto visit = [&](const auto& self, const node& n) -> void {
      ++visited;
      for (unsigned i = 0; i < children(n); ++i) {
        const int to = int(random.below(std::uint64_t(spmd::size())));
        if (queue.try_push(to, child(n, i)) == status::retry) self(self, child(n, i));
      }
    };
    if (spmd::rank() == spmd::size() - 1) EXPECT_OK(queue.push(0, root));
    work(queue, [&](const node& n) { visit(visit, n); });
    EXPECT_EQUAL(sum(visited), expected);
    std::optional<node> none;
    EXPECT_OK(queue.next(none));  // as often as one likes
    EXPECT(!none);
    EXPECT_OK(queue.all_restart());
  }
  EXPECT_EQUAL(work(queue, [](const node&) {}), 0u);
  queue.all_free();
}

// One item goes round; whoever has it dawdles, so that the others fall asleep. No rank may be told
// the end while it is under way, and every sleeper has to wake.
SPMD_CASE(work_queue, the_end_waits_for_an_item_in_work) {
  const auto hops = std::uint32_t(spmd::scaled(40, 4));
  auto queue = work_queue<std::uint32_t>::all_make(1);
  const auto ended = ramjet::all_spread_malloc<std::uint32_t>(1);
  if (spmd::rank() == 0) {
    ramjet::write(ended, 0);
    EXPECT_OK(queue.push(0, hops));
  }
  EXPECT_OK(ramjet::barrier());
  std::uint64_t dawdled = work(queue, [&](std::uint32_t left) {
    static_cast<void>(ramjet::wait_for(5, [] { return false; }));
    EXPECT_EQUAL(ramjet::read(ended), 0u);
    if (left != 0) EXPECT_OK(queue.push(spmd::right(), left - 1));
  });
  ramjet::add(ended, 1);
  ramjet::sync_all();
  EXPECT_EQUAL(sum(dawdled), hops + 1);
  EXPECT_EQUAL(ramjet::read(ended), unsigned(spmd::size()));
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(ended);
  queue.all_free();
}

SPMD_CASE(work_queue, rounds_begin_anew) {
  auto queue = work_queue<std::uint64_t>::all_make(4);
  const auto rounds = spmd::scaled(60, 5);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto pusher = int(round % std::uint64_t(spmd::size()));
    if (spmd::rank() == pusher)
      for (std::uint64_t i = 0; i < round % 5; ++i) EXPECT_OK(queue.push(spmd::right(), round));
    const auto taken = work(queue, [&](std::uint64_t item) { EXPECT_EQUAL(item, round); });
    EXPECT_EQUAL(sum(taken), round % 5);
    EXPECT_OK(queue.all_restart());
  }
  queue.all_free();
}

SPMD_CASE(work_queue, without_room_it_is_null) {
  const auto huge = work_queue<letter>::all_make(ramjet::segment_bytes() / sizeof(letter));
  EXPECT(!huge);
  EXPECT(!work_queue<int>());
}
