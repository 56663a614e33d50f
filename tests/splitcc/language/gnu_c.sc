/* SPDX-License-Identifier: Apache-2.0
 * C17 and GNU C, each construct beside global pointers: statement expressions, computed goto,
 * designated initialisers, compound literals, _Generic, _Atomic, 128 bits, vectors, typeof. */
#include "check.h"

#include <stdarg.h>
#include <stddef.h>

static int cells[8];

static int statement_expressions(void) {
  int *global g = toglobal(NEXT, cells), n = 0;
  int x = ({ int i, s = 0; for (i = 0; i < 8; i++) s += g[i]; s; });
  int *global h = ({ n++; g + 2; });
  CHECK_GLOBAL(h, pair_at(NEXT, cells + 2));
  CHECK_INT(({ *h; }) + n, g[2] + 1);
  return x;
}

static int computed_goto(int n) {
  static void *const targets[] = {&&zero, &&one, &&two};
  int *global g = toglobal(NEXT, cells);
  goto *targets[n];
zero:
  return g[0];
one:
  goto *(n < 2 ? targets[2] : &&zero);
two:
  return g[2];
}

struct mixed {
  int a;
  union { int b; float c; };
  struct { int d, e; };
  int *global g;
  int list[6];
};

static void initialisers(void) {
  int *global here = toglobal(NEXT, cells), i;
  struct mixed m = {.g = here, .list = {[1] = 5, [3 ... 4] = 6}, .d = 2, .b = 9};
  struct mixed *p = &(struct mixed){1, {2}, {3, 4}, here + 1, {g_value(here), here[2]}};
  int *global table[] = {[2] = here, [0] = here + 3}, *spread s[2] = {(int *spread)here};
  int matrix[][3] = {{here[0], here[1]}, {[2] = here[2]}};
  struct mixed array[2] = {[1].list[2] = here[3], [1].g = here};
  char text[] = "text", more[10] = {"ab" "cd"}, letters[] = {'a', 'b'};
  CHECK(m.b == 9 && m.d == 2 && m.e == 0 && m.list[1] == 5 && m.list[4] == 6 && m.list[5] == 0);
  CHECK_GLOBAL(m.g, pair_at(NEXT, cells));
  CHECK(p->b == 2 && p->e == 4 && p->list[0] == mark(NEXT, 0) && p->list[1] == mark(NEXT, 2));
  CHECK_GLOBAL(p->g, pair_at(NEXT, cells + 1));
  CHECK_GLOBAL(table[0], pair_at(NEXT, cells + 3));
  CHECK(!table[1] && !s[1] && sizeof table == 24);
  CHECK_SPREAD(s[0], pair_at(NEXT, cells));
  CHECK(matrix[0][1] == mark(NEXT, 1) && matrix[1][2] == mark(NEXT, 2) && matrix[1][0] == 0);
  CHECK(array[1].list[2] == mark(NEXT, 3) && array[0].a == 0);
  CHECK_GLOBAL(array[1].g, pair_at(NEXT, cells));
  CHECK(sizeof text == 5 && more[3] == 'd' && more[4] == 0 && sizeof letters == 2);
  for (i = 0; i < 2; i++) CHECK_INT(((int[]){here[4], here[5]})[i], mark(NEXT, 4 + i));
}
int g_value(int *global g) { return *g; }

#define KIND(x) _Generic((x), int *: 1, int *global: 2, int *spread: 3, int: 4, double: 5, default: 6)
static void types(void) {
  int *global g = toglobal(NEXT, cells);
  int *spread s = (int *spread)g;
  __typeof__(g) g2 = g + 1;
  __typeof__(*g) value = *g;
  typeof(s[0]) other = s[PROCS];
  __typeof__(int *global) g3 = g;
  __auto_type g4 = g;
  CHECK_INT(KIND(g), 2);
  CHECK_INT(KIND(s), 3);
  CHECK_INT(KIND(cells), 1);
  CHECK_INT(KIND(*g), 4);
  CHECK_INT(KIND(g + 1), 2);
  CHECK_INT(KIND(s + 1), 3);
  CHECK_INT(KIND(&s[1]), 2);
  CHECK_INT(KIND((int *)g), 1);
  CHECK_INT(KIND(g - g2), 6);
  CHECK_INT(KIND(tolocal(g)), 1);
  CHECK_INT(value, mark(NEXT, 0));
  CHECK_INT(other, mark(NEXT, 1));
  CHECK_GLOBAL(g3, pair_at(NEXT, cells));
  CHECK_GLOBAL(g4 + 1, pair_at(NEXT, cells + 1));
  CHECK(__builtin_types_compatible_p(int *global, __typeof__(g)));
  CHECK(!__builtin_types_compatible_p(int *global, int *));
  CHECK_INT(offsetof(struct mixed, g), 16);
  CHECK_INT(_Alignof(int *spread), 8);
  _Static_assert(sizeof(int *global) == 8, "the size of a pointer");
}

