/* SPDX-License-Identifier: Apache-2.0
 * Bulk transfers, of which only a few bytes meet what another processor does. */
//! processors: 2 3 2x2
//! report: {write} race: processor 1 writes a word of processor 0 while processor 0 reads it
//! note: {use} processor 0 reads it here, with no synchronisation between
#include <split-c/split-c.h>

static char cells[64], here[8];

splitc_main()
{
  int sum = 0, i;
  on_proc(1) bulk_write(toglobal(0, cells + 29), here, 8); /* write */
  on_one for (i = 0; i < 32; i++) sum += cells[i]; /* use */
  barrier();
  if (sum > 7) exit(9);
}
