/* SPDX-License-Identifier: Apache-2.0
 * What a get brings is used before sync(). */
//! report: {use} processor \d reads the target of a get before sync\(\)
//! note: {get} the get is issued here
#include <split-c/split-c.h>

static int cell = 7;

splitc_main()
{
  int value, more;
  int *global far = toglobal(PROCS - 1, &cell);
  barrier();
  value := *far; /* get */
  more = value + 1; /* use */
  sync();
  barrier();
  if (more == value) exit(9);
}
