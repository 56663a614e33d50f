// SPDX-License-Identifier: Apache-2.0
// Expressions: their types, and the conversions that semantics puts between pointers of different
// views, into reads of global lvalues, and nowhere else.
#include "expressions.hpp"

namespace splitcc::test {
namespace {

TEST(Arithmetic, UsualConversions) {
  EXPECT_EQ(type_of("c + c"), "int");
  EXPECT_EQ(type_of("u + i"), "unsigned int");
  EXPECT_EQ(type_of("u + l"), "long int");
  EXPECT_EQ(type_of("1ull + l"), "long long unsigned int");
  EXPECT_EQ(type_of("f + i"), "float");
  EXPECT_EQ(type_of("f * d"), "double");
  EXPECT_EQ(type_of("1.0l + d"), "long double");
  EXPECT_EQ(type_of("c << l"), "int");
  EXPECT_EQ(type_of("l << c"), "long int");
  EXPECT_EQ(type_of("c < l"), "int");
  EXPECT_EQ(type_of("-c"), "int");
  EXPECT_EQ(type_of("x.bits + 0"), "int");
  EXPECT_EQ(type_of("f += d"), "float");
  EXPECT_EQ(type_of("i ? c : d"), "double");
  EXPECT_EQ(type_of("1.0fi + d"), "_Complex double");
  EXPECT_EQ(type_of("__real__ 1.0fi"), "float");
}

TEST(Literals, TheirTypes) {
  EXPECT_EQ(type_of("2147483647"), "int");
  EXPECT_EQ(type_of("2147483648"), "long int");
  EXPECT_EQ(type_of("0x80000000"), "unsigned int");
  EXPECT_EQ(type_of("0xffffffffffffffff"), "long unsigned int");
  EXPECT_EQ(type_of("1LL"), "long long int");
  EXPECT_EQ(type_of("0b11ul"), "long unsigned int");
  EXPECT_EQ(type_of("1e3"), "double");
  EXPECT_EQ(type_of("0x1p3f"), "float");
  EXPECT_EQ(type_of("1.q"), "_Float128");
  EXPECT_EQ(type_of("'a'"), "int");
  EXPECT_EQ(type_of("\"a\\n\\x41\\101\" \"b\""), "char[6]");
  EXPECT_EQ(type_of("L\"ab\""), "int[3]");
  EXPECT_EQ(type_of("u\"\\U0001f600\""), "short unsigned int[3]");
  EXPECT_EQ(type_of("\"\\u00e9\""), "char[3]");
}

TEST(Pointers, OfAllViews) {
  EXPECT_EQ(type_of("*g"), "int");
  EXPECT_EQ(type_of("g + 1"), "int *global");
  EXPECT_EQ(type_of("1 + s"), "int *spread");
  EXPECT_EQ(type_of("s - t"), "long int");
  EXPECT_EQ(type_of("g - s"), "long int");
  EXPECT_EQ(type_of("&g[1]"), "int *global");
  EXPECT_EQ(type_of("&s[1]"), "int *global");
  EXPECT_EQ(type_of("&gx->m"), "int *global");
  EXPECT_EQ(type_of("&*gg"), "int *global *global");
  EXPECT_EQ(type_of("**gg"), "int");
  EXPECT_EQ(type_of("(*sg)[1]"), "int *global");
  EXPECT_EQ(type_of("ga + 1"), "int (*global)[7]");
  EXPECT_EQ(type_of("*ga"), "int[7]");
  EXPECT_EQ(type_of("*ga + 1"), "int *global");
  EXPECT_EQ(type_of("gx->a + 1"), "int *global");
  EXPECT_EQ(type_of("i ? g : p"), "int *global");
  EXPECT_EQ(type_of("i ? s : p"), "int *spread");
  EXPECT_EQ(type_of("i ? s : g"), "int *global");
  EXPECT_EQ(type_of("i ? g : gv"), "void *global");
  EXPECT_EQ(type_of("i ? 0 : s"), "int *spread");
  EXPECT_EQ(type_of("i ? g : (void *)0"), "int *global");
  EXPECT_EQ(type_of("gv + 1"), "void *global");
}

TEST(SpreadArrays, Subscripts) {
  EXPECT_EQ(type_of("A + 1"), "int *spread");
  EXPECT_EQ(type_of("A[1]"), "int");
  EXPECT_EQ(type_of("&A[1]"), "int *spread");
  EXPECT_EQ(type_of("B + 1"), "double (*spread)[5][6]");
  EXPECT_EQ(type_of("B[1][2]"), "double[5][6]");
  EXPECT_EQ(type_of("&B[1][2]"), "double (*global)[5][6]");
  EXPECT_EQ(type_of("B[1][2][3][4]"), "double");
  EXPECT_EQ(type_of("&B[1][2][3][4]"), "double *global");
  EXPECT_EQ(type_of("B[1][2] + 1"), "double (*global)[6]");
  EXPECT_EQ(type_of("&X[1]"), "struct r *spread");
  EXPECT_EQ(type_of("&X[1].m"), "int *global");
  EXPECT_EQ(message("d = *B[1]"),
            "error: 'B[1]' names no block of the spread array: 1 more subscript is needed before "
            "`::` ends");
}

TEST(Library, TypesThatCCannotDeclare) {
  EXPECT_EQ(type_of("tolocal(g)"), "int *");
  EXPECT_EQ(type_of("tolocal(A)"), "int *");
  EXPECT_EQ(type_of("tolocal(B[1][2])"), "double (*)[6]");
  EXPECT_EQ(type_of("tolocal(p)"), "int *");
  EXPECT_EQ(type_of("toglobal(1, p)"), "int *global");
  EXPECT_EQ(type_of("toglobal(1, a)"), "int *global");
  EXPECT_EQ(type_of("*toglobal(1, px)"), "struct r");
  EXPECT_EQ(type_of("toglobal(1, 0)"), "void *global");
  EXPECT_EQ(type_of("tolocal(0)"), "void *");
  EXPECT_EQ(message("p = tolocal(i)"),
            "warning: passing argument 1 of 'tolocal' makes pointer from integer without a cast "
            "[-Wint-conversion]");
  EXPECT_EQ(message("p = tolocal(d)"),
            "error: tolocal() takes a pointer or a spread array, not a value of type 'double'");
}

// Conversions that C implies, decay and arithmetic, get no nodes; names of its own stay as written.
TEST(Trees, PlainCIsLeftAsItIs) {
  EXPECT_EQ(tree("d = i + c"), "[= d [+ i c]]");
  EXPECT_EQ(tree("p = a"), "[= p a]");
  EXPECT_EQ(tree("p = 0"), "[= p 0]");
  EXPECT_EQ(tree("i = to_local(a)"), "[= i [call to_local a]]");
  EXPECT_EQ(tree("i = px->a[2] + x.m++"), "[= i [+ [index [->a px] 2] [post++ [.m x]]]]");
  EXPECT_EQ(tree("i = p && !d ? l : c"), "[= i [? [&& p [! d]] l c]]");
}

// The bits of wide pointers are copied as they are.
TEST(Trees, WidePointersAreIntegersOfTheOutput) {
  EXPECT_EQ(tree("g = h"), "[= g h]");
  EXPECT_EQ(tree("g = s"), "[= g [same_bits s]]");
  EXPECT_EQ(tree("i = g == h"), "[= i [== g h]]");
  EXPECT_EQ(tree("g = give()"), "[= g [call give]]");
  EXPECT_EQ(tree("x = y"), "[= x y]");
  EXPECT_EQ(tree("l = (long)g"), "[= l [cast g]]");
  EXPECT_EQ(tree("i = unknown(g, s, p)"), "[= i [call unknown g s p]]");
}

TEST(Trees, AccessesOfGlobalLvalues) {
  EXPECT_EQ(tree("i = *g"), "(= i (read (* g)))");
  EXPECT_EQ(tree("*g = i"), "(= (* g) i)");
  EXPECT_EQ(tree("s[2] = g[i]"), "(= (index s 2) (read (index g i)))");
  EXPECT_EQ(tree("*g += 2"), "(+= (* g) 2)");
  EXPECT_EQ(tree("gx->m++"), "(post++ (->m gx))");
  EXPECT_EQ(tree("i = gx->next->m"), "(= i (read (->m (read (->next gx)))))");
  EXPECT_EQ(tree("i = (*gx).a[1]"), "(= i (read (index (to_global_element (.a (* gx))) 1)))");
  EXPECT_EQ(tree("x = *gx"), "(= x (read (* gx)))");
  EXPECT_EQ(tree("of_record(*gx)"), "(call of_record (read (* gx)))");
  EXPECT_EQ(tree("i = record().m"), "[= i [.m [call record]]]");
  EXPECT_EQ(tree("g = &gx->m"), "(= g (& (->m gx)))");
  EXPECT_EQ(tree("i = ({ *g; })"), "(= i ({} ({} (; (read (* g))))))");
  EXPECT_EQ(tree("__real__ *gz = 1"), "(= (real (* gz)) 1)");
  EXPECT_EQ(tree("d = __real__ *gz"), "(= d (read (real (* gz))))");
  EXPECT_EQ(tree("i, *g"), "(, i (read (* g)))");
}

TEST(Trees, SpreadArrays) {
  EXPECT_EQ(tree("A[1] = 2"), "(= (index (to_block A) 1) 2)");
  EXPECT_EQ(tree("d = B[0][1][2][3]"),
            "(= d (read (index (to_global_element (index (to_global_element (index (to_block "
            "(index B 0)) 1)) 2)) 3)))");
  EXPECT_EQ(tree("s = A"), "(= s (to_block A))");
  EXPECT_EQ(tree("g = A"), "(= g (same_bits (to_block A)))");
}

TEST(Trees, PointersChangeTheirView) {
  EXPECT_EQ(tree("g = p"), "(= g (own_global p))");
  EXPECT_EQ(tree("s = a"), "(= s (own_spread a))");
  EXPECT_EQ(tree("p = (int *)g"), "(= p (cast:to_local g))");
  EXPECT_EQ(tree("g = (int *global)p"), "(= g (cast:own_global p))");
  EXPECT_EQ(tree("p = tolocal(s)"), "(= p (to_local s))");
  EXPECT_EQ(tree("to_global(p)"), "(call to_global (own_global p))");
  EXPECT_EQ(tree("to_global(A)"), "(call to_global (same_bits (to_block A)))");
  EXPECT_EQ(tree("old(p, p)"), "(call old (own_global p) (own_spread p))");
  EXPECT_EQ(tree("g = i ? h : p"), "(= g (? i h (own_global p)))");
  EXPECT_EQ(tree("i = g == p"), "(= i (== g (own_global p)))");
  EXPECT_EQ(tree("bulk_get(g, p, 4)"), "(call bulk_get (to_local g) (own_global p) 4)");
}

TEST(Trees, ArithmeticOfWidePointers) {
  EXPECT_EQ(tree("g = h + i"), "(= g (+ h i))");
  EXPECT_EQ(tree("s++"), "(post++ s)");
  EXPECT_EQ(tree("s -= 2"), "(-= s 2)");
  EXPECT_EQ(tree("l = g - h"), "(= l (- g h))");
  EXPECT_EQ(tree("i = s < t"), "(= i (< s t))");
  EXPECT_EQ(tree("i = s < g"), "(= i (< [same_bits s] g))");
}

TEST(Trees, NullAndTruth) {
  EXPECT_EQ(tree("g = 0"), "[= g [null_global 0]]");
  EXPECT_EQ(tree("g = (void *)0"), "(= g (null_global [cast 0]))");
  EXPECT_EQ(tree("g = (int *)(void *)0"), "(= g (null_global [cast [cast 0]]))");
  EXPECT_EQ(tree("i = g == 0"), "(= i (== g [null_global 0]))");
  EXPECT_EQ(tree("i = !g"), "(= i (! (truth g)))");
  EXPECT_EQ(tree("i = g && p"), "(= i (&& (truth g) p))");
  EXPECT_EQ(tree("i = g ? 1 : 2"), "(= i (? (truth g) 1 2))");
  EXPECT_EQ(tree("g = h ?: p"), "(= g (? h - (own_global p)))");
}

TEST(SplitPhase, ByThePlacesOfTheSides) {
  EXPECT_EQ(tree("i := *g"), "(:= i (* g))");
  EXPECT_EQ(tree("x := *gx"), "(:= x (* gx))");
  EXPECT_EQ(tree("g := *gg"), "(:= g (* gg))");
  EXPECT_EQ(tree("*g := i"), "(:= (* g) i)");
  EXPECT_EQ(tree("*g := *h"), "(:= (* g) (read (* h)))");
  EXPECT_EQ(tree("*g :- i + 1"), "(:- (* g) [+ i 1])");
  EXPECT_EQ(tree("*g :- *h"), "(:- (* g) (read (* h)))");
  EXPECT_EQ(tree("i := j"), "(= i j)");
  EXPECT_EQ(tree("i :- *g"), "(= i (read (* g)))");
}

// Neither bit-fields nor other representations can be the target of a get.
TEST(SplitPhase, UnlikeTypesAreReadAndConverted) {
  EXPECT_EQ(tree("d := *g"), "(= d (read (* g)))");
  EXPECT_EQ(tree("x.bits := *g"), "(= [.bits x] (read (* g)))");
  EXPECT_EQ(tree("u := *g"), "(:= u (* g))");
  EXPECT_EQ(tree("g := gx->own"), "(= g (own_global (read (->own gx))))");
  EXPECT_EQ(type_of("i := *g"), "void");
  EXPECT_EQ(type_of("*g :- 1"), "void");
}

TEST(Messages, InTheWordsOfGcc) {
  EXPECT_EQ(message("i = x"),
            "error: incompatible types when assigning to type 'int' from type 'struct r'");
  EXPECT_EQ(message("p = i"),
            "warning: assignment to 'int *' from 'int' makes pointer from integer without a cast "
            "[-Wint-conversion]");
  EXPECT_EQ(message("to_local(&d)"),
            "warning: passing argument 1 of 'to_local' from incompatible pointer type "
            "[-Wincompatible-pointer-types]");
  EXPECT_EQ(message("s = gd"),
            "warning: assignment to 'int *spread' from incompatible pointer type 'double *global' "
            "[-Wincompatible-pointer-types]");
  EXPECT_EQ(message("p = &cx.m"),
            "warning: assignment discards 'const' qualifier from pointer target type "
            "[-Wdiscarded-qualifiers]");
  EXPECT_EQ(message("cx.m = 1"), "error: assignment of member 'm' in read-only object");
  EXPECT_EQ(message("g + h"),
            "error: invalid operands to binary + (have 'int *global' and 'int *global')");
  EXPECT_EQ(message("&(i + 1)"), "error: lvalue required as unary '&' operand");
  EXPECT_EQ(message("to_local()"), "error: too few arguments to function 'to_local'");
  EXPECT_EQ(message("i = nowhere"), "error: 'nowhere' undeclared (first use in this function)");
  EXPECT_EQ(message("__sync_fetch_and_add(g, 1)"),
            "error: '__sync_fetch_and_add' works on local memory: a 'int *global' needs "
            "fetch_and_add() or its like");
}

TEST(Messages, TheProcessorIsDropped) {
  EXPECT_EQ(message("p = g"),
            "warning: assignment drops the processor of a 'int *global' [-Wdropped-processor]");
  EXPECT_EQ(message("to_local(s)"),
            "warning: passing argument 1 of 'to_local' drops the processor of a 'int *spread' "
            "[-Wdropped-processor]");
  EXPECT_EQ(message("p = s + MYPROC"), "");
  EXPECT_EQ(message("p = s + sizeof MYPROC"),
            "warning: assignment drops the processor of a 'int *spread' [-Wdropped-processor]");
  EXPECT_EQ(message("p = (int *)g"), "");
  EXPECT_EQ(message("bulk_get(g, h, 4)"), "");
}

TEST(Builtins, TypesFromTheirArguments) {
  EXPECT_EQ(type_of("__builtin_expect(i, 0)"), "long int");
  EXPECT_EQ(type_of("__builtin_memcpy(p, p, 4)"), "void *");
  EXPECT_EQ(type_of("__builtin_fabsf(f)"), "float");
  EXPECT_EQ(type_of("__builtin_cabsl(1.0il)"), "long double");
  EXPECT_EQ(type_of("__builtin_add_overflow(i, j, &l)"), "_Bool");
  EXPECT_EQ(type_of("__sync_fetch_and_add(&l, 1)"), "long int");
  EXPECT_EQ(type_of("__atomic_load_n(&c, 0)"), "char");
  EXPECT_EQ(type_of("__atomic_compare_exchange_n(&i, p, 1, 0, 0, 0)"), "_Bool");
  EXPECT_EQ(type_of("__builtin___strcpy_chk(&c, &c, 1)"), "char *");
  EXPECT_EQ(type_of("__builtin_complex(f, f)"), "_Complex float");
  EXPECT_EQ(message("__builtin_known_to_the_c_compiler(g, x)"), "");
}

TEST(Selections, StandForTheChosenExpression) {
  EXPECT_EQ(type_of("_Generic(g, int *: i, int *global: d, default: c)"), "double");
  EXPECT_EQ(type_of("_Generic(A, int *spread: f, default: c)"), "float");
  EXPECT_EQ(type_of("__builtin_choose_expr(sizeof(int *global) == 8, g, d)"), "int *global");
  EXPECT_EQ(message("_Generic(d, int: 1)"),
            "error: '_Generic' selector of type 'double' is not compatible with any association");
  EXPECT_EQ(tree("i = sizeof *g"), "(= i (sizeof (* g)))");
}

}  // namespace
}  // namespace splitcc::test
