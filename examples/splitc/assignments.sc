/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int a, b;
double d;

int calls;
int *global next(int *global g) { calls++; return g + 1; }

splitc_main()
{
  int *global remote = toglobal(PROCS - 1, &a), *global other = toglobal(PROCS - 1, &b), here;
  double *global real = toglobal(PROCS - 1, &d);

  on_one {
    *remote = 3;                              /* a write */
    *other = *remote;                         /* a read, then a write */
    here := 5;                                /* both local: = */
    *other := *remote + 1;                    /* the value is read now, and put */
    sync();
    *real := here;                            /* converted */
    here := *real;                            /* a read, since its type is another */
    sync();
    printf("%d %d %.1f %d\n", *remote, *other, *real, here);
    *next(remote - 1) += 1;                   /* the left side is evaluated once */
    printf("%d, %d call\n", *remote, calls);
  }
}
