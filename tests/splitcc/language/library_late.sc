/* SPDX-License-Identifier: Apache-2.0
 * What occurs in documents and rarely in programs: atomic(f, g, ...) runs the program's function at
 * the target, atomic with respect to others and to what that processor computes; locks. */
#include "check.h"

typedef struct { int sum, count; double largest; int *global last; int list[64]; } account;
static account mine;
static int cell;

void add(account *a, int n) {
  a->sum += n;
  a->count++;
}
void note(account *a, double x, int *global from, char c, long big) {
  if (x > a->largest) a->largest = x;
  a->last = from;
  a->list[(int)c] = (int)(big >> 40);
}
int take(a, n) account *a; int n;
{
  int old = a->sum;
  a->sum -= n;
  return old;
}
double half(double *d) { return *d /= 2; }
typedef struct { double sum; float part; long count; } totals;
static totals all;
void add_to(totals *t, double x, float y, long n, unsigned char c) {
  t->sum += x;
  t->part += y;
  t->count += n + c;
}
int whole_of(totals *t, int n, _Bool is_set) { return n * 2 + is_set; }
int *global exchange_last(account *a, int *global to) {
  int *global old = a->last;
  a->last = to;
  return old;
}

static void without_values(void) {
  int i, n = 60, sum = 0;
  barrier();
  for (i = 0; i < n; i++) atomic(add, toglobal((MYPROC + i) % PROCS, &mine), i);
  sync();
  barrier();
  for (i = 0; i < n * PROCS; i++)
    if ((i / n + i % n) % PROCS == MYPROC) sum += i % n;
  CHECK_INT(mine.sum, sum);
  CHECK_INT(all_reduce_to_all_add(mine.count), n * PROCS);
  atomic(note, toglobal(NEXT, &mine), 2.5 + MYPROC, toglobal(MYPROC, &cell), 'a' - 'Z', 7L << 40);
  sync();
  barrier();
  CHECK_DOUBLE(mine.largest, 2.5 + PREVIOUS);
  CHECK_GLOBAL(mine.last, pair_at(PREVIOUS, &cell));
  CHECK_INT(mine.list['a' - 'Z'], 7);
  barrier();
}

/* As in any call, what the function's parameters say. */
static void with_conversions(void) {
  int three = 3;
  barrier();
  atomic(add_to, toglobal(NEXT, &all), three, 2, 1.9, 300);
  sync();
  barrier();
  CHECK_DOUBLE(all.sum, 3);
  CHECK_DOUBLE(all.part, 2);
  CHECK_INT(all.count, 1 + (300 & 255));
  CHECK_INT(atomic(whole_of, toglobal(NEXT, &all), -2.75, 0.5), -3);
}

static void with_values(void) {
  static double d;
  int *global old;
  d = 8;
  mine.sum = 100;
  barrier();
  CHECK_INT(atomic(take, toglobal(NEXT, &mine), 30), 100);
  CHECK_INT(atomic(take, toglobal(NEXT, &mine), 1) + 1, 71);
  CHECK_DOUBLE(atomic(half, toglobal(NEXT, &d)), 4);
  old = atomic(exchange_last, toglobal(NEXT, &mine), toglobal(NEXT, &cell));
  CHECK_GLOBAL(old, pair_at(MYPROC, &cell));
  barrier();
  CHECK_INT(mine.sum, 69);
  CHECK_DOUBLE(d, 4);
  barrier();
}

/* Tickets: each number is given once, though nobody locks anything. */
static int next_ticket;
int ticket(int *next) { return (*next)++; }
static void tickets(void) {
  int i, seen[40 * PROCS], all = 0;
  memset(seen, 0, sizeof seen);
  for (i = 0; i < 40; i++) seen[atomic(ticket, toglobal(PROCS - 1, &next_ticket))]++;
  for (i = 0; i < 40 * PROCS; i++) {
    CHECK_INT(all_reduce_to_all_add(seen[i]), 1);
    all += seen[i];
  }
  CHECK_INT(all, 40);
}

static void *global the_lock;
static int shared[2];
static void locks(void) {
  void *global l;
  int *global g = toglobal(PROCS / 2, shared), i, x;
  on_one the_lock = lock_make();
  barrier();
  l = *toglobal(0, &the_lock);
  for (i = 0; i < 25; i++) {
    lock(l);
    x = g[0];
    g[0] = x + 1;
    g[1] = g[0] * 2;
    unlock(l);
  }
  barrier();
  CHECK_INT(g[0], 25 * PROCS);
  CHECK_INT(g[1], 50 * PROCS);
  barrier();
  on_one {
    CHECK(try_lock(l));
    unlock(l);
  }
  barrier();
  on_one lock_destroy(l);
}

splitc_main() {
  without_values();
  with_conversions();
  with_values();
  tickets();
  locks();
  DONE;
}
