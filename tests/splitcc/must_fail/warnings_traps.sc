/* SPDX-License-Identifier: Apache-2.0
 * The language's own traps. */
//! 14: warning: sync
//! 21: warning: barrier
//! 22:16: warning: all_reduce_to_all_add
//! 22:3: note: the condition is here
#include <split-c/split-c.h>
int *global g, x;
int *p;
int *global *global where;
void read_before_sync(void) {
  int y, z;
  y := *g;
  x = y + 1;
  sync();
  z := *g;
  sync();
  x = z;
}
void collective_under_a_condition(void) {
  if (MYPROC == 0) barrier();
  on_one { x = all_reduce_to_all_add(1); }
  if (PROCS > 1) barrier();
}
