/* SPDX-License-Identifier: Apache-2.0
 * The main program.
 *
 *   gas_c                all groups of cases
 *   gas_c misuse NAME    breaks the contract once */
#include <string.h>

#include "cases.h"

splitc_spread all_zeroed(size_t bytes) {
  const splitc_spread all = splitc_all_spread_malloc((size_t)ramjet_size(), bytes);
  EXPECT(all.bits != 0);
  memset(splitc_tolocal(splitc_to_global(all)), 0, bytes);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  return all;
}

splitc_global block_of(splitc_spread all, int rank, size_t bytes) {
  return splitc_to_global(splitc_spread_add(all, rank, bytes));
}

int right(void) { return (ramjet_rank() + 1) % ramjet_size(); }

int main(int argc, char** argv) {
  const int wants_misuse = argc == 3 && strcmp(argv[1], "misuse") == 0;
  if (wants_misuse && strcmp(argv[2], "procedure_name_taken") == 0) name_procedures();
  name_procedures();
  ramjet_init(&argc, &argv);
  if (wants_misuse) return misuse(argv[2]);
  static const struct group {
    const char* name;
    void (*run)(void);
  } groups[] = {{"pointers", pointers},
                {"accesses", accesses},
                {"stores", stores},
                {"atomics", atomics},
                {"procedures", procedures},
                {"locks", locks},
                {"spread_memory", spread_memory},
                {"split_c_names", split_c_names}};
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
    groups[i].run();
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
    if (ramjet_rank() == 0) printf("passed %s\n", groups[i].name);
  }
  ramjet_finalize();
  return 0;
}
