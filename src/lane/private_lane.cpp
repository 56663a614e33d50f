// SPDX-License-Identifier: Apache-2.0
#include "lane/private_lane.hpp"

#include <sys/mman.h>

#include <utility>

#include "lane/shared_lane.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::lane {

private_lane::private_lane(const detail::lane& like) : lane_(like) {
  const lane_shape& g = job_shape();
  const std::size_t ring_bytes = g.ring_words * sizeof(detail::word);
  bytes_ = 2 * g.payload_bytes + ring_bytes + sizeof(detail::credit_line) +
           sizeof(detail::consumed_line);
  block_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  RAMJET_CHECK(block_ != MAP_FAILED, "no memory for a lane");
  auto* at = static_cast<std::byte*>(block_);
  lane_.request_payload = at;
  lane_.reply_payload = at + g.payload_bytes;
  at += 2 * g.payload_bytes;
  lane_.records = reinterpret_cast<detail::word*>(at);
  at += ring_bytes;
  lane_.credit = reinterpret_cast<detail::credit_line*>(at);
  lane_.consumed = reinterpret_cast<detail::consumed_line*>(at + sizeof(detail::credit_line));
}

private_lane::private_lane(private_lane&& other) noexcept
    : lane_(other.lane_), block_(std::exchange(other.block_, nullptr)), bytes_(other.bytes_) {}

private_lane::~private_lane() {
  if (block_ != nullptr) munmap(block_, bytes_);
}

}  // namespace ramjet::lane
