// SPDX-License-Identifier: Apache-2.0
#include "mesh/control_queue.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace ramjet::mesh {

void control_queue::append(const void* bytes, std::size_t count) {
  const auto* const first = static_cast<const std::byte*>(bytes);
  bytes_.insert(bytes_.end(), first, first + count);
}

control_queue::result control_queue::flush(int fd) {
  std::size_t done = 0;
  result how = result::sent;
  while (done < bytes_.size() && how == result::sent) {
    const ssize_t sent =
        ::send(fd, bytes_.data() + done, bytes_.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      done += std::size_t(sent);
    } else if (errno == EAGAIN) {
      how = result::waits;
    } else if (errno == ENOBUFS || errno == ENOMEM) {
      how = result::retries;
    } else if (errno != EINTR) {
      how = result::failed;
    }
  }
  bytes_.erase(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(done));
  return how;
}

}  // namespace ramjet::mesh
