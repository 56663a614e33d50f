/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

struct pair { int a, b; };

int A[8]::;                                   /* no block dimensions */
struct pair B[8]::[3];

splitc_main()
{
  struct pair *global p = toglobal(PROCS - 1, (struct pair *)B);

  *(&A[1] + 1) = 5;                           /* &A[1] is spread: one on is A[2] */
  (&B[1][0] + 1)->b = 6;                      /* &B[1][0] is global: one on is B[1][1] */
  *(&p->a + 1) = 7;                           /* &p->a is global: behind a is b */
  barrier();
  on_one printf("%d %d %d\n", A[2], B[1][1].b, p->b);
}
