/* SPDX-License-Identifier: Apache-2.0
 * Processors use each other's memory, and all they do is ordered: by barriers, completion, stores
 * that are waited for, locks, atomic operations and functions, collectives, volatile words. A
 * second unit is not checked; its calls count. */
//! also: parts/unchecked.sc
#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

void unchecked_barrier(void);
int *unchecked_block(int bytes);

static int cell, words[16], total, from_zero;
static volatile int flag;
static void *global the_lock;
static double spread_sums[PROCS]::[8];

static void expect(int condition)
{
  if (!condition) exit(9);
}

static void by_completion(int next)
{
  int here[16], i;
  for (i = 0; i < 16; i++) words[i] = MYPROC + i;
  barrier();
  bulk_get(here, toglobal(next, words), sizeof here);
  *toglobal(next, &cell) := next;
  while (!is_sync())
    ;
  for (i = 0; i < 16; i++) expect(here[i] == next + i);
  barrier();
  expect(cell == MYPROC);
  unchecked_barrier();
  cell = -1;
}

static void by_stores(int next)
{
  int i;
  barrier();
  *toglobal(next, &words[3]) :- 10 + next;
  store_sync(sizeof(int));
  expect(words[3] == 10 + MYPROC);
  all_store_sync();
  for (i = 0; i < PROCS; i++) spread_sums[i][MYPROC] :- 1.0;
  all_store_sync();
  for (i = 0; i < PROCS; i++) expect(spread_sums[MYPROC][i] == 1.0);
}

static void add(int *to, int n) { *to += n; }

static void by_atomic_calls(void)
{
  barrier();
  atomic(add, toglobal(0, &total), MYPROC);
  fetch_and_add(toglobal(0, &words[5]), 1);
  sync();
  barrier();
  on_one expect(total == PROCS * (PROCS - 1) / 2);
}

static void by_values(void)
{
  on_one from_zero = 41;
  expect(all_bcast(1) == 1);
  expect(*toglobal(0, &from_zero) == 41);
  all_reduce_to_one_add(1);
  on_one from_zero = 42;
  all_reduce_to_all_add(1);
  expect(*toglobal(0, &from_zero) == 42);
}

/* One processor after the other counts, and says so in a word that the next one waits for. */
static void by_flags(int next)
{
  int *global count = toglobal(0, &words[9]);
  barrier();
  on_one *count = 0;
  if (MYPROC > 0)
    while (flag == 0)
      ;
  *count = *count + 1;
  if (next != 0) *(volatile int *global)toglobal(next, &flag) = 1;
  barrier();
  on_one expect(words[9] == PROCS);
}

splitc_main()
{
  int next = (MYPROC + 1) % PROCS, *block = unchecked_block(40), *own = malloc(12), i;
  void *global l;
  on_one the_lock = lock_make();
  barrier();
  l = *(void *global *global)toglobal(0, &the_lock);
  by_completion(next);
  by_stores(next);
  by_atomic_calls();
  by_values();
  by_flags(next);
  for (i = 0; i < 5; i++) {
    lock(l);
    *toglobal(0, &cell) += 1;
    unlock(l);
  }
  barrier();
  on_one {
    expect(cell == 5 * PROCS - 1);
    lock_destroy(l);
  }
  own = realloc(own, 64);
  own[15] = block[9] = 3;
  free(own);
  free(block);
  on_one printf("ok clean.sc\n");
}
