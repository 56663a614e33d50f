/* SPDX-License-Identifier: Apache-2.0
 * Processor 0 calls something else than the others. */
//! processors: 2 3 2x2 2x4
//! report: {barrier} processor 0 calls barrier\(\), processor 1 all_bcast_i\(\)
//! note: {bcast} processor 1 is here
#include <split-c/split-c.h>

splitc_main()
{
  int value = MYPROC;
  barrier();
  if (value == 0)
    barrier(); /* barrier */
  else
    value = all_bcast(value); /* bcast */
  barrier();
}
