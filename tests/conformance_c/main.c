/* SPDX-License-Identifier: Apache-2.0
 * The main program of the C conformance test.
 *
 *   conformance_c                all groups of cases
 *   conformance_c death          rank 1 of three dies; run with --on-failure=continue
 *   conformance_c misuse NAME    breaks the contract once */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmd.h"

static const group* const groups[] = {
    &arguments_group, &payloads_group,    &chains_group,  &trying_group,
    &waiting_group,   &collectives_group, &segment_group, &endpoints_group,
    &coproc_group,    &polling_group,     &blocks_group,
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

void fail(const char* file, int line, const char* what) {
  const int joined = ramjet_initialized();
  fprintf(stderr, "%s:%d: rank %d of %d: not so: %s\n", file, line, joined ? ramjet_rank() : -1,
          joined ? ramjet_size() : 0, what);
  fflush(NULL);
  _Exit(1);
}

uint8_t byte_at(uint64_t key, size_t index) {
  return (uint8_t)((key * 0x9e3779b97f4a7c15u >> 32) + index * 7 + index / 251);
}

void fill(void* to, size_t bytes, uint64_t key) {
  uint8_t* at = to;
  for (size_t i = 0; i < bytes; ++i) at[i] = byte_at(key, i);
}

int holds(const void* from, size_t bytes, uint64_t key) {
  const uint8_t* at = from;
  for (size_t i = 0; i < bytes; ++i)
    if (at[i] != byte_at(key, i)) return 0;
  return 1;
}

ramjet_address right(void) { return ramjet_at((ramjet_rank() + 1) % ramjet_size(), 0); }

static void add(void* context, void* into, const void* other, size_t count) {
  (void)context;
  uint64_t* sum = into;
  for (size_t i = 0; i < count; ++i) sum[i] += ((const uint64_t*)other)[i];
}

uint64_t sum_of(uint64_t mine) {
  EXPECT_OK(ramjet_all_reduce(&mine, 1, sizeof mine, add, NULL, RAMJET_WORLD));
  return mine;
}

static int run_groups(void) {
  for (int i = 0; i < GROUPS; ++i) {
    groups[i]->run();
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
    if (ramjet_rank() == 0) printf("passed %s\n", groups[i]->name);
  }
  return 0;
}

static void look_at_the_status_texts(void) {
  EXPECT(strcmp(ramjet_status_text(RAMJET_OK), "ok") == 0);
  for (int s = RAMJET_OK; s <= RAMJET_ENVIRONMENT; ++s)
    for (int other = RAMJET_OK; other < s; ++other)
      EXPECT(strcmp(ramjet_status_text((ramjet_status)s),
                    ramjet_status_text((ramjet_status)other)) != 0);
  EXPECT(ramjet_status_text((ramjet_status)999) != NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  look_at_the_status_texts();
  for (int i = 0; i < GROUPS; ++i) groups[i]->add_handlers();
  add_death_handlers();
  add_misuse_handlers();

  EXPECT(ramjet_initialized() == 0);
  const int arguments_before = argc;
  if (strcmp(what, "death") == 0) {
    ramjet_init(&argc, &argv);
  } else if (strcmp(what, "misuse") == 0) {
    ramjet_init_with(NULL, NULL, 2, 0);
  } else {
    ramjet_init_with(&argc, &argv, ENDPOINTS, SEGMENT_BYTES);
  }
  EXPECT(argc == arguments_before && ramjet_initialized() == 1);
  EXPECT(ramjet_rank() >= 0 && ramjet_rank() < ramjet_size());
  EXPECT(ramjet_endpoint_index() == 0);
  EXPECT(strcmp(RAMJET_VERSION, "") != 0 && RAMJET_VERSION_MAJOR + RAMJET_VERSION_MINOR > 0);

  const int result = strcmp(what, "death") == 0    ? run_death()
                     : strcmp(what, "misuse") == 0 ? run_misuse(argc > 2 ? argv[2] : "")
                                                   : run_groups();
  ramjet_finalize();
  EXPECT(ramjet_initialized() == 0);
  return result;
}
