/* SPDX-License-Identifier: Apache-2.0
 * What the optimiser fetches ahead and where it waits: the values are those of the program as it is
 * written. */
#include "check.h"

typedef struct particle {
  double x, y;
  short charge;
  int *global extra;
  struct particle *global next;
} particle;

static particle particles[4];
static int extras[4];
static double weight(double a, int b, double c) { return a * 100 + b * 10 + c; }

static void fill(void) {
  int i;
  for (i = 0; i < 4; i++) {
    extras[i] = mark(MYPROC, i);
    particles[i].x = MYPROC + i / 4.0;
    particles[i].y = MYPROC * 10 - i;
    particles[i].charge = (short)(i - 2);
    particles[i].extra = toglobal(PREVIOUS, &extras[i]);
    particles[i].next = toglobal(NEXT, &particles[(i + 1) % 4]);
  }
  barrier();
}

static double x_of(int proc, int i) { return proc + i / 4.0; }
static double y_of(int proc, int i) { return proc * 10 - i; }

static void test_expressions(void) {
  particle *global p = toglobal(NEXT, &particles[1]), *global q = toglobal(PREVIOUS, particles);
  double d = p->x - q->x;
  int n = 0;
  CHECK_DOUBLE(d, x_of(NEXT, 1) - x_of(PREVIOUS, 0));
  d += p->y * q->y;
  CHECK_DOUBLE(d, x_of(NEXT, 1) - x_of(PREVIOUS, 0) + y_of(NEXT, 1) * y_of(PREVIOUS, 0));
  if (p->charge < q->charge) n = 1;
  CHECK(n == 0);
  CHECK_DOUBLE(weight(p->x, p->charge, q->y), weight(x_of(NEXT, 1), -1, y_of(PREVIOUS, 0)));
  while (n < 3) n += p->charge + q[2].charge + 2;
  CHECK_INT(n, 3);
  switch (p->charge + q->charge) {
    case -3: n = p->charge * q->charge; break;
    default: n = 0;
  }
  CHECK_INT(n, 2);
}

static void test_one_object(void) {
  particle *global p = toglobal(NEXT, &particles[2]);
  double x = p->x;
  double y = p->y;
  int charge = p->charge;
  int *global extra;
  extra = p->extra;
  p = p->next;
  CHECK_DOUBLE(x, x_of(NEXT, 2));
  CHECK_DOUBLE(y, y_of(NEXT, 2));
  CHECK_INT(charge, 0);
  CHECK_INT(*extra, mark(MYPROC, 2));
  CHECK_DOUBLE(p->x + p->y, x_of((NEXT + 1) % PROCS, 3) + y_of((NEXT + 1) % PROCS, 3));
}

static void test_addresses_on_the_way(void) {
  static int steps[4] = {2, 3, 0, 1};
  int *global g = toglobal(NEXT, steps);
  int i = *g;
  int j = g[i];
  int k = g[j] + g[i];
  CHECK(i == 2 && j == 0 && k == 2);
}

static void test_sync(void) {
  int *global g = toglobal(NEXT, extras);
  int fetched, i, squares[8], s = 0;
  fetched := g[3];
  sync();
  for (i = 0; i < 8; i++) squares[i] = i * i;
  for (i = 0; i < 8; i++) s += squares[i];
  CHECK_INT(fetched, mark(NEXT, 3));
  CHECK_INT(s, 140);
  barrier();
  g[1] := s + MYPROC;
  sync();
  s = s * 2 + 1;
  barrier();
  CHECK_INT(extras[1], 140 + PREVIOUS);
  CHECK_INT(s, 281);
}

splitc_main()
{
  fill();
  test_expressions();
  test_one_object();
  test_addresses_on_the_way();
  barrier();
  test_sync();
  DONE;
}
