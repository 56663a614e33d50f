// SPDX-License-Identifier: Apache-2.0
// Lanes in the job's shared object: the peer reads the very bytes that the sender wrote, so there
// is nothing to move. Incoming rings of a port are contiguous. The lane of a port to itself is
// such a lane, too, with one owner at both ends.
#pragma once

#include "channel/channel.hpp"

namespace ramjet::channel {

class shm_channel final : public channel {
 public:
  explicit shm_channel(unsigned port) : port_(port) {}
  const char* name() const noexcept override { return "shm"; }
  link connect(unsigned peer) override;

 private:
  unsigned port_;
};

}  // namespace ramjet::channel
