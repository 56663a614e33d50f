/* SPDX-License-Identifier: Apache-2.0
 * A null pointer to a structure. */
//! report: {access} processor \d reads 8 bytes through a null pointer
#include <split-c/split-c.h>

static struct pair { int a, b; } here;

splitc_main()
{
  struct pair *global far = 0;
  here = *far; /* access */
  barrier();
  if (here.a == 3) exit(9);
}
