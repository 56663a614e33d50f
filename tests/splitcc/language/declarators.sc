/* SPDX-License-Identifier: Apache-2.0
 * Where pointers of the three kinds may be written: each combination as variable, cast, parameter,
 * result, member, element, pointee; the qualifiers are words of the language only behind a `*`. */
#include "check.h"

typedef int *global int_global;
typedef struct node {
  int value;
  struct node *global next;
  struct node *spread twin;
  int *local_part;
} node_t;
typedef double *spread (*function_type)(double *spread, int);

static int cells[4];
static node_t here;
static int *spread file_spread, plain, *global file_global, *ordinary, array_of[3],
    *spread spread_array_of_three[3];

static int *global first_global(int *global a, int *spread b) { return a; }
static int *spread give_spread(b) int *spread b;
{ return b; }
static double *spread step(double *spread s, int n) { return s + n; }
static int *global *address_of_local_object(int *global *which) { return which; }
int *(*take(int *(*f)(int *)))(int *) { return f; }

/* A chain over all processors, each node's `next` on the next one. */
static void chain(void) {
  node_t *global at;
  int steps = 0, sum = 0;
  here.value = MYPROC + 1;
  here.next = toglobal(NEXT, &here);
  here.twin = (node_t *spread)toglobal(PREVIOUS, &here);
  here.local_part = &cells[1];
  cells[1] = mark(MYPROC, 1);
  barrier();
  for (at = toglobal(MYPROC, &here); steps < PROCS; at = at->next, steps++) sum += at->value;
  CHECK_INT(sum, PROCS * (PROCS + 1) / 2);
  CHECK_GLOBAL(at, pair_at(MYPROC, &here));
  CHECK_INT(here.next->next->value, (MYPROC + 2) % PROCS + 1);
  CHECK_INT(here.twin->value, PREVIOUS + 1);
  CHECK_INT(here.next->twin->value, MYPROC + 1);
  CHECK(here.next->local_part == &cells[1]);
  CHECK_INT(*toglobal(NEXT, here.next->local_part), mark(NEXT, 1));
  barrier();
}

static void pointers_to_pointers(void) {
  int *global g = toglobal(NEXT, &cells[2]), *global *local_to_global = &g;
  int *spread s = (int *spread)g;
  int *spread *local_to_spread = &s;
  static int *global shared;
  int *global *global global_to_global;
  int *spread *spread spread_to_spread;
  cells[2] = mark(MYPROC, 2);
  shared = toglobal(MYPROC, &cells[2]);
  barrier();
  CHECK_INT(**local_to_global, mark(NEXT, 2));
  CHECK_INT(**local_to_spread, mark(NEXT, 2));
  CHECK_INT(**address_of_local_object(&g), mark(NEXT, 2));
  global_to_global = toglobal(PREVIOUS, &shared);
  CHECK_INT(**global_to_global, mark(PREVIOUS, 2));
  CHECK_INT((*global_to_global)[0], mark(PREVIOUS, 2));
  spread_to_spread = (int *spread *spread)global_to_global;
  CHECK_GLOBAL(*spread_to_spread, pair_at(PREVIOUS, &cells[2]));
  barrier();
}

static void of_arrays_and_functions(void) {
  int (*spread rows)[2], (*global row)[2];
  int *global several[3], *spread both[2][2];
  function_type f = step;
  double *spread (*table[2])(double *spread, int) = {step, step};
  double *spread d;
  set_bits(&rows, pair_at(0, cells));
  CHECK_SPREAD(rows + PROCS, pair_at(0, cells + 2));
  row = (int (*global)[2])toglobal(NEXT, cells);
  CHECK_GLOBAL(row + 1, pair_at(NEXT, cells + 2));
  CHECK_INT(sizeof *row, 8);
  several[1] = first_global(toglobal(NEXT, cells), NULL);
  CHECK_INT(bits_at(&several[1]), pair_at(NEXT, cells));
  both[1][0] = give_spread(several[1]);
  CHECK_INT(bits_at(&both[1][0]), pair_at(NEXT, cells));
  set_bits(&d, pair_at(0, cells));
  CHECK_SPREAD(f(d, 1), spread_step(pair_at(0, cells), 1, 8));
  CHECK_SPREAD((*table[1])(d, PROCS), pair_at(0, cells + 2));
  CHECK(take(0) == 0);
}

static void several_in_one_declaration(void) {
  int a = 1, *p = &a, *global g = p, *spread s = p, b[2] = {2, 3}, *global h = &b[1];
  register int *global r = h;
  const int *global cg = g;
  int *const global constant_pointer = g;
  int *global const other_way_round = g;
  int *volatile spread v = s;
  CHECK_GLOBAL(g, pair_at(MYPROC, &a));
  CHECK_SPREAD(s, pair_at(MYPROC, &a));
  CHECK_INT(*h, 3);
  CHECK_INT(*r, 3);
  CHECK_INT(*cg + *constant_pointer + *other_way_round + *v, 4);
  CHECK_INT(sizeof file_spread + sizeof plain + sizeof file_global + sizeof ordinary, 28);
  CHECK_INT(sizeof array_of + sizeof spread_array_of_three, 36);
}

/* The words are ordinary names elsewhere. */
struct global {
  int spread;
};
static int words(int global, struct global spread) { return global + spread.spread; }

static void ordinary_names(void) {
  int global = 3, spread = 4;
  struct global s = {5};
  int *global2 = &global;
  int_global by_typedef = &spread;
  CHECK_INT(global * spread, 12);
  CHECK_INT(words(global, s), 8);
  CHECK_INT(*global2, 3);
  CHECK_INT(*by_typedef, 4);
  goto global;
spread:
  CHECK_INT(s.spread, 6);
  return;
global:
  s.spread++;
  goto spread;
}

splitc_main() {
  chain();
  pointers_to_pointers();
  of_arrays_and_functions();
  several_in_one_declaration();
  ordinary_names();
  DONE;
}
