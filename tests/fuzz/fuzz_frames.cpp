// SPDX-License-Identifier: Apache-2.0
// A peer on another machine that sends any bytes by a stream that it has proved itself on: lanes
// and segment hold what they may hold, and nothing else is written or waited for.
//
// The input: in turns, how many bytes come in one piece and the bytes; now and then the endpoint
// posts requests of its own that the bytes may answer.
#include <cstdio>
#include <cstdlib>

#include "../unit/channel/net/fake_network.hpp"
#include "../unit/channel/net/lane_ends.hpp"
#include "fuzz_input.hpp"

namespace {

using namespace net_test;

// What stands in an endpoint's lanes before the peer speaks: requests, some with a payload.
void post_some(const ramjet::channel::link& lanes, fuzz::input& in) {
  const ramjet::lane::lane_shape& g = ramjet::lane::job_shape();
  sender s(lanes.out, {g.ring_words, g.payload_bytes}, 0, in.byte());
  for (unsigned n = in.byte() % 64; n != 0; --n) s.send();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  static fake_job job;
  fuzz::input in(data, bytes);
  fake_network::outside outside;
  const auto channel = job.open(0, outside);
  const ramjet::channel::link lanes = channel->connect(1);
  auto from_peer = std::make_shared<byte_queue>(), to_peer = std::make_shared<byte_queue>();
  outside.arriving.emplace_back(1, std::make_unique<fake_stream>(from_peer, to_peer, faults{}));
  post_some(lanes, in);
  channel->rung(1, const_cast<ramjet::detail::lane&>(lanes.out), false);
  channel->pump();
  while (!in.empty()) {
    std::byte piece[256];
    const std::size_t count = 1 + in.byte();
    in.take(piece, count);
    from_peer->bytes.insert(from_peer->bytes.end(), piece, piece + count);
    for (int i = 0; i < 3; ++i) channel->pump();
  }
  from_peer->ended = true;
  for (int i = 0; i < 100; ++i) channel->pump();
  if (!to_peer->ended) {  // it ends with the stream's destructor
    std::fprintf(stderr, "the stream is kept, %zu bytes unread\n", from_peer->bytes.size());
    std::abort();
  }
  return 0;
}
