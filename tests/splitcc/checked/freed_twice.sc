/* SPDX-License-Identifier: Apache-2.0
 * A block that is freed a second time. */
//! report: {second} processor \d frees a block of 24 bytes that was freed
//! note: {first} it was freed here
//! note: {block} it was allocated here
#include <stdlib.h>
#include <split-c/split-c.h>

int *kept;

splitc_main()
{
  int *p = malloc(24); /* block */
  kept = p;
  free(p); /* first */
  barrier();
  free(kept); /* second */
}
