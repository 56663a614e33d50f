/* SPDX-License-Identifier: Apache-2.0
 * Conversions between local, global and spread pointers and between pointee types: by cast,
 * assignment, initialisation, argument, return, conditional, comparison. */
#include "check.h"

static int cells[8];
int loose();
int file_cell;

static int *to_local_by_return(int *spread s) { return (int *)s; }
static int *global to_global_by_return(int *p) { return p; }
static void *global to_void(int *global g) { return g; }
static check_word takes_global(int *global g) { return bits_at(&g); }
static check_word takes_spread(int *spread s) { return bits_at(&s); }
static int *takes_local(int *p) { return p; }

static void drop_the_processor(void) {
  int proc;
  for (proc = 0; proc < PROCS; proc++) {
    int *global g = toglobal(proc, &cells[3]);
    int *spread s = (int *spread)g;
    CHECK((int *)g == &cells[3]);
    CHECK((int *)s == &cells[3]);
    CHECK((char *)s == (char *)&cells[3]);
    CHECK((void *)g == (void *)&cells[3]);
    CHECK(tolocal(g) == &cells[3]);
    CHECK(tolocal(s + PROCS) == &cells[4]);
    CHECK(to_local_by_return(s) == &cells[3]);
    CHECK(((int *)g)[1] == cells[4]);
  }
}

/* The commonest operation of all. */
static void own_part(void) {
  int *spread s, *mine;
  int i;
  set_bits(&s, pair_at(0, cells));
  mine = (int *)(s + MYPROC);
  CHECK(mine == cells);
  mine = (int *)(s + MYPROC + PROCS);
  CHECK(mine == cells + 1);
  for (i = 0; i < 8; i++) ((int *)(s + MYPROC))[i] = mark(MYPROC, i);
  barrier();
  for (i = 0; i < 8 * PROCS; i++) CHECK_INT(s[i], mark(i % PROCS, i / PROCS));
  barrier();
}

static void take_my_processor(void) {
  int *p = &cells[2], automatic;
  int *global g = p;
  int *spread s;
  s = p;
  CHECK_INT(bits_at(&g), pair_at(MYPROC, p));
  CHECK_INT(bits_at(&s), pair_at(MYPROC, p));
  CHECK_GLOBAL((int *global)p, pair_at(MYPROC, p));
  CHECK_SPREAD((int *spread)p, pair_at(MYPROC, p));
  CHECK_GLOBAL(to_global_by_return(p), pair_at(MYPROC, p));
  CHECK_INT(takes_global(p), pair_at(MYPROC, p));
  CHECK_INT(takes_spread(p), pair_at(MYPROC, p));
  CHECK_INT(takes_global(cells), pair_at(MYPROC, cells));
  CHECK_INT(takes_global(&automatic), pair_at(MYPROC, &automatic));
  CHECK_GLOBAL((int *global)&file_cell, pair_at(MYPROC, &file_cell));
  CHECK_GLOBAL((nothing(), (int *global)p), pair_at(MYPROC, p));
}

static void keep_the_pair(void) {
  int *spread s;
  int *global g;
  double *spread d;
  int (*spread rows)[2];
  set_bits(&s, pair_at(PROCS - 1, cells));
  g = (int *global)s;
  CHECK_INT(bits_at(&g), pair_at(PROCS - 1, cells));
  g = s;
  CHECK_INT(bits_at(&g), pair_at(PROCS - 1, cells));
  CHECK_INT(takes_global(s), pair_at(PROCS - 1, cells));
  CHECK_GLOBAL((int *global)s + 1, pair_at(PROCS - 1, cells + 1));
  s = (int *spread)g;
  CHECK_SPREAD(s + 1, pair_at(0, cells + 1));
  d = (double *spread)s;
  CHECK_SPREAD(d + 1, pair_at(0, cells + 2));
  d = s; /* another pointee: with a warning */
  CHECK_SPREAD(d + PROCS, pair_at(PROCS - 1, cells + 2));
  rows = (int (*spread)[2])s;
  CHECK_SPREAD(rows + 1, pair_at(0, cells + 2));
  rows = s;
  CHECK_SPREAD(rows + 2 * PROCS, pair_at(PROCS - 1, cells + 4));
  CHECK_SPREAD((int *spread)(rows + PROCS) + PROCS, pair_at(PROCS - 1, cells + 3));
}

static void void_pointers(void) {
  void *spread v, *global w;
  int *spread s;
  set_bits(&s, pair_at(PROCS - 1, cells));
  v = s;
  s = v;
  CHECK_INT(bits_at(&s), pair_at(PROCS - 1, cells));
  w = to_void(toglobal(0, cells));
  CHECK_INT(bits_at(&w), pair_at(0, cells));
  CHECK(tolocal(w) == (void *)cells);
  s = (int *spread)v + 1;
  CHECK_INT(bits_at(&s), pair_at(0, cells + 1));
  w = &cells[1];
  CHECK_INT(bits_at(&w), pair_at(MYPROC, &cells[1]));
}

static void choices(void) {
  int yes = cells[0] | 1, *p = cells;
  int *global g = toglobal(NEXT, cells), *global n = yes ? g : 0, *global m = yes ? 0 : g;
  int *spread s = (int *spread)g;
  CHECK_GLOBAL(n, pair_at(NEXT, cells));
  CHECK(!m);
  CHECK_GLOBAL(yes ? g : NULL, pair_at(NEXT, cells));
  CHECK_GLOBAL(!yes ? g : (int *global)p, pair_at(MYPROC, cells));
  CHECK_SPREAD((yes ? s : (int *spread)0) + PROCS, pair_at(NEXT, cells + 1));
  CHECK_GLOBAL((yes, g), pair_at(NEXT, cells));
  CHECK_GLOBAL(g ? g : 0, pair_at(NEXT, cells));
  CHECK_GLOBAL(m ?: g, pair_at(NEXT, cells));
  /* Compared with a local pointer: that is one of this processor. */
  CHECK_INT(toglobal(MYPROC, cells) == p, 1);
  CHECK_INT(g == p, NEXT == MYPROC);
  CHECK_INT(p != g, NEXT != MYPROC);
}

/* Numbers: the 64 bits. */
static void numbers(void) {
  int *global g = toglobal(NEXT, cells);
  unsigned long bits = (unsigned long)g;
  int *spread s = (int *spread)bits;
  CHECK_INT(bits, pair_at(NEXT, cells));
  CHECK_SPREAD(s, pair_at(NEXT, cells));
  CHECK_GLOBAL((int *global)pair_at(0, cells), pair_at(0, cells));
}

nothing() { return 0; }

splitc_main() {
  drop_the_processor();
  own_part();
  take_my_processor();
  keep_the_pair();
  void_pointers();
  choices();
  numbers();
  CHECK_INT(loose(toglobal(NEXT, &cells[5]), 7), 7 + NEXT);
  DONE;
}

/* Called above without a prototype. */
int loose(g, n) int *global g;
int n;
{
  CHECK(tolocal(g) == &cells[5]);
  return toproc(g) + n;
}
