/* SPDX-License-Identifier: Apache-2.0
 * A collective call with arguments that are not the same everywhere. */
//! processors: 2 3 2x2
//! report: {call} processor 0 calls all_spread_malloc\(\), processor 1 all_spread_malloc\(\) with other arguments
//! note: {call} processor 1 is here
#include <split-c/split-c.h>

splitc_main()
{
  int *spread s = all_spread_malloc(10 + MYPROC, sizeof(int)); /* call */
  all_spread_free(s);
}
