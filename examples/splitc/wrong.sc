/* SPDX-License-Identifier: Apache-2.0 */
#include <split-c/split-c.h>

int A[4]::, *global g;

splitc_main()
{
  A = g;
  return B[0];
}
