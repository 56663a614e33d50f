/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

splitc_main()
{
  int v[PROCS], i, sum, greatest, least, or, scan, root, here;
  double d, e[PROCS];

  sum = all_reduce_to_all_add(MYPROC + 1);
  greatest = all_reduce_to_all_max(MYPROC);
  least = all_reduce_to_all_min(-MYPROC);
  or = all_reduce_to_all_or(1 << MYPROC);     /* and, xor are there, too */
  scan = all_scan_add(1);                     /* of the processors up to this one */
  d = all_reduce_to_all_dadd(0.5);            /* dmax, dmin */
  root = all_reduce_to_one_add(10);           /* known to processor 0 */
  here = all_bcast(MYPROC + 7);               /* what processor 0 says; all_bcast_d */
  on_proc(PROCS - 1) {
    printf("sum %d, max %d, min %d, or %d\n", sum, greatest, least, or);
    printf("scan %d, sum %.1f, from processor 0: %d\n", scan, d, here);
  }
  barrier();

  v[0] = MYPROC * MYPROC;
  e[0] = MYPROC / 4.0;
  all_concat(v);                              /* of all, to all */
  all_gather_d(e);                            /* of all, to processor 0; all_gather of int */
  on_one {
    for (i = 0; i < PROCS; i++) printf("%d: %d %.2f\n", i, v[i], e[i]);
    printf("%d\n", root);
  }
}
