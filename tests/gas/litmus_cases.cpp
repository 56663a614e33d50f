// SPDX-License-Identifier: Apache-2.0
// Litmus tests of what gas.hpp promises about order: reads and writes are sequentially consistent
// among themselves, a sync orders what is split-phase, a signal comes after its value. Named as in
// the literature on memory models (Alglave, Maranget and Tautschnig 2014, Herding Cats).
//
// Places stand a line apart, each rank's own in turn, and are used once: a trial has a place of
// each kind, and the trials of a batch run at full speed between two barriers. The threads wait for
// each other each few trials, and pause at random, so that they meet in all positions. What the
// ranks have seen is compared afterwards, at rank 0, which also counts the outcomes that only a
// race gives.
#include <sched.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;

constexpr std::size_t kTrials = 512;
// Trials that run between two meetings of the threads.
constexpr std::size_t kTrialsInStep = 16;

struct alignas(64) place {
  std::uint64_t value;
};
using seen = std::array<std::uint64_t, 2>;

// x and y of every trial: x of the first with rank 0, y with the next, and so on round.
struct board {
  static constexpr std::size_t kRows = 2 * kTrials;
  ramjet::spread_ptr<place> places =
      ramjet::all_spread_malloc<place>((kRows + 1) * std::size_t(spmd::size()));
  global_ptr<std::uint64_t> at(std::size_t trial, std::size_t which) const {
    const std::size_t rank = (trial + which) % std::size_t(spmd::size());
    return {int(rank), &(places.local() + 2 * trial + which)->value};
  }
  // Counts the threads that have come together, at rank 0.
  global_ptr<std::uint64_t> gate() const { return {0, &(places.local() + kRows)->value}; }
  // Once, by all ranks.
  void clear_gate() const { (places.local() + kRows)->value = 0; }
  void clear_mine() const {
    for (std::size_t row = 0; row < kRows; ++row) (places.local() + row)->value = 0;
  }
  global_ptr<std::uint64_t> x(std::size_t trial) const { return at(trial, 0); }
  global_ptr<std::uint64_t> y(std::size_t trial) const { return at(trial, 1); }
};

// One thread of the test: does its accesses at x and y, and says what it saw.
using thread = std::function<seen(global_ptr<std::uint64_t> x, global_ptr<std::uint64_t> y)>;

// What came of a trial: what each thread saw, and what stands in the places at the end.
struct outcome {
  std::vector<seen> saw;
  std::uint64_t x, y;
  const seen& operator[](std::size_t t) const { return saw[t]; }
};

using property = std::function<bool(const outcome&)>;

// An outcome that is allowed, and comes only of a race: without it the threads have not met, and
// that the forbidden one did not come shows nothing.
struct racing {
  const char* name;
  property holds;
  std::uint64_t count = 0;
};

// What all threads saw in a batch, at rank 0.
std::vector<outcome> outcomes_of(const board& b, const std::vector<seen>& all,
                                 std::size_t threads) {
  std::vector<outcome> outcomes;
  for (std::size_t i = 0; i < kTrials; ++i) {
    outcome o{{}, ramjet::read(b.x(i)), ramjet::read(b.y(i))};
    for (std::size_t t = 0; t < threads; ++t) o.saw.push_back(all[t * kTrials + i]);
    outcomes.push_back(std::move(o));
  }
  return outcomes;
}

// All threads have come here `times` times. The first to leave a barrier would be done before the
// others wake: here each waits on its processor.
void come_together(const board& b, std::size_t threads, std::size_t times) {
  ramjet::fetch_add(b.gate(), 1);
  // The poll sends what the barrier has left behind: another rank may wait for it there.
  while (ramjet::read(b.gate()) < threads * times) ramjet::poll();
}

spmd::random jitter{0};
bool is_gap_wanted = false;

void pause_below(std::uint64_t relaxes) {
  for (std::uint64_t n = jitter.below(relaxes); n != 0; --n) ramjet::detail::cpu_relax();
}

// Between two accesses of a thread: nothing in three trials of four, where the processor may
// reorder all it can; a pause in the fourth, since reads that wait for the same line of the cache
// see one moment, and a run of writes is seen as one.
void gap() {
  if (is_gap_wanted) pause_below(8);
}

