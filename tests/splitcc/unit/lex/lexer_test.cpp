// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/lex/lexer.hpp"

#include <gmock/gmock.h>

#include "languages/support/hash.hpp"
#include "lexed.hpp"

namespace splitcc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Lexer, EmptyTextHasAnEnd) {
  const lexed l("");
  ASSERT_EQ(l.tokens.tokens.size(), 1u);
  EXPECT_EQ(l[0].kind, token_kind::end);
  EXPECT_EQ(l.said, "");
}

TEST(Lexer, TellsKindsApart) {
  const lexed l("int x1 = 0x1p-3 + 'a' * \"s\";");
  EXPECT_THAT(l.texts(), ElementsAre("int", "x1", "=", "0x1p-3", "+", "'a'", "*", "\"s\"", ";"));
  EXPECT_EQ(l[0].word, keyword::kw_int);
  EXPECT_EQ(l[0].kind, token_kind::keyword);
  EXPECT_EQ(l[1].kind, token_kind::identifier);
  EXPECT_EQ(l[1].name->text, "x1");
  EXPECT_EQ(l[3].kind, token_kind::number);
  EXPECT_EQ(l[5].kind, token_kind::character);
  EXPECT_EQ(l[7].kind, token_kind::string);
  EXPECT_EQ(l[8].mark, punctuator::semicolon);
}

TEST(Lexer, EveryPunctuatorIsReadAsTheLongest) {
  for (int p = 1; p <= static_cast<int>(punctuator::hash); ++p) {
    const auto mark = static_cast<punctuator>(p);
    const lexed l("x " + std::string(spelling(mark)) + " y");
    ASSERT_EQ(l.tokens.tokens.size(), 4u) << spelling(mark);
    EXPECT_EQ(l[1].mark, mark) << spelling(mark);
  }
  EXPECT_THAT(lexed("a+++++b>>=c->d...").texts(),
              ElementsAre("a", "++", "++", "+", "b", ">>=", "c", "->", "d", "..."));
}

TEST(Lexer, Digraphs) {
  const lexed l("<: :> <% %> %:");
  EXPECT_EQ(l[0].mark, punctuator::left_bracket);
  EXPECT_EQ(l[1].mark, punctuator::right_bracket);
  EXPECT_EQ(l[2].mark, punctuator::left_brace);
  EXPECT_EQ(l[3].mark, punctuator::right_brace);
  EXPECT_EQ(l[4].mark, punctuator::hash);
}

TEST(Lexer, MarksOfTheLanguage) {
  EXPECT_THAT(lexed("a := b; c :- d; e::[3]").texts(),
              ElementsAre("a", ":=", "b", ";", "c", ":-", "d", ";", "e", "::", "[", "3", "]"));
  const lexed apart("a : = b");  // as a macro made it
  EXPECT_THAT(apart.texts(), ElementsAre("a", ":=", "b"));
  EXPECT_EQ(apart[1].mark, punctuator::split_phase);
}

TEST(Lexer, NoMarksOfTheLanguageInC) {
  EXPECT_THAT(lexed("a := b :- c :: d", false).texts(),
              ElementsAre("a", ":", "=", "b", ":", "-", "c", ":", ":", "d"));
}

TEST(Lexer, NoStoreWhileAQuestionIsOpen) {
  EXPECT_THAT(lexed("c ? a :-b").texts(), ElementsAre("c", "?", "a", ":", "-", "b"));
  EXPECT_THAT(lexed("c ? d ? 1 :-2 :-3").texts(),
              ElementsAre("c", "?", "d", "?", "1", ":", "-", "2", ":", "-", "3"));
  EXPECT_THAT(lexed("c ? 1 : 2, *g :-3").texts(),
              ElementsAre("c", "?", "1", ":", "2", ",", "*", "g", ":-", "3"));
  EXPECT_THAT(lexed("c ? (*g :-1) :-2").texts(),
              ElementsAre("c", "?", "(", "*", "g", ":-", "1", ")", ":", "-", "2"));
  EXPECT_THAT(lexed("c ? x; *g :-1").texts(),  // what is wrong does not last
              ElementsAre("c", "?", "x", ";", "*", "g", ":-", "1"));
}

