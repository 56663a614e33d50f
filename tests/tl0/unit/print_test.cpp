// SPDX-License-Identifier: Apache-2.0
// What is printed is assembled to the same program.
#include "languages/tam/tl0/print/print.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "languages/support/files.hpp"
#include "languages/tam/tl0/parse/parser.hpp"

namespace {

tl0::program assembled(const std::string& text, const std::string& name) {
  frontend::messages report({});
  report.lines().add(name, text);
  const auto made = tl0::assemble(tl0::lex(text, name, report), report);
  EXPECT_TRUE(made.has_value()) << name;
  return made.value_or(tl0::program{});
}

tl0::program small() {
  return assembled(
      "block main {\n  slot n: int\n  inlet args(n) post start\n  thread start {\n"
      "    x = (n + 1) * 2\n    print x\n    ffree\n  }\n}\n",
      "small.tl0");
}

TEST(Print, ProgramsComeBackAsTheyWere) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TL0_PROGRAMS)) {
    const tl0::program first = assembled(frontend::read_file(entry.path()), entry.path());
    const std::string text = tl0::print(first);
    EXPECT_TRUE(tl0::equal(first, assembled(text, "printed.tl0"))) << text;
    ++count;
  }
  EXPECT_GE(count, 7);
}

TEST(Print, ADifferenceIsSeen) {
  const tl0::program first = small();
  EXPECT_TRUE(tl0::equal(first, small()));
  tl0::program other = small();
  other.instructions[0].op = tl0::opcode::subtract_int;
  EXPECT_FALSE(tl0::equal(first, other));
  other = small();
  other.constants[0] = 7;
  EXPECT_FALSE(tl0::equal(first, other));
  other = small();
  other.threads[0].entry_count = 2;
  EXPECT_FALSE(tl0::equal(first, other));
  other = small();
  other.threads[0].after_calls = true;
  EXPECT_FALSE(tl0::equal(first, other));
  other = small();
  other.instructions[0].place = tl0::placement::at_in_turn;
  EXPECT_FALSE(tl0::equal(first, other));
}

// Parts that no expression can hold: used twice, and in another order.
TEST(Print, PartsThatAreNoExpressionHaveNumbers) {
  tl0::program p = assembled(
      "block main {\n  slot n: int\n  inlet args(n) post start\n  thread start {\n"
      "    $0 = n + 1\n    $1 = n - 1\n    print $1 * $0, $0\n    ffree\n  }\n}\n",
      "parts.tl0");
  const std::string text = tl0::print(p);
  EXPECT_NE(text.find("$0 = n + 1\n"), std::string::npos) << text;
  EXPECT_TRUE(tl0::equal(p, assembled(text, "printed.tl0"))) << text;
}

// A thread ends with it anyway, one without instructions, too.
TEST(Print, StopAtTheEndIsLeftOut) {
  const tl0::program p = assembled(
      "block main {\n  inlet args() post start\n  thread start {\n    fork last\n    fork idle\n"
      "    stop\n  }\n  thread idle {\n    stop\n  }\n  thread last {\n    ffree\n  }\n}\n",
      "stop.tl0");
  const std::string text = tl0::print(p);
  EXPECT_EQ(text.find("stop"), std::string::npos) << text;
  EXPECT_TRUE(tl0::equal(p, assembled(text, "printed.tl0"))) << text;
}

TEST(Print, LinesOfAFrontEndAreKept) {
  const std::string text =
      "#line 7 \"a.id\"\nblock main {\n  inlet args() post start\n\n#line 9 \"a.id\"\n"
      "  thread start {\n    ffree\n#line\n  }\n}\n";
  const tl0::program p = assembled(text, "lines.tl0");
  const tl0::position freed{1, 9}, stopped{0, 9};
  EXPECT_EQ(p.positions[0], freed);
  EXPECT_EQ(p.positions[1], stopped);
  EXPECT_EQ(tl0::print(p), text);
}

}  // namespace
