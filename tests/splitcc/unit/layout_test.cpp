// SPDX-License-Identifier: Apache-2.0
// Sizes, alignments and places of members: the front end's against the compiler's of this test.
#include "front_end.hpp"

#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>

#define _Bool bool
#include "layouts.h"
#undef _Bool

namespace splitcc::test {
namespace {

struct layout {
  const char* tag;
  const char* member;  // null: it has bit-fields alone
  std::size_t bytes, alignment, offset;
};

#define ALL(tag) {#tag, nullptr, sizeof(tag), alignof(tag), 0}
#define UP_TO(tag, member) {#tag, #member, sizeof(tag), alignof(tag), offsetof(tag, member)}
constexpr layout kLayouts[] = {
    UP_TO(s0, g),     UP_TO(s1, e),  UP_TO(s2, d),  ALL(s3),       UP_TO(s4, c),  UP_TO(s5, c),
    UP_TO(s6, c),     UP_TO(s7, d),  UP_TO(s8, d),  UP_TO(s9, c),  UP_TO(s10, a), UP_TO(u11, c),
    UP_TO(u12, c),    UP_TO(s13, d), UP_TO(s14, e), UP_TO(s15, d), UP_TO(s16, b), UP_TO(s17, d),
    UP_TO(s18, more), UP_TO(s19, c), UP_TO(s20, f), UP_TO(s21, b), ALL(s22),      ALL(s23),
    UP_TO(s24, c),    UP_TO(s25, d), UP_TO(s26, b), UP_TO(s27, c), UP_TO(s28, d), ALL(s29)};

std::string text_of_layouts() {
  std::ifstream file(SPLITCC_LAYOUTS);
  std::stringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  return all.substr(all.find("*/") + 2);  // no preprocessor has taken the comment away
}

TEST(Layout, IsTheCompilers) {
  front_end f(text_of_layouts());
  ASSERT_EQ(f.errors(), 0) << f.messages();
  for (const layout& l : kLayouts) {
    const type* t = f.tagged(l.tag);
    ASSERT_NE(t, nullptr) << l.tag;
    EXPECT_EQ(size_of(t), l.bytes) << l.tag;
    EXPECT_EQ(alignment_of(t), l.alignment) << l.tag;
    if (!l.member) continue;
    bool found = false;
    for (const member& m : t->record->members) {
      if (!m.name || m.name->text != l.member) continue;
      found = true;
      EXPECT_EQ(m.offset, l.offset) << l.tag;
    }
    EXPECT_TRUE(found) << l.tag;
  }
}

// Bit by bit: what the compiler sets when all ones are stored into the field.
#define EXPECT_BITS(tag, field)                                                            \
  do {                                                                                     \
    unsigned char bytes[sizeof(tag)] = {};                                                 \
    tag all_ones;                                                                          \
    std::memset(&all_ones, 0xff, sizeof all_ones);                                         \
    reinterpret_cast<tag*>(bytes)->field = all_ones.field;                                 \
    const member* m = find_member(*f.tagged(#tag)->record, f.name(#field));                \
    ASSERT_NE(m, nullptr);                                                                 \
    for (std::size_t bit = 0; bit < sizeof(tag) * 8; ++bit) {                              \
      const std::size_t start = m->offset * 8 + m->bit_offset;                             \
      const bool is_set = (bytes[bit / 8] >> (bit % 8)) & 1;                               \
      ASSERT_EQ(is_set, bit >= start && bit < start + *m->bits) << #tag "." #field << bit; \
    }                                                                                      \
  } while (false)

TEST(Layout, PutsBitFieldsWhereTheCompilerDoes) {
  front_end f(text_of_layouts());
  EXPECT_BITS(s2, a);
  EXPECT_BITS(s2, b);
  EXPECT_BITS(s2, c);
  EXPECT_BITS(s3, b);
  EXPECT_BITS(s3, c);
  EXPECT_BITS(s3, d);
  EXPECT_BITS(s3, e);
  EXPECT_BITS(s4, b);
  EXPECT_BITS(s8, b);
  EXPECT_BITS(s8, c);
  EXPECT_BITS(u12, b);
  EXPECT_BITS(s23, c);
  EXPECT_BITS(s23, d);
  EXPECT_BITS(s29, b);
  EXPECT_BITS(s29, e);
}

TEST(Layout, GlobalPointersAreWords) {
  front_end f("struct g { char a; int *global b; char c; double *spread d[2]; }; struct g x;");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(size_of(f.tagged("g")), 40u);
  EXPECT_TRUE(f.tagged("g")->record->holds_global);
}

TEST(Layout, IsUnknownWhereOnlyTheProgramKnows) {
  front_end f("void f(int n) { struct v { int a[n]; } x; int b[n]; (void)sizeof x; (void)b; }");
  EXPECT_EQ(f.errors(), 0) << f.messages();
}

}  // namespace
}  // namespace splitcc::test
