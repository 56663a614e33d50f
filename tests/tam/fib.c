/* SPDX-License-Identifier: Apache-2.0
 * fib N: the tree of calls, by the rules of tam.h. Each call is an activation whose two own calls
 * are made at once; its sum waits for both. */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

struct fib {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t sum_count;
  tam_name parent;
  tam_word n, left, right;
};
enum { kArguments, kLeft, kRight, kInlets };
static const TAM_BLOCK(fib, kInlets) fib_block;

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

/* A thread of its own, and a function of its own: a call that ends at once saves no registers. */
__attribute__((__noinline__)) static tam_lcv fib_split(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  TAM_CALL2(TAM_GO_ON, fib, fib_arguments, f, lcv, fib_left, kLeft, f->n - 1);
  TAM_CALL2(TAM_RETURN, fib, fib_arguments, f, lcv, fib_right, kRight, f->n - 2);
  return lcv;
}

static tam_lcv fib_start(struct tam_frame* frame, tam_lcv lcv) {
  struct fib* f = (struct fib*)frame;
  if (f->n >= 2) return TAM_JUMP(f, lcv, fib_split);
  return TAM_FFREE_SEND1(f, f->parent, f->n);
}

static const struct tam_inlet_info fib_inlets[] = {
    {"arguments", TAM_HERE}, {"left", TAM_HERE}, {"right", TAM_HERE}};
static const struct tam_thread_info fib_threads[] = {
    {"start", TAM_HERE, 0},
    {"split", TAM_HERE, 0},
    {"sum", TAM_HERE, offsetof(struct fib, sum_count)}};
static const struct fib_block_type fib_block = {
    {"fib", TAM_HERE, TAM_SCHEDULER, sizeof(struct fib), kInlets, 3, fib_inlets, fib_threads,
     fib_prepare, NULL, NULL},
    {fib_arguments_inlet, fib_left_inlet, fib_right_inlet}};

static void start(int argc, char** argv) {
  struct fib* f = TAM_FALLOC(fib);
  TAM_PASS2(fib_arguments, f, NULL, tam_root(1),
            argc > 1 ? (tam_word)strtoull(argv[1], NULL, 10) : 20);
}
static void finish(void) { printf("%llu\n", (unsigned long long)tam_result(0)); }

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&fib_block.block};
  return tam_main(argc, argv, blocks, 1, start, finish);
}
