/* SPDX-License-Identifier: Apache-2.0
 * Sample sort: the keys between two splitters go to one processor, which sorts them. What sample
 * and sampleb have in common; they differ in how samples, splitters, counts and keys move. */
#ifndef APPS_SPLITC_SAMPLE_SPLITTERS_H
#define APPS_SPLITC_SAMPLE_SPLITTERS_H

#include "../common/sorting.h"

extern long samples; /* of each processor's keys */

/* --- What each program defines. Collective. --- */

/* Leaves in splitters[0 .. PROCS - 2] the same keys on all processors, ascending, chosen from
 * `samples` keys of each, by choose_splitters on processor 0. */
void find_splitters(long n, long room, key K[PROCS]::[room], key *splitters);

/* to[p]: how many keys this processor has for processor p. Leaves in first[p] how many processor p
 * has from the processors before this one, and returns how many keys come to this processor. */
long exchange_counts(const int *to, int *first);

/* Moves the keys `from` to R[p][first[p]] and what follows, for their processors p. */
void move_keys(const key *from, long count, const key *splitters, const int *first, long room,
               key R[PROCS]::[room]);

/* --- What they use --- */

/* The i-th of `samples` keys of a processor: as far apart as its keys allow. Processors without
 * keys have no sample, and are left out. */
static inline long sample_at(long i, long count) { return i * count / samples; }

/* From `count` samples, which it sorts: every so many of them is a splitter. */
void choose_splitters(key *sampled, long count, key *splitters);

/* The processors of keys, found by the upper bits in a table and on from there. */
#define ROUTE_BITS 11

typedef struct routes {
  const key *splitters;
  int first[1 << ROUTE_BITS]; /* by upper bits: the least processor that such a key may be for */
} routes;

void make_routes(routes *r, const key *splitters);

static inline int processor_of(const routes *r, key k)
{
  int p = r->first[k >> (32 - ROUTE_BITS)];
  while (p < PROCS - 1 && k >= r->splitters[p]) p++;
  return p;
}

#endif
