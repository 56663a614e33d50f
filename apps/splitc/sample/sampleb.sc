/* SPDX-License-Identifier: Apache-2.0
 * Sample sort with bulk transfers: samples, splitters, counts and keys go by bulk stores, and all
 * keys for a processor are one of them. See README.md. */
#include "splitters.h"

#include <string.h>

const char sort_about[] = "Sample sort: everything goes by bulk stores.";

void find_splitters(long n, long room, key K[PROCS]::[room], key splitters[PROCS])
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
    key *of_all = (key *)(chosen + MYPROC);
    choose_splitters((key *)(sampled + MYPROC), with_keys * samples, of_all);
    for (p = 1; p < PROCS; p++) bulk_store(&chosen[p][0], of_all, PROCS * sizeof(key));
  }
  all_store_sync();
  memcpy(splitters, (key *)(chosen + MYPROC), PROCS * sizeof(key));
  barrier(); /* the next function has other things where these are */
}

/* counts[q][p]: how many keys processor q has for processor p; this one tells all its own. */
static void exchange_counts(int counts[PROCS][PROCS], int all[PROCS]::[PROCS][PROCS])
{
  int i;
  for (i = 1; i < PROCS; i++) {
    int to = (MYPROC + i) % PROCS;
    bulk_store(&all[to][MYPROC][0], counts[MYPROC], PROCS * sizeof(int));
  }
  all_store_sync();
}

/* The keys for each processor are laid aside together, without being counted before: there is room
 * for all of them wherever they may be for. What is not used of it takes no memory. */
long distribute_keys(long n, const key *own, const routes *r, long room, key R[PROCS]::[room])
{
  long block = block_keys(n), count = own_keys(n), kept = 0, i;
  int all[PROCS]::[PROCS][PROCS], (*counts)[PROCS] = (int (*)[PROCS])tolocal(all[MYPROC]), p, q;
  key aside[PROCS]::[PROCS][block], (*keys)[block] = (key (*)[block])tolocal(aside[MYPROC]);
  key *next[PROCS];
  for (p = 0; p < PROCS; p++) next[p] = keys[p];
  EIGHT_AT_A_TIME
  for (i = 0; i < count; i++) *next[processor_of(r, own[i])]++ = own[i];
  for (p = 0; p < PROCS; p++) counts[MYPROC][p] = next[p] - keys[p];
  exchange_counts(counts, all);
  for (p = 0; p < PROCS; p++) kept += counts[p][MYPROC];
  for (i = 0; i < PROCS; i++) {
    long before = 0;
    p = (MYPROC + i) % PROCS;
    for (q = 0; q < MYPROC; q++) before += counts[q][p];
    bulk_store(&R[p][before], keys[p], counts[MYPROC][p] * sizeof(key));
  }
  all_store_sync();
  return kept;
}
