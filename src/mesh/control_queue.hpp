// SPDX-License-Identifier: Apache-2.0
// Bytes for a control connection that its socket has not taken yet. A send may take a part of a
// message; the rest follows before anything newer.
//
// Threads: one.
#pragma once

#include <cstddef>
#include <vector>

namespace ramjet::mesh {

class control_queue {
 public:
  enum class result {
    sent,     // nothing waits
    waits,    // the socket has no room: flush again when it is writable
    retries,  // the system has no memory for it: flush again later
    failed,   // errno says why; what waits is lost
  };

  void append(const void* bytes, std::size_t count);
  bool is_empty() const noexcept { return bytes_.empty(); }
  void clear() noexcept { bytes_.clear(); }
  // Sends as much as the socket takes without waiting.
  result flush(int fd);

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace ramjet::mesh
