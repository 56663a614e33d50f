// SPDX-License-Identifier: Apache-2.0
// A GoogleTest program that is a job, or a rank of one: what its tests call has been joined.
#pragma once

#include <gtest/gtest.h>
#include <ramjet/ramjet.hpp>

class Job : public testing::Environment {
 public:
  void SetUp() override {
    int argc = 0;
    char** argv = nullptr;
    ramjet::init(argc, argv);
  }
  void TearDown() override { ramjet::finalize(); }
};
inline const testing::Environment* const kJob = testing::AddGlobalTestEnvironment(new Job);
