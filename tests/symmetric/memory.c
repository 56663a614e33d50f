/* SPDX-License-Identifier: Apache-2.0
 * What lies behind the variables: spread arrays of file scope, the segment's own memory; and what
 * is left after the job. */
#include <string.h>

#include "cases.h"

COMMON uint64_t table;
static uint64_t rows, empty;

static void place_all(void) {
  const uint64_t ranks = (uint64_t)ramjet_size();
  splitc_place_spread_array(&rows, 2 * ranks, 40 * sizeof(int), "rows");
  splitc_place_spread_array(&table, 3 * ranks + 1, sizeof(double), "table");
  splitc_place_spread_array(&empty, 0, 4, "empty");
}
static struct splitc_start start = {place_all, NULL};
__attribute__((constructor)) static void start_early(void) { splitc_at_start(&start); }

static splitc_global element(uint64_t array, int index, size_t bytes) {
  const splitc_spread first = {array};
  return splitc_to_global(splitc_spread_add(first, index, bytes));
}

void spread_arrays(void) {
  EXPECT(table != 0 && rows != 0 && empty != 0 && table != rows);
  EXPECT(splitc_read_uint64(splitc_toglobal(right(), &table)) == table);
  const int count = 3 * ramjet_size() + 1;
  for (int i = 0; i < count; ++i) EXPECT(splitc_read_double(element(table, i, 8)) == 0);
  meet();
  for (int i = ramjet_rank(); i < count; i += ramjet_size())
    splitc_write_double(element(table, (i + 1) % count, 8), (i + 1) % count);
  meet();
  for (int i = 0; i < count; ++i) EXPECT(splitc_read_double(element(table, i, 8)) == i);
  int* const block = splitc_tolocal(element(rows, ramjet_rank(), 160));
  for (int i = 0; i < 40; ++i) EXPECT(block[i] == 0);
}

static int static_memory[100];

void segment_memory(void) {
  int* const memory = ramjet_segment_allocate(4000);
  EXPECT(memory != NULL && ramjet_segment_owner(memory) == ramjet_rank());
  memset(memory, 0x77, 4000);
  const splitc_spread blocks = splitc_all_spread_malloc((size_t)ramjet_size(), 1 << 20);
  EXPECT(blocks.bits != 0);
  memset(splitc_tolocal(splitc_to_global(blocks)), 0x55, 1 << 20);
  for (int i = 0; i < 100; ++i) EXPECT(static_memory[i] == 0);
  splitc_all_spread_free(blocks);
  ramjet_segment_free(memory);
  meet();
}

static char line[100] = "static buffer";
static void print_line(void) {
  line[0] = 'S';
  puts(line);
}

void after_the_end(void) {
  static char buffer[BUFSIZ];
  EXPECT(setvbuf(stderr, buffer, _IOFBF, sizeof buffer) == 0);
  EXPECT(atexit(print_line) == 0);
}
