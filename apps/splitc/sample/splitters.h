/* SPDX-License-Identifier: Apache-2.0
 * Sample sort: the keys between two splitters go to one processor, which sorts them. What sample
 * and sampleb have in common; they differ in how samples, splitters, counts and keys move. */
#ifndef APPS_SPLITC_SAMPLE_SPLITTERS_H
#define APPS_SPLITC_SAMPLE_SPLITTERS_H

#include "../common/sorting.h"

extern long samples; /* of each processor's keys */

/* Ascending: processor p gets the keys from `from[p]` to before `from[p + 1]`. A key finds its
 * processor by its upper bits in a table, which is right but for those that a border divides. */
#define ROUTE_BITS 11

typedef struct routes {
  unsigned long *from;        /* PROCS + 1; the first is 0, the last is beyond all keys */
  int first[1 << ROUTE_BITS]; /* by upper bits: the least processor that such a key may be for */
} routes;

static inline int processor_of(const routes *r, key k)
{
  int p = r->first[k >> (32 - ROUTE_BITS)];
  while (k >= r->from[p + 1]) p++;
  return p;
}

/* --- What each program defines. Collective. --- */

/* Leaves in splitters[1 .. PROCS - 1] the same keys on all processors, chosen from `samples` keys
 * of each by choose_splitters on processor 0. */
void find_splitters(long n, long room, key K[PROCS]::[room], key splitters[PROCS]);

/* Moves the keys of this processor, of n altogether, to those that they are for, anywhere in R[p].
 * Returns how many there are here then. */
long distribute_keys(long n, const key *own, const routes *r, long room, key R[PROCS]::[room]);

/* --- What they use --- */

/* The i-th of `samples` keys of a processor: as far apart as its keys allow. Processors without
 * keys have no sample, and are left out. */
static inline long sample_at(long i, long count) { return i * count / samples; }

/* From `count` samples, which it sorts: splitters lie at equal distances among them. */
void choose_splitters(key *sampled, long count, key splitters[PROCS]);

#endif