// The trials of a batch on this rank's thread.
void run_trials(const board& b, const std::vector<thread>& threads, std::size_t batch,
                std::vector<seen>& mine) {
  jitter = spmd::random(spmd::given.seed * 1000 + batch * 10 + unsigned(spmd::rank()));
  for (std::size_t i = 0; i < kTrials; ++i) {
    if (i % kTrialsInStep == 0) {
      come_together(b, threads.size(), (batch * kTrials + i) / kTrialsInStep + 1);
    }
    is_gap_wanted = jitter.below(4) == 0;
    pause_below(8);
    mine[i] = threads[std::size_t(spmd::rank())](b.x(i), b.y(i));
  }
}

// All trials of a batch; at rank 0 their outcomes.
std::vector<outcome> run_batch(const board& b, const std::vector<thread>& threads,
                               std::size_t batch) {
  b.clear_mine();
  std::vector<seen> mine(kTrials);
  EXPECT_OK(ramjet::barrier());
  if (std::size_t(spmd::rank()) < threads.size()) run_trials(b, threads, batch, mine);
  std::vector<seen> all(kTrials * std::size_t(spmd::size()));
  EXPECT_OK(ramjet::gather(std::span<const seen>(mine), std::span<seen>(all), 0));
  EXPECT_OK(ramjet::barrier());
  std::vector<outcome> outcomes;
  if (spmd::rank() == 0) outcomes = outcomes_of(b, all, threads.size());
  EXPECT_OK(ramjet::barrier());
  return outcomes;
}

void print_counts(std::size_t trials, const std::vector<racing>& races) {
  std::printf("%zu trials:", trials);
  for (const racing& r : races) std::printf(" %s %" PRIu64 ";", r.name, r.count);
  std::printf("\n");
}

// Whether the threads race by the machine's own loads and stores, on processors that few others
// want. Messages are served one after the other, so some outcomes cannot come there.
bool races_in_memory() {
  cpu_set_t mine;
  const bool one_for_all = spmd::is_crowded() && sched_getaffinity(0, sizeof mine, &mine) == 0 &&
                           CPU_COUNT(&mine) == 1;
  return !one_for_all && ramjet::nodes() == 1 && spmd::size() <= 4 &&
         std::getenv("RAMJET_FAR") == nullptr && std::getenv("RAMJET_CHANNEL") == nullptr;
}

// Runs thread t on rank t; fails when `forbidden` holds of a trial's outcome. Where the threads
// race in memory it goes on until each racing outcome has come, and fails if one never does in many
// more batches than that takes; ranks that share a processor run in turns, and need not meet.
void run(const std::vector<thread>& threads, const property& forbidden, std::vector<racing> races) {
  if (std::size_t(spmd::size()) < threads.size()) return spmd::skip("it takes more ranks");
  const board b;
  b.clear_gate();
  const auto batches = spmd::scaled(20, 2);
  const std::size_t batches_max = spmd::is_crowded() ? 4'000 : 20'000;
  const bool races_needed = races_in_memory();
  bool missing = races_needed;
  std::size_t batch = 0;
  for (; batch < batches || (missing && batch < batches_max); ++batch) {
    for (const outcome& o : run_batch(b, threads, batch)) {
      EXPECT(!forbidden(o));
      for (racing& r : races) r.count += r.holds(o);
    }
    missing = races_needed &&
              std::any_of(races.begin(), races.end(), [](const racing& r) { return r.count == 0; });
    EXPECT_OK(ramjet::broadcast(missing));
  }
  if (spmd::rank() == 0) {
    print_counts(batch * kTrials, races);
    EXPECT(!missing || spmd::is_crowded());
  }
  ramjet::all_spread_free(b.places);
}

using word = global_ptr<std::uint64_t>;
constexpr seen kNothing{};

// Of SB: one was first, the other was, or both had written before either read.
const std::vector<racing> kBuffering = {
    {"left first", [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 1; }},
    {"right first", [](const outcome& s) { return s[0][0] == 1 && s[1][0] == 0; }},
    {"both written", [](const outcome& s) { return s[0][0] == 1 && s[1][0] == 1; }}};
// Of MP: the reader came before, after, or between the two writes.
const std::vector<racing> kPassing = {
    {"before", [](const outcome& s) { return s[1] == seen{0, 0}; }},
    {"between", [](const outcome& s) { return s[1] == seen{0, 1}; }},
    {"after", [](const outcome& s) { return s[1] == seen{1, 1}; }}};

}  // namespace

// SB. Each writes its own, then reads the other's: one of them sees the other's write.
SPMD_CASE(litmus, store_buffering) {
  const thread left = [](word x, word y) {
    ramjet::write(x, 1);
    gap();
    return seen{ramjet::read(y)};
  };
  const thread right = [](word x, word y) {
    ramjet::write(y, 1);
    gap();
    return seen{ramjet::read(x)};
  };
  run({left, right}, [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 0; }, kBuffering);
}

