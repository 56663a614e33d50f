/* SPDX-License-Identifier: Apache-2.0
 * Two processors store into one word between two all_store_sync(). */
//! processors: 2 3 2x2
//! report: {store} race: processor 0 stores a word of processor 0 while processor 1 stores it
//! note: {store} processor 1 stores it here, with no synchronisation between
#include <split-c/split-c.h>

static int cell;

splitc_main()
{
  if (MYPROC < 2) *toglobal(0, &cell) :- MYPROC; /* store */
  all_store_sync();
  if (cell > 1) exit(9);
}
