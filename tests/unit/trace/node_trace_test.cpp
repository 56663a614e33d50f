// SPDX-License-Identifier: Apache-2.0
// A machine's part of a trace, as a rank writes it. This process plays both ranks of its machine.
#include "trace/file/node_trace.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "../region_offset.hpp"
#include "../temporary_folder.hpp"
#include "base/system.hpp"
#include "trace/ring.hpp"

namespace {

using namespace ramjet;
using namespace ramjet::node;
using namespace ramjet::trace;

constexpr unsigned kRanks = 2;
constexpr std::uint64_t kEvents = 1024;
constexpr std::uint64_t kRingBytes = kEvents * sizeof(event);

// The ranks' memory, as joining it leaves it.
class machine {
 public:
  machine() {
    layout_ = make_geometry(kRanks, 1, 4096);
    object_ = base::open_memory_file();
    EXPECT_EQ(::ftruncate(object_, off_t(layout_.total_bytes)), 0);
    memory_ = ::mmap(nullptr, layout_.segments_offset, PROT_READ | PROT_WRITE, MAP_SHARED, object_,
                     0);
    EXPECT_NE(memory_, MAP_FAILED);
    shared()->layout = layout_;
    set_layout_state(2);
    for (unsigned rank = 0; rank < kRanks; ++rank) set_state(rank, rank_state::joined);
  }
  ~machine() {
    ::munmap(memory_, layout_.segments_offset);
    ::close(object_);
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  void set_layout_state(std::uint32_t state) { shared()->layout_state = state; }
  void set_state(unsigned rank, rank_state state) {
    rank_lines(shared())[rank].state = std::uint32_t(state);
  }
  // Its ring has had `written` events; each says its own number.
  void note(unsigned rank, std::uint64_t written, std::uint64_t open = ~std::uint64_t{0}) {
    std::byte* const mine = static_cast<std::byte*>(memory_) +
                            find_region(layout_, kRegionName, 0)->offset +
                            rank * port_bytes(kEvents);
    auto* const events = reinterpret_cast<event*>(mine + kEventsOffset);
    for (std::uint64_t i = written - std::min(written, kEvents); i < written; ++i) {
      const kind what = i == open ? kind::handler : kind::request;
      events[i % kEvents] = {i, i == open ? kOpen : 0, i, 0, 0, event::pack(0, what)};
    }
    reinterpret_cast<ring_head*>(mine)->written = written;
  }
  std::unique_ptr<node_trace> as_rank(int rank, const std::string& file) {
    job::membership& job = ranks_[std::size_t(rank)];
    job.rank = rank;
    job.ranks = kRanks;
    job.shared = shared();
    job.layout = layout_;
    job.node_of = {0, 0};
    job.settings.trace_file = file;
    job.settings.trace_bytes = kRingBytes;
    job.settings.trace_limit = 16 << 20;
    job.settings.trace_sample = 1;
    return node_trace::open(job, ::dup(object_));
  }

 private:
  board* shared() {
    if (board_ == nullptr) board_ = format_board(memory_, kRanks, failure_policy::abort, 0);
    return board_;
  }

  geometry layout_;
  int object_ = -1;
  void* memory_ = nullptr;
  board* board_ = nullptr;
  std::array<job::membership, kRanks> ranks_;
};

// What a part says of one ring.
struct told_ring {
  std::vector<std::uint64_t> numbers;  // of its events, as they say it themselves
  std::uint64_t written = 0;  // by its end
};

class NodeTrace : public testing::Test {
 protected:
  std::vector<told_ring> read_part() const {
    std::vector<told_ring> rings(kRanks);
    part_reader reader(::open(part_path(file, 0).c_str(), O_RDONLY | O_CLOEXEC));
    part_head head;
    EXPECT_TRUE(reader.read_head(head));
    std::vector<std::byte> bytes;
    for (part_chunk chunk; reader.next(chunk);) {
      if (chunk.kind == part_kind::end) rings[chunk.port].written = chunk.first;
      if (chunk.kind != part_kind::events) continue;
      EXPECT_TRUE(reader.read_bytes(bytes));
      std::vector<event> events(chunk.count);
      std::memcpy(events.data(), bytes.data(), bytes.size());
      for (const event& e : events) {
        EXPECT_EQ(e.begin, chunk.first + std::uint64_t(&e - events.data()));
        rings[chunk.port].numbers.push_back(e.begin);
      }
    }
    return rings;
  }

  temporary_folder folder;
  const std::string file = folder.path() + "/job.trace";
};

// The oldest events of a full ring are those that its owner writes next.
TEST_F(NodeTrace, AtADeathTheRingsOfTheLivingMayStillBeWritten) {
  constexpr std::uint64_t kWritten = 5000;
  machine here;
  here.note(0, kWritten, kWritten - 10);
  here.note(1, kWritten, kWritten - 10);
  const auto mine = here.as_rank(0, file);
  here.set_state(1, rank_state::failed);
  mine->note_death(1);
  const std::vector<told_ring> told = read_part();
  ASSERT_FALSE(told[0].numbers.empty());
  EXPECT_GT(told[0].numbers.front(), kWritten - kEvents);
  EXPECT_EQ(told[0].numbers.back(), kWritten - 1);  // behind the handler that goes on
  EXPECT_EQ(told[0].written, kWritten);
  EXPECT_EQ(told[1].numbers.front(), kWritten - kEvents);
  EXPECT_EQ(told[1].numbers.back(), kWritten - 1);
  EXPECT_EQ(told[1].written, kWritten);
}

TEST_F(NodeTrace, BeginsWhenTheLayoutIsThere) {
  machine here;
  here.note(0, 10);
  here.set_layout_state(1);
  const auto mine = here.as_rank(0, file);
  EXPECT_NE(mine->take(1), 0u);
  here.set_layout_state(2);
  mine->finish();
  EXPECT_EQ(read_part()[0].numbers.size(), 10u);
}

TEST_F(NodeTrace, ASuccessorGoesOn) {
  machine here;
  here.note(0, 100);
  here.note(1, 50);
  here.as_rank(0, file)->take(1);
  here.set_state(0, rank_state::failed);
  here.note(1, 70);
  here.as_rank(1, file)->finish();
  const std::vector<told_ring> told = read_part();
  EXPECT_EQ(told[0].numbers.size(), 100u);
  EXPECT_EQ(told[1].numbers.size(), 70u);
}

TEST_F(NodeTrace, ASuccessorLeavesOutWhatAnEarlierJobHasWritten) {
  machine before;
  before.note(0, 100);
  before.note(1, 100);
  before.as_rank(0, file)->take(1);
  machine here;  // rank 0 dies before it writes
  here.note(1, 20);
  here.set_state(0, rank_state::failed);
  here.as_rank(1, file)->finish();
  const std::vector<told_ring> told = read_part();
  EXPECT_EQ(told[0].numbers.size(), 0u);
  EXPECT_EQ(told[1].numbers.size(), 20u);
}

// The regions' sizes are those of this process's settings.
const bool has_rings = ::setenv("RAMJET_TRACE_BYTES", "32K", 1) == 0;

}  // namespace
