// SPDX-License-Identifier: Apache-2.0
// Constant expressions: each value here is computed by the C++ compiler, too.
#include "front_end.hpp"

#include <cstddef>

namespace splitcc::test {
namespace {

struct st {
  char c;
  double d;
  struct {
    short x;
    int y[4];
  } in;
};

constexpr const char* kStruct =
    "struct st { char c; double d; struct { short x; int y[4]; } in; }; ";

std::optional<long long> value(std::string_view expression) {
  front_end f(std::string(kStruct) +
              "enum { A = 5, B, C = -3 }; long long v = " + std::string(expression) + ";");
  EXPECT_EQ(f.errors(), 0) << f.messages();
  return f.value_of("v");
}

#define SAME(...) EXPECT_EQ(value(#__VA_ARGS__), static_cast<long long>(__VA_ARGS__))

TEST(Constants, ArithmeticWrapsToTheWidthOfItsType) {
  SAME(1 + 2 * 3 - 4 / 3 % 2);
  SAME(0xffffffffu + 1);
  SAME(0xffffffffu + 1L);
  EXPECT_EQ(value("-1 < 1u"), 0);
  SAME(-1L < 1u);
  SAME(0x80000000 >> 31);
  SAME(-8 >> 1);
  SAME(-8u >> 28);
  SAME(~0u / 3);
  SAME(-7 / 2);
  SAME(-7 % 3);
  SAME(0x7fffffffffffffff);
  SAME(0xffffffffffffffff > 1);
  SAME((1 << 30) | (0x0f & 7));
}

TEST(Constants, CastsNarrow) {
  SAME((char)300);
  SAME((unsigned char)-1);
  SAME((short)0x18000);
  SAME((unsigned short)-1 + 1);
  SAME((int)3.99);
  SAME((int)-2.5f);
  SAME((long)1e15);
  SAME((unsigned char)('a' + 200));
  EXPECT_EQ(value("(_Bool)0.5"), 1);
  EXPECT_EQ(value("(_Bool)256"), 1);
  EXPECT_EQ(value("(long long)((__int128)1 << 100 >> 98)"), 4);
}

TEST(Constants, ChoicesAreLazy) {
  SAME(1 ? 2 : 3);
  SAME(0 && 1);
  SAME(1 || 0);
  SAME(!5 + !0);
  EXPECT_EQ(value("0 && 1 / 0"), 0);
  EXPECT_EQ(value("1 ? 2 : 1 / 0"), 2);
  EXPECT_EQ(value("7 ?: 9"), 7);
  EXPECT_EQ(value("(1 ? -1 : 0u) > 0"), 1);
  EXPECT_EQ(value("__builtin_choose_expr(0, 1, 2.0 < 3)"), 1);
  EXPECT_EQ(value("1 / 0"), std::nullopt);
}

TEST(Constants, PlacesInRecords) {
  EXPECT_EQ(value("sizeof(struct st)"), static_cast<long long>(sizeof(st)));
  EXPECT_EQ(value("__builtin_offsetof(struct st, in.y[2])"),
            static_cast<long long>(offsetof(st, in) + 4 + 8));
  EXPECT_EQ(value("(char *)&((struct st *)0)->in.y[1] - (char *)0"),
            static_cast<long long>(offsetof(st, in) + 8));
  EXPECT_EQ(value("(long)&((struct st *)16)->d"), static_cast<long long>(16 + offsetof(st, d)));
  EXPECT_EQ(value("(long)((struct st *)0 + 3)"), static_cast<long long>(3 * sizeof(st)));
  EXPECT_EQ(value("&((int *)0)[7] - &((int *)0)[2]"), 5);
  EXPECT_EQ(value("_Alignof(struct st) + __alignof__(short)"), 10);
}

// As gcc has it: a variable's own alignment, a member's in its record.
TEST(Constants, AlignmentOfObjects) {
  front_end f(
      "typedef int low __attribute__((aligned(2)));\n"
      "int a __attribute__((aligned(2))); low b __attribute__((aligned(1))); low c;\n"
      "_Alignas(64) char d; extern char e __attribute__((aligned(32)));\n"
      "extern char e __attribute__((aligned(8)));\n"
      "char v __attribute__((aligned(128), vector_size(2)));\n"
      "struct s { char x; int y __attribute__((packed)), w; low z __attribute__((aligned(32))); };"
      "struct __attribute__((packed)) p { int y; int z __attribute__((aligned(8))); } *p;\n"
      "struct s s;\n"
      "_Static_assert(__alignof__(a) == 2 && __alignof__(b) == 1 && __alignof__ c == 2, \"\");\n"
      "_Static_assert(__alignof__(d) == 64 && _Alignof(e) == 32 && __alignof__(v) == 128, \"\");\n"
      "_Static_assert(__alignof__(s.y) == 1 && __alignof__((s.z)) == 32, \"\");\n"
      "_Static_assert(__alignof__(s.w) == 4 && __alignof__(s.x) == 1, \"\");\n"
      "_Static_assert(__alignof__(p->y) == 1 && __alignof__(p->z) == 8, \"\");\n");
  EXPECT_EQ(f.errors(), 0) << f.messages();
}

TEST(Constants, OfTheLanguage) {
  EXPECT_EQ(value("sizeof(int *global) + sizeof(double *spread)"), 16);
  EXPECT_EQ(value("(int *global)0 == 0"), 1);
  EXPECT_EQ(value("A + B * C"), 5 + 6 * -3);
  EXPECT_EQ(value("sizeof \"abc\" \"de\" + sizeof(L'a')"), 10);
  EXPECT_EQ(value("__builtin_strlen(\"hello\") + __builtin_constant_p(3)"), 6);
  EXPECT_EQ(value("__builtin_popcount(255) + __builtin_ctz(8) + __builtin_bswap16(0x100)"), 12);
  front_end f("int n; long long v = 1; void f(void) { v = __builtin_constant_p(n) ? 1 : 2; }");
  EXPECT_EQ(f.errors(), 0);
}

TEST(Constants, WhereOneIsNeeded) {
  front_end f("int n;\nstruct s { int b : n; };\nenum { A = n };\nint a[2] = {[n] = 1};\n");
  EXPECT_EQ(f.errors(), 3) << f.messages();
  EXPECT_TRUE(f.says("test.sc:2:"));
  EXPECT_TRUE(f.says("test.sc:3:"));
  EXPECT_TRUE(f.says("test.sc:4:14: error: array index in initializer is not an integer constant"));
}

}  // namespace
}  // namespace splitcc::test
