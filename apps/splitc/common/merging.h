/* SPDX-License-Identifier: Apache-2.0
 * Two sorted blocks of n keys each, of which a processor keeps the n least or the n greatest. */
#ifndef APPS_SPLITC_COMMON_MERGING_H
#define APPS_SPLITC_COMMON_MERGING_H

#include "sorting.h"

/* Which key comes next is decided without a branch: with random keys it would be guessed wrong
 * every other time. Neither block ends before n keys have been taken. */
static inline void keep_least(key *to, const key *x, const key *y, long n)
{
  long i;
  for (i = 0; i < n; i++) {
    key a = *x, b = *y;
    int take_y = b < a;
    to[i] = take_y ? b : a;
    x += !take_y;
    y += take_y;
  }
}

static inline void keep_greatest(key *to, const key *x, const key *y, long n)
{
  x += n - 1;
  y += n - 1;
  while (n > 0) {
    key a = *x, b = *y;
    int take_y = b > a;
    to[--n] = take_y ? b : a;
    x -= !take_y;
    y -= take_y;
  }
}

/* Blocks are equally long here: the last ones are filled up with keys that none is greater than. */
static inline void fill_block(key *block, long count, long room)
{
  for (; count < room; count++) block[count] = ~(key)0;
}

#endif