TEST(Lexer, PlacesFollowLineMarks) {
  const lexed l("# 1 \"a.sc\"\nx\n# 7 \"b \\\"q\\\\.h\" 1 3 4\n  y\nz\n# 3 \"a.sc\" 2\n w");
  EXPECT_EQ(l.file_of(0), "a.sc");
  EXPECT_EQ(l[0].line, 1u);
  EXPECT_EQ(l.file_of(1), "b \"q\\.h");
  EXPECT_EQ(l[1].line, 7u);
  EXPECT_EQ(l[1].column, 3u);
  EXPECT_TRUE(l.tokens.files[l[1].file].is_system);
  EXPECT_EQ(l[2].line, 8u);
  EXPECT_EQ(l.file_of(3), "a.sc");
  EXPECT_EQ(l[3].line, 3u);
  const source_file& header = l.tokens.files[l[1].file];
  EXPECT_EQ(header.includer, l[3].file);
  EXPECT_EQ(header.include_line, 2u);
}

TEST(Lexer, WhiteSpaceBefore) {
  const lexed l("a b(c)\n d/**/e");
  const auto flags = [&](std::size_t i) {
    return std::pair{bool(l[i].first_in_line), bool(l[i].space_before)};
  };
  EXPECT_EQ(flags(0), (std::pair{true, false}));
  EXPECT_EQ(flags(1), (std::pair{false, true}));
  EXPECT_EQ(flags(2), (std::pair{false, false}));
  EXPECT_EQ(flags(5), (std::pair{true, true}));
  EXPECT_EQ(flags(6), (std::pair{false, true}));
}

TEST(Lexer, PragmasBelongToTheNextToken) {
  const lexed l("a\n#pragma omp x\n#ident \"v\"\n# 3 \"unit.sc\"\nb\n#pragma last");
  EXPECT_THAT(l.texts(), ElementsAre("a", "b"));
  EXPECT_FALSE(l[0].pragma_before);
  ASSERT_TRUE(l[1].pragma_before);
  EXPECT_EQ(l.tokens.pragmas.at(1), "#pragma omp x\n#ident \"v\"");
  ASSERT_TRUE(l[2].pragma_before);
  EXPECT_EQ(l.tokens.pragmas.at(2), "#pragma last");
}

