/* SPDX-License-Identifier: Apache-2.0
 * One element past the end of a spread array. */
//! report: {access} processor 0 writes 4 bytes of processor \d, 4 bytes past the end of a spread array of 10 blocks of 4 bytes
//! note: {array} it is declared here
#include <split-c/split-c.h>

splitc_main()
{
  int A[10]::; /* array */
  int i;
  on_one for (i = 0; i <= 10; i++) A[i] = i; /* access */
  barrier();
}
