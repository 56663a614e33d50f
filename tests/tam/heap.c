/* SPDX-License-Identifier: Apache-2.0
 * heap CASE N: I-structures and M-structures, by the rules of tam.h. Frames are made on all ranks.
 *
 *   chain    element i of an array is the one before it plus i; those who fetch come first
 *   readers  N fetches of one element, deferred and not
 *   counter  N activations take a number, and put it back greater by one
 *   memory   N cells of a list, one behind the other
 *   full     more threads are posted to a frame than it has entries
 *   deadlock the chain without its first element, behind arrays of other kinds; twice: it is stored
 *            twice; outside: beyond it
 *   long     an array of more elements than there may be */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

/* --- cell: stores element `index`, the one before it plus index; sends it to `done` --- */

struct cell {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_array array;
  tam_word index, before;
  tam_name done;
};
enum { kCellArguments, kCellBefore, kCellInlets };
static const TAM_BLOCK(cell, kCellInlets) cell_block;

static tam_lcv cell_store(struct tam_frame* frame, tam_lcv lcv) {
  struct cell* f = (struct cell*)frame;
  const tam_word value = f->before + f->index;
  tam_istore(lcv, f->array, f->index, value, TAM_HERE);
  if (f->done != 0) tam_send1(lcv, f->done, value);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv cell_before(struct cell* f, tam_lcv lcv, int way, tam_word value) {
  f->before = value;
  TAM_POST_LAST(f, lcv, way, cell_store);
}
TAM_INLET1(cell_before, struct cell)
static tam_lcv cell_fetch(struct tam_frame* frame, tam_lcv lcv) {
  struct cell* f = (struct cell*)frame;
  TAM_IFETCH(cell_before, kCellBefore, f, lcv, f->array, f->index - 1);
  return lcv;
}
TAM_BODY tam_lcv cell_arguments(struct cell* f, tam_lcv lcv, int way, tam_array array,
                                tam_word index, tam_name done) {
  f->array = array;
  f->index = index;
  f->done = done;
  TAM_POST_LAST(f, lcv, way, cell_fetch);
}
TAM_INLET3(cell_arguments, struct cell)

static const struct tam_inlet_info cell_inlets[] = {{"arguments", TAM_HERE}, {"before", TAM_HERE}};
static const struct tam_thread_info cell_threads[] = {{"fetch", TAM_HERE, 0},
                                                      {"store", TAM_HERE, 0}};
static const struct cell_block_type cell_block = {
    {"cell", TAM_HERE, TAM_SCHEDULER, sizeof(struct cell), kCellInlets, 2, cell_inlets,
     cell_threads, NULL, NULL, NULL},
    {cell_arguments_inlet, cell_before_inlet}};

/* --- gather: adds the words that it gets, and sends the sum to the root once all are there --- */

struct gather {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t end_count;
  tam_word sum;
};
enum { kGatherAdd, kGatherInlets };
static const TAM_BLOCK(gather, kGatherInlets) gather_block;

static tam_lcv gather_end(struct tam_frame* frame, tam_lcv lcv) {
  struct gather* f = (struct gather*)frame;
  tam_send1(lcv, tam_root(1), f->sum);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv gather_add(struct gather* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, end_count, gather_end);
}
TAM_INLET1(gather_add, struct gather)
static const struct tam_inlet_info gather_inlets[] = {{"add", TAM_HERE}};
static const struct tam_thread_info gather_threads[] = {
    {"end", TAM_HERE, offsetof(struct gather, end_count)}};
static const struct gather_block_type gather_block = {
    {"gather", TAM_HERE, TAM_SCHEDULER, sizeof(struct gather), kGatherInlets, 1, gather_inlets,
     gather_threads, NULL, NULL, NULL},
    {gather_add_inlet}};

/* --- use: fetches element 0, or takes it and puts it back greater by one; sends what it got --- */

struct use {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_array array;
  tam_name done;
  tam_word takes, value;
};
enum { kUseArguments, kUseValue, kUseInlets };
static const TAM_BLOCK(use, kUseInlets) use_block;

static tam_lcv use_end(struct tam_frame* frame, tam_lcv lcv) {
  struct use* f = (struct use*)frame;
  if (f->takes) tam_mput(lcv, f->array, 0, f->value + 1, TAM_HERE);
  tam_send1(lcv, f->done, f->value);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv use_value(struct use* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST_LAST(f, lcv, way, use_end);
}
TAM_INLET1(use_value, struct use)
static tam_lcv use_start(struct tam_frame* frame, tam_lcv lcv) {
  struct use* f = (struct use*)frame;
  if (f->takes)
    TAM_MTAKE(use_value, kUseValue, f, lcv, f->array, 0);
  else
    TAM_IFETCH(use_value, kUseValue, f, lcv, f->array, 0);
  return lcv;
}
TAM_BODY tam_lcv use_arguments(struct use* f, tam_lcv lcv, int way, tam_array array, tam_word takes,
                               tam_name done) {
  f->array = array;
  f->takes = takes;
  f->done = done;
  TAM_POST_LAST(f, lcv, way, use_start);
}
TAM_INLET3(use_arguments, struct use)
static const struct tam_inlet_info use_inlets[] = {{"arguments", TAM_HERE}, {"value", TAM_HERE}};
static const struct tam_thread_info use_threads[] = {{"start", TAM_HERE, 0}, {"end", TAM_HERE, 0}};
static const struct use_block_type use_block = {
    {"use", TAM_HERE, TAM_SCHEDULER, sizeof(struct use), kUseInlets, 2, use_inlets, use_threads,
     NULL, NULL, NULL},
    {use_arguments_inlet, use_value_inlet}};

/* --- Cases --- */

static void start_chain(tam_word n, tam_word stores) {
  const tam_array a = tam_ialloc(n, TAM_HERE);
  for (tam_word i = n - 1; i > 0; --i)
    tam_spawn(NULL, tam_next_rank(), &cell_block.block, 3, a, i, i == n - 1 ? tam_root(1) : 0, 0);
  for (; stores > 0; --stores) tam_istore(NULL, a, 0, 0, TAM_HERE);
}

static void start_uses(tam_word n, tam_word takes) {
  const tam_array a = tam_ialloc(1, TAM_HERE);
  struct gather* g = (struct gather*)tam_take_frame(&gather_block.block, sizeof(struct gather));
  g->sum = 0;
  g->end_count = (uint32_t)n;
  for (tam_word i = 0; i < n; ++i) {
    if (i == n / 2) tam_mput(NULL, a, 0, takes ? 0 : 7, TAM_HERE);
    tam_spawn(NULL, tam_rank_of_key(i), &use_block.block, 3, a, takes,
              tam_name_of(&g->head, kGatherAdd), 0);
  }
}

/* How far the last cell is from the first, which lies behind an array with something in front. */
static void start_memory(tam_word n) {
  tam_ialloc_in(tam_region_begin(), 3, TAM_HERE);
  const tam_array first = tam_ialloc(2, TAM_HERE);
  tam_array last = first;
  for (tam_word i = 1; i < n; ++i) last = tam_ialloc(2, TAM_HERE);
  tam_send1(NULL, tam_root(1), last - first);
}

static void start_full(void) {
  struct cell* f = (struct cell*)tam_take_frame(&cell_block.block, sizeof(struct cell));
  tam_lcv none = NULL;
  for (int i = 0; i < 3; ++i) TAM_POST(f, none, TAM_BY_RCV, cell_store);
}

static void start(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "chain";
  const tam_word n = argc > 2 ? (tam_word)strtoull(argv[2], NULL, 10) : 100;
  if (strcmp(what, "readers") == 0 || strcmp(what, "counter") == 0) {
    start_uses(n, strcmp(what, "counter") == 0);
  } else if (strcmp(what, "memory") == 0) {
    start_memory(n);
  } else if (strcmp(what, "outside") == 0) {
    tam_istore(NULL, tam_ialloc(n, TAM_HERE), n, 0, TAM_HERE);
  } else if (strcmp(what, "long") == 0) {
    tam_ialloc((tam_word)TAM_LENGTH_MAX + 1, TAM_HERE);
  } else if (strcmp(what, "full") == 0) {
    start_full();
  } else {
    tam_ialloc_in(tam_region_begin(), n, TAM_HERE);
    tam_ialloc_shared(n, 1, 2, 0, TAM_HERE);
    start_chain(n, strcmp(what, "deadlock") == 0 ? 0 : strcmp(what, "twice") == 0 ? 2 : 1);
  }
}
static void finish(void) { printf("%llu\n", (unsigned long long)tam_result(0)); }

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&cell_block.block, &gather_block.block,
                                            &use_block.block};
  return tam_main(argc, argv, blocks, 3, start, finish);
}
