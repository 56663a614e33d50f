/* SPDX-License-Identifier: Apache-2.0
 * Radix sort with small transfers: every key is stored by itself where it goes. See README.md. */
#include "digits.h"

const char sort_about[] = "Radix sort: in each pass every key is one store.";

void move_keys(const key *from, long count, int shift, const int counts[DIGITS],
               place places[DIGITS], key *staging, long room)
{
  long i;
  for (i = 0; i < count; i++) {
    place *p = &places[digit_of(from[i], shift)];
    *p->next :- from[i];
    advance(p, 1, room);
  }
}
