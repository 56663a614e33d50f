/* SPDX-License-Identifier: Apache-2.0
 * Radix sort with bulk transfers: the keys of a digit are gathered in a buffer, which is stored in
 * one piece when it is full. All buffers together fit into a cache. See README.md. */
#include "digits.h"

const char sort_about[] = "Radix sort: in each pass the keys of a digit are stored in bulk.";

static long buffer_keys = 128;

setting sort_settings[] = {
  {"buffer", "keys of a digit that are stored together", &buffer_keys, 1, 1 << 14}, {0}};

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

void move_keys(const key *from, long count, int shift, place places[DIGITS], long room)
{
  long i, size = buffer_keys;
  int held[DIGITS] = {0}, digit;
  key buffers[DIGITS][size];
  for (i = 0; i < count; i++) {
    key k = from[i], *buffer;
    digit = digit_of(k, shift);
    buffer = buffers[digit];
    buffer[held[digit]] = k;
    if (++held[digit] == size) {
      store_keys(buffer, size, &places[digit], room);
      held[digit] = 0;
    }
  }
  for (digit = 0; digit < DIGITS; digit++)
    store_keys(buffers[digit], held[digit], &places[digit], room);
}
