/* SPDX-License-Identifier: Apache-2.0
 * remote := value, a put: the value is taken now, written by sync(). remote :- value, a store: its
 * bytes are counted at the target. Sources may be reused at once; all types. */
#include "check.h"

typedef struct { int a; double b; char c[20]; } record;
typedef struct { char c[3]; } three;
typedef signed char schar;
typedef unsigned short ushort_t;
typedef long double longdouble;
typedef __int128 int128;
typedef int *global int_global;
typedef int *spread int_spread;
typedef _Bool bool_t;

static int numbers[64];
static record records[4];
static three threes[4];

/* One put, one store of each type; `x` is overwritten at once. */
#define TYPE(T, VALUE)                                              \
  static T T##_cells[4];                                            \
  static void test_##T(void) {                                      \
    T *global g = toglobal(NEXT, T##_cells), x;                     \
    T *spread s = (T *spread)g;                                     \
    int i = MYPROC;                                                 \
    x = (T)(VALUE);                                                 \
    g[0] := x;                                                      \
    g[1] :- x;                                                      \
    i += 100;                                                       \
    x = (T)(VALUE);                                                 \
    *(s + 2 * PROCS) := x;                                          \
    s[3 * PROCS] :- x;                                              \
    i = -1;                                                         \
    x = (T)(VALUE);                                                 \
    sync();                                                         \
    all_store_sync();                                               \
    i = PREVIOUS;                                                   \
    CHECK(T##_cells[0] == (T)(VALUE) && T##_cells[1] == (T)(VALUE)); \
    i += 100;                                                       \
    CHECK(T##_cells[2] == (T)(VALUE) && T##_cells[3] == (T)(VALUE)); \
    barrier();                                                      \
  }
TYPE(schar, i * 5)
TYPE(ushort_t, 60000 + i)
TYPE(int, mark(i, 1))
TYPE(long, (long)mark(i, 1) << 12)
TYPE(float, i / 2.0f)
TYPE(double, i / 1024.0)
TYPE(longdouble, i / 3.0L)
TYPE(int128, (int128)i * 1000000007 << 50)
TYPE(bool_t, i & 1)
TYPE(int_global, toglobal(i & 1 ? 0 : PROCS - 1, numbers + (i & 7)))
TYPE(int_spread, (int *spread)toglobal(i & 1 ? 0 : PROCS - 1, numbers + (i & 7)))

static void structures(void) {
  record *global g = toglobal(NEXT, records), r;
  three *global t = toglobal(NEXT, threes), x = {{1, 2, 3}};
  memset(&r, 0, sizeof r);
  r.a = MYPROC;
  r.b = 0.5;
  strcpy(r.c, "put");
  g[0] := r;
  strcpy(r.c, "store");
  g[1] :- r;
  r.a = -1;
  t[0] := x;
  t[2] :- x;
  x.c[0] = 9;
  g[2].b := 1.5;
  g[2].a :- MYPROC + 7;
  g[2].c[19] :- 'z';
  sync();
  all_store_sync();
  CHECK_INT(records[0].a, PREVIOUS);
  CHECK_INT(records[1].a, PREVIOUS);
  CHECK(strcmp(records[0].c, "put") == 0 && strcmp(records[1].c, "store") == 0);
  CHECK_DOUBLE(records[0].b + records[1].b + records[2].b, 2.5);
  CHECK_INT(records[2].a, PREVIOUS + 7);
  CHECK_INT(records[2].c[19], 'z');
  CHECK_INT(threes[0].c[0] + threes[0].c[2] + threes[2].c[0] + threes[1].c[0], 5);
  barrier();
}

/* The right side converts to the type of the left. */
static void converted(void) {
  int *global g = toglobal(NEXT, numbers);
  record *global r = toglobal(NEXT, records);
  unsigned char c = 200;
  float f = 2.5;
  g[10] := c;
  g[11] :- f;
  g[12] := 'a' + 1;
  g[13] :- 3000000000u;
  r->b := 7;
  r[1].b :- c / 3;
  r[1].c[0] := 0x141;
  sync();
  all_store_sync();
  CHECK_INT(numbers[10], 200);
  CHECK_INT(numbers[11], 2);
  CHECK_INT(numbers[12], 98);
  CHECK_INT(numbers[13], (int)3000000000u);
  CHECK_DOUBLE(records[0].b, 7);
  CHECK_DOUBLE(records[1].b, 66);
  CHECK_INT(records[1].c[0], 0x41);
  barrier();
}

/* Many at once: every processor to every processor. */
int A[64 * PROCS]::;
static void many(void) {
  int i, p, round;
  for (round = 0; round < 3; round++) {
    for (i = MYPROC; i < 64 * PROCS; i += PROCS)
      A[(i * 7 + round) % (64 * PROCS)] := mark(round, (i * 7 + round) % (64 * PROCS));
    sync();
    barrier();
    if (PROCS % 7)
      for (i = 0; i < 64; i++) CHECK_INT(((int *)A)[i], mark(round, i * PROCS + MYPROC));
    barrier();
    for (p = 0; p < PROCS; p++) {
      int *global g = toglobal((p + MYPROC) % PROCS, numbers);
      for (i = MYPROC; i < 64; i += PROCS) g[i] :- mark(round + p, i);
    }
    all_store_sync();
    for (i = 0; i < 64; i++)
      CHECK_INT(numbers[i], mark(round + (MYPROC - i % PROCS + PROCS) % PROCS, i));
    barrier();
  }
}

static int calls;
static int *global where(int *global g) {
  calls++;
  return g;
}
static int what(int x) {
  calls += 100;
  return x;
}
static void once(void) {
  int *global g = toglobal(NEXT, numbers), *global h = g, i = 0;
  *where(g) := what(5);
  CHECK_INT(calls, 101);
  *where(g + 1) :- what(6);
  CHECK_INT(calls, 202);
  *h++ := i++;
  *h++ :- i++;
  h[i++] := 0;
  CHECK_GLOBAL(h, pair_at(NEXT, numbers + 2));
  CHECK_INT(i, 3);
  sync();
  all_store_sync();
}

splitc_main() {
  test_schar();
  test_ushort_t();
  test_int();
  test_long();
  test_float();
  test_double();
  test_longdouble();
  test_int128();
  test_bool_t();
  test_int_global();
  test_int_spread();
  structures();
  converted();
  many();
  once();
  DONE;
}
