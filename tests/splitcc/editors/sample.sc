/* SPDX-License-Identifier: Apache-2.0 */
#include <split-c/split-c.h>
#define GET(x, g) (x) := (g)
int *global const g, *spread s, global, spread;
int A[4]::[2];
/* global := */
splitc_main()
{
  int *const global q, x = MYPROC ? 1 :-2;
  char *text = "a := b";
  for_my_1d(x, 10) A[x][0] = 1;
  x := *g;
  *g :- x;
  if (x) { *s :- (int *global)q; }
  on_one barrier();
  all_reduce_to_all_add(1);
  return 0;
}
