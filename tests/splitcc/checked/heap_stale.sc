/* SPDX-License-Identifier: Apache-2.0
 * A block that its processor has freed. */
//! report: {access} processor 0 reads 4 bytes of processor \d in a block of 40 bytes that was freed
//! note: {freed} it was freed here
//! note: {block} it was allocated here
#include <stdlib.h>
#include <split-c/split-c.h>

static int *mine, value;

splitc_main()
{
  int *global far;
  mine = malloc(10 * sizeof(int)); /* block */
  mine[3] = 1;
  barrier();
  far = toglobal(PROCS - 1, *(int **)&mine);
  barrier();
  free(mine); /* freed */
  barrier();
  on_one value = far[3]; /* access */
  barrier();
}
