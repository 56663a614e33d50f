/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

#define N 64

int counts[N], table[N];

/* Down a binary tree: who has the table sends it to two others. */
void broadcast(void)
{
  int child;
  if (MYPROC != 0) {
    store_sync(sizeof table);
    reset_store_sync();
  }
  for (child = 2 * MYPROC + 1; child <= 2 * MYPROC + 2; child++)
    if (child < PROCS) bulk_store(toglobal(child, table), table, sizeof table);
}

splitc_main()
{
  int i, *global to = toglobal(0, table);

  for (i = 0; i < N; i++)
    if (i % PROCS == MYPROC) to[i] :- i * i;  /* all to processor 0 ... */
  all_store_sync();
  broadcast();                                /* ... and from there to all */
  on_proc(PROCS - 1) printf("%d %d %d\n", table[1], table[2], table[63]);
}
