/* SPDX-License-Identifier: Apache-2.0
 * local := remote, a get: complete at sync(). Every kind of target stays in memory until then:
 * automatic variables, struct members, elements of VLAs and of the caller's arrays. */
#include "check.h"

typedef struct { int a; double b; char c[20]; } record;
typedef _Complex float complex_t;

static int numbers[16];
static record records[4];
static int static_target;

#define TYPE(T, VALUE)                                     \
  static T T##_cells[2];                                   \
  static void test_##T(void) {                             \
    T *global g = toglobal(NEXT, T##_cells), a, b[3];      \
    T *spread s = (T *spread)g;                            \
    int proc = MYPROC;                                     \
    T##_cells[0] = (T)(VALUE);                             \
    proc += 50;                                            \
    T##_cells[1] = (T)(VALUE);                             \
    barrier();                                             \
    a := *g;                                               \
    b[0] := g[1];                                          \
    b[1] := *(s + PROCS);                                  \
    b[2] := s[0];                                          \
    sync();                                                \
    proc = NEXT;                                           \
    CHECK(a == (T)(VALUE) && b[2] == (T)(VALUE));          \
    proc += 50;                                            \
    CHECK(b[0] == (T)(VALUE) && b[1] == (T)(VALUE));       \
    barrier();                                             \
  }
typedef signed char schar;
typedef unsigned short ushort_t;
typedef long double longdouble;
typedef __int128 int128;
typedef int *global int_global;
typedef int *int_pointer;
TYPE(schar, proc * 3 - 70)
TYPE(ushort_t, 65000 + proc)
TYPE(int, mark(proc, 2))
TYPE(long, (long)mark(proc, 2) << 20)
TYPE(float, proc * 1.25f)
TYPE(double, proc * 1e-30)
TYPE(longdouble, proc / 3.0L)
TYPE(int128, (int128)proc << 90)
TYPE(complex_t, proc * 1.0fi + 2)
TYPE(int_global, toglobal(proc % PROCS, numbers + proc % 7))
TYPE(int_pointer, numbers + proc % 7)

static void fill(void) {
  int i;
  for (i = 0; i < 16; i++) numbers[i] = mark(MYPROC, i);
  for (i = 0; i < 4; i++) {
    records[i].a = mark(MYPROC, i);
    records[i].b = i / 8.0;
    sprintf(records[i].c, "%d.%d", MYPROC, i);
  }
  barrier();
}

static void targets(int n) {
  int x, *p = &x, vla[n], matrix[2][n];
  register int kept;
  struct { char pad; int i; record r; } s, *ps = &s;
  int *global g = toglobal(NEXT, numbers), i;
  record *global far = toglobal(NEXT, records), several[2];
  *p := g[0];
  vla[n - 1] := g[1];
  matrix[1][n - 2] := g[2];
  s.i := g[3];
  ps->r := far[1];
  static_target := g[5];
  several[1] := far[3];
  several[0].b := far[2].b;
  kept := g[6];
  sync();
  CHECK_INT(x, mark(NEXT, 0));
  CHECK_INT(vla[n - 1], mark(NEXT, 1));
  CHECK_INT(matrix[1][n - 2], mark(NEXT, 2));
  CHECK_INT(s.i, mark(NEXT, 3));
  CHECK_INT(s.r.a, mark(NEXT, 1));
  CHECK_DOUBLE(s.r.b, 0.125);
  CHECK_INT(atoi(s.r.c), NEXT);
  CHECK_INT(static_target, mark(NEXT, 5));
  CHECK_INT(several[1].a, mark(NEXT, 3));
  CHECK_DOUBLE(several[0].b, 0.25);
  CHECK_INT(kept, mark(NEXT, 6));
  for (i = 0; i < n; i++) vla[i] := g[i];
  sync();
  for (i = 0; i < n; i++) CHECK_INT(vla[i], mark(NEXT, i));
}

/* Unlike types: read and converted. */
static void unlike_types(void) {
  int *global g = toglobal(NEXT, numbers);
  record *global far = toglobal(NEXT, records);
  double d;
  char c;
  int i;
  long l;
  d := g[4];
  c := g[4];
  l := g[4];
  i := far[3].b;
  sync();
  CHECK_DOUBLE(d, mark(NEXT, 4));
  CHECK_INT(c, (char)mark(NEXT, 4));
  CHECK_INT(l, mark(NEXT, 4));
  CHECK_INT(i, 0);
}

/* A loop whose body the C compiler would like to keep in registers. */
static int sum_of_gets(int *global g, int n) {
  int i, sum = 0, next, now;
  next := g[0];
  for (i = 0; i < n; i++) {
    sync();
    now = next;
    if (i + 1 < n) next := g[i + 1];
    sum += now;
  }
  return sum;
}

static int calls;
static int *target(int *p) {
  calls++;
  return p;
}
static void once(void) {
  int *global g = toglobal(NEXT, numbers), buffer[4], *p = buffer;
  *target(p++) := *g++;
  CHECK_INT(calls, 1);
  CHECK_INT(p - buffer, 1);
  *p++ := *g++;
  *p := *++g;
  sync();
  CHECK_GLOBAL(g, pair_at(NEXT, numbers + 3));
  CHECK_INT(buffer[0], mark(NEXT, 0));
  CHECK_INT(buffer[1], mark(NEXT, 1));
  CHECK_INT(buffer[2], mark(NEXT, 3));
  sync(); /* nothing is under way */
}

splitc_main() {
  int i, sum = 0;
  fill();
  test_schar();
  test_ushort_t();
  test_int();
  test_long();
  test_float();
  test_double();
  test_longdouble();
  test_int128();
  test_complex_t();
  test_int_global();
  test_int_pointer();
  targets(5);
  targets(16);
  unlike_types();
  for (i = 0; i < 16; i++) sum += mark(NEXT, i);
  CHECK_INT(sum_of_gets(toglobal(NEXT, numbers), 16), sum);
  once();
  DONE;
}
