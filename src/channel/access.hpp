// SPDX-License-Identifier: Apache-2.0
// Accesses past the lanes: a request that the peer's channel has served while it pumps, without a
// record, a handler or a reply of the engine. (Schauser et al. 1996, Exploiting the Capabilities of
// Communications Co-processors, Figure 3: the optimised primitives.) An access has its meaning from
// the two users of the channel; the channel carries it there, and the answer back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramjet::channel {

// A run of bytes.
struct piece {
  const std::byte* bytes;
  std::size_t count;
};

// A word, and bytes if the access has them.
struct access_answer {
  std::uint8_t what = 0;
  std::uint64_t word = 0;
  piece bytes{nullptr, 0};
  bool by_network = false;  // the network has read the bytes (access::fetch): no peer has answered
};

struct access {
  // The request and what belongs to it, without the deposit.
  static constexpr std::size_t kRequestBytesMax = 4096;
  // The bytes of one answer.
  static constexpr std::size_t kAnswerBytesMax = 60 * 1024;
  // The bytes that are fetched at once.
  static constexpr std::size_t kFetchBytesMax = 1024 * 1024;
  // Longer answers than this go straight to where `landing` says.
  static constexpr std::size_t kGatheredBytesMax = 4096;

  std::uint8_t what = 0;
  std::uint32_t id = 0;  // named by the answer
  piece request{nullptr, 0}, more{nullptr, 0};  // one run, in two pieces
  std::size_t answer_bytes = 0;  // that the answer will bring
  // Deposited before the access is served, at an offset from the first of all segments; none if
  // empty.
  piece deposit{nullptr, 0};
  std::uint64_t deposit_at = 0;
  // The bytes of the answer are read at an offset of the same kind by a network that reads the
  // peer's memory by itself; the answer then says `fetched`.
  bool fetch = false;
  std::uint64_t fetch_at = 0;
  // Its thread begins another one or waits at once: this one may leave with what follows.
  bool more_follow = false;
  access_answer fetched{};
};

// Whether an access is under way. full: there is no room for it now; no_fetch: the network cannot
// read the peer's memory after all.
enum class access_start : std::uint8_t { taken, full, no_fetch };

// Who serves an access: the thread of the endpoint, or a second one (channel::serve).
enum class server : std::uint8_t { endpoint, second_thread };

// What serves accesses and what takes answers; answers are taken by the endpoint's thread alone.
// The reasons that are returned say what is wrong with the peer, which is given up; null: nothing.
struct access_functions {
  // At the owner, for a peer. The answer's bytes stay where they are until this thread's next call.
  const char* (*serve)(unsigned port, std::uint8_t what, const piece& request, access_answer& into,
                       server by);
  // At the requester: where an answer's many bytes go; null if nobody waits for them any more, or
  // something is wrong. Called before each of their pieces.
  std::byte* (*landing)(unsigned port, std::uint32_t id, const access_answer& about,
                        const char*& wrong);
  // An answer is there. Where its bytes have landed already, `bytes` has a count and no address.
  const char* (*answered)(unsigned port, std::uint32_t id, const access_answer& answer);
};

// The process's. Set before a job is joined.
void set_access_functions(const access_functions& all) noexcept;
const access_functions& the_access_functions() noexcept;

}  // namespace ramjet::channel
