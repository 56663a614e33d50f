// SPDX-License-Identifier: Apache-2.0
// The warnings of the language's traps: where they come, and where they must not.
#include "front_end.hpp"

namespace splitcc::test {
namespace {

std::string messages(std::string_view program) {
  front_end f(program, true);
  EXPECT_EQ(f.errors(), 0) << f.messages();
  return f.messages();
}

std::string in_function(std::string_view body) {
  return messages(
      "int x, buffer[8]; struct r { int a, b; } s; int use(int); void f(int *global g, "
      "struct r *global h, int n) {\n" +
      std::string(body) + "\n}\n");
}

#define WARNS(body, text) EXPECT_NE(in_function(body).find(text), std::string::npos) << body
#define IS_SILENT(body) EXPECT_EQ(in_function(body), "") << body

TEST(GetBeforeSync, IsSeenInStraightLines) {
  constexpr const char* kName = "-Wget-before-sync";
  WARNS("int a; a := *g; x = a;", "test.sc:2:21: warning: 'a' is read before sync()");
  WARNS("int a; a := *g; x = a;", "note: the get is here");
  WARNS("int a; a := *g; if (n) x = a;", kName);
  WARNS("int a; a := *g; if (a) x = 1;", kName);
  WARNS("int a; a := *g; while (n--) x += a;", kName);
  WARNS("int a; a := *g; barrier(); x = a;", kName);
  WARNS("s.a := h->a; x = s.a;", kName);
  WARNS("struct r t; s.a := h->a; t = s;", kName);
  WARNS("s := *h; x = s.b;", kName);
  WARNS("int a; a := *g; a++;", kName);
  WARNS("int b[4]; b[1] := *g; x = b[1];", kName);
  WARNS("bulk_get(buffer, g, 32); x = buffer[n];", kName);
  WARNS("int a; if (n) { a := *g; } else { a := g[1]; x = a; }", kName);
}

TEST(GetBeforeSync, IsNotSeenWhereItMayBeComplete) {
  IS_SILENT("int a; a := *g; sync(); x = a;");
  IS_SILENT("int a; a := *g; use(1); x = a;");
  IS_SILENT("int a; a := *g; if (n) sync(); x = a;");
  IS_SILENT("int a; a := *g; while (n--) { sync(); x = a; }");
  IS_SILENT("int a; if (n) a := *g; x = a;");
  IS_SILENT("s.a := h->a; x = s.b;");
  IS_SILENT("int a, *p = &a; a := *g; p = &a; sync(); x = *p;");
  IS_SILENT("int a; a := *g; if (n) { sync(); x = a; return; } sync(); x = a;");
  IS_SILENT("int a; a := *g; x = sizeof a;");
  IS_SILENT("int b[4]; b[1] := *g; x = b[2];");
  IS_SILENT("int i; for (i = 0; i < n; i++) buffer[i] := g[i]; sync(); x = buffer[0];");
  IS_SILENT("int a; a := *g; again: x = a; if (n) goto again;");
  IS_SILENT("int a, b; a := g[0]; b := g[1]; sync(); x = a + b;");
}

TEST(Collective, UnderAConditionOnMyproc) {
  constexpr const char* kName = "-Wcollective-condition";
  WARNS("if (MYPROC == 0) barrier();", "test.sc:2:18: warning: not every processor may come");
  WARNS("int me = MYPROC; if (me < 3) { x = 1; all_store_sync(); }", kName);
  WARNS("int i; for (i = MYPROC; i < n; i += PROCS) barrier();", kName);
  WARNS("if (MYPROC) return; barrier();", kName);
  WARNS("if (MYPROC) barrier(); else x = 1;", kName);
  WARNS("while (MYPROC < n--) x = all_reduce_to_all_add(1);", kName);
  WARNS("if (MYPROC != 0) {} else return; barrier();", kName);
  WARNS("if (MYPROC != 0) {} else { x = 1; return; } barrier();", kName);
  WARNS("x = MYPROC ? all_reduce_to_all_add(1) : 0;", kName);
  WARNS("x = MYPROC == 0 && all_reduce_to_all_add(1);", kName);
  WARNS("x = MYPROC || all_reduce_to_all_add(1);", kName);
  WARNS("if (n || (MYPROC && all_reduce_to_all_add(1))) x = 1;", kName);
}

TEST(Collective, SpreadArraysOfOneProcessor) {
  constexpr const char* kName = "-Wcollective-condition";
  WARNS("if (MYPROC != 0) {} else { int A[4]::; A[0] = 1; }", "come to the spread array 'A'");
  WARNS("int i; for (i = MYPROC; i < n; i += PROCS) { double A[n]::[2]; A[0][0] = 1; }", kName);
  WARNS("if (MYPROC) return; int A[4]::;", kName);
  IS_SILENT("if (n) { int A[4]::; A[0] = 1; }");
  IS_SILENT("if (MYPROC) { int A[4]::; A[0] = 1; } else { int B[4]::; B[0] = 1; }");
  IS_SILENT("if (MYPROC != 0) {} else { static int A[4]::; extern int B[4]::; A[0] = B[0]; }");
}

TEST(Collective, WhereAllCome) {
  IS_SILENT("if (n) barrier();");
  IS_SILENT("if (MYPROC == 0) { x = 1; barrier(); } else barrier();");
  IS_SILENT("if (MYPROC == 0) x = 1; barrier();");
  IS_SILENT("int i; i = MYPROC; for (i = 0; i < n; i++) barrier();");
  IS_SILENT("if (all_reduce_to_all_add(MYPROC) > 3) barrier();");
  IS_SILENT("if (MYPROC == 0) { x = 1; } else { use(2); return; }");
  IS_SILENT("if (MYPROC) return; else { use(2); return; } barrier();");
  IS_SILENT("x = MYPROC ? all_reduce_to_all_add(1) : all_reduce_to_all_add(2);");
  IS_SILENT("x = MYPROC ? all_reduce_to_all_add(1) ?: 3 : all_reduce_to_all_add(2);");
  IS_SILENT("x = all_reduce_to_all_add(MYPROC) && all_reduce_to_all_add(1);");
  IS_SILENT("x = n ? all_reduce_to_all_add(1) : 0; x = n && all_reduce_to_all_add(1) && MYPROC;");
}

TEST(Stores, NobodyWaits) {
  constexpr const char* kStores = "void f(int *global g) { *g :- 1; }\n";
  const std::string program = std::string(kStores) + "splitc_main() { f(0); barrier(); return 0; }";
  EXPECT_NE(messages(program).find("test.sc:1:28: warning: nothing waits for this store"),
            std::string::npos);
  EXPECT_EQ(messages(kStores), "");
  EXPECT_EQ(messages(std::string(kStores) + "splitc_main() { f(0); all_store_sync(); return 0; }"),
            "");
  EXPECT_EQ(messages(std::string(kStores) +
                     "void other(void); splitc_main() { f(0); other(); return 0; }"),
            "");
  EXPECT_NE(messages("splitc_main() { store_sync(4); return 0; }").find("-Wstore-sync"),
            std::string::npos);
}

TEST(LocalPointers, Sent) {
  constexpr const char* kName = "-Wlocal-pointer-sent";
  const auto program = [](std::string_view body) {
    return messages(
        "void *malloc(unsigned long); struct n { int v; struct n *next; int *p; }; int x;"
        "struct n *heads[4]::; void f(struct n *global g, int *q) {\n" +
        std::string(body) + "\n}\n");
  };
  for (const char* body :
       {"int a; g->p = &a;", "int a[3]; g->p := a;", "g->next :- malloc(8);",
        "struct n *m = (struct n *)malloc(16); g->next = m;", "int i = 2; heads[i] = malloc(8);"})
    EXPECT_NE(program(body).find(kName), std::string::npos) << body;
  for (const char* body :
       {"g->p = &x;", "g->p = 0;", "g->p = q;", "g->next = g->next;", "heads[MYPROC] = malloc(8);",
        "int i; for (i = MYPROC; i < 4; i += PROCS) heads[i] = malloc(8);",
        "struct n m, *global h = &m; int a; h->p = &a;", "g->next = tolocal(g);"})
    EXPECT_EQ(program(body).find(kName), std::string::npos) << program(body);
}

}  // namespace
}  // namespace splitcc::test
