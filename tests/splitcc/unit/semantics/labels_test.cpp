// SPDX-License-Identifier: Apache-2.0
// Labels of functions and of blocks: which are defined, and which errors are reported.
#include "languages/splitc/compiler/semantics/labels.hpp"

#include <gtest/gtest.h>

#include "languages/support/arena.hpp"

namespace splitcc {
namespace {

struct LabelTable : testing::Test {
  // The messages of what f does.
  template <class F>
  std::string messages(F f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
  }

  arena memory;
  identifier_table identifiers;
  diagnostics report{diagnostic_options{}};
  token_list tokens = lex("out: again:", "test.sc", identifiers, report);
  unit_context unit{memory, tokens, report, {}};
  label_table labels{unit};
  identifier* out = identifiers.find("out");

  void SetUp() override { report.look_in(tokens); }
};

TEST_F(LabelTable, AJumpAheadAndItsLabelAreTheSame) {
  label_target* const jump = labels.label(out, 0, false);
  EXPECT_TRUE(jump->is_used);
  EXPECT_FALSE(jump->is_defined);
  EXPECT_EQ(labels.label(out, 0, true), jump);
  EXPECT_TRUE(jump->is_defined);
  EXPECT_EQ(messages([&] { labels.leave_function(); }), "");
  EXPECT_NE(labels.label(out, 0, true), jump);  // another function's
}

TEST_F(LabelTable, ALabelIsDefinedOnce) {
  labels.label(out, 0, false);
  EXPECT_NE(messages([&] { labels.leave_function(); }).find("label 'out' used but not defined"),
            std::string::npos);
  labels.label(out, 0, true);
  EXPECT_NE(messages([&] { labels.label(out, 0, true); }).find("duplicate label 'out'"),
            std::string::npos);
}

TEST_F(LabelTable, ABlocksLabelHidesTheFunctions) {
  label_target* const of_function = labels.label(out, 0, true);
  labels.declare_local(out, 0, 2);
  label_target* const of_block = labels.label(out, 0, true);
  EXPECT_NE(of_block, of_function);
  labels.leave_block(3);
  EXPECT_EQ(labels.label(out, 0, false), of_block);
  EXPECT_EQ(messages([&] { labels.leave_block(2); }), "");
  EXPECT_EQ(labels.label(out, 0, false), of_function);
}

TEST_F(LabelTable, ABlocksLabelMustBeDefinedInIt) {
  labels.declare_local(out, 0, 2);
  EXPECT_NE(messages([&] { labels.leave_block(2); }).find("label 'out' used but not defined"),
            std::string::npos);
}

}  // namespace
}  // namespace splitcc
