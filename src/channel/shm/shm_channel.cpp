// SPDX-License-Identifier: Apache-2.0
#include "channel/shm/shm_channel.hpp"

#include "job/join.hpp"

namespace ramjet::channel {

detail::lane shared_lane(unsigned sender, unsigned receiver) {
  const job::membership& m = job::self();
  const job::geometry& g = m.layout;
  const std::uint64_t incoming = std::uint64_t(receiver) * g.ports + sender;
  const std::uint64_t outgoing = std::uint64_t(sender) * g.ports + receiver;
  std::byte* payload = m.at(g.payload_offset + incoming * 2 * g.payload_bytes);
  detail::lane l;
  l.records = reinterpret_cast<detail::word*>(
      m.at(g.rings_offset + incoming * g.ring_words * sizeof(detail::word)));
  l.request_payload = payload;
  l.reply_payload = payload + g.payload_bytes;
  l.credit = reinterpret_cast<detail::credit_line*>(
      m.at(g.credits_offset + incoming * sizeof(detail::credit_line)));
  l.consumed = reinterpret_cast<detail::consumed_line*>(
      m.at(g.consumed_offset + outgoing * sizeof(detail::consumed_line)));
  l.bell = reinterpret_cast<std::atomic<std::uint8_t>*>(
      m.at(g.bells_offset + receiver * g.bell_stride + sender));
  l.receiver = reinterpret_cast<detail::port_line*>(
      m.at(g.ports_offset + receiver * sizeof(detail::port_line)));
  return l;
}

link shm_channel::connect(unsigned peer) {
  return {shared_lane(port_, peer), shared_lane(peer, port_)};
}

}  // namespace ramjet::channel
