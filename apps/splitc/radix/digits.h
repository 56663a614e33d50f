/* SPDX-License-Identifier: Apache-2.0
 * Radix sort from the least digit on, of the keys of all processors: what radix and radixb have in
 * common. They differ in how the keys of a pass move. */
#ifndef APPS_SPLITC_RADIX_DIGITS_H
#define APPS_SPLITC_RADIX_DIGITS_H

#include "../common/sorting.h"

/* An odd number of passes: from one array to the other, and back, and there again. */
#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)

static inline int digit_of(key k, int shift) { return k >> shift & (DIGITS - 1); }

/* Where this processor's next key of a digit goes, and how many keys from there on lie in the block
 * of the same processor. */
typedef struct place {
  key *global next;
  long left;
} place;

/* Goes on by `count` keys, at most `left`. The end of a block is the beginning of the next one;
 * behind the last there is none, and nothing goes there. */
static inline void advance(place *p, long count, long room)
{
  p->next += count;
  p->left -= count;
  if (p->left == 0) {
    p->next = toglobal((toproc(p->next) + 1) % PROCS, (key *)tolocal(p->next) - room);
    p->left = room;
  }
}

/* A pass sends this processor's keys, of which counts[d] have the digit d, to the places of their
 * digits, in their order, by stores. `staging` is room for as many keys here. Defined by each
 * program. */
void move_keys(const key *from, long count, int shift, const int counts[DIGITS],
               place places[DIGITS], key *staging, long room);

#endif
