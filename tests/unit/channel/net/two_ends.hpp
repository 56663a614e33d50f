// SPDX-License-Identifier: Apache-2.0
// The network channels of two ranks in one process, and streams between them, or to a peer that the
// test plays.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "fake_network.hpp"
#include "lane_ends.hpp"

namespace net_test {

using namespace ramjet::channel;

inline std::uint64_t seed_of_this_run() {
  const char* given = std::getenv("RAMJET_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  std::printf("RAMJET_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

inline fake_job& the_job() {
  static fake_job job;
  return job;
}

inline ring_shape shape_of_job() {
  const ramjet::lane::lane_shape& g = ramjet::lane::job_shape();
  return {g.ring_words, g.payload_bytes};
}

// Both ends, joined by as many streams as asked for.
struct two_ends {
  two_ends() {
    for (unsigned r = 0; r < 2; ++r) {
      the_job();
      ramjet::job::self().line(r).state.store(std::uint32_t(ramjet::node::rank_state::joined));
      ends[r] = the_job().open(r, outside[r]);
      links[r] = ends[r]->connect(1 - r);
    }
  }

  void join(faults f) {
    auto one = std::make_shared<byte_queue>(), other = std::make_shared<byte_queue>();
    outside[0].arriving.emplace_back(1, std::make_unique<fake_stream>(one, other, f));
    outside[1].arriving.emplace_back(0, std::make_unique<fake_stream>(other, one, f));
    queues.push_back(one);
    queues.push_back(other);
  }
  // A stream to rank 0 whose other end the test plays.
  std::shared_ptr<byte_queue> play_peer() {
    auto in = std::make_shared<byte_queue>(), out = std::make_shared<byte_queue>();
    outside[0].arriving.emplace_back(1, std::make_unique<fake_stream>(in, out, faults{}));
    queues.push_back(out);
    return in;
  }
  void pump(unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      for (auto& e : ends)
        if (e != nullptr) e->pump();
  }
  static void say(byte_queue& q, const void* bytes, std::size_t count) {
    const auto* from = static_cast<const std::byte*>(bytes);
    q.bytes.insert(q.bytes.end(), from, from + count);
  }
  static void say_head(byte_queue& q, frame_kind kind) {
    const frame_head head{std::uint8_t(kind), 0, 0, 0};
    say(q, &head, sizeof head);
  }

  fake_network::outside outside[2];
  std::unique_ptr<net_channel> ends[2];
  ramjet::channel::link links[2];
  std::vector<std::shared_ptr<byte_queue>> queues;
};

}  // namespace net_test
