/* SPDX-License-Identifier: Apache-2.0
 * order CASE N: the order in which what is posted runs, by the rules of tam.h.
 *
 *   posts    N trees of activations that one thread posts, ahead of an older one
 *   in_turn  the same, and on each rank N trees more that begin when nothing else is ready there
 *   loop     N rounds, which are activations that call others: each when the one before is over
 *   fits     a loop that other ranks send to while its next round is put off
 *
 * Each activation of a tree has the number that it has if trees run one after the other and what an
 * activation posts runs before all that was posted before. */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

static tam_word begun; /* activations of trees, on this rank */
static tam_word alive, most_alive; /* rounds */
static tam_word out_of_turn;

static int ranks_of_job(void) {
  int ranks = 1;
  while (tam_next_rank() != 0) continue;
  while (tam_next_rank() != 0) ++ranks;
  return ranks;
}

/* --- node: an activation with a number, that posts two others unless its depth is 0 --- */

enum { kDepth = 2, kTree = 7 }; /* nodes of a tree */

struct node {
  struct tam_frame head;
  struct tam_entry rcv[1];
  tam_name told;
  tam_word number, depth;
};
static const TAM_BLOCK(node, 1) node_block;
static void node_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(node)
static tam_lcv node_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv node_arguments(struct node* f, tam_lcv lcv, int way, tam_name told,
                                tam_word number, tam_word depth) {
  f->told = told;
  f->number = number;
  f->depth = depth;
  TAM_POST_LAST(f, lcv, way, node_start);
}
TAM_INLET3(node_arguments, struct node)
static tam_lcv node_start(struct tam_frame* frame, tam_lcv lcv) {
  struct node* f = (struct node*)frame;
  const tam_word is_out_of_turn = f->number != begun++;
  const tam_word half = ((tam_word)1 << f->depth) - 1; /* nodes below, by one of the two */
  if (f->depth > 0) {
    TAM_PASS3(node_arguments, TAM_FALLOC(node), lcv, f->told, f->number + 1, f->depth - 1);
    TAM_PASS3(node_arguments, TAM_FALLOC(node), lcv, f->told, f->number + 1 + half, f->depth - 1);
  }
  tam_send1(lcv, f->told, is_out_of_turn);
  return TAM_FFREE(f);
}

/* --- trees: posts them, and hears of all their nodes --- */

struct trees {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t left;
  tam_word count, ranks; /* trees; those that have some in turn */
};
enum { kTreesTold, kTreesArguments, kTreesInlets };
static const TAM_BLOCK(trees, kTreesInlets) trees_block;
static void trees_prepare(struct tam_frame* frame) { ((struct trees*)frame)->left = 1; }
TAM_FALLOC_OF(trees)
static tam_lcv trees_end(struct tam_frame* frame, tam_lcv lcv) {
  struct trees* f = (struct trees*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, tam_root(1), f->count);
}
TAM_BODY tam_lcv trees_told(struct trees* f, tam_lcv lcv, int way, tam_word is_out_of_turn) {
  out_of_turn += is_out_of_turn;
  TAM_POST_SYNC_LAST(f, lcv, way, left, trees_end);
}
TAM_INLET1(trees_told, struct trees)
static tam_lcv trees_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv trees_arguments(struct trees* f, tam_lcv lcv, int way, tam_word count,
                                 tam_word ranks) {
  f->count = count;
  f->ranks = ranks;
  TAM_POST_LAST(f, lcv, way, trees_start);
}
TAM_INLET2(trees_arguments, struct trees)
static tam_lcv trees_start(struct tam_frame* frame, tam_lcv lcv) {
  struct trees* f = (struct trees*)frame;
  const tam_name told = tam_name_of(frame, kTreesTold);
  const tam_word each = f->count;
  const tam_word posted = each * kTree + 1; /* and the older one */
  f->count = posted + f->ranks * each * kTree;
  f->left = (uint32_t)f->count;
  for (tam_word i = 0; i < each; ++i)
    for (tam_word r = 0; r < f->ranks; ++r)
      tam_spawn_in_turn(lcv, (int)r, &node_block.block, 3, told,
                        i * kTree + (r == 0 ? posted : 0), kDepth, 0);
  for (tam_word i = 0; i < each; ++i)
    TAM_PASS3(node_arguments, TAM_FALLOC(node), lcv, told, i * kTree, kDepth);
  return lcv;
}

/* --- call: calls itself a number of times, and answers with the number of calls --- */

