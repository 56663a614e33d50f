/* SPDX-License-Identifier: Apache-2.0
 * What only the C compiler finds: it speaks of the user's file and lines. */
//! flags: -c -o /dev/null
//! 7: error: constant
//! 12: error: constant
#include <split-c/split-c.h>
int not_constant = not_constant + 1;
int *global g;
int body(int n) {
  *g = n;
  switch (n) {
    case n:
      break;
  }
  return *g + __builtin_no_such_thing(n) + *g;
}
