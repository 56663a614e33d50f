/* SPDX-License-Identifier: Apache-2.0
 * By the hybrid scheduler, whose frames stay where they are for the next call: a message for an
 * activation that has ended, which a wrong program sends, enables nothing in the next one,
 * which is of the same code block or of another. */
#include <ramjet/tam.h>
#include <stdio.h>

static tam_name ended; /* the inlet `late` of the activation that has ended */
static tam_word stale_runs;

struct first {
  struct tam_frame head;
  struct tam_entry rcv[4];
  tam_name parent;
};
static const TAM_BLOCK(first, 2) first_block;
static void first_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(first)
static tam_lcv first_end(struct tam_frame* frame, tam_lcv lcv) {
  struct first* f = (struct first*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, 1);
}
static tam_lcv stale(struct tam_frame* frame, tam_lcv lcv) {
  (void)frame;
  ++stale_runs;
  return lcv;
}
TAM_BODY tam_lcv first_arguments(struct first* f, tam_lcv lcv, int way, tam_name parent) {
  f->parent = parent;
  ended = tam_name_of(&f->head, 1);
  TAM_POST_LAST(f, lcv, way, first_end);
}
TAM_BODY tam_lcv first_late(struct first* f, tam_lcv lcv, int way, tam_word value) {
  (void)value;
  TAM_POST_LAST(f, lcv, way, stale);
}
TAM_INLET1(first_arguments, struct first)
TAM_INLET1(first_late, struct first)

/* As large as the first; waits for an element. The first call finds it there and ends at once, the
 * next one is stored after the call. */
static tam_array array;
struct second {
  struct tam_frame head;
  struct tam_entry rcv[4];
  tam_name parent;
};
static const TAM_BLOCK(second, 3) second_block;
static void second_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(second)
static tam_lcv second_end(struct tam_frame* frame, tam_lcv lcv) {
  struct second* f = (struct second*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, f->parent, 2);
}
TAM_BODY tam_lcv second_value(struct second* f, tam_lcv lcv, int way, tam_word value) {
  (void)value;
  TAM_POST_LAST(f, lcv, way, second_end);
}
static tam_lcv second_start(struct tam_frame* frame, tam_lcv lcv) {
  struct second* f = (struct second*)frame;
  TAM_IFETCH(second_value, 1, f, lcv, array, 0);
  return lcv;
}
TAM_BODY tam_lcv second_arguments(struct second* f, tam_lcv lcv, int way, tam_name parent) {
  f->parent = parent;
  ended = tam_name_of(&f->head, 2);
  TAM_POST_LAST(f, lcv, way, second_start);
}
TAM_BODY tam_lcv second_late(struct second* f, tam_lcv lcv, int way, tam_word value) {
  (void)value;
  TAM_POST_LAST(f, lcv, way, stale);
}
TAM_INLET1(second_arguments, struct second)
TAM_INLET1(second_value, struct second)
TAM_INLET1(second_late, struct second)

struct whole {
  struct tam_frame head;
  struct tam_entry rcv[4];
  uint32_t end_count;
  tam_word sum;
};
static const TAM_BLOCK(whole, 2) whole_block;
static void whole_prepare(struct tam_frame* frame) { (void)frame; }
TAM_FALLOC_OF(whole)
static tam_lcv whole_end(struct tam_frame* frame, tam_lcv lcv) {
  struct whole* f = (struct whole*)frame;
  (void)lcv;
  return TAM_FFREE_SEND1(f, tam_root(1), f->sum);
}
TAM_BODY tam_lcv whole_add(struct whole* f, tam_lcv lcv, int way, tam_word value) {
  f->sum += value;
  TAM_POST_SYNC_LAST(f, lcv, way, end_count, whole_end);
}
TAM_INLET1(whole_add, struct whole)
static tam_lcv whole_start(struct tam_frame* frame, tam_lcv lcv) {
  struct whole* f = (struct whole*)frame;
  const tam_lcv bottom = lcv;
  f->sum = 0;
  f->end_count = 3;
  TAM_CALL1(TAM_GO_ON, first, first_arguments, f, lcv, whole_add, 0);
  tam_send1(lcv, ended, 0);
  array = tam_ialloc(1, TAM_HERE);
  tam_istore(lcv, array, 0, 0, TAM_HERE);
  TAM_CALL1(TAM_GO_ON, second, second_arguments, f, lcv, whole_add, 0);
  tam_send1(lcv, ended, 0);
  array = tam_ialloc(1, TAM_HERE);
  TAM_CALL1(TAM_GO_ON, second, second_arguments, f, lcv, whole_add, 0);
  tam_istore(lcv, array, 0, 0, TAM_HERE);
  return TAM_STOP_FOR(f, bottom, lcv, whole_end);
}
TAM_BODY tam_lcv whole_arguments(struct whole* f, tam_lcv lcv, int way, tam_word none) {
  (void)none;
  TAM_POST_LAST(f, lcv, way, whole_start);
}
TAM_INLET1(whole_arguments, struct whole)

#define BLOCK(name, count, ...)                                                                   \
  static const struct tam_inlet_info name##_inlets[count] = {{"inlet", TAM_HERE}};                \
  static const struct name##_block_type name##_block = {                                          \
      {#name, TAM_HERE, TAM_SCHEDULER, sizeof(struct name), count, 0, name##_inlets, NULL,        \
       name##_prepare, NULL, NULL},                                                               \
      {__VA_ARGS__}};
BLOCK(first, 2, first_arguments_inlet, first_late_inlet)
BLOCK(second, 3, second_arguments_inlet, second_value_inlet, second_late_inlet)
BLOCK(whole, 2, whole_add_inlet, whole_arguments_inlet)

static void start(int argc, char** argv) {
  struct whole* f = TAM_FALLOC(whole);
  (void)argc;
  (void)argv;
  TAM_PASS1(whole_arguments, f, (tam_lcv)NULL, 0);
}
static void finish(void) {
  printf("%llu, %llu stale\n", (unsigned long long)tam_result(0), (unsigned long long)stale_runs);
}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&first_block.block, &second_block.block,
                                            &whole_block.block};
  return tam_main(argc, argv, blocks, 3, start, finish);
}
