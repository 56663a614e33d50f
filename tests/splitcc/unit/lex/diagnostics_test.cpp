// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/lex/diagnostics.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "../../../unit/temporary_folder.hpp"
#include "lexed.hpp"

namespace splitcc {
namespace {

using testing::HasSubstr;

// What `say` has printed.
template <class Say>
std::string printed(Say say) {
  testing::internal::CaptureStderr();
  say();
  return testing::internal::GetCapturedStderr();
}

// A user's file beside the preprocessed text of it.
class user_file {
  temporary_folder folder_;

 public:
  explicit user_file(const std::string& text) { std::ofstream(name) << text; }
  const std::string name = folder_.path() + "/user.sc";
};

TEST(Diagnostics, FormOfGcc) {
  lexed l("int x;\n  y = zzz;");
  EXPECT_EQ(printed([&] { l.report.error(token_index{5}, "no such name"); }),
            "unit.sc:2:7: error: no such name\n"
            "    2 |   y = zzz;\n"
            "      |       ^~~\n");
  EXPECT_EQ(printed([&] { l.report.warning(token_index{3}, "odd", "odd name"); }),
            "unit.sc:2:3: warning: odd name [-Wodd]\n"
            "    2 |   y = zzz;\n"
            "      |   ^\n");
  EXPECT_EQ(printed([&] { l.report.note("by the way"); }), "unit.sc:2:3: note: by the way\n");
  EXPECT_EQ(l.report.errors(), 1);
  EXPECT_EQ(l.report.warnings(), 1);
}

TEST(Diagnostics, ColumnsAreThoseOfTheUsersLine) {
  const user_file file("#define ADD(a, b) ((a) + (b))\n\tint q = ADD(x, /* y */ y) + NONE;\n");
  lexed l("# 2 \"" + file.name + "\"\n int q = ((x) + (y)) + none_is;\n");
  const auto column = [&](token_index at) { return l.report.place_of(at).column; };
  ASSERT_EQ(l[5].text, "x");
  EXPECT_EQ(column(0), 2u);
  EXPECT_EQ(column(5), 14u);
  ASSERT_EQ(l[9].text, "y");
  EXPECT_EQ(column(9), 25u);
  ASSERT_EQ(l[13].text, "none_is");  // a macro made it: the macro's name
  EXPECT_EQ(column(13), 30u);
  // On the screen a tab takes up to eight columns.
  EXPECT_THAT(printed([&] { l.report.error(token_index{1}, "e"); }),
              HasSubstr(":2:13: error: e\n    2 |         int q = ADD(x, /* y */ y) + NONE;\n"
                        "      |             ^\n"));
}

TEST(Diagnostics, LettersBeyondAsciiTakeOneColumn) {
  lexed l("\u00e9 = \u00e9\u00e9 x;");
  EXPECT_THAT(printed([&] { l.report.error(token_index{3}, "e"); }),
              HasSubstr(":1:8: error: e\n    1 | \u00e9 = \u00e9\u00e9 x;\n      |        ^\n"));
}

TEST(Diagnostics, NoWarningsInSystemHeaders) {
  lexed l("# 1 \"s.h\" 1 3\nx\n# 2 \"unit.sc\" 2\ny");
  EXPECT_EQ(printed([&] {
              l.report.warning(token_index{0}, "odd", "w");
              l.report.note(token_index{1}, "belongs to it");
            }),
            "");
  EXPECT_THAT(printed([&] { l.report.error(token_index{0}, "e"); }), HasSubstr("s.h:1:1: error"));
}

TEST(Diagnostics, IncludersAreNamedOnce) {
  lexed l("# 1 \"a.h\" 1\n# 1 \"b.h\" 1\nx y\n# 4 \"a.h\" 2\n# 10 \"unit.sc\" 2\nz");
  EXPECT_THAT(printed([&] { l.report.error(token_index{0}, "e"); }),
              HasSubstr("In file included from a.h:3,\n                 from unit.sc:9:\nb.h:1:1"));
  EXPECT_THAT(printed([&] { l.report.error(token_index{1}, "e"); }),
              testing::StartsWith("b.h:1:3: error"));
}

TEST(Diagnostics, WarningsByName) {
  diagnostic_options options;
  options.off = {"off"};
  options.as_errors = {"grave"};
  lexed l("x", true, options);
  EXPECT_EQ(printed([&] { l.report.warning(token_index{0}, "off", "w"); }), "");
  EXPECT_THAT(printed([&] { l.report.warning(token_index{0}, "grave", "w"); }),
              HasSubstr("error: w [-Werror=grave]"));
  EXPECT_EQ(l.report.errors(), 1);
}

TEST(Diagnostics, WarningsAreErrorsOnDemand) {
  diagnostic_options options;
  options.warnings_are_errors = true;
  options.not_errors = {"light"};
  lexed l("x", true, options);
  EXPECT_THAT(printed([&] { l.report.warning(token_index{0}, "odd", "w"); }),
              HasSubstr("error: w [-Werror=odd]"));
  EXPECT_THAT(printed([&] { l.report.warning(token_index{0}, "light", "w"); }),
              HasSubstr("warning: w [-Wlight]"));
}

TEST(Diagnostics, StopsAtTheLimit) {
  diagnostic_options options;
  options.errors_max = 2;
  lexed l("x", true, options);
  const std::string said = printed([&] {
    l.report.error(token_index{0}, "one");
    EXPECT_THROW(l.report.error(token_index{0}, "two"), too_many_errors);
  });
  EXPECT_THAT(said, HasSubstr("compilation terminated due to -fmax-errors=2.\n"));
}

TEST(Diagnostics, Colors) {
  diagnostic_options options;
  options.color = true;
  lexed l("x", true, options);
  EXPECT_EQ(printed([&] { l.report.error(token_index{0}, "e"); }),
            "\33[01m\33[Kunit.sc:1:1:\33[m\33[K \33[01;31m\33[Kerror: \33[m\33[Ke\n"
            "    1 | x\n      | \33[01;31m\33[K^\33[m\33[K\n");
}

}  // namespace
}  // namespace splitcc
