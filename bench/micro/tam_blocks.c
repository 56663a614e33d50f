/* SPDX-License-Identifier: Apache-2.0
 * Code blocks by the rules of tam.h; see tam_blocks.h. */
#include "micro/tam_blocks.h"

#define NOINLINE __attribute__((__noinline__))

/* --- fib: its calls may be on any rank --- */

struct fib {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t sum_count;
  tam_name parent;
  tam_word n, left, right;
};
enum { kFibArguments, kFibLeft, kFibRight, kFibInlets };
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
TAM_BODY tam_lcv fib_arguments(struct fib* f, tam_lcv lcv, int way, tam_name parent, tam_word n) {
  f->parent = parent;
  f->n = n;
  TAM_POST_LAST(f, lcv, way, fib_start);
}
TAM_INLET2(fib_arguments, struct fib)
TAM_INLET1(fib_left, struct fib)
TAM_INLET1(fib_right, struct fib)

NOINLINE static tam_lcv fib_split(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  TAM_SHARE_CALL2(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_left, kFibLeft, f->n - 1);
  TAM_SHARE_CALL2(TAM_RETURN, fib, fib_arguments, f, lcv, fib_right, kFibRight, f->n - 2);
  return lcv;
}
static tam_lcv fib_start(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  if (f->n >= 2) return TAM_JUMP(f, lcv, fib_split);
  return TAM_FFREE_SEND1(f, f->parent, f->n);
}
static const struct tam_inlet_info fib_inlets[] = {
    {"arguments", TAM_HERE}, {"left", TAM_HERE}, {"right", TAM_HERE}};
static const struct fib_block_type fib_block = {
    {"fib", TAM_HERE, TAM_SCHEDULER, sizeof(struct fib), kFibInlets, 0, fib_inlets, NULL,
     fib_prepare, NULL, NULL},
    {fib_arguments_inlet, fib_left_inlet, fib_right_inlet}};

void tam_bench_fib(tam_word n) {
  struct fib* f = TAM_FALLOC(fib);
  TAM_PASS2(fib_arguments, f, (tam_lcv)NULL, tam_root(1), n);
}

/* --- queens: an activation for each queen that stands; the columns and diagonals in use --- */

struct queens {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t end_count;
  tam_name parent;
  tam_word columns, down, up, ways;
};
enum { kQueensArguments, kQueensWays, kQueensInlets };
static const TAM_BLOCK(queens, kQueensInlets) queens_block;
static tam_word all_columns;
static void queens_prepare(struct tam_frame* frame) { ((struct queens*)frame)->ways = 0; }
TAM_FALLOC_OF(queens)

static tam_lcv queens_end(struct tam_frame* frame, tam_lcv lcv) {
  struct queens* f = (struct queens*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->ways);
}
TAM_BODY tam_lcv queens_ways(struct queens* f, tam_lcv lcv, int way, tam_word ways) {
  f->ways += ways;
  TAM_POST_SYNC_LAST(f, lcv, way, end_count, queens_end);
}
static tam_lcv queens_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv queens_arguments(struct queens* f, tam_lcv lcv, int way, tam_name parent,
                                  tam_word columns, tam_word down, tam_word up) {
  f->parent = parent;
  f->columns = columns;
  f->down = down;
  f->up = up;
  TAM_POST_LAST(f, lcv, way, queens_start);
}
TAM_INLET4(queens_arguments, struct queens)
TAM_INLET1(queens_ways, struct queens)

NOINLINE static tam_lcv queens_split(struct tam_frame* frame, tam_lcv lcv) {
  struct queens* f = (struct queens*)frame;
  tam_word free = all_columns & ~(f->columns | f->down | f->up);
  const tam_lcv bottom = lcv;
  f->end_count = (uint32_t)__builtin_popcountll(free);
  for (; free != 0; free &= free - 1) {
    const tam_word here = free & -free;
    TAM_SHARE_CALL4(TAM_GO_ON, queens, queens_arguments, f, lcv, queens_ways, kQueensWays,
                    f->columns | here, (f->down | here) << 1, (f->up | here) >> 1);
  }
  return TAM_STOP_FOR(f, bottom, lcv, queens_end);
}
static tam_lcv queens_start(struct tam_frame* frame, tam_lcv lcv) {
  struct queens* f = (struct queens*)frame;
  if (f->columns == all_columns) return TAM_FFREE_SEND1(f, f->parent, 1);
  if ((all_columns & ~(f->columns | f->down | f->up)) == 0) return TAM_FFREE_SEND1(f, f->parent, 0);
  return TAM_JUMP(f, lcv, queens_split);
}
static const struct tam_inlet_info queens_inlets[] = {{"arguments", TAM_HERE}, {"ways", TAM_HERE}};
static const struct queens_block_type queens_block = {
    {"queens", TAM_HERE, TAM_SCHEDULER, sizeof(struct queens), kQueensInlets, 0, queens_inlets,
     NULL, queens_prepare, NULL, NULL},
    {queens_arguments_inlet, queens_ways_inlet}};

void tam_bench_board(unsigned n) { all_columns = ((tam_word)1 << n) - 1; }
void tam_bench_queens(void) {
  struct queens* f = TAM_FALLOC(queens);
  TAM_PASS4(queens_arguments, f, (tam_lcv)NULL, tam_root(1), 0, 0, 0);
}

