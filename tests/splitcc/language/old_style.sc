/* SPDX-License-Identifier: Apache-2.0
 * The C that programs of 1993 are written in: implicit int, K&R definitions, calls without a
 * prototype, `};` after blocks, assignments between unlike pointers. */
//! run: one "two words"
#include "check.h"

#define MAXN 10

typedef struct _cell { int v; struct _cell *next; } cell, *cell_ptr;

register_count;
static hidden = 4;
extern defined_below();
char *names[] = {"one", "two", 0};
const limit = 12;

add(a, b)
{
  return a + b;
}

double scale(x, by, n)
double x;
float by;
short n;
{
  register i;
  register k = 0;
  auto j;
  for (i = 0; i < n; i++) x *= by, k++;
  j = k;
  return x + j * 0;
}

main_loop(argc, argv, g, s) char **argv; int *global g; double *spread s;
{
  return argc + *g + (int)s[0];
};

int takes_function(f, n) int (*f)(); int n; { return f(n, n); }

static int widths(c, h, f) char c; unsigned char h; float f;
{
  return c + h + (int)(f * 2);
}

int *global global_result(p) int *global p; { return p; }
int *spread spread_result();
struct pair { int a, b; } make_pair(a, b) int a, b; { struct pair p; p.a = a; p.b = b; return p; }
void nothing_at_all() {}
long variadic_by_hand(n, a, b) long a, b; { return n == 2 ? a + b : a; }

static int box;
int array[PROCS]::, n_used;
double weights[PROCS]::;

unlike_pointers()
{
  unsigned u = 5, *pu = &u;
  int *p = pu;
  char *c = (char *)p, *d;
  float *f;
  double *spread s = array; /* other block type */
  int (*spread rows)[4] = s;
  int n = (int)(long)c == 0;
  f = p;
  d = f;
  p = d;
  CHECK_INT(*p, 5);
  CHECK_SPREAD(s, spread_bits(array));
  CHECK_SPREAD(rows, spread_bits(array));
  n = p ? 1 : 0;
  return n;
}

splitc_main(argc, argv)
int argc;
char *argv[];
{
  int i, sum = 0;
  cell a, b;
  cell_ptr p;
  a.v = 1; a.next = &b;
  b.v = 2; b.next = NULL;
  for (p = &a; p; p = p->next) { sum += p->v; };
  CHECK_INT(sum, 3);
  CHECK_INT(argc, 3);
  CHECK(strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two words") == 0 && argv[3] == 0);
  if (sum) { sum = 1; } else { sum = 2; }; ;
  CHECK_INT(add(3, 4), 7);
  CHECK(scale(1.5, 2.0, 3) == 12.0);
  weights[MYPROC] = 3.5;
  box = 10;
  barrier();
  CHECK_INT(main_loop(1, argv, toglobal(NEXT, &box), weights + NEXT), 14);
  CHECK_INT(takes_function(add, 21), 42);
  CHECK_INT(widths(1, 2, 3.5), 10);
  CHECK_INT(widths(257, 258, 3.5), 10);
  CHECK_GLOBAL(global_result(toglobal(NEXT, &box)), pair_at(NEXT, &box));
  CHECK_SPREAD(spread_result(array, 2), spread_step(spread_bits(array), 2, 4));
  CHECK_INT(make_pair(4, 5).b, 5);
  CHECK_INT(variadic_by_hand(2, 30L, 12L), 42);
  nothing_at_all();
  CHECK_INT(unlike_pointers(), 1);
  CHECK_INT(defined_below(6), 36);
  CHECK_INT(declared_nowhere(toglobal(NEXT, &box), weights, 2.5, 'c', names), 'c' + 2);
  for (i = 0; names[i]; i++) register_count++;
  CHECK_INT(register_count + hidden + limit, 18);
  DONE;
}

defined_below(n) { return n * n; }

/* A call came before: global and spread pointers pass there as they are. */
int declared_nowhere(g, s, x, c, n)
int *global g;
double *spread s;
double x;
int c;
char **n;
{
  CHECK_GLOBAL(g, pair_at(NEXT, &box));
  CHECK_SPREAD(s, spread_bits(weights));
  CHECK(strcmp(n[1], "two") == 0);
  return c + (int)x;
}

int *spread spread_result(s, n) int *spread s; { return s + n; }