// SB where the write is not the first since the last read, so that it needs no note.
SPMD_CASE(litmus, store_buffering_in_a_run_of_writes) {
  const thread left = [](word x, word y) {
    ramjet::write(x, 0);
    gap();
    ramjet::write(x, 1);
    gap();
    return seen{ramjet::read(y)};
  };
  const thread right = [](word x, word y) {
    ramjet::put(y, 0);  // to the same word, so that it has landed when the write has
    gap();
    ramjet::write(y, 1);
    gap();
    return seen{ramjet::read(x)};
  };
  run({left, right}, [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 0; }, kBuffering);
}

#if !defined(__SANITIZE_THREAD__)  // a co-processor's copy may race with the program's: it is meant
// SB where the read is a get or a bulk read, and the write a bulk write or an atomic operation.
SPMD_CASE(litmus, store_buffering_by_other_accesses) {
  const thread left = [](word x, word y) {
    const std::uint64_t one = 1;
    ramjet::bulk_write(x, &one, sizeof one);
    gap();
    std::uint64_t got = 0;
    ramjet::get(&got, y);
    ramjet::sync_all();
    gap();
    return seen{got};
  };
  const thread right = [](word x, word y) {
    ramjet::fetch_add(y, 1);
    gap();
    std::uint64_t got = 0;
    ramjet::bulk_read(&got, x, sizeof got);
    return seen{got};
  };
  run({left, right}, [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 0; }, kBuffering);
}
#endif

// MP. Data, then flag; who sees the flag sees the data.
SPMD_CASE(litmus, message_passing) {
  const thread writer = [](word x, word y) {
    ramjet::write(x, 1);
    gap();
    ramjet::write(y, 1);
    return kNothing;
  };
  const thread reader = [](word x, word y) {
    const std::uint64_t flag = ramjet::read(y);
    gap();
    return seen{flag, ramjet::read(x)};
  };
  run({writer, reader}, [](const outcome& s) { return s[1][0] == 1 && s[1][1] == 0; }, kPassing);
}

// MP with a put that sync completes, and with a signal.
SPMD_CASE(litmus, message_passing_by_put) {
  const thread reader = [](word x, word y) {
    const std::uint64_t flag = ramjet::read(y);
    gap();
    return seen{flag, ramjet::read(x)};
  };
  const auto torn = [](const outcome& s) { return s[1][0] == 1 && s[1][1] == 0; };
  const thread syncs = [](word x, word y) {
    ramjet::put(x, 1);
    ramjet::sync_all();
    gap();
    ramjet::put(y, 1);
    return kNothing;
  };
  run({syncs, reader}, torn, kPassing);
  const thread signals = [](word x, word y) {
    ramjet::put_signal(x, 1, y);
    return kNothing;
  };
  run({signals, reader}, torn, kPassing);
}

// LB. Each reads, then writes the other's place: not both see the other's write.
SPMD_CASE(litmus, load_buffering) {
  const thread left = [](word x, word y) {
    const std::uint64_t got = ramjet::read(x);
    gap();
    ramjet::write(y, 1);
    gap();
    return seen{got};
  };
  const thread right = [](word x, word y) {
    const std::uint64_t got = ramjet::read(y);
    gap();
    ramjet::write(x, 1);
    gap();
    return seen{got};
  };
  run({left, right}, [](const outcome& s) { return s[0][0] == 1 && s[1][0] == 1; },
      {{"left first", [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 1; }},
       {"right first", [](const outcome& s) { return s[0][0] == 1 && s[1][0] == 0; }},
       {"both read before", [](const outcome& s) { return s[0][0] == 0 && s[1][0] == 0; }}});
}

// R. If y ends as the second wrote it, the first wrote before: then the second sees its x.
SPMD_CASE(litmus, write_after_write_then_read) {
  const thread left = [](word x, word y) {
    ramjet::write(x, 1);
    gap();
    ramjet::write(y, 1);
    return kNothing;
  };
  const thread right = [](word x, word y) {
    ramjet::write(y, 2);
    gap();
    return seen{ramjet::read(x)};
  };
  run({left, right}, [](const outcome& o) { return o.y == 2 && o[1][0] == 0; },
      {{"left first", [](const outcome& o) { return o.y == 2 && o[1][0] == 1; }},
       {"right first", [](const outcome& o) { return o.y == 1 && o[1][0] == 0; }},
       {"right between", [](const outcome& o) { return o.y == 1 && o[1][0] == 1; }}});
}

