/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <split-c/split-c.h>

#define CELLS 8                               /* of each processor */

double rod[CELLS + 2];                        /* with a cell of either neighbour at the ends */

splitc_main()
{
  double new[CELLS + 2], change;
  double *global left = toglobal((MYPROC + PROCS - 1) % PROCS, rod);
  double *global right = toglobal((MYPROC + 1) % PROCS, rod);
  int i, rounds = 0;

  on_one rod[1] = 100;                        /* the rod is warm at one place, and a ring */
  do {
    barrier();                                /* all have their new cells */
    rod[0] := left[CELLS];                    /* two gets are under way ... */
    rod[CELLS + 1] := right[1];
    for (i = 2; i < CELLS; i++)               /* ... while the inner cells are computed */
      new[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
    sync();                                   /* now they are there */
    for (i = 1; i <= CELLS; i += CELLS - 1)
      new[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);

    change = 0;
    for (i = 1; i <= CELLS; i++) change = fmax(change, fabs(new[i] - rod[i]));
    change = all_reduce_to_all_dmax(change);  /* none overwrites what others still read */
    for (i = 1; i <= CELLS; i++) rod[i] = new[i];
    rounds++;
  } while (change > 0.0001);

  on_one printf("%.1f everywhere, after %d rounds\n", rod[1], rounds);
}
