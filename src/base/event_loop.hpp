// SPDX-License-Identifier: Apache-2.0
// Waiting for many descriptors and one deadline: what the launcher, the mesh and the watch of a
// node share of their loops. It knows nothing of what the descriptors are: a Source, an enumeration
// of the owner's, and a number say that, and come back when the descriptor is ready.
//
// Owns its epoll set, not the descriptors: one is forgotten before it is closed, since a forked
// child may hold the same file, and then it would stay in the set for ever. An event may come once
// more for a descriptor that was forgotten in the same round: the owner finds by the number that it
// is gone.
//
// Threads: one calls wait(). watch(), rearm() and forget() may be called by any thread: the kernel
// keeps the set.
#pragma once

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/clock.hpp"

namespace ramjet::base {

// The time until then as poll() and epoll_wait() take it, rounded up. `at_ns` as clock.hpp has it;
// 0: no deadline.
inline int milliseconds_until(std::uint64_t at_ns) noexcept {
  constexpr std::uint64_t kLongest = 3'600'000'000'000;
  if (at_ns == 0) return -1;
  const std::uint64_t now = now_ns();
  return at_ns <= now ? 0 : int((std::min(at_ns - now, kLongest) + 999'999) / 1'000'000);
}

template <class Source>
class event_loop {
  static_assert(sizeof(Source) <= sizeof(std::uint32_t));

 public:
  event_loop() = default;
  ~event_loop() {
    if (set_ >= 0) ::close(set_);
  }
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;

  // Before all else. False if there is no descriptor for it; errno says why.
  bool open() noexcept {
    set_ = ::epoll_create1(EPOLL_CLOEXEC);
    return set_ >= 0;
  }

  // Watches the descriptor for these events (EPOLLIN, ...), or changes what it is watched for.
  // False if the kernel refuses; errno says why.
  bool watch(int fd, Source what, std::uint32_t index = 0,
             std::uint32_t events = EPOLLIN) noexcept {
    epoll_event e = event_of(what, index, events);
    return ::epoll_ctl(set_, EPOLL_CTL_ADD, fd, &e) == 0 ||
           (errno == EEXIST && rearm(fd, what, index, events));
  }
  // The same for one that is in the set already.
  bool rearm(int fd, Source what, std::uint32_t index, std::uint32_t events) noexcept {
    epoll_event e = event_of(what, index, events);
    return ::epoll_ctl(set_, EPOLL_CTL_MOD, fd, &e) == 0;
  }
  void forget(int fd) noexcept { ::epoll_ctl(set_, EPOLL_CTL_DEL, fd, nullptr); }

  // Waits until something is ready, a signal handler has run, or it is `until_ns` (0: no deadline),
  // then calls handle(what, index) for all that is ready.
  template <class Handle>
  void wait(std::uint64_t until_ns, Handle&& handle) {
    epoll_event events[kEventsMax];
    const int count = ::epoll_wait(set_, events, kEventsMax, milliseconds_until(until_ns));
    for (int i = 0; i < count; ++i)
      handle(Source(events[i].data.u64 >> 32), std::uint32_t(events[i].data.u64));
  }

 private:
  static constexpr int kEventsMax = 32;  // a round; the others come with the next

  static epoll_event event_of(Source what, std::uint32_t index, std::uint32_t events) noexcept {
    epoll_event e{};
    e.events = events;
    e.data.u64 = std::uint64_t(what) << 32 | index;
    return e;
  }

  int set_ = -1;
};

}  // namespace ramjet::base