typedef int four __attribute__((vector_size(16)));
static four vector_cell, rows[PROCS]::;
static _Atomic int atomic_cell = 3;
static __int128 wide_cell;

static void arithmetic(void) {
  four v = {1, 2, 3, 4}, *global g = toglobal(NEXT, &vector_cell), w;
  __int128 *global b = toglobal(NEXT, &wide_cell);
  *g = v + v;
  w = *g;
  CHECK_INT(w[0] + w[1] + w[2] + w[3], 20);
  w = *g * v;
  CHECK_INT(w[3], 32);
  rows[MYPROC] = w;
  rows[MYPROC][2]++;
  CHECK_INT(rows[MYPROC][2] + rows[MYPROC][3], 51);
  *b = (__int128)1 << 100;
  *b += 5;
  CHECK((int)(*b >> 98) == 4 && (int)*b == 5);
  atomic_cell += 4;
  CHECK_INT(atomic_cell++, 7);
  CHECK_INT(__sync_fetch_and_add(&cells[7], 0), cells[7]);
  CHECK_INT(__builtin_popcount(0xff) + __builtin_expect(1, 1), 9);
  CHECK_INT(__builtin_choose_expr(1, *toglobal(MYPROC, &cells[1]), "none"), cells[1]);
  CHECK_INT(__real__(3.0 + 4.0i) + __imag__(3.0 + 4.0i), 7);
}

static int sum_all(int n, ...) {
  va_list list, again;
  int s = 0, i;
  va_start(list, n);
  va_copy(again, list);
  for (i = 0; i < n; i++) s += *va_arg(list, int *global);
  for (i = 0; i < n; i++) CHECK_INT(toproc(va_arg(again, int *global)), i % 2 ? MYPROC : NEXT);
  va_end(list);
  va_end(again);
  return s;
}

static void cleanup_of(int *p) { cells[6] += *p; }
static int attributes(void) {
  int kept __attribute__((cleanup(cleanup_of), unused)) = 5, *global g __attribute__((unused)) = 0;
  {
    __attribute__((cleanup(cleanup_of))) int inner = *toglobal(MYPROC, &cells[1]);
    inner = 2;
  }
  return cells[6];
}
static inline __attribute__((always_inline)) int *global inlined(int *global g) { return g + 1; }
static int nonnull_one(int *p, int *global g) __attribute__((nonnull(1), noinline));
static int nonnull_one(int *p, int *global g) { return *p + *g; }

splitc_main() {
  int i, sum = 0, before;
  for (i = 0; i < 8; i++) cells[i] = mark(MYPROC, i);
  for (i = 0; i < 8; i++) sum += mark(NEXT, i);
  barrier();
  CHECK_INT(statement_expressions(), sum);
  CHECK_INT(computed_goto(0), mark(NEXT, 0));
  CHECK_INT(computed_goto(1), mark(NEXT, 2));
  initialisers();
  types();
  CHECK_INT(sum_all(3, toglobal(NEXT, cells), toglobal(MYPROC, cells), toglobal(NEXT, cells + 1)),
            mark(NEXT, 0) + mark(MYPROC, 0) + mark(NEXT, 1));
  CHECK_GLOBAL(inlined(toglobal(NEXT, cells)), pair_at(NEXT, cells + 1));
  CHECK_INT(nonnull_one(cells, toglobal(NEXT, cells)), mark(MYPROC, 0) + mark(NEXT, 0));
  barrier();
  arithmetic();
  before = cells[6];
  CHECK_INT(attributes(), before + 2);
  CHECK_INT(cells[6], before + 7);
  DONE;
}
