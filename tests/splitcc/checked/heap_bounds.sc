/* SPDX-License-Identifier: Apache-2.0
 * One element past the end of another processor's block. */
//! report: {access} processor 0 writes 4 bytes of processor \d, 4 bytes past the end of a block of 40 bytes
//! note: {block} it was allocated here
#include <stdlib.h>
#include <split-c/split-c.h>

static int *mine;

splitc_main()
{
  mine = malloc(10 * sizeof(int)); /* block */
  barrier();
  on_one {
    int *global g = toglobal(PROCS - 1, *(int *global *)toglobal(0, &mine));
    g[10] = 5; /* access */
  }
  barrier();
  free(mine);
}
