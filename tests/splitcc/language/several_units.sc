/* SPDX-License-Identifier: Apache-2.0
 * Several units in one program: tentative definitions in a header, extern inline, statics of the
 * same name, spread arrays of the other unit, records and pointers as arguments, a unit of plain C. */
//! also: parts/second.sc parts/plain.c
#include "check.h"
#include "parts/shared.h"

static int hidden = 5;
int A[2 * PROCS]::;
int a_function_of_c(int (*callback)(int), int n);
static int twice_and_more(int n) { return twice(n) + thrice(n) + hidden; }

splitc_main() {
  shared_record r = {1, 0};
  int local[3] = {4, 5, 6}, i;
  shared_count = 5;
  CHECK_INT(fill_second(PROCS, shared_weights), 2);
  CHECK_INT(hidden, 5);
  CHECK_INT(shared_count, 105);
  CHECK_INT(shared_table[3], 105);
  CHECK_INT(defined_in_second, 11);
  barrier();
  for (i = 0; i < PROCS; i++) CHECK_DOUBLE(shared_weights[i][2], i + 4);
  CHECK_DOUBLE(external_array[NEXT + PROCS], NEXT / 2.0);
  CHECK_DOUBLE(external_array[NEXT], 0);
  CHECK_SPREAD(shared_pointer, pair_at(MYPROC, &shared_table[3]));
  for (i = MYPROC; i < 2 * PROCS; i += PROCS) A[i] = i + 40;
  barrier();
  r.g = toglobal(NEXT, shared_table);
  r = pass_record(r, A);
  CHECK_INT(r.v, 1 + 41);
  CHECK_GLOBAL(r.g, global_step(pair_at(NEXT, shared_table), 1, 4));
  CHECK_INT(in_plain_c(local, 2), 6);
  CHECK_INT(a_function_of_c(twice_and_more, 10), 56);
  CHECK_INT(twice(4) + thrice(4), 20);
  CHECK_GLOBAL(next_of(A), pair_at(0, (int *)A + 1));
  DONE;
}
