/* SPDX-License-Identifier: Apache-2.0
 * spread CASE N BLOCK: an I-structure of N elements spread over the ranks by blocks of BLOCK; BLOCK
 * "rows": that the ranks of a node share, two elements and rows of 7.
 *
 *   chain    element i is the one before it plus i; each is stored by an activation on its rank
 *   anywhere the same, but by activations on the ranks in turn
 *   outside  element N is fetched;  twice: element N - 1 is stored twice
 *   deadlock the chain without its first element */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- chain: makes the array, and a cell for each element on the rank where that lies --- */

struct chain {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_array array;
  tam_word length;
};
enum { kChainArray, kChainLength, kChainInlets };
static const TAM_BLOCK(chain, kChainInlets) chain_block;
static tam_word length, block;
static const char* what;

static tam_lcv chain_spawn(struct tam_frame* frame, tam_lcv lcv) {
  struct chain* f = (struct chain*)frame;
  if (strcmp(what, "outside") == 0) tam_istore(lcv, f->array, f->length, 0, TAM_HERE);
  for (tam_word i = f->length - 1; i > 0; --i)
    tam_spawn(lcv,
              strcmp(what, "anywhere") == 0 ? tam_next_rank()
                                            : tam_rank_of_element(f->array, i, TAM_HERE),
              &cell_block.block, 3, f->array, i, i == f->length - 1 ? tam_root(1) : 0, 0);
  if (strcmp(what, "deadlock") != 0) tam_istore(lcv, f->array, 0, 0, TAM_HERE);
  if (strcmp(what, "twice") == 0) tam_istore(lcv, f->array, f->length - 1, 0, TAM_HERE);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv chain_length(struct chain* f, tam_lcv lcv, int way, tam_word elements) {
  f->length = elements;
  TAM_POST_LAST(f, lcv, way, chain_spawn);
}
TAM_INLET1(chain_length, struct chain)
static tam_lcv chain_measure(struct tam_frame* frame, tam_lcv lcv) {
  struct chain* f = (struct chain*)frame;
  TAM_LENGTH(chain_length, kChainLength, f, lcv, f->array);
  return lcv;
}
TAM_BODY tam_lcv chain_array(struct chain* f, tam_lcv lcv, int way, tam_array array) {
  f->array = array;
  TAM_POST_LAST(f, lcv, way, chain_measure);
}
TAM_INLET1(chain_array, struct chain)
static const struct tam_inlet_info chain_inlets[] = {{"array", TAM_HERE}, {"length", TAM_HERE}};
static const struct tam_thread_info chain_threads[] = {{"measure", TAM_HERE, 0},
                                                       {"spawn", TAM_HERE, 0}};
static const struct chain_block_type chain_block = {
    {"chain", TAM_HERE, TAM_SCHEDULER, sizeof(struct chain), kChainInlets, 2, chain_inlets,
     chain_threads, NULL, NULL, NULL},
    {chain_array_inlet, chain_length_inlet}};

static void start(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "chain";
  length = argc > 2 ? (tam_word)strtoull(argv[2], NULL, 10) : 100;
  block = argc > 3 ? (tam_word)strtoull(argv[3], NULL, 10) : 0;
  if (argc > 3 && strcmp(argv[3], "rows") == 0) {
    const tam_array array = tam_ialloc_shared(length, 2, 7, 0, TAM_HERE);
    tam_spawn(NULL, 0, &chain_block.block, 1, array, 0, 0, 0);
    return;
  }
  struct chain* f = (struct chain*)tam_take_frame(&chain_block.block, sizeof(struct chain));
  tam_ialloc_spread(NULL, length, block, tam_name_of(&f->head, kChainArray), TAM_HERE);
}
static void finish(void) { printf("%llu\n", (unsigned long long)tam_result(0)); }

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&cell_block.block, &chain_block.block};
  return tam_main(argc, argv, blocks, 2, start, finish);
}
