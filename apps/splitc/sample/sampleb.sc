/* SPDX-License-Identifier: Apache-2.0
 * Sample sort with bulk transfers: samples, splitters, counts and keys go by bulk stores. See
 * README.md. */
#include "splitters.h"

#include <string.h>

const char sort_about[] = "Sample sort: everything goes by bulk stores.";

/* Keys for a processor that are stored together. */
#define BUFFER_KEYS 512

void find_splitters(long n, long room, key K[PROCS]::[room], key *splitters)
{
  key sampled[PROCS]::[PROCS][samples], chosen[PROCS]::[PROCS], own[samples];
  const key *keys = (key *)(K + MYPROC);
  long count = own_keys(n), with_keys = (n + block_keys(n) - 1) / block_keys(n), i;
  int p;
  if (count > 0) {
    for (i = 0; i < samples; i++) own[i] = keys[sample_at(i, count)];
    bulk_store(&sampled[0][MYPROC][0], own, samples * sizeof(key));
  }
  all_store_sync();
  on_one {
    key *splitters_of_all = (key *)(chosen + MYPROC);
    choose_splitters((key *)(sampled + MYPROC), with_keys * samples, splitters_of_all);
    for (p = 1; p < PROCS; p++)
      bulk_store(&chosen[p][0], splitters_of_all, (PROCS - 1) * sizeof(key));
  }
  all_store_sync();
  memcpy(splitters, (key *)(chosen + MYPROC), (PROCS - 1) * sizeof(key));
  barrier(); /* the next function has other things where these are */
}

/* Everybody is told all counts, and adds up those that it needs. */
long exchange_counts(const int *to, int *first)
{
  int all[PROCS]::[PROCS][PROCS], (*counts)[PROCS] = (int (*)[PROCS])tolocal(all[MYPROC]);
  int p, q;
  long kept = 0;
  for (p = 0; p < PROCS; p++) bulk_store(&all[p][MYPROC][0], to, PROCS * sizeof(int));
  all_store_sync();
  for (p = 0; p < PROCS; p++) {
    first[p] = 0;
    for (q = 0; q < MYPROC; q++) first[p] += counts[q][p];
    kept += counts[p][MYPROC];
  }
  return kept;
}

void move_keys(const key *from, long count, const key *splitters, const int *first, long room,
               key R[PROCS]::[room])
{
  key buffers[PROCS][BUFFER_KEYS], *global next[PROCS];
  int held[PROCS], p;
  routes r;
  long i;
  make_routes(&r, splitters);
  for (p = 0; p < PROCS; p++) {
    next[p] = &R[p][first[p]];
    held[p] = 0;
  }
  for (i = 0; i < count; i++) {
    key k = from[i];
    p = processor_of(&r, k);
    buffers[p][held[p]] = k;
    if (++held[p] == BUFFER_KEYS) {
      bulk_store(next[p], buffers[p], BUFFER_KEYS * sizeof(key));
      next[p] += BUFFER_KEYS;
      held[p] = 0;
    }
  }
  for (p = 0; p < PROCS; p++) bulk_store(next[p], buffers[p], held[p] * sizeof(key));
  all_store_sync();
}
