// SPDX-License-Identifier: Apache-2.0
// Writes of a report to a stream whose reader may have stopped: they wait for it, but not for ever.
// A stream that cannot be opened again (another user's) is asked for room before each write, and
// may yet block where others write to it at the same time.
#pragma once

#include <cstdint>
#include <string_view>

namespace ramjet::base {

// A pipe or terminal that is opened again has a file description of its own: it can be made
// non-blocking without doing that to every other process that writes there. -1 if it is neither,
// or may not be opened. Legal in a signal handler.
int open_again_nonblocking(int fd) noexcept;

// Each call is legal in a signal handler. One thread.
class bounded_writer {
 public:
  explicit bounded_writer(int fd) noexcept;
  ~bounded_writer();
  bounded_writer(const bounded_writer&) = delete;
  bounded_writer& operator=(const bounded_writer&) = delete;

  // What has not gone when the stream takes nothing for a second is dropped, and so is all that
  // comes later.
  void write(std::string_view bytes) noexcept;

 private:
  bool wait_for_room(std::uint64_t deadline_ns) const noexcept;
  long write_some(std::string_view bytes) const noexcept;

  int fd_;
  int again_;  // -1: the file is not opened again
  bool is_socket_ = false;
  bool gave_up_ = false;
};

}  // namespace ramjet::base
