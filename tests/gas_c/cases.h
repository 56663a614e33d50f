/* SPDX-License-Identifier: Apache-2.0
 * What the groups of cases share. */
#ifndef GAS_C_CASES_H
#define GAS_C_CASES_H

#include <stdio.h>
#include <stdlib.h>

#include <ramjet/splitc.h>

#define EXPECT(condition)                                                                      \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: rank %d of %d: not so: %s\n", __FILE__, __LINE__, ramjet_rank(), \
              ramjet_size(), #condition);                                                      \
      _Exit(1);                                                                                \
    }                                                                                          \
  } while (0)
#define EXPECT_OK(expression) EXPECT((expression) == RAMJET_OK)

void name_procedures(void); /* before ramjet_init */

void pointers(void);
void accesses(void);
void stores(void);
void atomics(void);
void procedures(void);
void locks(void);
void spread_memory(void);
void split_c_names(void);

int misuse(const char* name);

/* One block of `bytes` on every rank, zeroed; collective. */
splitc_spread all_zeroed(size_t bytes);
/* The block of a rank. */
splitc_global block_of(splitc_spread all, int rank, size_t bytes);
int right(void);

#endif
