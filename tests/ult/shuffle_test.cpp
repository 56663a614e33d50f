// SPDX-License-Identifier: Apache-2.0
// A mixed workload in random orders: the scheduler shuffles the ready threads. Each case prints its
// seed; RAMJET_ULT_SHUFFLE repeats one.
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

// Accounts between which threads move money, each by other means; the sum stays, and no account is
// seen in the middle of a change.
class bank {
 public:
  void move_by_mutex(std::size_t from, std::size_t to) {
    if (from == to) return;
    const std::scoped_lock hold(accounts_[from].lock, accounts_[to].lock);
    --accounts_[from].money;
    ult::this_thread::yield();
    ++accounts_[to].money;
  }
  void move_by_channel(std::size_t from, std::size_t to) {
    {
      const std::lock_guard hold(accounts_[from].lock);
      --accounts_[from].money;
    }
    transfers_.push(to);
  }
  void deliver() {
    while (auto to = transfers_.pop()) {
      const std::lock_guard hold(accounts_[*to].lock);
      ++accounts_[*to].money;
    }
  }
  void close() { transfers_.close(); }
  long sum() {
    long all = 0;
    for (account& a : accounts_) {
      const std::lock_guard hold(a.lock);
      all += a.money;
    }
    return all;
  }
  static constexpr std::size_t kAccounts = 6;

 private:
  struct account {
    ult::mutex lock;
    long money = 1000;
  };
  std::array<account, kAccounts> accounts_;
  ult::channel<std::size_t> transfers_{3};
};

long triangle(int n) {
  long below = 0;
  if (n == 0) return 0;
  ult::task_group g;
  g.run([&] { below = triangle(n - 1); });
  g.wait();
  return below + n;
}

void work(bank& b, std::atomic<int>& turn, ult::semaphore& few, unsigned seed) {
  std::minstd_rand random(seed);
  const auto account = [&] { return random() % bank::kAccounts; };
  for (int n = 0; n < 30; ++n) {
    switch (random() % 8) {
      case 0:
        b.move_by_mutex(account(), account());
        break;
      case 1:
        b.move_by_channel(account(), account());
        break;
      case 2:
        EXPECT_EQ(ult::spawn(triangle, 5).join(), 15);
        break;
      case 3: {
        const int seen = turn++;
        ult::wait_any(ult::value(turn) > seen + 1, ult::after(100us));
        break;
      }
      case 4:
        if (few.try_acquire_for(10us * (random() % 4))) few.release();
        break;
      case 5:
        ult::this_thread::sleep_for(1us * (random() % 50));
        break;
      case 6: {
        int never = 0;
        auto t = ult::spawn([&never] { ult::wait_until(ult::value(never) != 0); });
        if (random() % 2 == 0) ult::this_thread::yield();
        t.cancel();
        EXPECT_THROW(t.join(), ult::cancelled);
        break;
      }
      default:
        ult::this_thread::bind(unsigned(random()) % ult::workers());
        ult::this_thread::unbind();
    }
  }
}

void run_shuffled(unsigned workers, std::uint64_t seed) {
  const char* given = std::getenv("RAMJET_ULT_SHUFFLE");
  std::printf("RAMJET_ULT_SHUFFLE=%s with %u workers\n",
              given != nullptr ? given : std::to_string(seed).c_str(), workers);
  ult::start({.workers = workers, .shuffle_seed = seed});
  bank b;
  std::atomic<int> turn{0};
  ult::semaphore few(2);
  {
    std::vector<ult::thread<>> couriers, movers;
    for (int i = 0; i < 3; ++i) couriers.push_back(ult::spawn([&] { b.deliver(); }));
    for (unsigned i = 0; i < (kSanitized ? 20 : 60); ++i)
      movers.push_back(ult::spawn([&, i] { work(b, turn, few, unsigned(seed) + i); }));
    movers.clear();
    b.close();
  }
  EXPECT_EQ(b.sum(), long{bank::kAccounts} * 1000);
  EXPECT_TRUE(few.try_acquire());
  EXPECT_TRUE(few.try_acquire());
  EXPECT_FALSE(few.try_acquire());
  ult::stop();
}

class shuffled : public testing::TestWithParam<std::tuple<unsigned, std::uint64_t>> {};
INSTANTIATE_TEST_SUITE_P(orders, shuffled,
                         testing::Combine(testing::Values(1u, 2u, 4u),
                                          testing::Values(1u, 2u, 3u, 0x5eedu, 99'991u)));

TEST_P(shuffled, mixed_workload_keeps_its_sums) {
  const auto [workers, seed] = GetParam();
  run_shuffled(workers, seed);
}

// The order in which threads run that only note it.
std::string order_of(std::uint64_t seed) {
  ult::start({.shuffle_seed = seed});
  std::string order;
  std::vector<ult::thread<>> all;
  for (char c = 'a'; c <= 'z'; ++c) all.push_back(ult::spawn([&order, c] { order += c; }));
  all.clear();
  ult::stop();
  return order;
}

TEST(shuffling, follows_the_seed) {
  if (std::getenv("RAMJET_ULT_SHUFFLE") != nullptr) GTEST_SKIP() << "the seed is given";
  const std::string in_order = order_of(0), one = order_of(1), other = order_of(2);
  EXPECT_EQ(in_order, "abcdefghijklmnopqrstuvwxyz");
  EXPECT_NE(one, in_order);
  EXPECT_NE(one, other);
  EXPECT_EQ(one, order_of(1));
  EXPECT_EQ(order_of(0), in_order);
}

// At its new home a thread is joined, or its handle is given up, before any news of it has come:
// what its last home has written of it is seen all the same. The thread sanitizer tells where not.
TEST(shuffling, threads_are_joined_and_detached_while_they_move) {
  ult::start({.workers = 2, .shuffle_seed = 1});
  std::atomic<int> moving{-1};
  int moved = 0;  // counted at worker 0, as it is read
  for (int i = 0; i < 20; ++i) {
    auto t = ult::spawn({.worker = 1}, [&, i] {
      moving.store(i, std::memory_order_relaxed);
      ult::this_thread::bind(0);
      ++moved;
    });
    while (moving.load(std::memory_order_relaxed) != i) {
    }
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < 100us) {
    }
    if (i % 2 == 0)
      t.join();
    else
      t.detach();
  }
  yield_until([&] { return moved == 20; });
  ult::stop();
}

}  // namespace
