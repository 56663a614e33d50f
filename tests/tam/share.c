/* SPDX-License-Identifier: Apache-2.0
 * share CASE N: activations placed on whichever rank is idle, by the rules of tam.h.
 *
 *   tree     fib(N), all calls of which may be anywhere
 *   here     fib(N) by calls on this rank: none is given to others
 *   away     activations one after the other, until one of them runs on another rank
 *   dies     the same, and that one kills its rank */
#include <ramjet/tam.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int calls_stay;
static int dies; /* on all ranks */

struct fib {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t sum_count;
  tam_name parent;
  tam_word n, stays, left, right;
};
enum { kArguments, kLeft, kRight, kFibInlets };
static const TAM_BLOCK(fib, kFibInlets) fib_block;

static void fib_prepare(struct tam_frame* frame) { ((struct fib*)frame)->sum_count = 2; }
TAM_FALLOC_OF(fib)

static tam_lcv fib_sum(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->left + f->right);
}
TAM_BODY tam_lcv fib_left(struct fib* f, tam_lcv lcv, int way, tam_word value) {
  f->left = value;
  TAM_POST_SYNC_LAST(f, lcv, way, sum_count, fib_sum);
}
TAM_BODY tam_lcv fib_right(struct fib* f, tam_lcv lcv, int way, tam_word value) {
  f->right = value;
  TAM_POST_SYNC_LAST(f, lcv, way, sum_count, fib_sum);
}
static tam_lcv fib_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv fib_arguments(struct fib* f, tam_lcv lcv, int way, tam_name parent, tam_word n,
                               tam_word stays) {
  f->parent = parent;
  f->n = n;
  f->stays = stays;
  TAM_POST_LAST(f, lcv, way, fib_start);
}
TAM_INLET3(fib_arguments, struct fib)
TAM_INLET1(fib_left, struct fib)
TAM_INLET1(fib_right, struct fib)

static tam_lcv fib_start(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  if (f->n < 2) return TAM_FFREE_SEND1(f, f->parent, f->n);
  const tam_lcv bottom = lcv;
  if (f->stays) {
    TAM_CALL3(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_left, kLeft, f->n - 1, 1);
    TAM_CALL3(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_right, kRight, f->n - 2, 1);
  } else {
    TAM_SHARE_CALL3(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_left, kLeft, f->n - 1, 0);
    TAM_SHARE_CALL3(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_right, kRight, f->n - 2, 0);
  }
  return TAM_STOP_FOR(f, bottom, lcv, fib_sum);
}

static const struct tam_inlet_info fib_inlets[] = {
    {"arguments", TAM_HERE}, {"left", TAM_HERE}, {"right", TAM_HERE}};
static const struct tam_thread_info fib_threads[] = {
    {"start", TAM_HERE, 0}, {"sum", TAM_HERE, offsetof(struct fib, sum_count)}};
static const struct fib_block_type fib_block = {
    {"fib", TAM_HERE, TAM_SCHEDULER, sizeof(struct fib), kFibInlets, 2, fib_inlets, fib_threads,
     fib_prepare, NULL, NULL},
    {fib_arguments_inlet, fib_left_inlet, fib_right_inlet}};

/* --- where: sends the number of its rank --- */

struct where {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name answer;
};
enum { kWhereArguments, kWhereInlets };
static const TAM_BLOCK(where, kWhereInlets) where_block;

static tam_lcv where_start(struct tam_frame* frame, tam_lcv lcv) {
  struct where* f = (struct where*)frame;
  (void)lcv;
  if (dies && tam_rank_of(tam_name_of(frame, 0)) != 0) raise(SIGKILL);
  return TAM_FFREE_SEND1(f, f->answer, (tam_word)tam_rank_of(tam_name_of(frame, 0)));
}
TAM_BODY tam_lcv where_arguments(struct where* f, tam_lcv lcv, int way, tam_name answer) {
  f->answer = answer;
  TAM_POST_LAST(f, lcv, way, where_start);
}
TAM_INLET1(where_arguments, struct where)
static const struct tam_inlet_info where_inlets[] = {{"arguments", TAM_HERE}};
static const struct tam_thread_info where_threads[] = {{"start", TAM_HERE, 0}};
static const struct where_block_type where_block = {
    {"where", TAM_HERE, TAM_SCHEDULER, sizeof(struct where), kWhereInlets, 1, where_inlets,
     where_threads, NULL, NULL, NULL},
    {where_arguments_inlet}};

/* --- search: makes activations of `where` until one of them was elsewhere --- */

struct search {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_word rank;
};
enum { kSearchRank, kSearchInlets };
static const TAM_BLOCK(search, kSearchInlets) search_block;

static tam_lcv search_next(struct tam_frame* frame, tam_lcv lcv) {
  struct search* f = (struct search*)frame;
  if (f->rank != 0) return TAM_FFREE_SEND1(f, tam_root(1), f->rank);
  tam_spawn(lcv, TAM_LEAST_LOADED, &where_block.block, 1, tam_name_of(frame, kSearchRank), 0, 0, 0);
  return lcv;
}
TAM_BODY tam_lcv search_rank(struct search* f, tam_lcv lcv, int way, tam_word rank) {
  f->rank = rank;
  TAM_POST_LAST(f, lcv, way, search_next);
}
TAM_INLET1(search_rank, struct search)
static const struct tam_inlet_info search_inlets[] = {{"rank", TAM_HERE}};
static const struct tam_thread_info search_threads[] = {{"next", TAM_HERE, 0}};
static const struct search_block_type search_block = {
    {"search", TAM_HERE, TAM_SCHEDULER, sizeof(struct search), kSearchInlets, 1, search_inlets,
     search_threads, NULL, NULL, NULL},
    {search_rank_inlet}};

static void start(int argc, char** argv) {
  const tam_word n = argc > 2 ? (tam_word)strtoull(argv[2], NULL, 10) : 20;
  calls_stay = argc > 1 && strcmp(argv[1], "here") == 0;
  if (argc > 1 && (strcmp(argv[1], "away") == 0 || dies)) {
    struct search* f = (struct search*)tam_take_frame(&search_block.block, sizeof(struct search));
    TAM_PASS1(search_rank, f, (tam_lcv)NULL, 0);
  } else {
    struct fib* f = TAM_FALLOC(fib);
    TAM_PASS3(fib_arguments, f, (tam_lcv)NULL, tam_root(1), n, (tam_word)calls_stay);
  }
}
static void finish(void) {
  printf("%llu\n", (unsigned long long)tam_result(0));
  if (calls_stay) printf("%llu given\n", (unsigned long long)tam_given());
}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&fib_block.block, &where_block.block,
                                            &search_block.block};
  dies = argc > 1 && strcmp(argv[1], "dies") == 0;
  return tam_main(argc, argv, blocks, 3, start, finish);
}
