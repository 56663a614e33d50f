/* SPDX-License-Identifier: Apache-2.0
 * exhausted WHAT: what there is no memory for ends the program with a line that names the place.
 *   aside    a note of a thread that is put aside
 *   spread   account of an array over all ranks */
#include <ramjet/tam.h>
#include <string.h>

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
  const char* what = argc > 1 ? argv[1] : "";
  refuse_memory_once();
  if (strcmp(what, "aside") == 0)
    tam_put_aside(f, maker_next);
  else
    tam_ialloc_spread(NULL, 100, 1, tam_name_of(f, 0), TAM_HERE);
}
static void finish(void) {}

int main(int argc, char** argv) {
  const struct tam_block* const blocks[] = {&maker_block.block};
  return tam_main(argc, argv, blocks, 1, start, finish);
}
