// SPDX-License-Identifier: Apache-2.0
#include "channel/self/self_channel.hpp"

#include <sys/mman.h>

#include "channel/shm/shm_channel.hpp"
#include "job/join.hpp"
#include "ramjet/detail/check.hpp"

namespace ramjet::channel {

self_channel::~self_channel() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}

link self_channel::connect(unsigned peer) {
  RAMJET_CHECK(peer == port_, "the self channel reaches its own port only");
  const job::geometry& g = job::self().layout;
  const std::size_t ring_bytes = g.ring_words * sizeof(detail::word);
  const std::size_t lines_bytes = sizeof(detail::credit_line) + sizeof(detail::consumed_line);
  if (memory_ == nullptr) {
    bytes_ = 2 * g.payload_bytes + ring_bytes + lines_bytes;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RAMJET_CHECK(memory_ != MAP_FAILED, "no memory for the lane of a port to itself");
  }
  auto* at = static_cast<std::byte*>(memory_);
  detail::lane l = shared_lane(port_, port_);  // for the bell and the port
  l.request_payload = at;
  l.reply_payload = at + g.payload_bytes;
  at += 2 * g.payload_bytes;
  l.records = reinterpret_cast<detail::word*>(at);
  at += ring_bytes;
  l.credit = reinterpret_cast<detail::credit_line*>(at);
  l.consumed = reinterpret_cast<detail::consumed_line*>(at + sizeof(detail::credit_line));
  return {l, l};
}

}  // namespace ramjet::channel
