/* SPDX-License-Identifier: Apache-2.0 */
#include <split-c/split-c.h>

int x, cell, *box;
int *p;

void traps(int *global g)
{
  int y, *(*global there) = toglobal(toproc(g), &box);
  p = g;                                      /* which processor? */
  y := *g;
  x = y + 1;                                  /* is it there yet? */
  *there = &y;                                /* whose y, over there? */
  *g :- 1;                                    /* and when has it landed? */
  if (MYPROC == 0) barrier();                 /* do the others come? */
}

splitc_main()
{
  traps(toglobal(0, &cell));
}
