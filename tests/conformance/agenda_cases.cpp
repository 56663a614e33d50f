// SPDX-License-Identifier: Apache-2.0
// Agendas: every item is done once, by pieces as long as asked, and the end is told when all is
// done, not before.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "ramjet/ult/thread.hpp"
#include "spmd.hpp"

namespace {

using ramjet::agenda_options;
using ramjet::status;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a + b; }
std::uint64_t sum(std::uint64_t mine) {
  EXPECT_OK(ramjet::all_reduce(mine, plus));
  return mine;
}

// How often each item was done, over all ranks.
class record {
 public:
  explicit record(std::size_t count) : times_(count + 1) {}
  void note(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++times_[i];
  }
  std::uint64_t mine() const {
    std::uint64_t all = 0;
    for (const std::uint64_t t : times_) all += t;
    return all;
  }
  // All of them `times`, but for the item `except`.
  bool is_each(std::uint64_t times, std::size_t except = ~std::size_t{0}) {
    EXPECT_OK(ramjet::all_reduce(std::span<std::uint64_t>(times_), plus));
    for (std::size_t i = 0; i + 1 < times_.size(); ++i)
      if (i != except && times_[i] != times) return false;
    return true;
  }

 private:
  std::vector<std::uint64_t> times_;  // one more, so that no array is empty
};

}  // namespace

SPMD_CASE(agenda, does_every_item_once) {
  const auto ranks = std::size_t(spmd::size());
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, ranks - 1, spmd::scaled(997, 9)}) {
    for (const std::size_t granularity : {1, 3, 1000}) {
      for (const unsigned concurrency : {1u, 2u, 7u}) {
        record r(count);
        const int master = int((count + concurrency) % ranks);
        EXPECT_OK(ramjet::run_agenda(
            count, {.granularity = granularity, .concurrency = concurrency, .master = master},
            [&](std::size_t first, std::size_t last) {
              EXPECT(first % granularity == 0 && first < last);
              EXPECT(last == std::min(first + granularity, count));
              r.note(first, last);
            }));
        EXPECT(r.is_each(1));
      }
    }
  }
}

namespace {
std::uint64_t items_of_the_function;
void count_items(std::size_t first, std::size_t last) { items_of_the_function += last - first; }
}  // namespace

SPMD_CASE(agenda, takes_any_callable) {
  items_of_the_function = 0;
  EXPECT_OK(ramjet::run_agenda(50, {}, count_items));
  EXPECT_EQUAL(sum(items_of_the_function), 50u);
  std::uint64_t mine = 0;
  const auto unchanging = [&mine](std::size_t first, std::size_t last) {
    mine += last - first;
    return first;  // nobody asks for it
  };
  EXPECT_OK(ramjet::run_agenda(50, {}, unchanging));
  EXPECT_EQUAL(sum(mine), 50u);
}

// The agenda is over for nobody before the last item is done by anybody.
SPMD_CASE(agenda, ends_when_all_is_done) {
  const std::size_t count = spmd::scaled(300, 10);
  const auto items = ramjet::all_spread_malloc<std::uint64_t>(count);
  for (std::uint64_t round = 1; round <= 20; ++round) {
    EXPECT_OK(ramjet::run_agenda(count, {.master = int(round) % spmd::size()},
                                 [&](std::size_t first, std::size_t last) {
                                   for (; first < last; ++first) {
                                     ramjet::ult::this_thread::yield();
                                     ramjet::write(items + std::ptrdiff_t(first), round);
                                   }
                                 }));
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQUAL(ramjet::read(items + std::ptrdiff_t(i)), round);
    EXPECT_OK(ramjet::barrier());  // all have looked
  }
  ramjet::all_spread_free(items);
}

SPMD_CASE(agenda, only_threads_that_are_asked_for_work) {
  const std::size_t count = spmd::scaled(200, 10);
  for (int idle = 0; idle < spmd::size(); ++idle) {
    if (spmd::size() == 1) continue;  // somebody has to
    for (const int master : {0, idle}) {
      record r(count);
      const unsigned threads = spmd::rank() == idle ? 0 : 2;
      EXPECT_OK(ramjet::run_agenda(count, {.concurrency = threads, .master = master},
                                   [&](auto first, auto last) { r.note(first, last); }));
      EXPECT(spmd::rank() != idle || r.mine() == 0);
      EXPECT(r.is_each(1));
    }
  }
}

// As many pieces are under way at a rank as it has threads: each waits for all the others.
SPMD_CASE(agenda, threads_of_a_rank_work_at_the_same_time) {
  constexpr unsigned kThreads = 5;
  for (int worker = 0; worker < spmd::size(); ++worker) {
    unsigned inside = 0;
    const auto meet = [&](std::size_t, std::size_t) {
      ++inside;
      while (inside < kThreads) ramjet::ult::this_thread::yield();
    };
    const unsigned threads = spmd::rank() == worker ? kThreads : 0;
    EXPECT_OK(ramjet::run_agenda(kThreads, {.concurrency = threads}, meet));
    EXPECT_EQUAL(inside, threads);
  }
}

