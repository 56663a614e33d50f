/* SPDX-License-Identifier: Apache-2.0
 * Loops that read words of one's own and of others through pointers in no order: all of one kind, a
 * change in the middle, in nested loops, by conditions, which may change variables; continue and
 * return; and after writes that such a read must see. */
#include "check.h"

#define COUNT 500

typedef struct edge {
  int *global from;
  int weight;
} edge;

static int words[COUNT];
static double halves[COUNT];
static edge edges[COUNT];
static int *global ints[COUNT];
static double *global doubles[COUNT];

/* Whose the k-th word is: `kind` 0: one's own; 1: the next one's; else in no order, the first half
 * one's own. */
static int owner(int kind, int k)
{
  if (kind < 2) return kind == 0 ? MYPROC : NEXT;
  return kind == 2 && k < COUNT / 2 ? MYPROC : (MYPROC + (k * 7919 >> 3) + k / 3) % PROCS;
}

static void point(int kind)
{
  int k;
  for (k = 0; k < COUNT; k++) {
    int there = (k * 37 + 5) % COUNT;
    ints[k] = toglobal(owner(kind, k), &words[there]);
    doubles[k] = toglobal(owner(kind, k), &halves[there]);
    edges[k].from = ints[k];
    edges[k].weight = k % 5 + 1;
  }
}

static long expected(int kind, int first, int end)
{
  long sum = 0;
  int k;
  for (k = first; k < end; k++) sum += mark(owner(kind, k), (k * 37 + 5) % COUNT);
  return sum;
}

static long plus(long sum, int word) { return sum + word; }

static long counted(int first, int end)
{
  long sum = 0;
  int k;
  for (k = first; k < end; k++) sum += *ints[k];
  return sum;
}

static long downwards(int n)
{
  long sum = 0;
  while (n-- > 0) sum = plus(sum, *edges[n].from);
  return sum;
}

static long nested(const edge *e, int rows)
{
  long sum = 0;
  int i, k;
  for (i = 0; i < rows; i++)
    for (k = 0; k < COUNT / rows; k++, e++) sum = plus(sum, *e->from);
  return sum;
}

static long weighted(const edge *e)
{
  long sum = 0;
  for (const edge *end = e + COUNT; e < end; e++) {
    if (e->weight == 3) continue;
    sum += (long)e->weight * *e->from;
  }
  return sum;
}

static int place_of(int word)
{
  int k = 0;
  for (; *ints[k] != word; k++)
    if (k == COUNT - 1) return -1;
  return k;
}

static int counted_down(int *global *p, int n, long *sum)
{
  while (n--) *sum += *p[n];
  return n;
}

static int above_zero(int *global *p, int n, long *sum)
{
  while (n-- > 0) *sum += *p[n];
  return n;
}

static int past_word(int *global *p, int word, int *others)
{
  int k = 0, turns = 0;
  while (*p[k++] != word) turns++;
  *others = turns;
  return k;
}

static int between(int *global *p, int n, int m, int *rounds, long *sum)
{
  int k;
  for (k = 0; n++ < m; k++) *sum += *p[k];
  *rounds = k;
  return n;
}

static const edge *past_weight(const edge *e, int word, int weight)
{
  for (; e->weight != weight || *(e++)->from != word; e++) continue;
  return e;
}

/* Some loops are in another loop, and find one that ended before them. */
static int rows_down(int *global *p, int rows, int columns, long *sum)
{
  int k;
  while (rows-- > 0) {
    for (k = columns; k-- > 0;) *sum += *p[rows * columns + k];
    for (k = 0; k++ < columns;) *sum -= *p[rows * columns + k - 1];
    if (k != columns + 1) return -100;
  }
  return rows;
}

static double sum_of_doubles(void)
{
  double sum = 0;
  int k;
  for (k = 0; k < COUNT; k++) if (sum >= 0) sum += *doubles[k];
  return sum;
}

static void check_kind(int kind)
{
  long sum = 0;
  double halved = 0;
  int k, word = mark(owner(kind, 333), (333 * 37 + 5) % COUNT);
  point(kind);
  CHECK_INT(counted(0, COUNT), expected(kind, 0, COUNT));
  CHECK_INT(counted(17, 17), 0);
  CHECK_INT(counted(COUNT - 9, COUNT), expected(kind, COUNT - 9, COUNT));
  CHECK_INT(downwards(COUNT), expected(kind, 0, COUNT));
  CHECK_INT(nested(edges, 25), expected(kind, 0, COUNT));
  for (k = 0; k < COUNT; k++)
    if (edges[k].weight != 3)
      sum += (long)edges[k].weight * mark(owner(kind, k), (k * 37 + 5) % COUNT);
  CHECK_INT(weighted(edges), sum);
  CHECK_INT(place_of(word), 333);
  CHECK_INT(place_of(-1), -1);
  for (k = 0; k < COUNT; k++)
    halved += mark(owner(kind, k), (k * 37 + 5) % COUNT) * 0.5;
  CHECK_DOUBLE(sum_of_doubles(), halved);
}

/* A condition that changes something is evaluated once a turn, and once at the end. */
static void check_conditions(int kind)
{
  const int word = mark(owner(kind, 333), (333 * 37 + 5) % COUNT);
  long sum, all = expected(kind, 0, COUNT);
  int turn, rounds;
  point(kind);
  for (turn = 0; turn < 2; turn++) {
    sum = 0;
    CHECK_INT(counted_down(ints, COUNT, &sum), -1);
    CHECK_INT(sum, all);
    CHECK_INT(counted_down(ints, 0, &sum), -1);
    CHECK_INT(above_zero(ints, COUNT, &sum), -1);
    CHECK_INT(sum, 2 * all);
    CHECK_INT(above_zero(ints, 0, &sum), -1);
    CHECK_INT(past_word(ints, word, &rounds), 334);
    CHECK_INT(rounds, 333);
    sum = 0;
    CHECK_INT(between(ints, 5, 5 + COUNT, &rounds, &sum), 6 + COUNT);
    CHECK_INT(rounds, COUNT);
    CHECK_INT(between(ints, 5, 5, &rounds, &sum), 6);
    CHECK_INT(rounds, 0);
    CHECK_INT(sum, all);
    CHECK_INT(past_weight(edges, word, edges[333].weight) - edges, 334);
    CHECK_INT(rows_down(ints, 25, COUNT / 25, &sum), -1);
    CHECK_INT(sum, all);
  }
}

/* A processor writes what it will read, here or there, and reads it at once. */
static void check_after_writes(void)
{
  int k;
  long sum;
  point(3);
  for (k = 0; k < COUNT; k++) edges[k].from = toglobal((MYPROC + k) % PROCS, &words[MYPROC]);
  for (k = 0; k < 4 * PROCS; k++) {
    *edges[k].from = k;
    sum = 0;
    for (const edge *e = edges + k; e <= edges + k; e++) sum += *e->from;
    CHECK_INT(sum, k);
  }
  barrier();
}

splitc_main()
{
  int kind, k;
  for (k = 0; k < COUNT; k++) {
    words[k] = mark(MYPROC, k);
    halves[k] = words[k] * 0.5;
  }
  barrier();
  for (kind = 0; kind < 4; kind++) check_kind(kind);
  for (kind = 0; kind < 4; kind++) check_conditions(kind);
  barrier();
  check_after_writes();
  DONE;
}
