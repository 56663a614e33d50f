/* SPDX-License-Identifier: Apache-2.0
 *   symmetric CASE...   runs cases on all ranks; ends.c has what does not come back */
#include <string.h>

#include "cases.h"

int ends(int argc, char** argv);

int is_symmetric_address(uintptr_t address) {
  return (uint64_t)address - ramjet_address_space.window_base < ramjet_address_space.segment_bytes;
}
int right(void) { return (ramjet_rank() + 1) % ramjet_size(); }
void meet(void) { EXPECT(ramjet_barrier(RAMJET_WORLD) == RAMJET_OK); }

int splitc_main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"variables", variables},
               {"before_init", before_init},
               {"stack_variables", stack_variables},
               {"recursion", recursion},
               {"spread_arrays", spread_arrays},
               {"forks", forks},
               {"huge_variables", huge_variables},
               {"after_the_end", after_the_end},
               {"segment_memory", segment_memory},
               {"heap", heap}};
  int known = 0;
  for (int arg = 1; arg < argc; ++arg) {
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
      if (strcmp(argv[arg], cases[i].name) != 0) continue;
      ++known;
      cases[i].run();
      if (ramjet_rank() == 0) printf("%s on %d ranks\n", argv[arg], ramjet_size());
    }
  }
  return known == 0 ? ends(argc, argv) : 77; /* which means nothing */
}
