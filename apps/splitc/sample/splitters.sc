/* SPDX-License-Identifier: Apache-2.0 */
#include "splitters.h"

#include <stdlib.h>
#include <string.h>

long samples = 1024;

setting sort_settings[] = {
  {"samples", "keys of each processor that splitters are chosen from", &samples, 1, 1 << 16}, {0}};

void sort_must_accept(long n) {}

/* Equal keys go to one processor: it may come to hold all. Room that is not used takes no
 * memory. */
long sort_room(long n) { return n; }

void choose_splitters(key *sampled, long count, key *splitters)
{
  key *sorted = malloc(count * sizeof(key));
  int p;
  lsd_sort(sampled, sorted, count);
  for (p = 1; p < PROCS; p++) splitters[p - 1] = sorted[p * count / PROCS];
  free(sorted);
}

void make_routes(routes *r, const key *splitters)
{
  int upper, p = 0;
  r->splitters = splitters;
  for (upper = 0; upper < 1 << ROUTE_BITS; upper++) {
    while (p < PROCS - 1 && (key)upper << (32 - ROUTE_BITS) >= splitters[p]) p++;
    r->first[upper] = p;
  }
}

static void count_keys(const key *from, long count, const key *splitters, int *to)
{
  routes r;
  long i;
  memset(to, 0, PROCS * sizeof(int));
  make_routes(&r, splitters);
  for (i = 0; i < count; i++) to[processor_of(&r, from[i])]++;
}

long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room])
{
  key received[PROCS]::[room], splitters[PROCS];
  const key *own = (key *)(from + MYPROC);
  int counts[PROCS], first[PROCS];
  long count = own_keys(n), kept;
  find_splitters(n, room, from, splitters);
  count_keys(own, count, splitters, counts);
  kept = exchange_counts(counts, first);
  move_keys(own, count, splitters, first, room, received);
  lsd_sort((key *)(received + MYPROC), (key *)(to + MYPROC), kept);
  return kept;
}
