/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

splitc_main()
{
  int n = 10, i;
  double *spread v = all_spread_malloc(n, sizeof(double));

  if (!v) {
    on_one printf("there is no room\n");
    return;
  }
  for_my_1d(i, n) v[i] = i / 2.0;
  barrier();
  on_one printf("v[9] is %.1f, on processor %d\n", v[9], toproc(v + 9));
  all_spread_free(v);
}
