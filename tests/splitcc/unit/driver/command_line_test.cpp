// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "languages/splitc/compiler/driver/dialect.hpp"

namespace splitcc::driver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CommandLine, LanguagesOfFiles) {
  const options o = read_command_line({"a.sc", "b.c", "c.o", "-lm", "-x", "splitc", "d.c", "-x",
                                       "c", "e.sc", "-xnone", "f.sci", "g"});
  std::vector<language> all;
  for (const input& i : o.inputs) all.push_back(i.is);
  using enum language;
  EXPECT_THAT(all, ElementsAre(splitc, foreign, linked, linked, splitc, foreign,
                               splitc_preprocessed, linked));
  EXPECT_EQ(o.inputs[5].forced, "c");
}

TEST(CommandLine, WordsGoWhereTheyBelong) {
  const options o =
      read_command_line({"-I", "i", "-Dx=1", "-include", "h", "-Ll", "-L", "m", "-march=native",
                         "-fPIC", "-g", "-Wall", "-pthread", "a.sc"});
  EXPECT_THAT(o.words_for(kPreprocessor),
              ElementsAre("-Ii", "-Dx=1", "-include", "h", "-march=native", "-fPIC", "-pthread"));
  EXPECT_THAT(o.words_for(kCompiler),
              ElementsAre("-march=native", "-fPIC", "-g", "-Wall", "-pthread"));
  EXPECT_THAT(o.words_for(kLinker),
              ElementsAre("-Ll", "-Lm", "-march=native", "-fPIC", "-g", "-pthread"));
  EXPECT_TRUE(o.position_independent);
}

TEST(CommandLine, TheEarliestStageCounts) {
  EXPECT_EQ(read_command_line({"-c", "-E", "a.sc"}).last, stage::preprocess);
  EXPECT_EQ(read_command_line({"-fsyntax-only", "-c", "a.sc"}).last, stage::syntax);
  EXPECT_EQ(read_command_line({"-MM", "-c", "a.sc"}).last, stage::dependencies);
  EXPECT_EQ(read_command_line({"a.sc"}).last, stage::link);
}

TEST(CommandLine, Passes) {
  EXPECT_TRUE(read_command_line({"a.sc"}).passes.coalesce);
  EXPECT_FALSE(read_command_line({"-fno-coalesce", "a.sc"}).passes.coalesce);
  EXPECT_FALSE(read_command_line({"-O0", "a.sc"}).passes.own_loops);
  EXPECT_TRUE(read_command_line({"-O0", "-O3", "a.sc"}).passes.own_loops);
  EXPECT_TRUE(read_command_line({"-fopt-report", "-O0", "a.sc"}).passes.report);
  EXPECT_THAT(read_command_line({"-fno-own-loops", "a.sc"}).words_for(kCompiler), IsEmpty());
}

TEST(CommandLine, Warnings) {
  const options o =
      read_command_line({"-Wno-raw-newline", "-Werror=store-credit", "-Wno-unused", "a.sc"});
  EXPECT_TRUE(o.messages.off.contains("raw-newline"));
  EXPECT_TRUE(o.messages.as_errors.contains("store-credit"));
  EXPECT_THAT(o.words_for(kCompiler), ElementsAre("-Wno-unused"));
  EXPECT_FALSE(o.c_warnings);
  EXPECT_TRUE(read_command_line({"-Wextra", "a.sc"}).c_warnings);
}

TEST(Dialect, OfStandards) {
  EXPECT_TRUE(dialect_of("").gnu89);
  EXPECT_FALSE(dialect_of("").strict);
  EXPECT_TRUE(dialect_of("gnu89").gnu89_inline);
  EXPECT_TRUE(dialect_of("c90").strict);
  EXPECT_FALSE(dialect_of("gnu17").gnu89);
  EXPECT_TRUE(dialect_of("iso9899:1999").strict);
  EXPECT_THROW(dialect_of("c++17"), usage_error);
  options o;
  EXPECT_EQ(standard_for_c(o), "-std=gnu17");
  for (const auto& [asked, given] : {std::pair{"c99", "gnu99"},
                                     {"gnu11", "gnu11"},
                                     {"iso9899:1990", "gnu89"},
                                     {"iso9899:2018", "gnu17"}}) {
    o.standard = asked;
    EXPECT_EQ(standard_for_c(o), std::string("-std=") + given);
  }
}

}  // namespace
}  // namespace splitcc::driver
