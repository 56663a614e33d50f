// SPDX-License-Identifier: Apache-2.0
// Stacks by themselves: their classes, where the control block lies, guards, and what a worker
// keeps, gives to all and takes back.
#include "ult/stacks.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <thread>
#include <vector>

#include "ult/parts.hpp"

namespace {

using namespace ramjet::ult::detail;

// Workers that nobody runs: taking and giving stacks needs no scheduler.
struct lone_worker : worker {
  explicit lone_worker(std::uint16_t number = 0) {
    index = number;
    parts = &own;
  }
  worker_parts own;
};

std::uintptr_t at(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

std::vector<control*> take(worker& w, std::uint32_t stack_class, std::size_t count) {
  std::vector<control*> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(take_stack(&w, stack_class));
  return all;
}

// How a child that writes there ends: 0 if it lives.
int end_of_writing(std::byte* where) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    *const_cast<volatile std::byte*>(where) = std::byte{1};
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(StackClasses, ArePowersOfTwoFromTheSmallest) {
  EXPECT_EQ(stack_class_of(0), 0u);
  EXPECT_EQ(stack_class_of(1), 0u);
  EXPECT_EQ(stack_class_of(kStackBytesMin), 0u);
  EXPECT_EQ(stack_class_of(kStackBytesMin + 1), 1u);
  EXPECT_EQ(stack_class_of(2 * kStackBytesMin), 1u);
  EXPECT_EQ(stack_class_of(std::size_t{1} << 30), kStackClasses - 1);
}

TEST(StackClassesDeathTest, EndAtOneGib) {
  EXPECT_DEATH(stack_class_of((std::size_t{1} << 30) + 1), "a thread's stack is at most 1 GiB");
}

TEST(Stacks, LieBetweenAGuardAndTheControlBlock) {
  lone_worker w;
  for (const std::uint32_t stack_class : {0u, 1u, default_stack_class, 8u, 10u}) {
    const std::size_t bytes = kStackBytesMin << stack_class;
    const control* c = take_stack(&w, stack_class);
    EXPECT_EQ(c->stack_class, stack_class);
    EXPECT_EQ(at(c) % kCacheLineBytes, 0u);
    EXPECT_EQ(at(c->low) % kPageBytes, 0u);
    EXPECT_EQ(c->stack_bytes, at(c) - at(c->low));
    EXPECT_EQ(c->sp, c);
    EXPECT_NE(c->pc, nullptr);
    EXPECT_LE(at(c) + sizeof *c, at(c->low) - kPageBytes + bytes);
    EXPECT_GE(c->stack_bytes, bytes - kPageBytes - sizeof *c - 16 * 2 * kCacheLineBytes);
  }
}

TEST(Stacks, DoNotOverlap) {
  lone_worker w;
  std::vector<control*> all = take(w, 0, 1000);
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_LE(at(all[i - 1]) + sizeof(control), at(all[i]->low) - kPageBytes);
}

// Else the control blocks of many threads would fall into the same sets of the first cache.
TEST(Stacks, StaggerTheirControlBlocks) {
  lone_worker w;
  std::set<std::uintptr_t> places;
  for (const control* c : take(w, 0, 64)) places.insert(at(c) % kStackBytesMin);
  EXPECT_EQ(places.size(), 16u);
}

TEST(Stacks, CanBeWrittenFromTheLowestByteToTheHighest) {
  lone_worker w;
  const control* c = take_stack(&w, default_stack_class);
  std::fill(c->low, c->low + c->stack_bytes, std::byte{0x5a});
  EXPECT_EQ(c->low[0], std::byte{0x5a});
  EXPECT_EQ(c->stack_class, default_stack_class);  // the block above is untouched
}

constexpr std::size_t kGuardBytesMax = 64 * 1024;

TEST(Stacks, AreGuardedBelowByAQuarterOfTheirSize) {
  lone_worker w;
  for (const std::uint32_t stack_class : {0u, default_stack_class, 8u}) {
    const control* c = take_stack(&w, stack_class);
    const std::size_t guard = std::min((kStackBytesMin << stack_class) / 4, kGuardBytesMax);
    EXPECT_EQ(end_of_writing(c->low), 0);
    EXPECT_EQ(end_of_writing(c->low - 1), SIGSEGV);
    EXPECT_EQ(end_of_writing(c->low - guard), SIGSEGV);
  }
}

TEST(Stacks, AFaultInTheGuardIsAnOverflow) {
  lone_worker w;
  const control* c = take_stack(&w, 1);
  const std::size_t guard = 2 * kPageBytes;
  const std::uintptr_t inside = at(c->low);
  EXPECT_TRUE(is_overflow(c, c->low - 1, inside));
  EXPECT_TRUE(is_overflow(c, c->low - guard, inside));
  EXPECT_FALSE(is_overflow(c, c->low - guard - 1, inside));
  EXPECT_FALSE(is_overflow(c, c->low, inside));
  EXPECT_FALSE(is_overflow(c, nullptr, inside));
  const control none;
  EXPECT_FALSE(is_overflow(&none, nullptr, 0));
}

TEST(Stacks, AFaultInAFrameThatReachesBeyondTheGuardIsAnOverflow) {
  lone_worker w;
  const control* c = take_stack(&w, 0);
  const std::byte* const frame = c->low - 1024 * 1024;
  EXPECT_TRUE(is_overflow(c, frame, at(frame)));
  EXPECT_TRUE(is_overflow(c, frame + 100'000, at(frame)));
  EXPECT_FALSE(is_overflow(c, frame - kPageBytes, at(frame)));
  EXPECT_FALSE(is_overflow(c, c->low, at(frame)));
}

TEST(Stacks, TheLastOneGivenIsTheNextTaken) {
  lone_worker w;
  const std::vector<control*> all = take(w, default_stack_class, 3);
  for (control* c : all) give_stack(&w, c);
  EXPECT_EQ(take_stack(&w, default_stack_class), all[2]);
  EXPECT_EQ(take_stack(&w, default_stack_class), all[1]);
  EXPECT_EQ(take_stack(&w, default_stack_class), all[0]);
}

TEST(Stacks, OfOtherClassesGoBackToTheirOwnList) {
  lone_worker w;
  control* small = take_stack(&w, 0);
  control* large = take_stack(&w, 6);
  const std::uint32_t smalls = w.own.stacks[0].count, larges = w.own.stacks[6].count;
  give_stack(&w, small);
  give_stack(&w, large);
  EXPECT_EQ(w.own.stacks[0].count, smalls + 1);
  EXPECT_EQ(w.own.stacks[6].count, larges + 1);
  EXPECT_EQ(take_stack(&w, 6), large);
  EXPECT_EQ(take_stack(&w, 0), small);
}

// What a worker gives back beyond kStacksMax serves another one, whose home it gets.
TEST(Stacks, TooManyGoToOtherWorkers) {
  constexpr std::uint32_t kClass = 3;  // of this test alone
  lone_worker gives(0), takes(5);
  const std::vector<control*> all = take(gives, kClass, 4 * kStacksMax);
  for (control* c : all) {
    give_stack(&gives, c);
    EXPECT_LE(gives.own.stacks[kClass].count, kStacksMax);
  }
  const std::set<control*> known(all.begin(), all.end());
  const std::vector<control*> got = take(takes, kClass, 2 * kStacksMax);
  for (control* c : got) {
    EXPECT_EQ(known.count(c), 1u);
    EXPECT_EQ(c->home.load(), 5);
  }
  EXPECT_EQ(std::set<control*>(got.begin(), got.end()).size(), got.size());
}

// Their memory goes back to the system, but for the page of the control block.
TEST(Stacks, ThatAreGivenToAllLoseTheirPages) {
  constexpr std::uint32_t kClass = 4;  // of this test alone
  lone_worker w;
  std::vector<control*> all = take(w, kClass, kStacksMax + 1);
  for (const control* c : all) *c->low = std::byte{0x5a};
  for (control* c : all) give_stack(&w, c);
  std::size_t kept = 0;
  for (const control* c : all) kept += *c->low == std::byte{0x5a};
  EXPECT_EQ(kept, kStacksMax / 2 + 1);
  for (const control* c : all) EXPECT_EQ(c->stack_class, kClass);
}

TEST(Stacks, GoRoundAmongWorkersAtOnce) {
  constexpr std::uint32_t kClass = 5;  // of this test alone
  std::atomic<int> taken_twice{0};
  const auto work = [&](std::uint16_t number) {
    lone_worker w(number);
    for (int round = 0; round < 20; ++round) {
      const std::vector<control*> all = take(w, kClass, kStacksMax);
      for (control* c : all) c->todo = number;
      std::this_thread::yield();
      for (control* c : all) taken_twice += c->todo != number;
      for (control* c : all) give_stack(&w, c);
    }
    std::vector<control*> last = take(w, kClass, w.own.stacks[kClass].count);
    for (control* c : last) give_stack(&w, c);
  };
  std::thread one(work, 1), two(work, 2);
  one.join();
  two.join();
  EXPECT_EQ(taken_twice, 0);
}

TEST(Stacks, TheSystemThreadsOwnIsAdopted) {
  control here;
  adopt_system_stack(&here);
  const auto* frame = static_cast<const std::byte*>(__builtin_frame_address(0));
  EXPECT_LT(here.low, frame);
  EXPECT_GT(here.low + here.stack_bytes, frame);
}

TEST(identity_word, is_number_home_and_what_follows) {
  control c;
  c.id = 0x12345678;
  c.home.store(0x9abc, std::memory_order_relaxed);
  c.pins = 3;
  EXPECT_EQ(identity_word(c), std::uint64_t{0x12345678} | std::uint64_t{0x9abc} << kHomeShift |
                                  std::uint64_t{3} << kRestShift);
  set_identity_word(c, std::uint64_t{7} | std::uint64_t{2} << kHomeShift);
  EXPECT_EQ(c.id, 7u);
  EXPECT_EQ(c.home.load(std::memory_order_relaxed), 2u);
  EXPECT_EQ(c.pins, 0u);
}

TEST(identity_word, of_a_descriptor_tells_whether_anything_is_special) {
  descriptor d;
  const auto is_special = [&d] { return identity_word(d) >> kRestShift != 0; };
  const auto reset = [&d] { set_identity_word(d, 7); };
  reset();
  EXPECT_FALSE(is_special());
  EXPECT_EQ(d.id, 7u);
  EXPECT_FALSE(d.detached || d.started || d.bound || d.threw || d.own_stack || d.named);
  d.requests.store(descriptor::kCancel, std::memory_order_relaxed);
  EXPECT_TRUE(is_special());
  reset();
  d.bound = true;
  EXPECT_TRUE(is_special());
  reset();
  d.named = true;
  EXPECT_TRUE(is_special());
}

}  // namespace
