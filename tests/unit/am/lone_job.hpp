// SPDX-License-Identifier: Apache-2.0
// A job of this one process for tests of the engine's parts: what it sends to itself goes through
// lanes like any other message.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "am/chain.hpp"
#include "am/engine_cold.hpp"
#include "am/payload.hpp"
#include "ramjet/ramjet.hpp"

namespace ramjet::detail {

struct engine_inspector {
  static std::uint64_t payload_bytes(const engine& e) { return e.payload_bytes_; }
  static std::uint64_t ring_words(const engine& e) { return e.mask_ + 1; }
  static std::uint64_t chain_bytes(const engine& e) { return e.chain_bytes_; }
  static bool payload_fits(engine& e, peer& p, std::size_t bytes) {
    return e.payload_fits(p, bytes);
  }
  static void drop_chain(engine& e, peer& p) { e.drop_chain(p); }
};

}  // namespace ramjet::detail

// Joins before the first test and leaves after the last.
class lone_job : public testing::Environment {
 public:
  explicit lone_job(const ramjet::options& wanted = {}) : wanted_(wanted) {}
  void SetUp() override {
    std::string message;
    ASSERT_EQ(ramjet::try_init(wanted_, message), ramjet::status::ok) << message;
  }
  void TearDown() override { ramjet::finalize(); }

 private:
  ramjet::options wanted_;
};
