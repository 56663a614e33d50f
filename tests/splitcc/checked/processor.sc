/* SPDX-License-Identifier: Apache-2.0
 * A processor that there is not. */
//! report: {access} processor \d writes 4 bytes of processor 77, and there are \d processors?
#include <split-c/split-c.h>

static int cell;

splitc_main()
{
  int *global far = toglobal(77, &cell);
  *far = 1; /* access */
  barrier();
}
