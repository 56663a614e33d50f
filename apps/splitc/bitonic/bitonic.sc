/* SPDX-License-Identifier: Apache-2.0
 * Bitonic sort (Batcher 1968) of blocks: each processor sorts its own keys; then, wherever the
 * network has a comparator, two processors exchange their blocks by bulk stores and each keeps its
 * half of the two. See README.md. */
#include "../common/merging.h"

#include <string.h>

const char sort_about[] =
    "Bitonic sort: blocks of keys go to the partner by bulk stores. PROCESSORS: a power of two.";

setting sort_settings[] = {{0}};

void sort_must_accept(long n)
{
  if (PROCSLOG < 0) refuse("%d processors: their number must be a power of two", PROCS);
}

long sort_room(long n) { return block_keys(n); }

/* A partner's block arrives in a buffer that is not used in the next step: the partner of that step
 * may store before this processor is done with it. In the step after that it is done, since all
 * have met in between. */
long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room])
{
  key received[2][PROCS]::[room];
  key *own = (key *)(to + MYPROC), *merged = (key *)(from + MYPROC);
  long bytes = room * sizeof(key);
  int size, distance, step = 0;

  fill_block(merged, own_keys(n), room);
  lsd_sort(merged, own, room);
  for (size = 2; size <= PROCS; size *= 2)
    for (distance = size / 2; distance > 0; distance /= 2, step++) {
      int partner = MYPROC ^ distance, ascending = (MYPROC & size) == 0;
      key *theirs = (key *)&received[step % 2][MYPROC][0], *kept = merged;
      bulk_store(&received[step % 2][partner][0], own, bytes);
      all_store_sync();
      if ((MYPROC < partner) == ascending)
        keep_least(merged, own, theirs, room);
      else
        keep_greatest(merged, own, theirs, room);
      merged = own;
      own = kept;
    }
  if (own != (key *)(to + MYPROC)) memcpy((key *)(to + MYPROC), own, bytes);
  return own_keys(n);
}
