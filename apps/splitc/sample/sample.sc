/* SPDX-License-Identifier: Apache-2.0
 * Sample sort with small transfers: gets of samples, a bulk get of the splitters, puts of counts
 * and keys. See README.md. */
#include "splitters.h"

#include <string.h>

const char sort_about[] = "Sample sort: samples are got, counts and keys are put one by one.";

/* Processor 0 gets the samples; none is waited for before all are under way. */
void find_splitters(long n, long room, key K[PROCS]::[room], key splitters[PROCS])
{
  key chosen[PROCS]::[PROCS];
  on_one {
    long room_there = block_keys(n), taken = 0, i;
    key sampled[PROCS * samples];
    int p;
    for (p = 0; p < PROCS && p * room_there < n; p++) {
      long left = n - p * room_there, count = left < room_there ? left : room_there;
      for (i = 0; i < samples; i++) sampled[taken++] := K[p][sample_at(i, count)];
    }
    sync();
    choose_splitters(sampled, taken, (key *)(chosen + MYPROC));
  }
  barrier();
  bulk_get(splitters, &chosen[0][0], PROCS * sizeof(key));
  sync();
  barrier(); /* the next function has other things where these are */
}

/* to[p]: how many keys this processor has for processor p. Leaves in first[p] how many that one has
 * from the processors before this one: each adds up what it is told, and tells where everybody's
 * keys begin. Returns how many come to this processor. */
static long exchange_counts(const int to[PROCS], int first[PROCS])
{
  int counts[PROCS]::[PROCS], firsts[PROCS]::[PROCS], p, sum = 0;
  const int *own_counts = (int *)(counts + MYPROC);
  for (p = 0; p < PROCS; p++) counts[p][MYPROC] := to[p];
  sync();
  barrier();
  for (p = 0; p < PROCS; p++) {
    firsts[p][MYPROC] := sum;
    sum += own_counts[p];
  }
  sync();
  barrier();
  memcpy(first, (int *)(firsts + MYPROC), PROCS * sizeof(int));
  return sum;
}

long distribute_keys(long n, const key *own, const routes *r, long room, key R[PROCS]::[room])
{
  key *global next[PROCS];
  int to[PROCS], first[PROCS], p;
  long count = own_keys(n), kept, i;
  memset(to, 0, PROCS * sizeof(int));
  for (i = 0; i < count; i++) to[processor_of(r, own[i])]++;
  kept = exchange_counts(to, first);
  for (p = 0; p < PROCS; p++) next[p] = &R[p][first[p]];
  for (i = 0; i < count; i++) *next[processor_of(r, own[i])]++ := own[i];
  sync();
  barrier();
  return kept;
}