SPMD_CASE(agenda, waits_for_nobody_who_comes_late) {
  const auto told = ramjet::all_spread_malloc<std::uint64_t>(std::size_t(spmd::size()));
  ramjet::write(told + spmd::rank(), std::uint64_t{0});
  EXPECT_OK(ramjet::barrier());
  const int late = spmd::size() - 1;
  record r(100);
  const auto take_part = [&] {
    EXPECT_OK(ramjet::run_agenda(100, {.granularity = 2},
                                 [&](auto first, auto last) { r.note(first, last); }));
  };
  if (spmd::rank() != late) {
    take_part();
    ramjet::write(told + spmd::rank(), std::uint64_t{1});
  } else {
    const auto all_others_have_left = [&] {
      for (int other = 0; other < late; ++other)
        if (ramjet::read(told + other) == 0) return false;
      return true;
    };
    while (!all_others_have_left()) ramjet::poll();  // a condition may not read far memory
    take_part();
    EXPECT(spmd::size() == 1 || r.mine() == 0);
  }
  EXPECT(r.is_each(1));
  ramjet::all_spread_free(told);
}

// Without a barrier in between, so that some ranks are one agenda ahead of its master.
SPMD_CASE(agenda, follows_upon_agenda) {
  std::uint64_t done = 0, expected = 0;
  for (int round = 0; round < int(spmd::scaled(200, 10)); ++round) {
    const auto count = std::size_t(round) % 9;
    EXPECT_OK(ramjet::run_agenda(count, {.concurrency = 1, .master = round * 5 % spmd::size()},
                                 [&](auto first, auto last) { done += last - first; }));
    expected += count;
  }
  EXPECT_EQUAL(sum(done), expected);
}

SPMD_CASE(agenda, work_that_throws_counts_as_done) {
  constexpr std::size_t kCount = 50, kBad = 31;
  record r(kCount);
  std::uint64_t thrown = 0, caught = 0;
  try {
    EXPECT_OK(ramjet::run_agenda(kCount, {}, [&](std::size_t first, std::size_t last) {
      if (first == kBad) {
        ++thrown;
        throw std::runtime_error("item 31");
      }
      r.note(first, last);
    }));
  } catch (const std::runtime_error& e) {
    EXPECT(std::string(e.what()) == "item 31");
    ++caught;
  }
  EXPECT_EQUAL(caught, thrown);
  EXPECT_EQUAL(sum(caught), 1u);
  EXPECT(r.is_each(1, kBad));
}

SPMD_CASE(agenda, the_first_of_several_exceptions_is_thrown) {
  int first_thrown = -1, caught = -1;
  try {
    EXPECT_OK(ramjet::run_agenda(40, {}, [&](std::size_t first, std::size_t) {
      if (first_thrown < 0) first_thrown = int(first);
      throw int(first);
    }));
  } catch (int item) {
    caught = item;
  }
  EXPECT_EQUAL(caught, first_thrown);
}

SPMD_CASE(agenda, shows_its_progress_at_the_master) {
  const std::size_t count = spmd::scaled(500, 20);
  const auto seen = ramjet::all_spread_malloc<std::uint64_t>(1);  // the last progress shown
  for (const std::size_t items : {std::size_t{0}, count}) {
    if (spmd::rank() == 0) ramjet::write(seen, std::uint64_t{0});
    EXPECT_OK(ramjet::barrier());
    std::vector<std::size_t> shown;
    const auto progress = [&](std::size_t done, std::size_t of) {
      EXPECT_EQUAL(of, items);
      shown.push_back(done);
      ramjet::write(seen, std::uint64_t{done});
    };
    const int master = spmd::size() / 2;
    // The last piece waits for a word of those before it: else all may be done by the first look.
    const auto work = [&](auto, auto last) {
      do ramjet::ult::this_thread::yield();
      while (last == items && ramjet::read(seen) == 0);
    };
    EXPECT_OK(ramjet::run_agenda(items, {.granularity = 2, .master = master, .progress = progress},
                                 work));
    EXPECT_EQUAL(shown.empty(), spmd::rank() != master);
    if (shown.empty()) continue;
    EXPECT_EQUAL(shown.back(), items);
    EXPECT(std::adjacent_find(shown.begin(), shown.end(), std::greater_equal<>()) == shown.end());
    EXPECT(items == 0 || shown.size() > 1);
  }
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(seen);
}

namespace {
std::uint64_t square(std::uint64_t x) { return x * x; }
}  // namespace

SPMD_CASE(agenda, work_may_block) {
  const std::uint64_t count = spmd::scaled(300, 10);
  const auto total = ramjet::all_spread_malloc<std::uint64_t>(1);
  if (spmd::rank() == 0) ramjet::write(total, std::uint64_t{0});
  EXPECT_OK(ramjet::barrier());
  const agenda_options o{.granularity = 3, .concurrency = 4};
  EXPECT_OK(ramjet::run_agenda(count, o, [&](std::size_t first, std::size_t last) {
    for (; first < last; ++first) {
      const int to = int(first % std::size_t(spmd::size()));
      ramjet::fetch_add(total, ramjet::call<square>(to, std::uint64_t(first)).get());
      ramjet::ult::this_thread::yield();
    }
  }));
  EXPECT_EQUAL(ramjet::read(total), (count - 1) * count * (2 * count - 1) / 6);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(total);
}
