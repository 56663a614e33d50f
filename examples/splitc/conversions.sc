/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int number;
int squares[8]::;

int value_of(int *global g) { return *g; }

splitc_main()
{
  int *global g = toglobal(PROCS - 1, &number);     /* built of its two parts */
  int *spread s = &squares[2];
  int *l, i;
  for_my_1d(i, 8) squares[i] = i * i;
  number = 7 * MYPROC;
  barrier();

  on_one {
    printf("%d %d\n", toproc(g), tolocal(g) == &number);   /* and taken apart */
    printf("%d\n", value_of(s));              /* spread to global: the same place */
    l = (int *)(squares + MYPROC);            /* to local: my first element */
    printf("%d\n", *l);
    g = l;                                    /* local to global: this processor's */
    printf("%d\n", toproc(g));
    printf("%d\n", (int)*(char *spread)s);    /* the same place, as something else */
  }
}
