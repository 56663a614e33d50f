/* SPDX-License-Identifier: Apache-2.0
 * A spread array of the heap that all have freed. */
//! report: {access} processor 0 reads 8 bytes of processor \d in a spread array of 8 blocks of 8 bytes that was freed
//! note: {freed} it was freed here
//! note: {array} it was allocated here
#include <split-c/split-c.h>

static double value;

splitc_main()
{
  double *spread s;
  s = all_spread_malloc(8, sizeof(double)); /* array */
  s[MYPROC] = 1;
  barrier();
  all_spread_free(s); /* freed */
  on_one value = s[PROCS - 1]; /* access */
  barrier();
  if (value == 7) exit(9);
}
