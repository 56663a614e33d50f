/* SPDX-License-Identifier: Apache-2.0
 * `:-`, `:=` and `::` beside C's own colons: conditionals, labels, bit-fields, case ranges, asm; and
 * pieces of text that the language takes and today's C does not. */
#include "check.h"

#define CHOOSE(c, a, b) ((c)?a:-b)
#define NEGATIVE(x) (x)?-1:-2

struct fields { int a:4, b :3; unsigned:0; int c:8; };

static int cell;

static void conditionals(void) {
  int a = 1, b = 2, c = 3, x, *p = &c;
  x = a?b:-c;
  CHECK_INT(x, 2);
  x = !a?b:-c;
  CHECK_INT(x, -3);
  x = a ? b :- c;
  CHECK_INT(x, 2);
  x = a?b?4:-5:-6;
  CHECK_INT(x, 4);
  x = a?!b?4:-5:-6;
  CHECK_INT(x, -5);
  x = !a?b?4:-5:-6;
  CHECK_INT(x, -6);
  x = a?(!b?4:-5):-6;
  CHECK_INT(x, -5);
  x = (a?b:-c)?7:-8;
  CHECK_INT(x, 7);
  x = !a?:-c;
  CHECK_INT(x, -3);
  x = a?*p:-*p;
  CHECK_INT(x, 3);
  x = CHOOSE(0, a, c);
  CHECK_INT(x, -3);
  x = NEGATIVE(0);
  CHECK_INT(x, -2);
  x = a?({ int y = b?1:-1; y; }):-1;
  CHECK_INT(x, 1);
  x = !a ? b : ({ x = 5; x; });
  CHECK_INT(x, 5);
}

/* A conditional ends with its colon: behind it `:-` is a store again. */
static void stores_after_conditionals(void) {
  int *global g = toglobal(NEXT, &cell), a = 1;
  int *global h = a?g:0; *g :- 5;
  all_store_sync();
  CHECK_INT(cell, 5);
  barrier();
  *(a?g:h):-a?6:-6;
  all_store_sync();
  CHECK_INT(cell, 6);
  barrier();
  *(!a ? h : g) := (a)?7:-7;
  sync();
  barrier();
  CHECK_INT(cell, 7);
  barrier();
  *g:-(a?8:-8);
  all_store_sync();
  CHECK_INT(cell, 8);
  barrier();
  *g:-  -9;
  all_store_sync();
  CHECK_INT(cell, -9);
  barrier();
  *g:=-10;
  sync();
  barrier();
  CHECK_INT(cell, -10);
  barrier();
  *g : = 12;
  sync();
  barrier();
  CHECK_INT(cell, 12);
  barrier();
  *g
  :=
  13;
  sync();
  barrier();
  CHECK_INT(cell, 13);
  barrier();
}

static int labels(int n) {
  switch (n) {
    case 1:n--; return 1;
    case 2:return -2;
    case 3 ... 5:return 3;
    default:goto minus;
  }
minus:;
again:n--;
  if (n > 5) goto again;
  return n;
}

static void declarations(void) {
  struct fields f = {-8, 3, 0x7f};
  int A[PROCS]::, B[PROCS]::[2], C[1] ::, D[PROCS] :: [3];
  A[MYPROC] = 1;
  B[MYPROC][1] = 2;
  on_one C[0] = 3;
  D[MYPROC][2] = 4;
  CHECK_INT(f.a + f.b + f.c, 122);
  CHECK_INT(A[MYPROC] + B[MYPROC][1] + D[MYPROC][2], 7);
}

static int add_by_asm(int a, int b) {
#if defined __x86_64__
  asm volatile("addl %1, %0" : "+r"(a) : "r"(b));
  asm volatile("" ::: "memory");
  __asm__ __volatile__("nop" :: "r"(a));
  asm("" : "=r"(b):"0"(a):"cc");
  asm volatile("nop" : : "r"(b):"memory");
#else
  asm volatile("" ::: "memory");
  a += b;
#endif
  return a;
}

static const char *raw = "first
second, with \"quotes\" inside
third";
static const char *continued = "one \
two" "three";

#if 0
It's text that isn't C: "quotes don't match, neither do 'these.
#endif

static void text(void) {
  CHECK(strcmp(raw, "first\nsecond, with \"quotes\" inside\nthird") == 0);
  CHECK(strcmp(continued, "one twothree") == 0);
  CHECK_INT(strlen("a:-b := c :: d"), 14);
  CHECK_INT(':' + '-', 58 + 45);
  CHECK_INT(__LINE__, 141);
};

int digraphs(void) <% int a<:2:> = <%1, 2%>; return a<:1:>; %>

splitc_main() {
  conditionals();
  stores_after_conditionals();
  CHECK_INT(labels(1), 1);
  CHECK_INT(labels(2), -2);
  CHECK_INT(labels(4), 3);
  CHECK_INT(labels(9), 5);
  declarations();
  CHECK_INT(add_by_asm(3, 4), 7);
  text();
  CHECK_INT(digraphs(), 2);
  DONE;
}
