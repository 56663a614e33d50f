/* SPDX-License-Identifier: Apache-2.0
 * Compound assignment, ++ and -- on remote lvalues: read, modify, write, with C's conversions, the
 * operands evaluated once; also on members, block elements, pointers and bit-fields. */
#include "check.h"

typedef unsigned char uchar;
typedef long double longdouble;

/* The same operations on a remote and on a local object. */
#define SAME(OP, VALUE)                                   \
  do {                                                    \
    *g = mine = start;                                    \
    CHECK((*g OP(VALUE)) == (mine OP(VALUE)));            \
    CHECK(*g == mine);                                    \
    g[0] OP(VALUE);                                       \
    mine OP(VALUE);                                       \
    CHECK(*g == mine);                                    \
  } while (0)

#define STEPS                                             \
  do {                                                    \
    *g = mine = start;                                    \
    CHECK((*g)++ == mine++ && *g == mine);                \
    CHECK(++*g == ++mine && *g == mine);                  \
    CHECK((*g)-- == mine-- && *g == mine);                \
    CHECK(--g[0] == --mine && *g == mine);                \
  } while (0)

#define INTEGER(T, START)                                 \
  static T T##_cell;                                      \
  static void test_##T(void) {                            \
    T *global g = toglobal(NEXT, &T##_cell), mine, start = (T)(START); \
    SAME(+=, 3);                                          \
    SAME(-=, 100);                                        \
    SAME(*=, 7);                                          \
    SAME(/=, 3);                                          \
    SAME(%=, 5);                                          \
    SAME(<<=, 3);                                         \
    SAME(>>=, 2);                                         \
    SAME(&=, 0x5a);                                       \
    SAME(|=, 0x5a);                                       \
    SAME(^=, 0x5a);                                       \
    SAME(+=, 2.75);                                       \
    SAME(*=, 0.5);                                        \
    STEPS;                                                \
    barrier();                                            \
  }

#define FLOATING(T, START)                                \
  static T T##_cell;                                      \
  static void test_##T(void) {                            \
    T *spread g, mine, start = (T)(START);                \
    set_bits(&g, pair_at(NEXT, &T##_cell));               \
    SAME(+=, 3);                                          \
    SAME(-=, 0.1);                                        \
    SAME(*=, 7);                                          \
    SAME(/=, 3);                                          \
    SAME(+=, 1e10L);                                      \
    STEPS;                                                \
    barrier();                                            \
  }

INTEGER(char, 100)
INTEGER(uchar, 250)
INTEGER(short, -32000)
INTEGER(int, 123456789)
INTEGER(unsigned, 4000000000u)
INTEGER(long, -(1L << 60) + 5)
FLOATING(float, 1.1)
FLOATING(double, 1.1)
FLOATING(longdouble, 1.1L)

struct record {
  int count;
  char small[3];
  unsigned low : 3, high : 7;
  double sums[2];
  int *global g;
  int *spread s;
  int *local;
};
static struct record r;
static int cells[4];

static void members(void) {
  struct record *global g = toglobal(NEXT, &r);
  g->count = 5;
  g->count += 2;
  g->count <<= 1;
  g->small[1] = 120;
  g->small[1] += 20; /* wraps */
  g->sums[1] = 1;
  g->sums[1] /= 4;
  g->low = 6;
  g->high = 100;
  g->low += 3;
  g->high++;
  CHECK_INT(g->count, 14);
  CHECK_INT(g->small[1], (char)140);
  CHECK_INT(g->small[0] + g->small[2], 0);
  CHECK_DOUBLE(g->sums[1], 0.25);
  CHECK_INT(g->low, 1);
  CHECK_INT(g->high, 101);
  CHECK_INT(--g->low, 0);
  CHECK_INT(g->low--, 0);
  CHECK_INT(g->low, 7);
  CHECK_INT(g->high, 101);
  g->g = toglobal(0, cells);
  g->s = (int *spread)toglobal(0, cells);
  g->local = cells;
  g->g += 2;
  g->s += PROCS + 1;
  g->local++;
  CHECK_GLOBAL(g->g, pair_at(0, cells + 2));
  CHECK_SPREAD(g->s, spread_step(pair_at(0, cells), PROCS + 1, 4));
  CHECK(g->local == cells + 1);
  CHECK_GLOBAL(g->g--, pair_at(0, cells + 2));
  CHECK_GLOBAL(g->g, pair_at(0, cells + 1));
  CHECK_SPREAD(--g->s, spread_step(pair_at(0, cells), PROCS, 4));
  CHECK(--g->local == cells);
  barrier();
}

static int calls, B[PROCS]::[4];
static int *global where(int *global g) {
  calls++;
  return g;
}
static int what(int n) {
  calls += 100;
  return n;
}
static void once(void) {
  int i = 1, me = NEXT;
  int *global g = toglobal(NEXT, cells);
  g[0] = g[1] = g[2] = g[3] = 10;
  *where(g) += what(5);
  CHECK_INT(calls, 101);
  CHECK_INT(*g, 15);
  (*where(g))++;
  CHECK_INT(calls, 102);
  *g++ -= 6;
  CHECK_GLOBAL(g, pair_at(NEXT, cells + 1));
  *++g *= 3;
  CHECK_GLOBAL(g, pair_at(NEXT, cells + 2));
  CHECK_INT(g[-2], 10);
  CHECK_INT(*g, 30);
  B[me][i] = 4;
  B[me][i++] += 7;
  CHECK_INT(i, 2);
  CHECK_INT(B[me][1], 11);
  CHECK_INT(B[me][1]++ + ++B[me][1], 24);
  barrier();
}

splitc_main() {
  test_char();
  test_uchar();
  test_short();
  test_int();
  test_unsigned();
  test_long();
  test_float();
  test_double();
  test_longdouble();
  members();
  once();
  DONE;
}
