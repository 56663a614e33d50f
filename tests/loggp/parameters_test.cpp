// SPDX-License-Identifier: Apache-2.0
// Machines: from what ramjet characterize prints, and from the command line.
#include "tools/model/parameters.hpp"

#include <gtest/gtest.h>

#include <string>

namespace loggp {
namespace {

const char* const kPart =
    R"({"latency_ns": 1, "send_overhead_ns": 2, "receive_overhead_ns": 3, "gap_ns": 4,
        "byte_ns": 5})";

machine read(const std::string& text) {
  machine m;
  read_characterization("f", console::json::parse(text).value(), m);
  return m;
}

TEST(Parameters, AreReadFromACharacterization) {
  const machine m = read(std::string(R"({"version": 1, "machine": {"usable_cores": 2}, "near": )") +
                         kPart + R"(, "crowd": {"barriers": [[4, 8000], [16, 64000]]}})");
  EXPECT_EQ(m.near.latency_ns, 1);
  EXPECT_EQ(m.near.byte_ns, 5);
  EXPECT_EQ(m.far.gap_ns, 4);  // near stands for what is not there
  EXPECT_EQ(m.cores, 2u);
  EXPECT_EQ(m.turn_ns(2), 0);
  EXPECT_EQ(m.turn_ns(4), 4000);
  EXPECT_NEAR(m.turn_ns(8), 5657, 1);
  EXPECT_EQ(m.turn_ns(64), 8000);
  EXPECT_EQ(m.near_byte_ns(64), 5);  // nobody measured more
  EXPECT_EQ(m.gather_ns(1e6), 0);
  EXPECT_EQ(m.touch_ns(1e6), 0);
}

TEST(Parameters, OfManyRanksAndOfMemoryAreReadWhereTheyAre) {
  machine m = read(std::string(R"({"version": 1, "machine": {"usable_cores": 2}, "near": )") +
                   kPart + R"(, "crowd": {"bytes": [[2, 5], [4, 0], [8, 20]]},
                             "memory": {"gathers_by_size": [[4096, 1], [16384, 4]],
                                        "first_touch_ns": 500}})");
  EXPECT_EQ(m.near_byte_ns(1), 5);
  EXPECT_DOUBLE_EQ(m.near_byte_ns(4), 10);  // what took no time says nothing
  EXPECT_DOUBLE_EQ(m.near_byte_ns(64), 20);
  EXPECT_EQ(m.gather_ns(100), 1);
  EXPECT_DOUBLE_EQ(m.gather_ns(8192), 2);
  EXPECT_EQ(m.gather_ns(1e9), 4);
  EXPECT_EQ(m.touch_ns(8192), 1000);
  EXPECT_EQ(m.touch_ns(8193), 1500);
  scale("G=2", m);
  EXPECT_DOUBLE_EQ(m.near_byte_ns(8), 40);
  read_assignments("G=0", m);
  EXPECT_EQ(m.near_byte_ns(8), 0);
}

TEST(Parameters, FilesThatAreNoneOfOursAreRefused) {
  const std::string part = kPart;
  for (const std::string& wrong :
       {std::string("[]"), std::string("{}"), std::string("3"),
        std::string(R"({"version": 1, "machine": {}})"),
        R"({"version": 2, "machine": {}, "near": )" + part + "}",
        R"({"machine": {}, "near": )" + part + "}",
        std::string(R"({"version": 1, "machine": {}, "near": {"latency_ns": 1}})"),
        R"({"version": 1, "machine": {"usable_cores": 0}, "near": )" + part + "}",
        R"({"version": 1, "machine": {"usable_cores": 2}, "crowd": {"barriers": [[4, -1]]},
            "near": )" +
            part + "}",
        R"({"version": 1, "machine": {"usable_cores": 2}, "crowd": {"barriers": [[8, 1], [4, 1]]},
            "near": )" +
            part + "}",
        R"({"version": 1, "machine": {"usable_cores": 2}, "crowd": {"barriers": [7]},
            "near": )" +
            part + "}",
        R"({"version": 1, "machine": {}, "crowd": {"bytes": [[0, 1]]}, "near": )" + part + "}",
        R"({"version": 1, "machine": {}, "crowd": {"bytes": "abc"}, "near": )" + part + "}",
        R"({"version": 1, "machine": {}, "crowd": {"bytes": [[2, "x"]]}, "near": )" + part + "}",
        R"({"version": 1, "machine": {}, "memory": {"first_touch_ns": -1}, "near": )" + part + "}",
        R"({"version": 1, "machine": {}, "memory": {"gathers_by_size": [[8, 1], [8, 1]]},
            "near": )" +
            part + "}",
        std::string(
            R"({"version": 1, "machine": {}, "near": {"latency_ns": -1, "send_overhead_ns": 2,
                "receive_overhead_ns": 3, "gap_ns": 4, "byte_ns": 5}})")})
    EXPECT_THROW(read(wrong), input_error) << wrong;
}

TEST(Parameters, AreAssignedAndScaled) {
  machine m;
  read_assignments("L=100,o=10,g=5,G=0.5,far.L=1e3,near.o_s=7", m);
  EXPECT_EQ(m.near.latency_ns, 100);
  EXPECT_EQ(m.far.latency_ns, 1000);
  EXPECT_EQ(m.near.send_ns, 7);
  EXPECT_EQ(m.near.receive_ns, 10);
  EXPECT_EQ(m.far.send_ns, 10);
  scale("far.L=2,G=4", m);
  EXPECT_EQ(m.far.latency_ns, 2000);
  EXPECT_EQ(m.near.latency_ns, 100);
  EXPECT_EQ(m.near.byte_ns, 2);
  for (const char* const wrong :
       {"", "L", "L=", "L=x", "L=-1", "Z=1", "near.Z=1", "nearby.L=1", "L=1,", "L=nan", "L=1e30"})
    EXPECT_THROW(read_assignments(wrong, m), input_error) << wrong;
}

}  // namespace
}  // namespace loggp
