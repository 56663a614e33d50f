/* SPDX-License-Identifier: Apache-2.0 */
/* A variable and memory of malloc that the neighbour writes. */
#include <ramjet/ramjet.h>
#include <ramjet/splitc.h>
#include <stdio.h>
#include <stdlib.h>

static int written = -1;
static int* allocated;
int splitc_main(void);

int splitc_main(void) {
  const int me = ramjet_rank(), ranks = ramjet_size(), next = (me + 1) % ranks;
  allocated = calloc(10, sizeof *allocated);
  ramjet_barrier(RAMJET_WORLD);
  splitc_write_int32(splitc_toglobal(next, &written), me);
  const splitc_global there = {splitc_read_uint64(splitc_toglobal(next, &allocated))};
  splitc_write_int32(splitc_toglobal(next, splitc_tolocal(there)), 1);
  ramjet_barrier(RAMJET_WORLD);
  if (written == (me + ranks - 1) % ranks && *allocated == 1) printf("rank %d of %d\n", me, ranks);
  return 5;
}
