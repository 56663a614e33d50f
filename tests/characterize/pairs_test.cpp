// SPDX-License-Identifier: Apache-2.0
// Which pairs of processors are measured, on machines that are made up.
#include "tools/characterize/topology/pairs.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace characterize {
namespace {

// By hwloc's words for a machine: "pack:2 core:4 pu:2".
class made_up {
 public:
  explicit made_up(const char* words) {
    const bool is_made = hwloc_topology_init(&topology_) == 0 &&
                         hwloc_topology_set_synthetic(topology_, words) == 0 &&
                         hwloc_topology_load(topology_) == 0;
    EXPECT_TRUE(is_made) << words;
  }
  ~made_up() { hwloc_topology_destroy(topology_); }
  made_up(const made_up&) = delete;
  made_up& operator=(const made_up&) = delete;

  // "the same core 0 1, other socket 0 4": of all of its processors.
  std::string pairs() const {
    std::vector<int> all(std::size_t(hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_PU)));
    std::iota(all.begin(), all.end(), 0);
    return pairs_of(all);
  }
  std::string pairs_of(const std::vector<int>& processors) const {
    std::string text;
    for (const processor_pair& p : pairs_by_sharing(topology_, processors))
      text += (text.empty() ? "" : ", ") + std::string(where_text(p.shared)) + " " +
              std::to_string(p.first) + " " + std::to_string(p.second);
    return text;
  }

 private:
  hwloc_topology_t topology_ = nullptr;
};

TEST(Pairs, OneKind) {
  EXPECT_EQ(made_up("pack:1 l3:1 l2:2 core:1 pu:1").pairs(), "the same L3 cache 0 1");
  EXPECT_EQ(made_up("pack:1 l2:1 core:4 pu:1").pairs(), "the same L2 cache 0 1");
}

TEST(Pairs, OneProcessor) { EXPECT_EQ(made_up("pack:1 core:1 pu:1").pairs(), ""); }

TEST(Pairs, HardwareThreadsAndTwoSockets) {
  const made_up server("pack:2 l3:1 l2:4 core:1 pu:2");
  EXPECT_EQ(server.pairs(), "the same core 0 1, the same L3 cache 0 2, other socket 0 8");
}

// As Linux numbers them: the second threads of all cores behind the first ones.
TEST(Pairs, ThreadsOfACoreAreNotNeighbours) {
  const made_up desktop("pack:1 l3:1 l2:4 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)");
  EXPECT_EQ(desktop.pairs(), "the same core 0 4, the same L3 cache 0 1");
}

TEST(Pairs, CoresShareASecondLevel) {
  EXPECT_EQ(made_up("pack:1 l3:1 l2:2 core:2 pu:1").pairs(),
            "the same L2 cache 0 1, the same L3 cache 0 2");
}

TEST(Pairs, SeveralThirdLevelsInASocket) {
  const made_up chiplets("pack:2 l3:4 l2:2 core:1 pu:2");
  EXPECT_EQ(chiplets.pairs(),
            "the same core 0 1, the same L3 cache 0 2, the same socket 0 4, other socket 0 16");
}

TEST(Pairs, NumaNodesInASocket) {
  const made_up clusters("pack:2 numa:2 l3:2 l2:2 core:1 pu:1");
  EXPECT_EQ(clusters.pairs(),
            "the same L3 cache 0 1, the same socket 0 2, other NUMA node 0 4, other socket 0 8");
}

TEST(Pairs, TwoSocketsWithOneMemory) {
  EXPECT_EQ(made_up("pack:2 core:2 pu:1").pairs(), "the same socket 0 1, other socket 0 2");
}

TEST(Pairs, NoSocketsAreNamed) {
  EXPECT_EQ(made_up("core:2 pu:1").pairs(), "the same socket 0 1");
  EXPECT_EQ(made_up("numa:2 core:2 pu:1").pairs(), "the same socket 0 1, other NUMA node 0 2");
}

TEST(Pairs, OnlyOfProcessorsThatMayBeUsed) {
  const made_up server("pack:2 l3:1 l2:4 core:1 pu:2");
  EXPECT_EQ(server.pairs_of({3, 9}), "other socket 3 9");
  EXPECT_EQ(server.pairs_of({15, 14, 2}), "the same core 15 14, other socket 15 2");
  EXPECT_EQ(server.pairs_of({5}), "");
  EXPECT_EQ(server.pairs_of({5, 5, 99, -1}), "");
}

}  // namespace
}  // namespace characterize
