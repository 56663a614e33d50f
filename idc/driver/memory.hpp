// SPDX-License-Identifier: Apache-2.0
// A page that is used for the first time has to be found and cleared by the kernel, which takes a
// large part of the time of a compiler that never gives memory back.
#ifndef IDC_DRIVER_MEMORY_HPP
#define IDC_DRIVER_MEMORY_HPP

#include <atomic>
#include <cstddef>
#include <string_view>
#include <thread>

namespace idc::driver {

// While it lives, a thread asks the kernel for pages ahead of the thread that made it: as many as a
// program of this length will need, unless those are few. Where address space is limited or there
// are no more threads, it does nothing.
class memory_ahead {
 public:
  // `threads`: how many compile the source, the one that makes this included.
  memory_ahead(std::string_view source, std::size_t threads);
  ~memory_ahead();
  memory_ahead(const memory_ahead&) = delete;
  memory_ahead& operator=(const memory_ahead&) = delete;

 private:
  void ask(std::byte* first, std::size_t bytes);

  // Written by the maker, read by the thread; it publishes nothing.
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace idc::driver

#endif
