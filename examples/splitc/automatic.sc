/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int largest(int n)
{
  int work[n]::, i, found = 0;                /* its size is known here */

  for_my_1d(i, n) work[i] = (i * 37) % n;
  barrier();                                  /* the others' elements are written, too */
  for_my_1d(i, n)
    if (work[(i + 1) % n] > found) found = work[(i + 1) % n];
  return all_reduce_to_all_max(found);
}                                             /* and it is gone here */

splitc_main()
{
  int n, found;
  for (n = 10; n <= 1000; n *= 10) {
    found = largest(n);
    on_one printf("of %d: %d\n", n, found);
  }
}
