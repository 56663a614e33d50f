/* SPDX-License-Identifier: Apache-2.0
 * An address that is in no segment. */
//! report: {access} processor \d writes 8 bytes of processor 0 at 0x123456789a, outside of its segment
#include <split-c/split-c.h>

splitc_main()
{
  long *global g = toglobal(0, (void *)0x123456789a);
  *g = 3; /* access */
  barrier();
}
