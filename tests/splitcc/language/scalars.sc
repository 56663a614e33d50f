/* SPDX-License-Identifier: Apache-2.0
 * Dereference of global and spread pointers to every scalar type: blocking reads and writes by `*`,
 * `[]`, `->` and `.`, and their values and conversions. */
#include "check.h"

typedef enum { red, green = 40000, blue = -1 } colour;
typedef long long longlong;
typedef long double longdouble;
typedef unsigned char uchar;
typedef signed char schar;
typedef unsigned short ushort_t;
typedef unsigned long ulong_t;
typedef unsigned long long ulonglong;
typedef __int128 int128;
typedef int *int_pointer;
typedef int *global int_global;
typedef int *spread int_spread;
typedef _Complex double complex_t;
typedef _Bool bool_t;

static int anchor[4];

/* Each processor writes into the next one's array, then reads its own and the next but one. */
#define TYPE(T, VALUE)                                             \
  static T T##_cells[3];                                           \
  static T T##_value(int proc, int i) { return (T)(VALUE); }       \
  static void test_##T(void) {                                     \
    T *global g = toglobal(NEXT, T##_cells);                       \
    T *spread s = (T *spread)g;                                    \
    T copy;                                                        \
    const T *global far = toglobal((MYPROC + 2) % PROCS, T##_cells); \
    struct boxed { char c; T inside; } box, *global b;             \
    g[0] = T##_value(NEXT, 0);                                     \
    *(g + 1) = T##_value(NEXT, 1);                                 \
    s[2 * PROCS] = T##_value(NEXT, 2);                             \
    CHECK(g[0] == T##_value(NEXT, 0));                             \
    barrier();                                                     \
    CHECK(T##_cells[0] == T##_value(MYPROC, 0));                   \
    CHECK(T##_cells[1] == T##_value(MYPROC, 1));                   \
    CHECK(T##_cells[2] == T##_value(MYPROC, 2));                   \
    CHECK(*far == T##_value((MYPROC + 2) % PROCS, 0));             \
    CHECK(2 [far] == T##_value((MYPROC + 2) % PROCS, 2));          \
    copy = s[PROCS];                                               \
    CHECK(copy == T##_value(NEXT, 1));                             \
    CHECK(sizeof *g == sizeof(T) && sizeof s[0] == sizeof(T));     \
    b = toglobal(MYPROC, &box);                                    \
    b->inside = g[1];                                              \
    CHECK(box.inside == copy && (*b).inside == copy);              \
    CHECK((*b).inside == T##_value(NEXT, 1));                      \
    barrier();                                                     \
  }

TYPE(char, proc * 5 + i - 60)
TYPE(schar, -proc * 5 - i)
TYPE(uchar, 255 - proc * 5 - i)
TYPE(short, -30000 + proc * 7 + i)
TYPE(ushort_t, 65535 - proc * 7 - i)
TYPE(int, mark(proc, i))
TYPE(unsigned, 4000000000u + mark(proc, i))
TYPE(long, -(1L << 40) * (proc + 1) + i)
TYPE(ulong_t, ~0UL - mark(proc, i))
TYPE(longlong, (1LL << 50) * (proc + 1) - i)
TYPE(ulonglong, ~0ULL - mark(proc, i))
TYPE(float, 1.5f * proc - i)
TYPE(double, 1e100 / (proc + 1) + i)
TYPE(longdouble, 1.0L / (proc + 3) + i)
TYPE(int128, ((int128)1 << 100) * (proc + 1) - i)
TYPE(colour, (proc + i) % 2 ? green : blue)
TYPE(bool_t, (proc + i) % 2)
TYPE(complex_t, proc + 3.0i * i)
TYPE(int_pointer, anchor + (proc + i) % 4)
TYPE(int_global, toglobal(proc, anchor + i))
TYPE(int_spread, (int *spread)toglobal(proc, anchor + i))

/* Values convert as they do in C. */
static double d;
static unsigned char small;
static short sixteen;
static float f;

static void conversions(void) {
  int *global i = toglobal(NEXT, anchor);
  unsigned char *global c = toglobal(NEXT, &small);
  short *global h = toglobal(NEXT, &sixteen);
  double *global g = toglobal(NEXT, &d);
  float *global fl = toglobal(NEXT, &f);
  barrier();
  *i = 3.99;
  CHECK_INT(*i, 3);
  *c = 0x1234;
  CHECK_INT(*c, 0x34);
  *h = 70000;
  CHECK_INT(*h, 70000 - 65536);
  *g = 7;
  CHECK_DOUBLE(*g / 2, 3.5);
  *fl = 0.1;
  CHECK_DOUBLE(*fl, (float)0.1);
  CHECK_INT(*c + *h, 0x34 + 70000 - 65536);
  CHECK_INT(*i * *g, 21);
  CHECK_INT((*c = 0x1ff), 0xff);
  CHECK_DOUBLE((*i = 2.75), 2);
  CHECK_INT(-*i, -2);
  CHECK_INT(!*i, 0);
  CHECK_INT(~*i, ~2);
  CHECK_INT(*i ? 10 : 20, 10);
  CHECK_INT(*i && *h, 1);
  CHECK_INT((*i, *i + 1), 3);
  CHECK_INT(sizeof(*c + *c), 4);
  CHECK_INT(anchor[*i] + 0, anchor[2]);
  CHECK_INT(*i == 2 ? *i : *h, 2);
  *i = *h = *c = 9;
  CHECK_INT(*i + *h + *c, 27);
  barrier();
}

static int calls;
static int *global where(int *global g) {
  calls++;
  return g;
}
static void once(void) {
  int *global g = toglobal(NEXT, anchor), *global h = g;
  int i = 0;
  *where(g) = 5;
  CHECK_INT(calls, 1);
  CHECK_INT(*where(g) + 1, 6);
  CHECK_INT(calls, 2);
  g[i++] = 1;
  CHECK_INT(i, 1);
  *h++ = 11;
  *h++ = 12;
  CHECK_GLOBAL(h, pair_at(NEXT, anchor + 2));
  CHECK_INT(*--h, 12);
  CHECK_INT(*--h, 11);
  barrier();
}

typedef enum { small_one = 1 } small_kind;
typedef enum { large_one = 1L << 40 } large_kind;

/* Wide and narrow sides of one assignment: the value is converted, nothing beside it changes. */
static void between_types(void) {
  static long double wide;
  static int128 whole;
  static complex_t both;
  static large_kind many;
  long double *global w = toglobal(MYPROC, &wide);
  int128 *global q = toglobal(MYPROC, &whole);
  complex_t *global z = toglobal(MYPROC, &both);
  large_kind *global m = toglobal(MYPROC, &many);
  float narrow[4] = {1, 2, 3, 4}, half = 1.5f;
  small_kind few[2] = {small_one, small_one};
  int i = -3;
  *w = i;
  CHECK(*w == -3);
  *w = half;
  CHECK(*w == 1.5L);
  narrow[0] = *w;
  CHECK(narrow[0] == 1.5f && narrow[1] == 2 && narrow[2] == 3 && narrow[3] == 4);
  *w := i;
  sync();
  CHECK(wide == -3);
  narrow[1] := *w;
  sync();
  CHECK(narrow[1] == -3 && narrow[2] == 3 && narrow[3] == 4);
  *q = i;
  CHECK(*q == -3);
  *z = half;
  CHECK(*z == 1.5);
  *m = large_one;
  few[0] := *m;
  sync();
  CHECK(few[1] == small_one);
  barrier();
  w = toglobal(NEXT, &wide);
  *w :- narrow[0];
  all_store_sync();
  CHECK(wide == 1.5L);
}

static void several_types(void) {
  test_char();
  test_schar();
  test_uchar();
  test_short();
  test_ushort_t();
  test_int();
  test_unsigned();
  test_long();
  test_ulong_t();
  test_longlong();
  test_ulonglong();
  test_float();
  test_double();
  test_longdouble();
  test_int128();
  test_colour();
  test_bool_t();
  test_complex_t();
  test_int_pointer();
  test_int_global();
  test_int_spread();
}

splitc_main() {
  several_types();
  conversions();
  between_types();
  once();
  DONE;
}
