/* SPDX-License-Identifier: Apache-2.0
 * Heat along a rod, in C with the library of Split-C: every processor computes its piece by plain
 * pointers, and stores its ends into its neighbours' pieces. global_pointers is similar, in C++.
 *
 *   ramjet run -n 4 heat_c
 */
#include <math.h>
#include <stdio.h>

#include <ramjet/splitc_names.h>

enum { CELLS = 100, STEPS = 500 }; /* of each processor; one more beyond either end */
typedef double piece[CELLS + 2];

/* The cell `index` of a processor's piece. */
static splitc_global cell(splitc_spread rod, int proc, int index) {
  const splitc_global g = splitc_to_global(splitc_spread_add(rod, proc, sizeof(piece)));
  return splitc_global_add(g, index, sizeof(double));
}
static double* my_piece(splitc_spread rod) { return splitc_tolocal(splitc_to_global(rod)); }

static void advance(const double* now, double* next) {
  for (int i = 1; i <= CELLS; ++i) next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
  on_one next[1] = now[1]; /* held hot */
  on_proc(PROCS - 1) next[CELLS] = now[CELLS];
}

int main(int argc, char** argv) {
  ramjet_init(&argc, &argv);
  splitc_spread now = all_spread_malloc(PROCS, sizeof(piece));
  splitc_spread next = all_spread_malloc(PROCS, sizeof(piece));
  for (int i = 0; i < CELLS + 2; ++i) my_piece(now)[i] = my_piece(next)[i] = 0;
  on_one my_piece(now)[1] = 1000;
  on_proc(PROCS - 1) my_piece(now)[CELLS] = 1000;
  barrier();

  for (int step = 0; step < STEPS; ++step) {
    const double* mine = my_piece(now);
    if (MYPROC > 0) splitc_store_double(cell(now, MYPROC - 1, CELLS + 1), mine[1]);
    if (MYPROC < PROCS - 1) splitc_store_double(cell(now, MYPROC + 1, 0), mine[CELLS]);
    all_store_sync(); /* what the neighbours stored is here */
    advance(mine, my_piece(next));
    const splitc_spread other = now;
    now = next;
    next = other;
  }
  barrier();

  /* The rod is the same from both ends. */
  double difference = 0, heat = 0;
  for (int i = 1; i <= CELLS; ++i) {
    const double here = my_piece(now)[i];
    const double there = splitc_read_double(cell(now, PROCS - 1 - MYPROC, CELLS + 1 - i));
    difference = fmax(difference, fabs(here - there));
    heat += here;
  }
  difference = all_reduce_to_all_dmax(difference);
  heat = all_reduce_to_all_dadd(heat);
  const int well = difference < 1e-9 && heat > 2000;
  on_one printf("%d processors, %d cells, %d steps: heat %.3f, %s (%.0f us)\n", PROCS,
                PROCS * CELLS, STEPS, heat, well ? "the same from both ends" : "WRONG",
                get_seconds() * 1e6);
  all_spread_free(next);
  all_spread_free(now);
  ramjet_finalize();
  return well ? 0 : 1;
}
