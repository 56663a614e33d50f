/* SPDX-License-Identifier: Apache-2.0
 * What units that splitcc -fcheck compiled call, by way of main/check_*.c: each of their accesses
 * to memory, with the address of the code behind it. Does nothing before splitc_run runs the
 * program, and in other threads. */
#ifndef RAMJET_SPLITC_CHECK_ENTRY_H
#define RAMJET_SPLITC_CHECK_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum splitc_check_how {
  SPLITC_CHECK_READS = 0,
  SPLITC_CHECK_WRITES = 1,
  SPLITC_CHECK_SPLIT_PHASE = 2, /* of a get or a put: until sync() */
  SPLITC_CHECK_STORES = 4, /* until all_store_sync(), or the target's store_sync() */
  SPLITC_CHECK_SYNCHRONISES = 8, /* volatile, atomic: other processors may do the same */
  SPLITC_CHECK_LANDS = 16, /* what a get writes here */
};

/* A constructor of each such unit: splitc_run is to check the program. */
void splitc_check_wanted(void);
/* Before an access of `bytes` here, or through a global pointer; after it where it is a volatile
 * read. */
void splitc_check_own(const volatile void* at, size_t bytes, unsigned how, const void* site);
void splitc_check_global(uint64_t bits, size_t bytes, unsigned how, const void* site);
/* The library call that comes next is the program's at this site. */
void splitc_check_call(const void* site);
/* After splitc_run: 0, or the exit status of a program of which something was reported. */
int splitc_check_status(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
