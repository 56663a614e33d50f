/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct list { int length, values[100]; } list;

/* Runs where the list is. */
void append(struct list *l, int value) { l->values[l->length++] = value; }

/* With a result, the call waits for it. */
int length(struct list *l) { return l->length; }

splitc_main()
{
  struct list *global l = toglobal(PROCS - 1, &list);
  int i, sum = 0;

  for (i = 0; i < 10; i++) atomic(append, l, MYPROC + i);
  sync();                                     /* mine are done */
  barrier();
  on_one {
    printf("%d\n", atomic(length, l) == 10 * PROCS);
    for (i = 0; i < l->length; i++) sum += l->values[i];
    printf("%d\n", sum == 45 * PROCS + 5 * PROCS * (PROCS - 1));
  }
}