struct call {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_word value;
};
static const TAM_BLOCK(call, 2) call_block;
static void call_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(call)
static tam_lcv call_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv call_arguments(struct call* f, tam_lcv lcv, int way, tam_name parent,
                                tam_word depth) {
  f->parent = parent;
  f->value = depth;
  TAM_POST(f, lcv, way, call_start); /* not at once by the hybrid either */
  return lcv;
}
TAM_INLET2(call_arguments, struct call)
static tam_lcv call_end(struct tam_frame* frame, tam_lcv lcv) {
  struct call* f = (struct call*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value + 1);
}
TAM_BODY tam_lcv call_value(struct call* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST(f, lcv, way, call_end);
  return lcv;
}
TAM_INLET1(call_value, struct call)
static tam_lcv call_start(struct tam_frame* frame, tam_lcv lcv) {
  struct call* f = (struct call*)frame;
  if (f->value == 0) return call_end(frame, lcv);
  TAM_PASS2(call_arguments, TAM_FALLOC(call), lcv, tam_name_of(frame, 1), f->value - 1);
  return lcv;
}

/* --- loop: its rounds are such calls --- */

struct loop {
  struct tam_frame head;
  struct tam_entry rcv[3];
  uint32_t left;
  tam_word begins, sum;
};
enum { kLoopResult, kLoopArguments, kLoopInlets, kLoopDepth = 3 };
static const TAM_BLOCK(loop, kLoopInlets) loop_block;
static void loop_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(loop)
static tam_lcv loop_end(struct tam_frame* frame, tam_lcv lcv) {
  struct loop* f = (struct loop*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, tam_root(1), f->sum);
}
TAM_BODY tam_lcv loop_result(struct loop* f, tam_lcv lcv, int way, tam_word value) {
  --alive;
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, left, loop_end);
}
TAM_INLET1(loop_result, struct loop)
static tam_lcv loop_round(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv loop_arguments(struct loop* f, tam_lcv lcv, int way, tam_word rounds) {
  f->left = (uint32_t)rounds;
  f->begins = rounds;
  f->sum = 0;
  TAM_POST_LAST(f, lcv, way, loop_round);
}
TAM_INLET1(loop_arguments, struct loop)
static tam_lcv loop_next(struct tam_frame* frame, tam_lcv lcv) {
  return TAM_AFTER_CALLS(frame, lcv, loop_round);
}
static tam_lcv loop_round(struct tam_frame* frame, tam_lcv lcv) {
  struct loop* f = (struct loop*)frame;
  if (++alive > most_alive) most_alive = alive;
  TAM_PASS2(call_arguments, TAM_FALLOC(call), lcv, tam_name_of(frame, kLoopResult), kLoopDepth);
  if (--f->begins > 0) TAM_FORK(lcv, loop_next);
  return lcv;
}

/* --- ping: sends its name to an inlet, again when it is told to --- */

struct ping {
  struct tam_frame head;
  struct tam_entry rcv[2]; /* by the hybrid it may be told while it runs */
  tam_name to;
  tam_word goes_on;
};
static const TAM_BLOCK(ping, 2) ping_block;
static tam_lcv ping_send(struct tam_frame* frame, tam_lcv lcv) {
  struct ping* f = (struct ping*)frame;
  if (!f->goes_on) return TAM_FFREE(f);
  tam_send1(lcv, f->to, tam_name_of(frame, 1));
  return lcv;
}
TAM_BODY tam_lcv ping_arguments(struct ping* f, tam_lcv lcv, int way, tam_name to) {
  f->to = to;
  f->goes_on = 1;
  TAM_POST_LAST(f, lcv, way, ping_send);
}
TAM_INLET1(ping_arguments, struct ping)
TAM_BODY tam_lcv ping_again(struct ping* f, tam_lcv lcv, int way, tam_word goes_on) {
  f->goes_on = goes_on;
  TAM_POST_LAST(f, lcv, way, ping_send);
}
TAM_INLET1(ping_again, struct ping)

/* --- fits: a loop with one entry for the round that is put off, and one for what pings post --- */

struct fits {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_word guard; /* what an entry too many would overwrite */
  tam_word begun, rounds, pings, wanted;
  tam_name ping;
};
enum { kFitsResult, kFitsPing, kFitsArguments, kFitsInlets };
static const tam_word kGuard = 0x5aa5;
static const TAM_BLOCK(fits, kFitsInlets) fits_block;
static void fits_prepare(struct tam_frame* frame) { ((struct fits*)frame)->guard = kGuard; }
TAM_FALLOC_OF(fits)
static tam_lcv fits_round(struct tam_frame* frame, tam_lcv lcv);
static tam_lcv fits_next(struct tam_frame* frame, tam_lcv lcv) {
  return TAM_AFTER_CALLS(frame, lcv, fits_round);
}
TAM_BODY tam_lcv fits_result(struct fits* f, tam_lcv lcv, int way, tam_word value) {
  (void)way, (void)value;
  ++f->rounds;
  return lcv;
}
TAM_INLET1(fits_result, struct fits)
static tam_lcv fits_answer(struct tam_frame* frame, tam_lcv lcv) {
  struct fits* f = (struct fits*)frame;
  tam_send1(lcv, f->ping, ++f->pings < f->wanted);
  return lcv;
}
TAM_BODY tam_lcv fits_ping(struct fits* f, tam_lcv lcv, int way, tam_name ping) {
  f->ping = ping;
  TAM_POST_LAST(f, lcv, way, fits_answer);
}
TAM_INLET1(fits_ping, struct fits)
static tam_lcv fits_start(struct tam_frame* frame, tam_lcv lcv) {
  tam_spawn(lcv, ranks_of_job() - 1, &ping_block.block, 1, tam_name_of(frame, kFitsPing), 0, 0, 0);
  TAM_FORK(lcv, fits_round);
  return lcv;
}
TAM_BODY tam_lcv fits_arguments(struct fits* f, tam_lcv lcv, int way, tam_word wanted) {
  f->begun = f->rounds = f->pings = 0;
  f->wanted = wanted;
  TAM_POST_LAST(f, lcv, way, fits_start);
}
TAM_INLET1(fits_arguments, struct fits)
static tam_lcv fits_round(struct tam_frame* frame, tam_lcv lcv) {
  struct fits* f = (struct fits*)frame;
  if (f->begun++ != f->rounds) {
    fprintf(stderr, "a round begins before the last one is over\n");
    exit(1);
  }
  if (f->rounds >= f->wanted && f->pings >= f->wanted) {
    if (f->guard != kGuard) ++out_of_turn;
    return TAM_FFREE_SEND1(f, tam_root(1), f->wanted);
  }
  TAM_PASS2(call_arguments, TAM_FALLOC(call), lcv, tam_name_of(frame, kFitsResult), 0);
  TAM_FORK(lcv, fits_next);
  return lcv;
}

#define BLOCK(name, count, prepare, ...)                                                    \
  static const struct tam_inlet_info name##_inlets[count] = {{"inlet", TAM_HERE}};          \
  static const struct name##_block_type name##_block = {                                    \
      {#name, TAM_HERE, TAM_SCHEDULER, sizeof(struct name), count, 0, name##_inlets, NULL,  \
       prepare, NULL, NULL},                                                                \
      {__VA_ARGS__}};
