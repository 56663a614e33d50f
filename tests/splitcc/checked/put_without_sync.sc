/* SPDX-License-Identifier: Apache-2.0
 * A barrier says nothing of puts. */
//! processors: 2 3 2x2
//! report: {put} race: processor 0 puts a word of processor 1 while processor 1 reads it
//! note: {use} processor 1 reads it here, with no synchronisation between
#include <split-c/split-c.h>

static int cell, seen;

splitc_main()
{
  on_one *toglobal(PROCS > 1, &cell) := 5; /* put */
  barrier();
  on_proc(1) seen = cell; /* use */
  sync();
  barrier();
  if (seen > 5) exit(9);
}
