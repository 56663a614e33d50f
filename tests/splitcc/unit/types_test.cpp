// SPDX-License-Identifier: Apache-2.0
// Types: in words, compatible or not, merged by redeclaration; what initializers make of them.
#include "front_end.hpp"

namespace splitcc::test {
namespace {

TEST(Describe, DeclaratorsReadFromTheNameOutwards) {
  front_end f(
      "int *global a; double (*spread b)[4]; char *(*c)(int, ...); const int *const *d;"
      "int *spread *global e[3]; int (*(*g)(void))[2]; struct s { int x; } *h; unsigned long i();"
      "double A[8][9]::[3]; int *global (*j)(int *spread);");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(f.type_of("a"), "int *global");
  EXPECT_EQ(f.type_of("b"), "double (*spread)[4]");
  EXPECT_EQ(f.type_of("c"), "char *(*)(int, ...)");
  EXPECT_EQ(f.type_of("d"), "const int *const *");
  EXPECT_EQ(f.type_of("e"), "int *spread *global[3]");
  EXPECT_EQ(f.type_of("g"), "int (*(*)(void))[2]");
  EXPECT_EQ(f.type_of("h"), "struct s *");
  EXPECT_EQ(f.type_of("i"), "long unsigned int()");
  EXPECT_EQ(f.type_of("A"), "double[8][9]::[3]");
  EXPECT_EQ(f.type_of("j"), "int *global (*)(int *spread)");
}

TEST(Types, ParametersAreAdjusted) {
  front_end f("void p(int a[4], double X[2][3]::[5], int f(void), const char s[]);");
  EXPECT_EQ(f.type_of("p"), "void(int *, double (*spread)[3]::[5], int (*)(void), const char *)");
}

TEST(Types, RedeclarationsMakeTheComposite) {
  front_end f(
      "int a[]; int a[7]; int p(); int p(int *global g); extern int b[3]; int b[];"
      "int (*q)[]; int (*q)[5];");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(f.type_of("a"), "int[7]");
  EXPECT_EQ(f.type_of("p"), "int(int *global)");
  EXPECT_EQ(f.type_of("b"), "int[3]");
  EXPECT_EQ(f.type_of("q"), "int (*)[5]");
}

TEST(Types, PointersOfDifferentReachClash) {
  front_end f("int *global g;\nint *spread g;");
  EXPECT_EQ(f.errors(), 1);
  EXPECT_TRUE(f.says("test.sc:2:13: error: conflicting types for 'g'; have 'int *spread'"))
      << f.messages();
  EXPECT_TRUE(f.says("test.sc:1:13: note: previous declaration of 'g' with type 'int *global'"));
}

TEST(Types, EnumerationsAreOfTheirUnderlyingType) {
  front_end f(
      "enum a { A, B }; enum b { C = -1 }; enum c { D = 1L << 40, E = 2 };"
      "unsigned x; enum a x; int y; enum b y; enum __attribute__((packed)) p { F = 200 };");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(size_of(f.tagged("c")), 8u);
  EXPECT_EQ(size_of(f.tagged("p")), 1u);
  EXPECT_EQ(f.type_of("E"), "int");
  EXPECT_EQ(f.type_of("D"), "long unsigned int");
}

TEST(Initializers, CompleteArrays) {
  front_end f(
      "int a[] = {1, 2, [5] = 3, 4}; char s[] = \"abc\", t[] = {\"ab\"}; int b[][2] = {1, 2, 3};"
      "int c[] = {[0 ... 9] = 1}; struct p { int x, y[2]; } d[] = {1, 2, 3, {4}, 5, {6}};"
      "int *global g[] = {0, 0, 0}; int e[] = (int[]){1, 2, 3}; __typeof__(L'a') w[] = L\"xyz\";"
      "struct { int n; int more[]; } h = {1, {2, 3}};");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(f.warnings(), 0) << f.messages();
  EXPECT_EQ(f.type_of("a"), "int[7]");
  EXPECT_EQ(f.type_of("s"), "char[4]");
  EXPECT_EQ(f.type_of("t"), "char[3]");
  EXPECT_EQ(f.type_of("b"), "int[2][2]");
  EXPECT_EQ(f.type_of("c"), "int[10]");
  EXPECT_EQ(f.type_of("d"), "struct p[3]");
  EXPECT_EQ(f.type_of("g"), "int *global[3]");
  EXPECT_EQ(f.type_of("e"), "int[3]");
  EXPECT_EQ(f.type_of("w"), "int[4]");
}

TEST(Initializers, ValuesGoOnBehindADesignator) {
  front_end f(
      "struct p { int x; int *global g; struct { int u; int *global v; } in[2];"
      " int *global last; };"
      "int i; void f(void) {"
      "  struct p a = {1, &i, {{2, &i}, 3, &i}, &i};"
      "  struct p b = {.in[1].u = 4, &i, &i};"
      "  struct p c = {.in = {[1] = {.v = &i}}, .g = &i, 5, &i, 6, &i, &i};"
      "  struct p d[2] = {[1].g = &i, 7, &i};"
      "}");
  EXPECT_EQ(f.errors() + f.warnings(), 0) << f.messages();
}

TEST(Initializers, ReportWhatHasNoPlace) {
  front_end f(
      "int a[2] = {1, 2, 3};\nint b = {1, 2};\nstruct s { int x; } c = {1, 2};\n"
      "struct s d = {.y = 1};\nint e[2] = {[2] = 1};\nstruct s g = {[0] = 1};\nint h[3] = 5;\n"
      "int A[4]:: = {1};\nunion u { int i; double d; } v = {1, 2};\nchar t[2] = \"abc\";");
  EXPECT_TRUE(f.says("test.sc:1:19: warning: excess elements in array initializer"));
  EXPECT_TRUE(f.says("test.sc:2:13: warning: excess elements in scalar initializer"));
  EXPECT_TRUE(f.says("test.sc:3:29: warning: excess elements in struct initializer"));
  EXPECT_TRUE(f.says("test.sc:4:15: error: 'struct s' has no member named 'y'"));
  EXPECT_TRUE(f.says("test.sc:5:13: error: array index in initializer exceeds array bounds"));
  EXPECT_TRUE(f.says("test.sc:6:15: error: array index in non-array initializer"));
  EXPECT_TRUE(f.says("test.sc:7:12: error: invalid initializer"));
  EXPECT_TRUE(f.says("test.sc:8:12: error: a spread array cannot be initialized"));
  EXPECT_TRUE(f.says("test.sc:9:38: warning: excess elements in union initializer"));
  EXPECT_TRUE(f.says("test.sc:10:13: warning: initializer-string for array of 'char'"));
  EXPECT_EQ(f.errors(), 5) << f.messages();
}

TEST(Initializers, StaticOnesCannotDependOnTheProcessor) {
  front_end f(
      "int x;\nint *global g = &x;\nint *spread s = &x;\nint n = PROCS + 1;\nint *global z = 0;\n"
      "struct { int *global p; } r = {&x};\nvoid f(void) { static int *global t = &x; }\n"
      "void h(void) { int *global a = &x; static int *global b = (int *global)0; }\n",
      true);
  EXPECT_EQ(f.errors(), 5) << f.messages();
  EXPECT_TRUE(
      f.says("test.sc:2:17: error: initializer element is not constant: a local pointer "
             "becomes global by MYPROC"));
  EXPECT_TRUE(f.says("test.sc:4:9: error: initializer element is not constant: it is known when"));
}

TEST(Declarations, AProgramsOwnNameReplacesTheLibrarys) {
  front_end f("void all_gather(int *v) { }\nint barrier = 3;\n", true);
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_FALSE(f.find("all_gather")->is_library);
  EXPECT_EQ(f.type_of("barrier"), "int");
}

TEST(Declarations, ASystemHeadersDoesNot) {
  const char* const header =
      "# 1 \"/usr/include/unistd.h\" 1 3 4\nextern void sync(void); extern void exit(int);\n"
      "# 2 \"test.sc\" 2\n";
  front_end later(std::string(header) + "extern void exit();", true);
  EXPECT_EQ(later.errors(), 0) << later.messages();
  EXPECT_EQ(later.find("sync")->name_in_output, "splitc_sync");
  EXPECT_EQ(later.find("exit")->name_in_output, "splitc_exit_job");
  front_end earlier(std::string(header) + std::string(kLibrary));
  EXPECT_EQ(earlier.find("sync")->name_in_output, "splitc_sync");
}

TEST(Declarations, OfAHeaderStandWhereTheProgramSaysLess) {
  front_end f(
      "# 1 \"/usr/include/stdlib.h\" 1 3 4\nextern void *malloc(unsigned long);"
      "extern int printf(const char *, ...);\n# 2 \"test.sc\" 2\n"
      "extern char *malloc();\nextern int printf();\nchar *(*check)(unsigned long) = malloc;\n"
      "double malloc(int n) { return n; }\n");
  EXPECT_EQ(f.errors(), 1) << f.messages();
  EXPECT_TRUE(f.says("test.sc:2:14: warning: conflicting types for 'malloc'; have 'char *()'"));
  EXPECT_TRUE(f.says("test.sc:5:8: error: conflicting types for 'malloc'; have 'double(int)'"));
  EXPECT_EQ(f.type_of("printf"), "int(const char *, ...)");
}

TEST(Declarations, MainGetsAnotherName) {
  front_end f("int main(void) { return 0; }");
  EXPECT_EQ(f.find("main")->name_in_output, "splitc_main_or_main");
}

TEST(Declarations, CallsDeclareFunctions) {
  front_end f(
      "int f(void) { return g(1) + h(2); }\nstatic int g(int n) { return n; }\nvoid h(int n) { }");
  EXPECT_EQ(f.errors(), 0) << f.messages();
  EXPECT_TRUE(f.says("static declaration of 'g' follows an implicit declaration"));
  EXPECT_TRUE(f.says("conflicting types for 'h'; have 'void(int)'"));
  EXPECT_TRUE(f.find("g")->called_too_early);
  EXPECT_TRUE(f.find("h")->called_too_early);
}

TEST(Declarations, ScopesEndWithTheirBlocks) {
  front_end f(
      "typedef int T; struct s { int a; }; int x;"
      "void f(int T, double x) { { struct s { double d; } y; char x; T = sizeof(struct s); } }"
      "T after; struct s same; int back = sizeof(struct s);");
  ASSERT_EQ(f.errors(), 0) << f.messages();
  EXPECT_EQ(f.type_of("after"), "int");
  EXPECT_EQ(f.value_of("back"), 4);
}

TEST(Declarations, ClashesAreReportedWithTheEarlierPlace) {
  front_end f(
      "int x;\nstatic int x;\nvoid f(void) {\n  int a;\n  int a;\n}\nenum { A,\n  A };\n"
      "int g(void) { return 1; }\nint g(void) { return 2; }\nint f;\n");
  EXPECT_EQ(f.errors(), 5) << f.messages();
  EXPECT_TRUE(f.says("test.sc:2:12: error: static declaration of 'x' follows non-static"));
  EXPECT_TRUE(f.says("test.sc:5:7: error: redeclaration of 'a' with no linkage"));
  EXPECT_TRUE(f.says("test.sc:4:7: note: previous declaration of 'a' with type 'int'"));
  EXPECT_TRUE(f.says("test.sc:8:3: error: redeclaration of enumerator 'A'"));
  EXPECT_TRUE(f.says("test.sc:9:5: note: previous definition of 'g' with type 'int(void)'"));
  EXPECT_TRUE(f.says("test.sc:11:5: error: 'f' redeclared as different kind of symbol"));
}

}  // namespace
}  // namespace splitcc::test
