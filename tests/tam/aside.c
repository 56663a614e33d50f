/* SPDX-License-Identifier: Apache-2.0
 * A thread is put aside where there is no memory to note it: the program ends with a line that
 * names its code block. */
#include <ramjet/tam.h>

#include "refuse.h"

struct maker {
  struct tam_frame head;
  struct tam_entry rcv[1];
};
static const TAM_BLOCK(maker, 1) maker_block;
static tam_lcv maker_next(struct tam_frame* frame, tam_lcv lcv) {
  (void)lcv;
  return TAM_FFREE_SEND1((struct maker*)frame, tam_root(1), 0);
}
TAM_BODY tam_lcv maker_begin(struct maker* f, tam_lcv lcv, int way) {
  TAM_POST_LAST(f, lcv, way, maker_next);
}
TAM_INLET0(maker_begin, struct maker)
static const struct tam_inlet_info maker_inlets[] = {{"begin", TAM_HERE}};
static const struct maker_block_type maker_block = {
    {"maker", TAM_HERE, TAM_SCHEDULER, sizeof(struct maker), 1, 0, maker_inlets, NULL, NULL, NULL,
     NULL},
    {maker_begin_inlet}};

static void start(int argc, char** argv) {
  struct tam_frame* f = tam_take_frame(&maker_block.block, sizeof(struct maker));
  (void)argc;
  (void)argv;
  refuse_memory_once();
  tam_put_aside(f, maker_next);
}
static void finish(void) {}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&maker_block.block};
  return tam_main(argc, argv, blocks, 1, start, finish);
}
