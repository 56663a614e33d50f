// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/raw_strings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace splitcc::driver {
namespace {

using testing::ElementsAre;

constexpr std::string_view kSaid =
    "In file included from a.sc:1:\n"
    "h.h:1:1: warning: missing terminating \" character\n"
    "    1 | \"x\n"
    "      | ^\n"
    "a.sc:3:5: warning: missing terminating \" character\n"
    "    3 | s = \"x\n"
    "      |     ^\n"
    "a.sc:4:2: warning: missing terminating ' character\n"
    "In file included from a.sc:9:\n"
    "k.h:1:2: warning: #warning hello\n"
    "    1 | #warning hello\n"
    "      |  ^~~~~~~\n"
    "a.sc:5:1: error: unterminated #if\n";

TEST(RawStrings, ComplaintsAreSorted) {
  const complaints all = sort_complaints(kSaid, true);
  ASSERT_EQ(all.quotes.size(), 2u);
  ASSERT_EQ(all.quotes.at("a.sc").size(), 1u);
  EXPECT_EQ(all.quotes.at("a.sc")[0].line, 3u);
  EXPECT_EQ(all.quotes.at("a.sc")[0].column, 5u);
  EXPECT_EQ(all.quotes.at("h.h").size(), 1u);
  EXPECT_EQ(all.other, kSaid.substr(kSaid.find("In file included from a.sc:9")));
  EXPECT_EQ(sort_complaints(kSaid, false).other, "a.sc:5:1: error: unterminated #if\n");
}

TEST(RawStrings, LinesThatCount) {
  EXPECT_THAT(
      lines_in_output("# 1 \"a.sc\"\nx\n\n  y\n# 1 \"b.h\" 1\nz\n# 9 \"a.sc\" 2\nw\n \n", "a.sc"),
      ElementsAre(1u, 3u, 9u));
}

TEST(RawStrings, AreJoined) {
  const std::string text = "a\ns = L\"x\\\"\n  y\", \"z\";\n\"no\nt = \"1\n2\";\n";
  std::vector<position> joined;
  // The quotes that close look as if they opened; line 4 does not count.
  const std::vector<position> quotes{{2, 5}, {3, 4}, {4, 1}, {5, 5}, {6, 2}};
  EXPECT_EQ(join_raw_strings(text, quotes, {1, 2, 3, 5, 6}, joined),
            "a\ns = L\"x\\\"\\n\\\n  y\", \"z\";\n\"no\nt = \"1\\n\\\n2\";\n");
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(joined[1].line, 5u);
  const std::string once = join_raw_strings(text, quotes, {1, 2, 3, 5, 6}, joined);
  joined.clear();
  EXPECT_EQ(join_raw_strings(once, quotes, {1, 2, 3, 5, 6}, joined), once);
  EXPECT_TRUE(joined.empty());
}

TEST(RawStrings, WithoutAnEndStayAsTheyAre) {
  std::vector<position> joined;
  EXPECT_EQ(join_raw_strings("\"a\nb", {{1, 1}, {7, 1}}, {1}, joined), "\"a\nb");
  EXPECT_TRUE(joined.empty());
}

}  // namespace
}  // namespace splitcc::driver
