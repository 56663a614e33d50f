/* SPDX-License-Identifier: Apache-2.0
 * What two units share, as programs of the time wrote it: tentative definitions in a header,
 * extern inline functions. */
#include <split-c/split-c.h>

int shared_count, shared_table[10];
double shared_weights[PROCS]::[3];
extern int defined_in_second;
extern float external_array[2 * PROCS]::;
int *spread shared_pointer;
typedef struct { int v; int *global g; } shared_record;
shared_record shared_one;

extern inline int twice(int n) { return 2 * n; }
extern inline int *global next_of(int *global g) { return g + 1; }
static inline int thrice(int n) { return 3 * n; }

int fill_second(int n, double X[n]::[3]);
shared_record pass_record(shared_record r, int *spread s);
int in_plain_c(void *pointer, int n);
