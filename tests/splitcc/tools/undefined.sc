/* SPDX-License-Identifier: Apache-2.0
 * What the sanitizer of undefined behaviour finds, in an access to a spread array. */
#include <split-c/split-c.h>

int shift = 40, A[8]::;

splitc_main()
{
  int x = 1;
  A[MYPROC % 8] =
      x << shift;
  barrier();
}
