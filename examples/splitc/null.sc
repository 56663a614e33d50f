/* SPDX-License-Identifier: Apache-2.0 */
#include <split-c/split-c.h>

int cell;
int *global nowhere;

splitc_main()
{
  on_one *nowhere = 1;
  barrier();
}