// S. A thread that has seen the second write of another writes after its first.
SPMD_CASE(litmus, write_after_read) {
  const thread left = [](word x, word y) {
    ramjet::write(x, 2);
    gap();
    ramjet::write(y, 1);
    return kNothing;
  };
  const thread right = [](word x, word y) {
    const std::uint64_t got = ramjet::read(y);
    gap();
    ramjet::write(x, 1);
    gap();
    return seen{got};
  };
  run({left, right}, [](const outcome& o) { return o[1][0] == 1 && o.x == 2; },
      {{"left first", [](const outcome& o) { return o[1][0] == 1 && o.x == 1; }},
       {"right first", [](const outcome& o) { return o[1][0] == 0 && o.x == 2; }},
       {"right between", [](const outcome& o) { return o[1][0] == 0 && o.x == 1; }}});
}

// 2+2W. Not both first writes are the last.
SPMD_CASE(litmus, two_writes_each) {
  const thread left = [](word x, word y) {
    ramjet::write(x, 1);
    gap();
    ramjet::write(y, 2);
    return kNothing;
  };
  const thread right = [](word x, word y) {
    ramjet::write(y, 1);
    gap();
    ramjet::write(x, 2);
    return kNothing;
  };
  run({left, right}, [](const outcome& o) { return o.x == 1 && o.y == 1; },
      {{"left last", [](const outcome& o) { return o.x == 1 && o.y == 2; }},
       {"right last", [](const outcome& o) { return o.x == 2 && o.y == 1; }},
       {"in turn", [](const outcome& o) { return o.x == 2 && o.y == 2; }}});
}

// CoRR. Two reads of one place do not see its writes in the wrong order.
SPMD_CASE(litmus, coherence) {
  const thread writer = [](word x, word) {
    for (std::uint64_t i = 1; i <= 4; ++i) {
      ramjet::write(x, i);
      gap();
    }
    return kNothing;
  };
  const thread reader = [](word x, word) {
    const std::uint64_t first = ramjet::read(x);
    gap();
    return seen{first, ramjet::read(x)};
  };
  run({writer, reader}, [](const outcome& s) { return s[1][0] > s[1][1]; },
      {{"before a write", [](const outcome& s) { return s[1][1] < 4; }},
       {"a write between the reads", [](const outcome& s) { return s[1][0] < s[1][1]; }}});
}

// IRIW. Two writers, two readers: the readers agree which write came first.
SPMD_CASE(litmus, independent_reads_of_independent_writes) {
  const thread writes_x = [](word x, word) {
    ramjet::write(x, 1);
    return kNothing;
  };
  const thread writes_y = [](word, word y) {
    ramjet::write(y, 1);
    return kNothing;
  };
  const thread x_first = [](word x, word y) {
    const std::uint64_t got = ramjet::read(x);
    gap();
    return seen{got, ramjet::read(y)};
  };
  const thread y_first = [](word x, word y) {
    const std::uint64_t got = ramjet::read(y);
    gap();
    return seen{got, ramjet::read(x)};
  };
  run({writes_x, x_first, writes_y, y_first},
      [](const outcome& s) { return s[1] == seen{1, 0} && s[3] == seen{1, 0}; },
      {{"x before y", [](const outcome& s) { return s[1] == seen{1, 0}; }},
       {"y before x", [](const outcome& s) { return s[3] == seen{1, 0}; }}});
}

// WRC. What one has read and passed on is seen by the third too.
SPMD_CASE(litmus, write_to_read_causality) {
  const thread writer = [](word x, word) {
    ramjet::write(x, 1);
    return kNothing;
  };
  const thread relay = [](word x, word y) {
    const std::uint64_t got = ramjet::read(x);
    gap();
    if (got == 1) ramjet::write(y, 1);
    return seen{got};
  };
  const thread reader = [](word x, word y) {
    const std::uint64_t got = ramjet::read(y);
    gap();
    return seen{got, ramjet::read(x)};
  };
  run({writer, relay, reader}, [](const outcome& s) { return s[2] == seen{1, 0}; },
      {{"passed on", [](const outcome& s) { return s[2] == seen{1, 1}; }},
       {"read before it was passed on",
        [](const outcome& s) { return s[1][0] == 1 && s[2] == seen{0, 1}; }},
       {"not passed on", [](const outcome& s) { return s[1][0] == 0; }}});
}
