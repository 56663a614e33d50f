/* SPDX-License-Identifier: Apache-2.0
 * One processor waits in a barrier while the others have come to the end. */
//! processors: 2 3 2x2
//! report: {barrier} processor 0 calls barrier\(\), processor 1 the end of splitc_main\(\)
//! note: {main} processor 1 is here
#include <split-c/split-c.h>

int
splitc_main()
{ /* main */
  barrier();
  on_one barrier(); /* barrier */
}
