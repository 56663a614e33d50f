/* SPDX-License-Identifier: Apache-2.0
 * Misuse at run time ends the job with a clear message: a processor number out of range, a null or
 * wild global address, a bulk length past the segment. */
//! run: processor_read
//! status: failure
//! says: (?i)processor|rank
//! run: processor_write
//! status: failure
//! says: (?i)processor|rank
//! run: null_read
//! status: failure
//! says: (?i)null
//! run: null_write
//! status: failure
//! says: (?i)null
//! run: null_structure
//! status: failure
//! says: (?i)null
//! run: null_in_loop
//! status: failure
//! says: through a null pointer
//! run: null_rows
//! status: failure
//! says: through a null pointer
//! run: wild_in_loop
//! status: failure
//! says: (?i)outside|wild|segment\b
//! run: wild
//! status: failure
//! says: (?i)outside|wild|segment\b
//! run: length
//! status: failure
//! says: past the end of the segment|outside of its segment
//! processors: 1 2 2x4
#include "check.h"

static int cell;
struct cells { int many[1000]; } copy;

static int sum_of(int *global g, int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++) sum += g[i];
  return sum;
}
static int sum_of_rows(int *spread s, int n) {
  int i, sum = 0;
  for (i = MYPROC; i < n; i += PROCS) sum += s[i];
  return sum;
}

#define CASE(NAME) if (strcmp(argv[1], #NAME) == 0)

splitc_main(argc, argv) int argc; char **argv;
{
  int *global g = toglobal(PROCS - 1, &cell), *global null = NULL;
  struct cells *global far = NULL;
  CASE(processor_read) {
    set_bits(&g, pair_at(PROCS + 3, &cell));
    cell = *g;
  }
  CASE(processor_write) {
    set_bits(&g, pair_at(65535, &cell));
    *g := 5;
    sync();
  }
  CASE(null_read) cell = *null;
  CASE(null_write) null[0] = 4;
  CASE(null_structure) copy = *far;
  CASE(null_in_loop) cell = sum_of(null, 10);
  CASE(null_rows) cell = sum_of_rows((int *spread)null, 10);
  CASE(wild_in_loop) {
    set_bits(&g, pair_of(MYPROC, 0x123456789abcUL));
    cell = sum_of(g, 10);
  }
  CASE(wild) {
    set_bits(&g, pair_of(PROCS - 1, 0x123456789abcUL));
    *g = 7;
  }
  CASE(length) bulk_read(&copy, g, (size_t)1 << 46);
  barrier();
  DONE; /* is never reached */
}