/* --- increment, and the block that calls it again and again --- */

struct increment {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_word value;
};
enum { kIncrementArguments, kIncrementInlets };
static const TAM_BLOCK(increment, kIncrementInlets) increment_block;
static void increment_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(increment)

static tam_lcv increment_end(struct tam_frame* frame, tam_lcv lcv) {
  struct increment* f = (struct increment*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value + 1);
}
TAM_BODY tam_lcv increment_arguments(struct increment* f, tam_lcv lcv, int way, tam_name parent,
                                     tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST_LAST(f, lcv, way, increment_end);
}
TAM_INLET2(increment_arguments, struct increment)
static const struct tam_inlet_info increment_inlets[] = {{"arguments", TAM_HERE}};
static const struct increment_block_type increment_block = {
    {"increment", TAM_HERE, TAM_SCHEDULER, sizeof(struct increment), kIncrementInlets, 0,
     increment_inlets, NULL, increment_prepare, NULL, NULL},
    {increment_arguments_inlet}};

struct loop {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_word left, value;
};
enum { kLoopValue, kLoopInlets };
static const TAM_BLOCK(loop, kLoopInlets) loop_block;

static tam_lcv loop_next(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv loop_value(struct loop* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST_LAST(f, lcv, way, loop_next);
}
TAM_INLET1(loop_value, struct loop)
static tam_lcv loop_next(struct tam_frame* frame, tam_lcv lcv) {
  struct loop* f = (struct loop*)frame;
  if (f->left-- == 0) return TAM_FFREE_SEND1(f, tam_root(1), f->value);
  TAM_CALL2(TAM_GO_ON, increment, increment_arguments, f, lcv, loop_value, kLoopValue, f->value);
  return lcv;
}
static const struct tam_inlet_info loop_inlets[] = {{"value", TAM_HERE}};
static const struct loop_block_type loop_block = {
    {"loop", TAM_HERE, TAM_SCHEDULER, sizeof(struct loop), kLoopInlets, 0, loop_inlets, NULL, NULL,
     NULL, NULL},
    {loop_value_inlet}};

static tam_lcv again(struct tam_frame* frame, tam_lcv lcv) {
  struct loop* f = (struct loop*)frame;
  if (f->value == f->left) return TAM_FFREE_SEND1(f, tam_root(1), f->value);
  ++f->value;
  TAM_FORK(lcv, again); /* not a jump: onto the vector and back */
  return lcv;
}

void tam_bench_calls(tam_word count) {
  struct loop* f = (struct loop*)tam_take_frame(&loop_block.block, sizeof(struct loop));
  f->left = count;
  TAM_PASS1(loop_value, f, (tam_lcv)NULL, 0);
}
void tam_bench_threads(tam_word count) {
  struct loop* f = (struct loop*)tam_take_frame(&loop_block.block, sizeof(struct loop));
  f->left = count;
  f->value = 0;
  tam_lcv none = NULL;
  TAM_POST(f, none, TAM_BY_RCV, again);
}

/* --- fetches, some at a time --- */

struct fetches {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t next_count, at_once;
  tam_array array;
  tam_word next, count, sum;
};
enum { kFetchesValue, kFetchesInlets };
static const TAM_BLOCK(fetches, kFetchesInlets) fetches_block;
static tam_lcv fetches_next(struct tam_frame* frame, tam_lcv lcv);

TAM_BODY tam_lcv fetches_value(struct fetches* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, next_count, fetches_next);
}
TAM_INLET1(fetches_value, struct fetches)
static tam_lcv fetches_next(struct tam_frame* frame, tam_lcv lcv) {
  struct fetches* f = (struct fetches*)frame;
  if (f->next == f->count) return TAM_FFREE_SEND1(f, tam_root(1), f->sum);
  const tam_word begin = f->next, end = begin + f->at_once;
  f->next = end;
  f->next_count = f->at_once; /* before the first of them can come */
  for (tam_word i = begin; i < end; ++i)
    TAM_IFETCH(fetches_value, kFetchesValue, f, lcv, f->array, i);
  return lcv;
}
static const struct tam_inlet_info fetches_inlets[] = {{"value", TAM_HERE}};
static const struct fetches_block_type fetches_block = {
    {"fetches", TAM_HERE, TAM_SCHEDULER, sizeof(struct fetches), kFetchesInlets, 0, fetches_inlets,
     NULL, NULL, NULL, NULL},
    {fetches_value_inlet}};

void tam_bench_fetches(tam_array array, tam_word count, unsigned at_once) {
  struct fetches* f = (struct fetches*)tam_take_frame(&fetches_block.block, sizeof(struct fetches));
  f->at_once = at_once;
  f->array = array;
  f->next = 0;
  f->count = count;
  f->sum = 0;
  tam_lcv none = NULL;
  TAM_POST(f, none, TAM_BY_RCV, fetches_next);
}
void tam_bench_sum(tam_array array, tam_word count) {
  tam_bench_fetches(array, count, (unsigned)count);
}

const struct tam_block* const tam_bench_blocks[] = {&fib_block.block, &queens_block.block,
                                                    &increment_block.block, &loop_block.block,
                                                    &fetches_block.block};
const unsigned tam_bench_block_count = sizeof tam_bench_blocks / sizeof *tam_bench_blocks;
