/* SPDX-License-Identifier: Apache-2.0
 * The second file: its variables are among the first one's. */
#include "cases.h"

int defined_there = -5;
char shared_name[64];
uint64_t table;

static int calls;
int* count_calls(void) {
  ++calls;
  return &calls;
}

static void place(void) {
  splitc_place_spread_array(&table, 3 * (uint64_t)ramjet_size() + 1, sizeof(double), "table");
}
static struct splitc_start start = {place, NULL};
__attribute__((constructor)) static void start_early(void) { splitc_at_start(&start); }
