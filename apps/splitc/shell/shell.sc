/* SPDX-License-Identifier: Apache-2.0
 * Shell sort of blocks (Fox et al. 1988, Solving Problems on Concurrent Processors): processors far
 * from each other compare and split their blocks first, then nearer ones; what is left out of place
 * goes there by an odd-even transposition sort. Blocks are fetched by bulk reads. See README.md. */
#include "../common/merging.h"

#include <string.h>

const char sort_about[] = "Shell sort: processors fetch the block of a partner by a bulk read.";

setting sort_settings[] = {{0}};

void sort_must_accept(long n) {}

long sort_room(long n) { return block_keys(n); }

/* What a partner must know of a block before it fetches the keys. */
typedef struct block {
  int side; /* of the two places of a processor's keys */
  key least, greatest;
} block;

/* The state of a sort. Blocks are read from one side and written to the other, and what is said of
 * them in a step is not changed in that step: one barrier a step is enough. */
static int step;
static key *theirs; /* room for a partner's keys */

static block describe(int side, const key *own, long room)
{
  block b;
  b.side = side;
  b.least = own[0];
  b.greatest = own[room - 1];
  return b;
}

/* A step: with its partner, if it has one, this processor keeps the lower or the upper half of what
 * both have. Returns whether that changed its block. Collective. */
static int compare_split(int partner, long room, key K[2][PROCS]::[room], block B[2][PROCS]::)
{
  block own = B[step % 2][MYPROC];
  int changed = 0;
  if (partner >= 0 && partner < PROCS && partner != MYPROC) {
    block other = B[step % 2][partner];
    changed = MYPROC < partner ? own.greatest > other.least : other.greatest > own.least;
    if (changed) {
      const key *from = (key *)&K[own.side][MYPROC][0];
      key *to = (key *)&K[!own.side][MYPROC][0];
      bulk_read(theirs, &K[other.side][partner][0], room * sizeof(key));
      if (MYPROC < partner)
        keep_least(to, from, theirs, room);
      else
        keep_greatest(to, from, theirs, room);
      own = describe(!own.side, to, room);
    }
  }
  step++;
  B[step % 2][MYPROC] = own;
  barrier();
  return changed;
}

/* The partner in pairs of which `lower` is the lower one, a gap apart. */
static int partner_of(int is_lower, int gap) { return is_lower ? MYPROC + gap : MYPROC - gap; }

long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room])
{
  key sides[2][PROCS]::[room], fetched[PROCS]::[room];
  block blocks[2][PROCS]::, own;
  key *first = (key *)&sides[0][MYPROC][0];
  int gap, changed;

  fill_block((key *)(from + MYPROC), own_keys(n), room);
  lsd_sort((key *)(from + MYPROC), first, room);
  theirs = (key *)(fetched + MYPROC);
  step = 0;
  blocks[0][MYPROC] = describe(0, first, room);
  barrier();
  for (gap = (PROCS + 1) / 2; gap > 1; gap = (gap + 1) / 2)
    compare_split(partner_of(MYPROC / gap % 2 == 0, gap), room, sides, blocks);
  do {
    changed = compare_split(partner_of(MYPROC % 2 == 0, 1), room, sides, blocks);
    changed |= compare_split(partner_of(MYPROC % 2 != 0, 1), room, sides, blocks);
  } while (all_reduce_to_all_add(changed));
  own = blocks[step % 2][MYPROC];
  memcpy((key *)(to + MYPROC), (key *)&sides[own.side][MYPROC][0], room * sizeof(key));
  return own_keys(n);
}