BLOCK(node, 1, node_prepare, node_arguments_inlet)
BLOCK(trees, kTreesInlets, trees_prepare, trees_told_inlet, trees_arguments_inlet)
BLOCK(call, 2, call_prepare, call_arguments_inlet, call_value_inlet)
BLOCK(loop, kLoopInlets, loop_prepare, loop_result_inlet, loop_arguments_inlet)
BLOCK(ping, 2, NULL, ping_arguments_inlet, ping_again_inlet)
BLOCK(fits, kFitsInlets, fits_prepare, fits_result_inlet, fits_ping_inlet, fits_arguments_inlet)

static void start(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "posts";
  const tam_word n = argc > 2 ? (tam_word)strtoull(argv[2], NULL, 10) : 10;
  if (strcmp(what, "loop") == 0) {
    TAM_PASS1(loop_arguments, TAM_FALLOC(loop), (tam_lcv)NULL, n);
  } else if (strcmp(what, "fits") == 0) {
    TAM_PASS1(fits_arguments, TAM_FALLOC(fits), (tam_lcv)NULL, n);
  } else {
    struct trees* f = TAM_FALLOC(trees);
    const tam_word ranks = strcmp(what, "in_turn") == 0 ? (tam_word)ranks_of_job() : 0;
    TAM_PASS2(trees_arguments, f, (tam_lcv)NULL, n, ranks);
    TAM_PASS3(node_arguments, TAM_FALLOC(node), (tam_lcv)NULL, tam_name_of(&f->head, kTreesTold),
              n * kTree, 0);
  }
}
static void finish(void) {
  printf("%llu, %llu out of turn, at most %llu rounds\n", (unsigned long long)tam_result(0),
         (unsigned long long)out_of_turn, (unsigned long long)most_alive);
}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&node_block.block, &trees_block.block,
                                            &call_block.block, &loop_block.block,
                                            &ping_block.block, &fits_block.block};
  return tam_main(argc, argv, blocks, 6, start, finish);
}
