/* SPDX-License-Identifier: Apache-2.0
 * regions CASE N: arrays whose storage is given back.
 *
 *   rounds   N times: an array of its own region, a fetch of its last element on the next rank, and
 *            the region's end from there; their sum, and whether all lay in the same place
 *   ended    a fetch from a region that has ended;  waiting: a region ends while a fetch waits
 *   again    a region ends twice */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

/* --- reader: fetches the last element, ends the region, and sends the word --- */

struct reader {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_array array;
  tam_region region;
  tam_word last, value;
  tam_name done;
};
enum { kReaderArguments, kReaderValue, kReaderInlets };
static const TAM_BLOCK(reader, kReaderInlets) reader_block;

static tam_lcv reader_end(struct tam_frame* frame, tam_lcv lcv) {
  struct reader* f = (struct reader*)frame;
  tam_region_end(lcv, f->region, TAM_HERE);
  return TAM_FFREE_SEND1(f, f->done, f->value);
}
TAM_BODY tam_lcv reader_value(struct reader* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST_LAST(f, lcv, way, reader_end);
}
TAM_INLET1(reader_value, struct reader)
static tam_lcv reader_fetch(struct tam_frame* frame, tam_lcv lcv) {
  struct reader* f = (struct reader*)frame;
  TAM_IFETCH(reader_value, kReaderValue, f, lcv, f->array, f->last);
  return lcv;
}
TAM_BODY tam_lcv reader_arguments(struct reader* f, tam_lcv lcv, int way, tam_array array,
                                  tam_region region, tam_word last, tam_name done) {
  f->array = array;
  f->region = region;
  f->last = last;
  f->done = done;
  TAM_POST_LAST(f, lcv, way, reader_fetch);
}
TAM_INLET4(reader_arguments, struct reader)
static const struct tam_inlet_info reader_inlets[] = {{"arguments", TAM_HERE}, {"value", TAM_HERE}};
static const struct tam_thread_info reader_threads[] = {{"fetch", TAM_HERE, 0},
                                                        {"end", TAM_HERE, 0}};
static const struct reader_block_type reader_block = {
    {"reader", TAM_HERE, TAM_SCHEDULER, sizeof(struct reader), kReaderInlets, 2, reader_inlets,
     reader_threads, NULL, NULL, NULL},
    {reader_arguments_inlet, reader_value_inlet}};

/* --- rounds: one reader after the other, each of a new array; all of one size of storage --- */

struct rounds {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_word left, sum, moves;
  tam_array before;
};
enum { kRoundsValue, kRoundsInlets };
static const TAM_BLOCK(rounds, kRoundsInlets) rounds_block;

static tam_lcv rounds_next(struct tam_frame* frame, tam_lcv lcv) {
  struct rounds* f = (struct rounds*)frame;
  if (f->left == 0) {
    tam_send2(lcv, tam_root(2), f->sum, f->moves);
    return TAM_FFREE(f);
  }
  const tam_word length = 1000 + f->left-- % 8;
  const tam_region region = tam_region_begin();
  const tam_array a = tam_ialloc_in(region, length, TAM_HERE);
  if (f->before != 0 && f->before != a) ++f->moves;
  f->before = a;
  for (tam_word i = 0; i < length; ++i) tam_istore(lcv, a, i, i + 1, TAM_HERE);
  tam_spawn(lcv, tam_next_rank(), &reader_block.block, 4, a, region, length - 1,
            tam_name_of(frame, kRoundsValue));
  return lcv;
}
TAM_BODY tam_lcv rounds_value(struct rounds* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_LAST(f, lcv, way, rounds_next);
}
TAM_INLET1(rounds_value, struct rounds)
static const struct tam_inlet_info rounds_inlets[] = {{"value", TAM_HERE}};
static const struct tam_thread_info rounds_threads[] = {{"next", TAM_HERE, 0}};
static const struct rounds_block_type rounds_block = {
    {"rounds", TAM_HERE, TAM_SCHEDULER, sizeof(struct rounds), kRoundsInlets, 1, rounds_inlets,
     rounds_threads, NULL, NULL, NULL},
    {rounds_value_inlet}};

static void start(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "rounds";
  if (strcmp(what, "rounds") == 0) {
    struct rounds* f = (struct rounds*)tam_take_frame(&rounds_block.block, sizeof(struct rounds));
    memset(&f->left, 0, sizeof *f - offsetof(struct rounds, left));
    f->left = argc > 2 ? (tam_word)strtoull(argv[2], NULL, 10) : 10;
    TAM_PASS1(rounds_value, f, (tam_lcv)NULL, 0);
    return;
  }
  const tam_region region = tam_region_begin();
  const tam_array a = tam_ialloc_in(region, 20, TAM_HERE);
  if (strcmp(what, "waiting") == 0) tam_ifetch_slow(NULL, a, 7, tam_root(1), TAM_HERE);
  tam_region_end(NULL, region, TAM_HERE);
  if (strcmp(what, "again") == 0) tam_region_end(NULL, region, TAM_HERE);
  tam_ifetch_slow(NULL, a, 7, tam_root(1), TAM_HERE);
}
static void finish(void) {
  printf("%llu, %llu moves\n", (unsigned long long)tam_result(0),
         (unsigned long long)tam_result(1));
}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&reader_block.block, &rounds_block.block};
  return tam_main(argc, argv, blocks, 2, start, finish);
}
