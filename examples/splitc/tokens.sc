/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

#define GET(to, from) (to) := (from)
#define SEND(to, what) *(to) :- (what)
#define SPREAD(name, n) int name[n]::

SPREAD(A, 4);
int flag;

splitc_main()
{
  int yes = 2, no = 3, v;
  SEND(toglobal((MYPROC + 1) % PROCS, &flag), 1);
  all_store_sync();
  v = flag ? yes :-no;                        /* behind a ? it is a : and a - */
  A[MYPROC % 4] = v;
  barrier();
  GET(v, A[0]);
  sync();
  on_one printf("%d\n", v);
}
