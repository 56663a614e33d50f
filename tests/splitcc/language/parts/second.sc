/* SPDX-License-Identifier: Apache-2.0
 * The second unit of several_units.sc. */
#include "shared.h"

int defined_in_second = 11;
float external_array[2 * PROCS]::;
static int hidden = 2;
int twice(int n) { return n + n; }
int *global next_of(int *global g) { return &g[1]; }

int fill_second(int n, double X[n]::[3]) {
  int i, (*pointer)(int) = twice;
  for (i = MYPROC; i < n; i += PROCS) X[i][2] = i + (*pointer)(hidden);
  shared_count += 100;
  shared_table[3] = shared_count;
  external_array[MYPROC + PROCS] = MYPROC / 2.0;
  shared_pointer = (int *spread)&shared_table[3];
  return hidden++;
}

shared_record pass_record(r, s)
shared_record r;
int *spread s;
{
  r.v += s[1];
  r.g = next_of(r.g);
  return r;
}
