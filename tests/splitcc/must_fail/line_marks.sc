/* SPDX-License-Identifier: Apache-2.0
 * Messages follow #line and look into included text and macros. */
//! 8: error: missing_in_macro
//! 10: error: missing_in_second_line
#include <split-c/split-c.h>
#define BROKEN(p) *(p) = missing_in_macro
void body(int *global g) {
  BROKEN(g);
  *g = 1 +
      missing_in_second_line;
}
