// SPDX-License-Identifier: Apache-2.0
#include "languages/support/messages.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "languages/support/source_text.hpp"
#include "languages/support/suggestions.hpp"

namespace frontend {
namespace {

// What `say` has printed.
template <class Say>
std::string printed(Say say) {
  testing::internal::CaptureStderr();
  say();
  return testing::internal::GetCapturedStderr();
}

TEST(SourceText, PlacesOfOffsets) {
  const source_text text("a.id", "one\n\ntwo three\r\nlast");
  EXPECT_EQ(text.line_of(0), 1u);
  EXPECT_EQ(text.line_of(3), 1u);  // its newline
  EXPECT_EQ(text.line_of(4), 2u);
  for (const std::uint32_t offset : {9u, 0u, 4u, 5u, 16u, 3u, 9u, 20u}) {  // in any order
    const auto [line, begin, end] = text.line_at(offset);
    EXPECT_EQ(line, text.place_of(offset).line) << offset;
    EXPECT_EQ(offset - begin + 1, text.place_of(offset).column) << offset;
    EXPECT_GT(end, offset);
    EXPECT_EQ(text.line_of(end), std::min(line + 1, 4u)) << offset;
  }
  const place three = text.place_of(9, 5);
  EXPECT_EQ(three.file, "a.id");
  EXPECT_EQ(three.line, 3u);
  EXPECT_EQ(three.column, 5u);
  EXPECT_EQ(three.width, 5u);
  EXPECT_EQ(three.source, "two three");
  EXPECT_EQ(text.place_of(9, 100).width, 5u);  // not past the end of the line
  EXPECT_EQ(text.place_of(20).line, 4u);       // the end of the text
  EXPECT_EQ(text.place_of(20).column, 5u);
}

TEST(Messages, FormAndNotes) {
  const source_text text("a.id", "x = y;\n\tz");
  messages report({});
  EXPECT_EQ(printed([&] { report.error(text.place_of(8), "no z"); }),
            "a.id:2:9: error: no z\n"
            "    2 |         z\n"
            "      |         ^\n");
  EXPECT_EQ(printed([&] { report.note(text.place_of(0), "but x"); }),
            "a.id:1:1: note: but x\n"
            "    1 | x = y;\n"
            "      | ^\n");
  EXPECT_EQ(report.errors(), 1);
}

TEST(Messages, LinesOfTextInMemory) {
  messages report({});
  report.lines().add("<input>", "first\nsecond\n");
  place where;
  where.file = "<input>";
  where.line = 2;
  where.column = 3;
  EXPECT_THAT(printed([&] { report.warning(where, "", "w"); }),
              testing::EndsWith("    2 | second\n      |   ^\n"));
}

TEST(Messages, StopAtTheLimit) {
  message_options options;
  options.errors_max = 1;
  messages report(options);
  EXPECT_THAT(printed([&] { EXPECT_THROW(report.error(place(), "e"), too_many_errors); }),
              testing::HasSubstr("-fmax-errors=1"));
}

TEST(Suggestions, NearestWord) {
  const std::string_view words[] = {"length", "nth", "map"};
  EXPECT_EQ(nearest("lenght", words), "length");
  EXPECT_EQ(nearest("mpa", words), "");
  EXPECT_EQ(nearest("maps", words), "map");
  const std::string_view letters[] = {"x", "m2"};
  EXPECT_EQ(nearest("g", letters), "");
  EXPECT_EQ(nearest("m", letters), "m2");
}

}  // namespace
}  // namespace frontend
