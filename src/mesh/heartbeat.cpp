// SPDX-License-Identifier: Apache-2.0
#include "mesh/heartbeat.hpp"

#include <sodium.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace ramjet::mesh {

heartbeat_socket::~heartbeat_socket() {
  if (fd_ >= 0) ::close(fd_);
}

bool heartbeat_socket::open(net_address& where) {
  fd_ = ::socket(where.where.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  auto* address = reinterpret_cast<sockaddr*>(&where.where);
  return fd_ >= 0 && ::bind(fd_, address, where.bytes) == 0 &&
         ::getsockname(fd_, address, &where.bytes) == 0;
}

void heartbeat_socket::set_job(const job::job_key& key, unsigned ranks, unsigned own_rank) {
  key_ = &key;
  own_rank_ = own_rank;
  received_.assign(ranks, 0);
}

heartbeat_socket::mac heartbeat_socket::mac_of(const heartbeat& beat) const {
  mac m;
  ::crypto_auth(m.data(), reinterpret_cast<const unsigned char*>(&beat), sizeof beat, key_->data());
  return m;
}

void heartbeat_socket::send(heartbeat beat, const net_address& to) {
  beat.magic = kHeartbeatMagic;
  beat.number = ++sent_;
  mac proof = mac_of(beat);
  iovec parts[] = {{proof.data(), proof.size()}, {&beat, sizeof beat}};
  msghdr message{};
  message.msg_name = const_cast<sockaddr_storage*>(&to.where);
  message.msg_namelen = to.bytes;
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  // An error counts as a loss. ECONNREFUSED is the error of an earlier datagram, reported once;
  // this one was not sent, so it is sent again.
  if (::sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == ECONNREFUSED)
    static_cast<void>(::sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
}

bool heartbeat_socket::receive(heartbeat& into) {
  constexpr unsigned kDroppedMax = 64;  // in a row: a flood at this port holds nobody up
  for (unsigned dropped = 0; dropped < kDroppedMax; ++dropped) {
    mac proof;
    heartbeat beat;
    iovec parts[] = {{proof.data(), proof.size()}, {&beat, sizeof beat}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t got = ::recvmsg(fd_, &message, MSG_DONTWAIT);
    if (got < 0 && errno != EINTR) return false;
    if (got != ssize_t(sizeof proof + sizeof beat) || (message.msg_flags & MSG_TRUNC) != 0)
      continue;
    const mac right = mac_of(beat);
    if (sodium_memcmp(proof.data(), right.data(), right.size()) != 0) continue;
    if (beat.magic != kHeartbeatMagic || beat.to != own_rank_ ||
        beat.from >= received_.size() || beat.number <= received_[beat.from])
      continue;
    received_[beat.from] = beat.number;
    into = beat;
    return true;
  }
  return false;
}

}  // namespace ramjet::mesh
