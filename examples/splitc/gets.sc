/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct point { double x, y; };

int numbers[8];
struct point place;

splitc_main()
{
  int *global from = toglobal((MYPROC + 1) % PROCS, numbers), n = 8, i, sum = 0;
  struct point *global far = toglobal((MYPROC + 1) % PROCS, &place), copy;
  int here[n];

  for (i = 0; i < n; i++) numbers[i] = 10 * MYPROC + i;
  place.x = MYPROC;
  place.y = -MYPROC;
  barrier();
  for (i = 0; i < n; i++) here[i] := from[i];
  copy := *far;
  sync();                                     /* from here on they may be read */
  for (i = 0; i < n; i++) sum += here[i];
  on_one printf("sum %d, place %.0f %.0f\n", sum, copy.x, copy.y);
}
