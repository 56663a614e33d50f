/* SPDX-License-Identifier: Apache-2.0
 * calls N: N rounds of calls that end in each way in which a call can, by the rules of tam.h. */
#include <ramjet/tam.h>
#include <stdio.h>
#include <stdlib.h>

/* --- plus_one: ends at once --- */

struct plus_one {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_word value;
};
static const TAM_BLOCK(plus_one, 1) plus_one_block;
static void plus_one_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(plus_one)
static tam_lcv plus_one_end(struct tam_frame* frame, tam_lcv lcv) {
  struct plus_one* f = (struct plus_one*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value + 1);
}
TAM_BODY tam_lcv plus_one_arguments(struct plus_one* f, tam_lcv lcv, int way, tam_name parent,
                                    tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST_LAST(f, lcv, way, plus_one_end);
}
TAM_INLET2(plus_one_arguments, struct plus_one)

/* --- passed: a frame of another size, which leaves the answer to plus_one --- */

struct passed {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_word value, rest[40];
};
static const TAM_BLOCK(passed, 1) passed_block;
static void passed_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(passed)
static tam_lcv passed_start(struct tam_frame* frame, tam_lcv lcv) {
  struct passed* f = (struct passed*)frame;
  struct plus_one* called = TAM_FALLOC(plus_one);
  TAM_PASS2(plus_one_arguments, called, lcv, f->parent, f->value);
  return TAM_FFREE(f);
}
TAM_BODY tam_lcv passed_arguments(struct passed* f, tam_lcv lcv, int way, tam_name parent,
                                  tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST_LAST(f, lcv, way, passed_start);
}
TAM_INLET2(passed_arguments, struct passed)

/* --- waits: fetches an element that is stored after the call --- */

struct waits {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_array array;
  tam_word value;
};
static const TAM_BLOCK(waits, 2) waits_block;
static void waits_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(waits)
static tam_lcv waits_end(struct tam_frame* frame, tam_lcv lcv) {
  struct waits* f = (struct waits*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value);
}
TAM_BODY tam_lcv waits_value(struct waits* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST_LAST(f, lcv, way, waits_end);
}
static tam_lcv waits_start(struct tam_frame* frame, tam_lcv lcv) {
  struct waits* f = (struct waits*)frame;
  TAM_IFETCH(waits_value, 1, f, lcv, f->array, 0);
  return lcv;
}
TAM_BODY tam_lcv waits_arguments(struct waits* f, tam_lcv lcv, int way, tam_name parent,
                                 tam_array array) {
  f->parent = parent;
  f->array = array;
  TAM_POST_LAST(f, lcv, way, waits_start);
}
TAM_INLET2(waits_arguments, struct waits)
TAM_INLET1(waits_value, struct waits)

/* --- forks: its inlet posts two threads, and the last of those that they fork ends it --- */

struct forks {
  struct tam_frame head;
  struct tam_entry rcv[3];
  uint32_t end_count;
  tam_name parent;
  tam_word value;
};
static const TAM_BLOCK(forks, 1) forks_block;
static void forks_prepare(struct tam_frame* frame) { ((struct forks*)frame)->end_count = 2; }
TAM_FALLOC_OF(forks)
static tam_lcv forks_end(struct tam_frame* frame, tam_lcv lcv) {
  struct forks* f = (struct forks*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value);
}
static tam_lcv forks_add(struct tam_frame* frame, tam_lcv lcv) {
  struct forks* f = (struct forks*)frame;
  ++f->value;
  TAM_FORK_SYNC(f, lcv, end_count, forks_end);
  return lcv;
}
TAM_BODY tam_lcv forks_arguments(struct forks* f, tam_lcv lcv, int way, tam_name parent,
                                 tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST(f, lcv, way, forks_add);
  TAM_POST_LAST(f, lcv, way, forks_add);
}
TAM_INLET2(forks_arguments, struct forks)

/* --- late: its inlet posts a thread and does not end with a post --- */

struct late {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t never;
  tam_name parent;
  tam_word value;
};
static const TAM_BLOCK(late, 1) late_block;
static void late_prepare(struct tam_frame* frame) { ((struct late*)frame)->never = 2; }
TAM_FALLOC_OF(late)
static tam_lcv late_end(struct tam_frame* frame, tam_lcv lcv) {
  struct late* f = (struct late*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value);
}
TAM_BODY tam_lcv late_arguments(struct late* f, tam_lcv lcv, int way, tam_name parent,
                                tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST(f, lcv, way, late_end);
  TAM_POST_SYNC_LAST(f, lcv, way, never, late_end);
}
TAM_INLET2(late_arguments, struct late)

/* --- depth: calls nested in each other, more than may be nested on the stack --- */

