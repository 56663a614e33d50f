// SPDX-License-Identifier: Apache-2.0
#include "lane/shared_lane.hpp"

#include "node/wake.hpp"

namespace ramjet::lane {

namespace {

std::uint64_t pairs(const node::shape& s) { return std::uint64_t(s.ports()) * s.ports(); }

// Set when a job is joined.
constinit unsigned ports = 0;
constinit lane_shape shape{};

void note_shape(const node::shape& s) noexcept {
  ports = s.ports();
  shape = shape_for(ports);
}

// uint64_t[receiver][bells_stride(ports) / 8]
node::region bells("lane.bells", [](const node::shape& s) -> std::uint64_t {
  return s.ports() * bells_stride(s.ports());
});
// word[receiver][sender][ring_words]
node::region rings("lane.rings",
                   [](const node::shape& s) -> std::uint64_t {
                     return pairs(s) * shape_for(s.ports()).ring_words * sizeof(detail::word);
                   },
                   {.bound = note_shape});
// std::byte[receiver][sender][2][payload_bytes]: of requests, of replies
node::region payload("lane.payload", [](const node::shape& s) -> std::uint64_t {
  return pairs(s) * 2 * shape_for(s.ports()).payload_bytes;
});

}  // namespace

// detail::credit_line[receiver][sender]
node::region credits("lane.credits", [](const node::shape& s) -> std::uint64_t {
  return pairs(s) * sizeof(detail::credit_line);
});
// detail::consumed_line[sender][receiver]
node::region consumed("lane.consumed", [](const node::shape& s) -> std::uint64_t {
  return pairs(s) * sizeof(detail::consumed_line);
});
// detail::pair_counters[owner][peer]
node::region counters("lane.counters", [](const node::shape& s) -> std::uint64_t {
  return pairs(s) * sizeof(detail::pair_counters);
});

// Long rings help a stream; with many ports on a node short ones keep the memory small.
lane_shape shape_for(unsigned port_count) noexcept {
  const unsigned lines = port_count <= 16 ? 512 : port_count <= 64 ? 128 : 64;
  return {.ring_words = lines * detail::kLineWords, .payload_bytes = 256 * 1024};
}

const lane_shape& job_shape() noexcept { return shape; }

detail::lane shared_lane(unsigned sender, unsigned receiver) noexcept {
  const std::uint64_t incoming = std::uint64_t(receiver) * ports + sender;
  const std::uint64_t outgoing = std::uint64_t(sender) * ports + receiver;
  detail::lane l;
  l.records = rings.as<detail::word>() + incoming * shape.ring_words;
  l.request_payload = payload.as<std::byte>() + incoming * 2 * shape.payload_bytes;
  l.reply_payload = l.request_payload + shape.payload_bytes;
  l.credit = credits.as<detail::credit_line>() + incoming;
  l.consumed = consumed.as<detail::consumed_line>() + outgoing;
  l.bell = bells.as<std::atomic<std::uint8_t>>() + receiver * bells_stride(ports) + sender;
  l.receiver = &node::port(receiver);
  return l;
}

std::atomic<std::uint64_t>* bells_of(unsigned receiver) noexcept {
  return bells.as<std::atomic<std::uint64_t>>() + receiver * bells_stride(ports) / 8;
}

std::atomic<std::uint64_t>& served_by_second_thread(unsigned by, unsigned whose) noexcept {
  return consumed.as<detail::consumed_line>()[std::uint64_t(by) * ports + whose]
      .served_by_second_thread;
}

detail::pair_counters* counters_of(unsigned owner) noexcept {
  return counters.as<detail::pair_counters>() + std::uint64_t(owner) * ports;
}

}  // namespace ramjet::lane
