/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct item {
  int key;
  double weights[4];
  struct item *global next;
};

struct item mine;

splitc_main()
{
  struct item copy, *global i;
  int n;

  mine.key = MYPROC * MYPROC;
  mine.weights[3] = MYPROC / 2.0;
  mine.next = toglobal((MYPROC + 1) % PROCS, &mine);
  barrier();

  on_one {
    printf("keys");
    for (i = &mine, n = 0; n < PROCS; n++, i = i->next) printf(" %d", i->key);
    copy = *mine.next;                        /* whole: one transfer */
    printf("\n%d %.1f %d\n", copy.key, copy.weights[3], toproc(copy.next));
    copy.key = -1;
    *mine.next = copy;
    printf("%d\n", mine.next->key);
    (*mine.next).weights[0] = 2.5;            /* and one member */
    printf("%.1f\n", mine.next->weights[0]);
  }
}
