/* SPDX-License-Identifier: Apache-2.0
 * many N: one frame fetches all N elements of an array spread over the ranks element by element,
 * without waiting in between: from several places, half of them before they are stored. Then takes
 * all of them and puts each back, one larger, behind its take; then fetches all again. Prints the
 * sum of what came. */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

struct all {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t taken_count, again_count, end_count;
  tam_array array;
  tam_word sum;
};
enum { kAllArray, kAllFetched, kAllTaken, kAllAgain, kAllInlets };
static const TAM_BLOCK(all, kAllInlets) all_block;
static tam_word length;

static tam_lcv all_end(struct tam_frame* frame, tam_lcv lcv) {
  struct all* f = (struct all*)frame;
  tam_send1(lcv, tam_root(1), f->sum);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv all_fetched_again(struct all* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, end_count, all_end);
}
TAM_INLET1(all_fetched_again, struct all)
static tam_lcv all_fetch_again(struct tam_frame* frame, tam_lcv lcv) {
  struct all* f = (struct all*)frame;
  for (tam_word i = length; i-- > 0;) TAM_IFETCH(all_fetched_again, kAllAgain, f, lcv, f->array, i);
  return lcv;
}
TAM_BODY tam_lcv all_taken(struct all* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, again_count, all_fetch_again);
}
TAM_INLET1(all_taken, struct all)
static tam_lcv all_take(struct tam_frame* frame, tam_lcv lcv) {
  struct all* f = (struct all*)frame;
  for (tam_word i = 0; i < length; ++i) {
    TAM_MTAKE(all_taken, kAllTaken, f, lcv, f->array, i);
    tam_mput(lcv, f->array, i, i + 1, TAM_HERE);
  }
  return lcv;
}
TAM_BODY tam_lcv all_fetched(struct all* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, taken_count, all_take);
}
TAM_INLET1(all_fetched, struct all)
static tam_lcv all_fetch(struct tam_frame* frame, tam_lcv lcv) {
  struct all* f = (struct all*)frame;
  for (tam_word i = 0; i < length; i += 2) tam_istore(lcv, f->array, i, i, TAM_HERE);
  for (tam_word i = 0; i < length; ++i)
    if (i % 3 == 0) {
      TAM_IFETCH(all_fetched, kAllFetched, f, lcv, f->array, i);
    } else {
      TAM_IFETCH(all_fetched, kAllFetched, f, lcv, f->array, i);
    }
  for (tam_word i = 1; i < length; i += 2) tam_istore(lcv, f->array, i, i, TAM_HERE);
  return lcv;
}
TAM_BODY tam_lcv all_array(struct all* f, tam_lcv lcv, int way, tam_array array) {
  f->array = array;
  TAM_POST_LAST(f, lcv, way, all_fetch);
}
TAM_INLET1(all_array, struct all)
static const struct tam_inlet_info all_inlets[] = {
    {"array", TAM_HERE}, {"fetched", TAM_HERE}, {"taken", TAM_HERE}, {"again", TAM_HERE}};
static const struct all_block_type all_block = {
    {"all", TAM_HERE, TAM_SCHEDULER, sizeof(struct all), kAllInlets, 0, all_inlets, NULL, NULL,
     NULL, NULL},
    {all_array_inlet, all_fetched_inlet, all_taken_inlet, all_fetched_again_inlet}};

static void start(int argc, char** argv) {
  length = argc > 1 ? (tam_word)strtoull(argv[1], NULL, 10) : 100;
  struct all* f = (struct all*)tam_take_frame(&all_block.block, sizeof(struct all));
  f->taken_count = f->again_count = f->end_count = (uint32_t)length;
  f->sum = 0;
  tam_ialloc_spread(NULL, length, 1, tam_name_of(&f->head, kAllArray), TAM_HERE);
}
static void finish(void) { printf("%llu\n", (unsigned long long)tam_result(0)); }

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&all_block.block};
  return tam_main(argc, argv, blocks, 1, start, finish);
}
