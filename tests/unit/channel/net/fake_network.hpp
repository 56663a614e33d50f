// SPDX-License-Identifier: Apache-2.0
// A network without a network: streams are queues of bytes in this process, and nobody is told of
// what breaks but the test. With it a made-up job: a board and lanes in private memory.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "channel/net/net_channel.hpp"
#include "channel/net/network.hpp"
#include "job/join.hpp"

namespace net_test {

// One direction of a stream. The two ends may be in two threads.
struct byte_queue {
  std::mutex mutex;
  std::deque<std::byte> bytes;
  bool ended = false;
  unsigned packets = 0;  // calls of send() that brought something
};

struct faults {
  std::mt19937_64* random = nullptr;  // null: everything at once
  std::size_t capacity = std::size_t{1} << 20;
};

class fake_stream : public ramjet::channel::stream {
 public:
  fake_stream(std::shared_ptr<byte_queue> in, std::shared_ptr<byte_queue> out, faults f)
      : in_(std::move(in)), out_(std::move(out)), faults_(f) {}
  ~fake_stream() override {
    out_->ended = true;
    in_->ended = true;
  }

  std::ptrdiff_t send(const ramjet::channel::piece& first,
                      const ramjet::channel::piece& second) override {
    const std::lock_guard lock(out_->mutex);
    if (out_->ended) return kBroken;
    std::size_t left =
        std::min(faults_.capacity - std::min(faults_.capacity, out_->bytes.size()), some());
    const std::size_t most = left;
    for (const ramjet::channel::piece& p : {first, second}) {
      const std::size_t n = std::min(left, p.count);
      out_->bytes.insert(out_->bytes.end(), p.bytes, p.bytes + n);
      left -= n;
    }
    out_->packets += left != most;
    return std::ptrdiff_t(most - left);
  }
  std::ptrdiff_t receive(std::byte* into, std::size_t most) override {
    const std::lock_guard lock(in_->mutex);
    if (in_->bytes.empty()) return in_->ended ? kBroken : 0;
    const std::size_t n = std::min({most, in_->bytes.size(), some()});
    std::copy_n(in_->bytes.begin(), n, into);
    in_->bytes.erase(in_->bytes.begin(), in_->bytes.begin() + std::ptrdiff_t(n));
    return std::ptrdiff_t(n);
  }
  void finish() override { out_->ended = true; }

 private:
  std::size_t some() {
    if (faults_.random == nullptr) return faults_.capacity;
    const std::uint64_t dice = (*faults_.random)();
    return std::size_t(dice >> 8) % (dice % 4 == 0 ? 40 : 20'000);
  }

  std::shared_ptr<byte_queue> in_, out_;
  faults faults_;
};

class fake_network final : public ramjet::channel::network {
 public:
  // What the channel has said and what it is to be given.
  struct outside {
    std::deque<std::pair<unsigned, std::unique_ptr<ramjet::channel::stream>>> arriving;
    std::vector<unsigned> wanted;
    std::string complaint;  // about the peer that was given up
  };

  explicit fake_network(outside& o) : outside_(o) {}
  const char* name() const noexcept override { return "fake"; }
  void want(unsigned peer) override { outside_.wanted.push_back(peer); }
  std::unique_ptr<ramjet::channel::stream> take(unsigned& peer) override {
    if (outside_.arriving.empty()) return nullptr;
    auto [from, stream] = std::move(outside_.arriving.front());
    outside_.arriving.pop_front();
    peer = from;
    return std::move(stream);
  }
  void give_up(unsigned, const char* why) override { outside_.complaint = why; }
  bool wake_when_ready() override { return true; }

 private:
  outside& outside_;
};

// Two ranks, each on a machine of its own, of which this process plays either or both.
class fake_job {
 public:
  static constexpr std::uint64_t kSegmentBytes = 1 << 20;

  fake_job() {
    ramjet::job::membership& m = ramjet::job::self_for_tests();
    m.ranks = 2;
    m.nodes = 2;
    m.node_of = {0, 1};
    m.layout = ramjet::node::make_geometry(2, 1, kSegmentBytes);
    m.shared = static_cast<ramjet::node::board*>(
        map(nullptr, m.layout.segments_offset, PROT_READ | PROT_WRITE));
    ramjet::node::bind_regions(m.layout, reinterpret_cast<std::byte*>(m.shared));
    // The segments, and pages around them that nobody may touch.
    const std::uint64_t base = m.layout.segment_base, bytes = 2 * kSegmentBytes;
    map(reinterpret_cast<void*>(base - kSegmentBytes), bytes + 2 * kSegmentBytes, PROT_NONE);
    if (mprotect(reinterpret_cast<void*>(base), bytes, PROT_READ | PROT_WRITE) != 0) std::abort();
    for (unsigned r = 0; r < 2; ++r)
      m.line(r).state.store(std::uint32_t(ramjet::node::rank_state::joined));
  }

  std::byte* segment(unsigned rank) const {
    return reinterpret_cast<std::byte*>(ramjet::job::self().layout.segment_base +
                                        rank * kSegmentBytes);
  }
  // The channel of a rank.
  std::unique_ptr<ramjet::channel::net_channel> open(unsigned rank, fake_network::outside& o) {
    ramjet::job::self_for_tests().rank = int(rank);
    ramjet::job::self_for_tests().node = rank;
    return std::make_unique<ramjet::channel::net_channel>(rank, std::make_unique<fake_network>(o));
  }

 private:
  static void* map(void* where, std::size_t bytes, int protection) {
    void* got = mmap(
        where, bytes, protection,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where != nullptr ? MAP_FIXED_NOREPLACE : 0),
        -1, 0);
    if (got == MAP_FAILED) std::abort();
    return got;
  }
};

}  // namespace net_test