struct depth {
  struct tam_frame head;
  struct tam_entry rcv[2];
  tam_name parent;
  tam_word value;
};
static const TAM_BLOCK(depth, 2) depth_block;
static void depth_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(depth)
static tam_lcv depth_start(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv depth_arguments(struct depth* f, tam_lcv lcv, int way, tam_name parent,
                                 tam_word value) {
  f->parent = parent;
  f->value = value;
  TAM_POST_LAST(f, lcv, way, depth_start);
}
static tam_lcv depth_end(struct tam_frame* frame, tam_lcv lcv) {
  struct depth* f = (struct depth*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, f->value + 1);
}
TAM_BODY tam_lcv depth_value(struct depth* f, tam_lcv lcv, int way, tam_word value) {
  f->value = value;
  TAM_POST_LAST(f, lcv, way, depth_end);
}
TAM_INLET2(depth_arguments, struct depth)
TAM_INLET1(depth_value, struct depth)
static tam_lcv depth_start(struct tam_frame* frame, tam_lcv lcv) {
  struct depth* f = (struct depth*)frame;
  if (f->value == 0) return TAM_FFREE_SEND1(f, f->parent, 0);
  TAM_CALL2(TAM_RETURN, depth, depth_arguments, f, lcv, depth_value, 1, f->value - 1);
  return lcv;
}

/* --- rounds: all of them, again and again --- */

enum { kCalls = 6, kDepth = 2500 };
struct rounds {
  struct tam_frame head;
  struct tam_entry rcv[2];
  uint32_t next_count;
  tam_word left, sum;
};
static const TAM_BLOCK(rounds, 2) rounds_block;
static void rounds_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(rounds)
static tam_lcv rounds_next(struct tam_frame* frame, tam_lcv lcv);
TAM_BODY tam_lcv rounds_add(struct rounds* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, next_count, rounds_next);
}
TAM_INLET1(rounds_add, struct rounds)
TAM_BODY tam_lcv rounds_arguments(struct rounds* f, tam_lcv lcv, int way, tam_word count) {
  f->left = count;
  f->sum = 0;
  TAM_POST_LAST(f, lcv, way, rounds_next);
}
TAM_INLET1(rounds_arguments, struct rounds)
static tam_lcv rounds_next(struct tam_frame* frame, tam_lcv lcv) {
  struct rounds* f = (struct rounds*)frame;
  const tam_lcv bottom = lcv;
  if (f->left == 0) return TAM_FFREE_SEND1(f, tam_root(1), f->sum);
  --f->left;
  f->next_count = kCalls;
  const tam_array array = tam_ialloc(1, TAM_HERE);
  TAM_CALL2(TAM_GO_ON, plus_one, plus_one_arguments, f, lcv, rounds_add, 0, 0);
  TAM_CALL2(TAM_GO_ON, waits, waits_arguments, f, lcv, rounds_add, 0, array);
  TAM_CALL2(TAM_GO_ON, passed, passed_arguments, f, lcv, rounds_add, 0, 9);
  TAM_CALL2(TAM_GO_ON, forks, forks_arguments, f, lcv, rounds_add, 0, 98);
  tam_istore(lcv, array, 0, 1000, TAM_HERE);
  TAM_CALL2(TAM_GO_ON, late, late_arguments, f, lcv, rounds_add, 0, 10000);
  TAM_CALL2(TAM_GO_ON, depth, depth_arguments, f, lcv, rounds_add, 0, kDepth);
  return TAM_STOP_FOR(f, bottom, lcv, rounds_next);
}

#define BLOCK(name, count, ...)                                                                   \
  static const struct tam_inlet_info name##_inlets[count] = {{"inlet", TAM_HERE}};                \
  static const struct name##_block_type name##_block = {                                          \
      {#name, TAM_HERE, TAM_SCHEDULER, sizeof(struct name), count, 0, name##_inlets, NULL,        \
       name##_prepare, NULL, NULL},                                                               \
      {__VA_ARGS__}};
BLOCK(plus_one, 1, plus_one_arguments_inlet)
BLOCK(passed, 1, passed_arguments_inlet)
BLOCK(waits, 2, waits_arguments_inlet, waits_value_inlet)
BLOCK(forks, 1, forks_arguments_inlet)
BLOCK(late, 1, late_arguments_inlet)
BLOCK(depth, 2, depth_arguments_inlet, depth_value_inlet)
BLOCK(rounds, 2, rounds_add_inlet, rounds_arguments_inlet)

static void start(int argc, char** argv) {
  struct rounds* f = TAM_FALLOC(rounds);
  TAM_PASS1(rounds_arguments, f, (tam_lcv)NULL,
            argc > 1 ? (tam_word)strtoull(argv[1], NULL, 10) : 1);
}
static void finish(void) { printf("%llu\n", (unsigned long long)tam_result(0)); }

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {
      &plus_one_block.block, &passed_block.block, &waits_block.block, &forks_block.block,
      &late_block.block,     &depth_block.block,  &rounds_block.block};
  return tam_main(argc, argv, blocks, 7, start, finish);
}
