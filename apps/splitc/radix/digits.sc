/* SPDX-License-Identifier: Apache-2.0 */
#include "digits.h"

#include <string.h>

setting sort_settings[] = {{0}};

void sort_must_accept(long n) {}

long sort_room(long n) { return block_keys(n); }

/* counts[p][d]: how many keys with digit d processor p has. */
static void count_digits(const key *from, long count, int shift, int counts[PROCS][DIGITS],
                         int all[PROCS]::[PROCS][DIGITS])
{
  int *own = counts[MYPROC], i;
  long k;
  memset(own, 0, DIGITS * sizeof(int));
  EIGHT_AT_A_TIME
  for (k = 0; k < count; k++) own[digit_of(from[k], shift)]++;
  for (i = 1; i < PROCS; i++) {
    int to = (MYPROC + i) % PROCS;
    bulk_store(&all[to][MYPROC][0], own, DIGITS * sizeof(int));
  }
  all_store_sync();
}

/* All keys of a digit stand behind those of lesser ones, and among them those of a processor behind
 * those of the processors before. Behind the last key of all there is no place: no key goes
 * there. */
static void find_places(long room, int counts[PROCS][DIGITS], key to[PROCS]::[room],
                        place places[DIGITS])
{
  long before = 0;
  int digit, p;
  for (digit = 0; digit < DIGITS; digit++) {
    long at = before;
    for (p = 0; p < PROCS; p++) {
      if (p == MYPROC) at = before;
      before += counts[p][digit];
    }
    if (at / room == PROCS) at = 0;
    places[digit].next = &to[at / room][at % room];
    places[digit].left = room - at % room;
  }
}

static void pass(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room], int shift,
                 int all[PROCS]::[PROCS][DIGITS], key *staging)
{
  int (*counts)[DIGITS] = (int (*)[DIGITS])tolocal(all[MYPROC]);
  const key *own = (key *)(from + MYPROC);
  place places[DIGITS];
  count_digits(own, own_keys(n), shift, counts, all);
  find_places(room, counts, to, places);
  move_keys(own, own_keys(n), shift, counts[MYPROC], places, staging, room);
  all_store_sync();
}

/* Nobody stores counts of the next pass before all have read theirs: they met in all_store_sync. */
long sort_keys(long n, long room, key from[PROCS]::[room], key to[PROCS]::[room])
{
  int all[PROCS]::[PROCS][DIGITS];
  key staging[PROCS]::[room], *own_staging = (key *)(staging + MYPROC);
  pass(n, room, from, to, 0, all, own_staging);
  pass(n, room, to, from, DIGIT_BITS, all, own_staging);
  pass(n, room, from, to, 2 * DIGIT_BITS, all, own_staging);
  return own_keys(n);
}