TEST(Lexer, StringsGoOnOverEndsOfLines) {
  const lexed l("s = \"a\nb\\\nc\\\"\" x\ny");
  EXPECT_THAT(l.texts(), ElementsAre("s", "=", R"("a\nbc\"")", "x", "y"));
  EXPECT_EQ(l[3].line, 3u);
  EXPECT_EQ(l[3].column, 6u);
  EXPECT_EQ(l[4].line, 4u);
  EXPECT_THAT(l.said, HasSubstr("unit.sc:1:5: warning: "));
}

TEST(Lexer, StringsEndWithTheirLineInC) {
  const lexed l("f(\"a);\nb", false);
  EXPECT_THAT(l.texts(), ElementsAre("f", "(", "\"\"", ")", ";", "b"));
  EXPECT_THAT(l.said, HasSubstr("unit.sc:1:3: error: missing terminating \" character"));
}

TEST(Lexer, UnterminatedLiterals) {
  const lexed string("x = \"a;\ny");
  EXPECT_THAT(string.texts(), ElementsAre("x", "=", "\"\"", ";", "y"));
  EXPECT_THAT(string.said, HasSubstr(":1:5: error: missing terminating \" character"));
  EXPECT_THAT(lexed("'a").said, HasSubstr("missing terminating ' character"));
  EXPECT_THAT(lexed("''").said, HasSubstr("empty character constant"));
  EXPECT_THAT(lexed("\"a\\").said, HasSubstr("missing terminating"));
  EXPECT_THAT(lexed("/* a").said, HasSubstr("unterminated comment"));
}

TEST(Lexer, PrefixesOfLiterals) {
  const lexed l("L'a' u8\"b\" u\"c\" U\"d\" R\"x(e\\\n\")x\" u8R\"(f)\" M\"g\" u8'h'");
  EXPECT_THAT(l.texts(), ElementsAre("L'a'", "u8\"b\"", "u\"c\"", "U\"d\"", "R\"x(e\\\n\")x\"",
                                     "u8R\"(f)\"", "M", "\"g\"", "u8", "'h'"));
  EXPECT_EQ(l[5].line, 2u);
  EXPECT_EQ(l.said, "");
}

TEST(Lexer, Numbers) {
  const lexed l("1.5e+3f .5 0x1e+1 1..2 08 1e5-3 12ull");
  EXPECT_THAT(l.texts(),
              ElementsAre("1.5e+3f", ".5", "0x1e+1", "1..2", "08", "1e5", "-", "3", "12ull"));
}

TEST(Lexer, IdentifiersBeyondAscii) {
  const lexed l("\u00e9t\u00e9 \\u00e9t\\U000000e9 $x a$");
  EXPECT_EQ(l.texts().size(), 4u);
  EXPECT_EQ(l[0].name, l[1].name);
  EXPECT_EQ(l[2].name->text, "$x");
  EXPECT_EQ(l.said, "");
}

TEST(Lexer, WhatIsNoTokenIsSaidAndSkipped) {
  const lexed l("a @ b \u00a0 c ` d \x80 e \\ f");
  EXPECT_THAT(l.texts(), ElementsAre("a", "b", "c", "d", "e", "f"));
  EXPECT_EQ(l.report.errors(), 5);
  EXPECT_THAT(l.said, HasSubstr("unit.sc:1:3: error: stray '@' in program"));
  EXPECT_THAT(l.said, HasSubstr("stray '\\302' in program"));
  EXPECT_EQ(lexed(std::string_view("a\0b", 3)).texts().size(), 2u);
}

TEST(Lexer, KeywordsInAllSpellings) {
  const lexed l("__const__ __inline typeof asm __asm__ _Bool global spread");
  EXPECT_EQ(l[0].word, keyword::kw_const);
  EXPECT_EQ(l[1].word, keyword::kw_inline);
  EXPECT_EQ(l[2].word, keyword::kw_typeof);
  EXPECT_EQ(l[3].word, keyword::kw_asm);
  EXPECT_EQ(l[4].word, keyword::kw_asm);
  EXPECT_EQ(l[5].word, keyword::kw_bool);
  EXPECT_EQ(l[6].kind, token_kind::identifier);
  EXPECT_EQ(l[7].kind, token_kind::identifier);
  identifier_table strict(true);
  EXPECT_EQ(strict.find("asm")->word, keyword::none);
  EXPECT_EQ(strict.find("__asm__")->word, keyword::kw_asm);
}

TEST(Identifiers, AreUniqueAndStay) {
  identifier_table names;
  std::vector<identifier*> all;
  for (int i = 0; i < 50'000; ++i) all.push_back(names.find("name_" + std::to_string(i)));
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = "name_" + std::to_string(i);
    ASSERT_EQ(names.find(text), all[static_cast<std::size_t>(i)]);
    ASSERT_EQ(all[static_cast<std::size_t>(i)]->text, text);
  }
  const std::string longest(100'000, 'x');
  EXPECT_EQ(names.find(longest), names.find(longest));
  EXPECT_EQ(names.find("a")->text, "a");
}

TEST(Lexer, ManyFilesAndLongLines) {
  std::string text;
  for (int i = 0; i < 70'000; ++i)
    text += "# 1 \"f" + std::to_string(i) + ".h\" 1\nx" + std::to_string(i) + "\n";
  const lexed l(text + std::string(70'000, ' ') + "end");
  EXPECT_EQ(l.tokens.tokens.size(), 70'002u);
  EXPECT_EQ(l[70'000].column, 0);
}

}  // namespace
}  // namespace splitcc
