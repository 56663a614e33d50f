/* SPDX-License-Identifier: Apache-2.0
 * Radix sort with bulk transfers: keys are sorted by their digits here first; those of a digit then
 * go in one piece, or have gone where they belong at once if that is here, too. See README.md. */
#include "digits.h"

const char sort_about[] = "Radix sort: in each pass the keys of a digit are one bulk store.";

/* Stores keys of a digit; the end of a processor's block divides them. */
static void store_keys(const key *keys, long count, place *p, long room)
{
  while (count > 0) {
    long part = count < p->left ? count : p->left;
    bulk_store(p->next, keys, part * sizeof(key));
    advance(p, part, room);
    keys += part;
    count -= part;
  }
}

static inline int stays_here(const place *p, int count)
{
  return toproc(p->next) == MYPROC && count <= p->left;
}

/* Every processor begins to send with other digits, so that not all send to the same one at
 * once. */
void move_keys(const key *from, long count, int shift, const int counts[DIGITS],
               place places[DIGITS], key *staging, long room)
{
  key *to[DIGITS]; /* where the next key of a digit goes here */
  long i;
  int digit;
  for (digit = 0; digit < DIGITS; digit++)
    if (stays_here(&places[digit], counts[digit]))
      to[digit] = (key *)places[digit].next;
    else {
      to[digit] = staging;
      staging += counts[digit];
    }
  EIGHT_AT_A_TIME
  for (i = 0; i < count; i++) *to[digit_of(from[i], shift)]++ = from[i];
  for (i = 1; i <= DIGITS; i++) {
    digit = (MYPROC * (DIGITS / PROCS) + i) % DIGITS;
    if (!stays_here(&places[digit], counts[digit]))
      store_keys(to[digit] - counts[digit], counts[digit], &places[digit], room);
  }
}
