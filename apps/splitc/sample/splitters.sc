/* SPDX-License-Identifier: Apache-2.0 */
#include "splitters.h"

#include <stdlib.h>

long samples = 1024;

setting sort_settings[] = {
  {"samples", "keys of each processor that splitters are chosen from", &samples, 1, 1 << 16}, {0}};

void sort_must_accept(long n) {}

/* Equal keys go to one processor: it may come to hold all. Room that is not used takes no
 * memory. */
long sort_room(long n) { return n; }

void choose_splitters(key *sampled, long count, key splitters[PROCS])
{
  key *sorted = malloc(count * sizeof(key));
  int p;
  lsd_sort(sampled, sorted, count);
  for (p = 1; p < PROCS; p++) splitters[p] = sorted[p * count / PROCS];
  free(sorted);
}

static void make_routes(routes *r, const key splitters[PROCS])
{
  int upper, p;
  r->from[0] = 0;
  for (p = 1; p < PROCS; p++) r->from[p] = splitters[p];
  r->from[PROCS] = 1UL << 32;
  for (upper = 0, p = 0; upper < 1 << ROUTE_BITS; upper++) {
    while ((unsigned long)upper << (32 - ROUTE_BITS) >= r->from[p + 1]) p++;
    r->first[upper] = p;
  }
}

long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room])
{
  key received[PROCS]::[room], splitters[PROCS];
  unsigned long borders[PROCS + 1];
  routes r;
  long kept;
  find_splitters(n, room, from, splitters);
  r.from = borders;
  make_routes(&r, splitters);
  kept = distribute_keys(n, (key *)(from + MYPROC), &r, room, received);
  lsd_sort((key *)(received + MYPROC), (key *)(to + MYPROC), kept);
  return kept;
}
