/* SPDX-License-Identifier: Apache-2.0
 * := and :- in all places: both sides local, both remote, right-associative, below every other
 * operator, as bodies of statements, in macros, in comma expressions and for clauses. */
#include "check.h"

static int cells[8], others[8];
static struct { int i; double d; } pair_cell, pair_other;

#define GET(a, b) ((a) := (b))
#define SWAP_PUT(to, from) to := from
#define STORE(to, value) to :- (value)
#define COLON :
#define ASSIGN COLON=
#define SPACED(a, b) a : = b

static void both_local(void) {
  int a = 1, b = 2, c[2] = {3, 4};
  a := b;
  CHECK_INT(a, 2);
  c[0] := c[1] + 1;
  CHECK_INT(c[0], 5);
  pair_cell.i = 8;
  pair_other := pair_cell;
  CHECK_INT(pair_other.i, 8);
  sync();
}

static void both_remote(void) {
  int *global g = toglobal(NEXT, cells), *global h = toglobal(PREVIOUS, others);
  cells[0] = mark(MYPROC, 0);
  others[0] = mark(MYPROC, 50);
  barrier();
  g[1] := h[0];
  sync();
  barrier();
  CHECK_INT(cells[1], mark((PREVIOUS + PROCS - 1) % PROCS, 50));
  g[2] :- h[0];
  all_store_sync();
  CHECK_INT(cells[2], mark((PREVIOUS + PROCS - 1) % PROCS, 50));
  g[3] = h[0];
  barrier();
  CHECK_INT(cells[3], mark((PREVIOUS + PROCS - 1) % PROCS, 50));
  barrier();
}

static void places(void) {
  int *global g = toglobal(NEXT, cells), i, x = 0, y, b[8];
  barrier();
  for (i = 0; i < 8; i++) g[i] := i;
  sync();
  barrier();
  if (x) y := g[1];
  else y := g[2];
  while (x < 3) b[x] := g[x], x++;
  do b[x] := g[x];
  while (++x < 6);
  for (x = 6, b[6] := g[6]; x < 7; b[7] := g[7], x++)
    ;
  switch (x) {
    case 7: x := g[3]; break;
    default: x := g[4];
  }
  sync();
  i = (g[0] := 40, 5);
  sync();
  CHECK_INT(y, 2);
  CHECK_INT(x, 3);
  CHECK_INT(i, 5);
  for (i = 0; i < 8; i++) CHECK_INT(b[i], i);
  CHECK_INT(g[0], 40);
  barrier();
}

/* The weakest operators but the comma. */
static void precedence(void) {
  int *global g = toglobal(NEXT, cells), a, b = 0, c = 1;
  barrier();
  g[0] := 1 ? 2 : 3;
  g[1] :- b || c;
  g[2] := b = 7;
  g[3] := c += 4;
  g[4] :- 1 << 2 | 1, a = 6;
  g += 5;
  *g++ := 9;
  g -= 6;
  sync();
  all_store_sync();
  CHECK_INT(cells[0], 2);
  CHECK_INT(cells[1], 1);
  CHECK_INT(cells[2], 7);
  CHECK_INT(cells[3], 5);
  CHECK_INT(cells[4], 5);
  CHECK_INT(cells[5], 9);
  CHECK_INT(a + b + c, 18);
  a := g[2] + g[3];
  b := -g[2];
  c := g[2] ? g[3] : g[4];
  sync();
  CHECK_INT(a, 12);
  CHECK_INT(b, -7);
  CHECK_INT(c, 5);
  a := *g + 1, b = 2;
  sync();
  CHECK_INT(a + b, 5);
  barrier();
}

static void from_macros(void) {
  int *global g = toglobal(NEXT, cells), x, y, z;
  barrier();
  STORE(g[0], 11);
  SWAP_PUT(g[1], 12);
  g[2] ASSIGN 13;
  SPACED(g[3], 14);
  sync();
  all_store_sync();
  GET(x, g[0]);
  GET(y, g[1]), GET(z, g[2]);
  sync();
  CHECK_INT(x * 10000 + y * 100 + z, 111213);
  CHECK_INT(g[3], 14);
  barrier();
}

splitc_main() {
  both_local();
  both_remote();
  places();
  precedence();
  from_macros();
  DONE;
}
