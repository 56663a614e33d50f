// SPDX-License-Identifier: Apache-2.0
// Parts of traces whose numbers are damaged: what is made of them is bounded.
#include "trace/file/join.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "../temporary_folder.hpp"
#include "trace/file/part.hpp"

namespace {

using namespace ramjet::trace;

constexpr std::uint64_t kMost = ~std::uint64_t{0};

class Join : public testing::Test {
 protected:
  Join() {
    std::memcpy(head.magic, kPartMagic, sizeof head.magic);
    head.version = kPartVersion;
    head.ranks = head.nodes = head.endpoints = 1;
    head.sample = 1;
    writer.open(path, head, 64 << 20);
    ring.names = {"on_number"};
  }

  void add_event(std::uint64_t ticks) {
    const event one{ticks, 0, 0, 0, 0, event::pack(0, kind::request)};
    writer.take(ring, std::span(&one, 1));
    ++ring.next;
  }
  joined_trace join() {
    const int part = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    return join_parts({part}, {path}, folder.path() + "/trace", 64 << 20);
  }

  temporary_folder folder;
  const std::string path = folder.path() + "/part";
  part_head head{};
  part_writer writer;
  traced_ring ring;
};

TEST(TraceClock, KeepsItsOrderWhateverItsNumbers) {
  const trace_clock clock{0, 1e30, 0};
  EXPECT_EQ(clock.ns_of(0), 0u);
  EXPECT_EQ(clock.ns_of(1), trace_clock::kLatestNs);
  EXPECT_EQ(clock.ns_of(kMost), 0u);  // a tick before
  const trace_clock broken{0, 0.0 / 0.0, 0};
  EXPECT_EQ(broken.ns_of(1), 0u);
}

TEST(TraceNames, AreBoundedForARing) {
  traced_ring ring;
  const std::string some(kNameBytesMax / 2, '\0');
  for (int i = 0; i < 5; ++i) take_names(ring, some);
  EXPECT_EQ(ring.names.size(), kNameBytesMax);
  EXPECT_EQ(ring.name_bytes, kNameBytesMax);
}

TEST_F(Join, OfADamagedClock) {
  writer.add_clock({{1, 1}, {}, 0, 0});
  add_event(1);
  add_event(std::uint64_t{1} << 40);
  writer.add_clock({{2, kMost}, {}, 0, 0});
  const joined_trace joined = join();
  EXPECT_TRUE(joined.done);
  EXPECT_EQ(joined.told, 2u);
}

TEST_F(Join, OfADamagedEnd) {
  writer.add_clock({{1, 1}, {}, 0, 0});
  add_event(1);
  writer.add_clock({{2, 2}, {}, 0, 0});
  writer.add_end(ring, kMost);
  const joined_trace joined = join();
  EXPECT_EQ(joined.told, 1u);
  EXPECT_EQ(joined.lost, 0u);
}

}  // namespace
