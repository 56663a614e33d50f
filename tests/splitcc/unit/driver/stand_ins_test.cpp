// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/stand_ins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace splitcc::driver {
namespace {

TEST(StandIns, InclusionsAreInTheMarks) {
  const auto found = inclusions(
      "# 0 \"a.sc\"\n# 0 \"<command-line>\"\n# 1 \"c.h\" 1 3\n# 1 \"d.h\" 1 3\n# 8 \"c.h\" 2 3\n"
      "# 0 \"<command-line>\" 2\n# 1 \"a.sc\"\nx\n# 1 \"h.h\" 1\n\n# 1 \"k.h\" 1\nk\n"
      "# 5 \"h.h\" 2\ny\n# 3 \"a.sc\" 2\n# 1 \"/t/0-m.h\" 1\n# 1 \"m.h\"\nz\n# 7 \"a.sc\" 2\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].by + found[0].file, "h.hk.h");
  EXPECT_EQ(found[0].line, 4u);
  EXPECT_EQ(found[1].by + found[1].file, "a.sch.h");
  EXPECT_EQ(found[1].line, 2u);
  EXPECT_EQ(found[2].by + found[2].file, "a.scm.h");
  EXPECT_EQ(found[2].line, 6u);
}

TEST(StandIns, ADirectiveNamesAnotherFile) {
  EXPECT_EQ(including("# include <x.h> /* y */", "/t/x.h"), "# include \"/t/x.h\" /* y */");
  EXPECT_EQ(including("#include \"d/x.h\"", "/t/x.h"), "#include \"/t/x.h\"");
  EXPECT_EQ(including("#include NAME", "/t/x.h"), "");
  EXPECT_EQ(including("#include \"x.h", "/t/x.h"), "");
}

TEST(StandIns, WhoIncludesThemNamesThem) {
  temporary_files temporaries("splitcc");
  stand_ins instead(temporaries, "<stdin>", "int x;\n#include \"h.h\"\nint y;\n");
  EXPECT_TRUE(instead.empty());
  EXPECT_FALSE(instead.lead_to_them({{"<stdin>", 2, "h.h"}}));
  instead.replace("h.h", "int h;\n");
  EXPECT_TRUE(instead.lead_to_them({{"<stdin>", 2, "h.h"}}));
  EXPECT_FALSE(instead.lead_to_them({{"<stdin>", 2, "h.h"}}));
  std::string text = instead.text_of("<stdin>");
  EXPECT_THAT(text, testing::MatchesRegex("int x;\n#include \"/[^\n]*h\\.h\"\nint y;\n"));
  instead.write();
  EXPECT_TRUE(std::filesystem::exists(instead.of_main()));
  instead.rename_in(text);
  EXPECT_EQ(text, "int x;\n#include \"h.h\"\nint y;\n");
}

}  // namespace
}  // namespace splitcc::driver
