// SPDX-License-Identifier: Apache-2.0
// A lane in this process's own memory, for channels that do not share theirs with the peer.
#pragma once

#include <cstddef>

#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::lane {

class private_lane {
 public:
  // Rings where `like` rings; everything else is fresh zeroed memory of the job's lane shape. Ends
  // the process if there is no memory.
  explicit private_lane(const detail::lane& like);
  private_lane(private_lane&& other) noexcept;
  private_lane& operator=(private_lane&&) = delete;
  ~private_lane();

  const detail::lane& get() const noexcept { return lane_; }

 private:
  detail::lane lane_;
  void* block_;
  std::size_t bytes_;
};

}  // namespace ramjet::lane
