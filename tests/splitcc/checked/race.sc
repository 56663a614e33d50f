/* SPDX-License-Identifier: Apache-2.0
 * Each processor writes its neighbour's word, which the neighbour reads before the barrier. */
//! processors: 2 3 2x2 2x4
//! report: {writes} race: processor \d writes a word of processor \d while processor \d reads it
//! note: {reads} processor \d reads it here, with no synchronisation between
#include <split-c/split-c.h>

static int cell, seen;

splitc_main()
{
  int *global next = toglobal((MYPROC + 1) % PROCS, &cell);
  *next = MYPROC; /* writes */
  seen = cell; /* reads */
  barrier();
  if (seen == PROCS) exit(9);
}
