/* SPDX-License-Identifier: Apache-2.0
 * Memory that is not freed by the end. */
//! report: {block} processor \d never freed 56 bytes in 2 blocks that were allocated here
//! report: {spread} a spread array of 3 blocks of 8 bytes that was allocated here was never freed
#include <stdlib.h>
#include <split-c/split-c.h>

char *kept[2];

splitc_main()
{
  int i;
  double *spread s;
  for (i = 0; i < 2; i++) kept[i] = malloc(28); /* block */
  s = all_spread_malloc(3, sizeof(double)); /* spread */
}
