// SPDX-License-Identifier: Apache-2.0
#include "frontend/team.hpp"

#include <utility>

namespace frontend {

team::team(std::size_t threads) {
  helpers_.reserve(threads - 1);
  try {
    while (helpers_.size() + 1 < threads) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception&) {
    // The system makes no more, or there is no memory for one: those that are there do the work.
  }
}

team::~team() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  begin_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void team::run(std::size_t count, const task& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = left_ = count;
  next_ = 0;
  if (count > 1) begin_.notify_all();
  take_tasks(lock);
  end_.wait(lock, [this] { return left_ == 0; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void team::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [this] { return is_over_ || next_ < count_; });
    if (is_over_) return;
    take_tasks(lock);
  }
}

void team::take_tasks(std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const std::size_t taken = next_++;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      (*work_)(taken);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown && (!thrown_ || taken < thrower_)) {
      thrown_ = thrown;
      thrower_ = taken;
    }
    if (--left_ == 0) end_.notify_one();
  }
}

}  // namespace frontend
