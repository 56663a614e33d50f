/* SPDX-License-Identifier: Apache-2.0
 * Plain C on one's own memory is checked, too: a byte in front of a block. */
//! report: {access} processor \d writes 1 byte of processor \d, 1 byte before the begin of a block of 16 bytes
//! note: {block} it was allocated here
#include <stdlib.h>
#include <split-c/split-c.h>

char *kept;

splitc_main()
{
  kept = malloc(16); /* block */
  barrier();
  kept[-1] = 'x'; /* access */
  free(kept);
}
