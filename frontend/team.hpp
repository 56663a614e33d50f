// SPDX-License-Identifier: Apache-2.0
// Threads that share a list of tasks with the one that made them.
#ifndef FRONTEND_TEAM_HPP
#define FRONTEND_TEAM_HPP

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace frontend {

class team {
 public:
  using task = std::function<void(std::size_t)>;

  // threads >= 1, with the thread that makes it; of one, it has no other. Where the system makes no
  // more threads, it has fewer.
  explicit team(std::size_t threads);
  ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }
  // Calls work(i) for each i below count: they begin in this order, on whichever thread has nothing
  // to do. When all have ended, the exception of the first that threw one is thrown here.
  void run(std::size_t count, const task& work);
  // Calls work(worker, i) for each i below count, `piece` of them in a row; meanwhile the worker, a
  // number below size(), is one thread.
  template <class Work>
  void run_each(std::size_t count, std::size_t piece, const Work& work) {
    std::atomic<std::size_t> next{0};  // relaxed: it only tells who takes which
    run(size(), [&](std::size_t worker) {
      while (true) {
        const std::size_t first = next.fetch_add(piece, std::memory_order_relaxed);
        if (first >= count) return;
        for (std::size_t i = first; i < std::min(count, first + piece); ++i) work(worker, i);
      }
    });
  }

 private:
  void help();
  void take_tasks(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // of all that follows
  std::condition_variable begin_, end_;
  const task* work_ = nullptr;
  std::size_t count_ = 0, next_ = 0;  // next_ <= count_
  std::size_t left_ = 0;              // that have not ended
  std::size_t thrower_ = 0;
  std::exception_ptr thrown_;  // by task thrower_
  bool is_over_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace frontend

#endif
