/* SPDX-License-Identifier: Apache-2.0
 * The library of Split-C under its own names, for C programs: macros and functions over splitc.h.
 * (Culler et al. 1993, Parallel Programming in Split-C; the names as published programs use them.)
 *
 * These names are short and common, `sync` wins over the C library's, and ranks that die cannot be
 * survived here: under --on-failure=continue a call that learns of a death ends the process.
 * Programs that want neither use splitc.h. Negative lengths copy nothing. What is collective is
 * called by the main threads of all ranks alike. For C alone: its names are words of the C++
 * library. */
#ifndef RAMJET_SPLITC_NAMES_H
#define RAMJET_SPLITC_NAMES_H

#include <stdlib.h>
#include <unistd.h>

#include <ramjet/splitc.h>

#pragma GCC visibility push(default)

/* --- Who and where --- */

#define MYPROC ramjet_rank()
#define PROCS ramjet_size()
#define PROCSLOG splitc_procslog() /* negative unless PROCS is a power of two */
int splitc_procslog(void);

/* Statement prefixes: one processor only. */
#define on_proc(p)     \
  if (MYPROC != (p)) { \
  } else
#define on_one on_proc(0)

/* My share of 0 .. n - 1, and of the m x n pairs in the order of their rows. */
#define for_my_1d(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)
#define for_my_2d(i, j, m, n)                                                         \
  for (int splitc_my_ = MYPROC;                                                       \
       splitc_my_ < (m) * (n) && ((i) = splitc_my_ / (n), (j) = splitc_my_ % (n), 1); \
       splitc_my_ += PROCS)

/* Wall time since the program's start, in seconds. */
#define get_seconds splitc_get_seconds
double splitc_get_seconds(void);
/* Ends the whole job with this status, which is not 0: a job that went well ends when all its ranks
 * have called ramjet_finalize. */
#define splitc_exit(status) exit(status)

/* --- Waiting --- */

#define barrier splitc_barrier
#define sync splitc_sync_or_end
#define is_sync splitc_is_sync
#define splitc_poll ramjet_poll
#define all_store_sync splitc_all_store_sync_or_end
#define store_sync splitc_store_sync_or_end
#define reset_store_sync splitc_reset_store_sync
void splitc_barrier(void);
void splitc_sync_or_end(void);
void splitc_all_store_sync_or_end(void);
void splitc_store_sync_or_end(int bytes);

/* --- Bulk --- */

#define bulk_read(into, from, bytes) splitc_bulk_read(into, from, splitc_length(bytes))
#define bulk_write(to, from, bytes) splitc_bulk_write(to, from, splitc_length(bytes))
#define bulk_get(into, from, bytes) splitc_bulk_get(into, from, splitc_length(bytes))
#define bulk_put(to, from, bytes) splitc_bulk_put(to, from, splitc_length(bytes))
#define bulk_store(to, from, bytes) splitc_bulk_store(to, from, splitc_length(bytes))
static inline size_t splitc_length(ptrdiff_t bytes) { return bytes < 0 ? 0 : (size_t)bytes; }

/* --- Spread memory --- */

/* As splitc_all_spread_malloc; null, everywhere, for negative numbers too. */
#define all_spread_malloc splitc_all_spread_malloc_checked
splitc_spread splitc_all_spread_malloc_checked(ptrdiff_t count, ptrdiff_t bytes);
#define all_spread_free splitc_all_spread_free

/* --- Atomic operations on an int --- */

#define fetch_and_add splitc_fetch_add_int32
#define exchange splitc_exchange_int32
#define cmp_and_swap splitc_compare_swap_int32
#define test_and_set(at) splitc_exchange_int32(at, 1)
/* A procedure that splitc_procedure_named has named, at a global pointer, with argument words. */
#define atomic(f, at, arguments, count) splitc_atomic_or_end(f, at, arguments, count)
void splitc_atomic_or_end(const splitc_procedure* f, splitc_global at, const uint64_t* arguments,
                          unsigned count);

/* --- Collectives --- */

/* Combine the values of all processors: to processor 0 (the others get their own back), or to all.
 * Scans: of the processors up to and with this one. */
#define all_reduce_to_one_add splitc_all_reduce_to_one_add
#define all_reduce_to_all_add splitc_all_reduce_to_all_add
#define all_reduce_to_all_max splitc_all_reduce_to_all_max
#define all_reduce_to_all_min splitc_all_reduce_to_all_min
#define all_reduce_to_all_or splitc_all_reduce_to_all_or
#define all_reduce_to_all_and splitc_all_reduce_to_all_and
#define all_reduce_to_all_xor splitc_all_reduce_to_all_xor
#define all_reduce_to_all_dadd splitc_all_reduce_to_all_dadd
#define all_reduce_to_all_dmax splitc_all_reduce_to_all_dmax
#define all_reduce_to_all_dmin splitc_all_reduce_to_all_dmin
#define all_scan_add splitc_all_scan_add
#define all_scan_max splitc_all_scan_max
#define all_scan_min splitc_all_scan_min
#define all_scan_or splitc_all_scan_or
#define all_scan_and splitc_all_scan_and
#define all_scan_xor splitc_all_scan_xor
#define all_scan_dadd splitc_all_scan_dadd
int splitc_all_reduce_to_one_add(int value);
int splitc_all_reduce_to_all_add(int value);
int splitc_all_reduce_to_all_max(int value);
int splitc_all_reduce_to_all_min(int value);
int splitc_all_reduce_to_all_or(int value);
int splitc_all_reduce_to_all_and(int value);
int splitc_all_reduce_to_all_xor(int value);
double splitc_all_reduce_to_all_dadd(double value);
double splitc_all_reduce_to_all_dmax(double value);
double splitc_all_reduce_to_all_dmin(double value);
int splitc_all_scan_add(int value);
int splitc_all_scan_max(int value);
int splitc_all_scan_min(int value);
int splitc_all_scan_or(int value);
int splitc_all_scan_and(int value);
int splitc_all_scan_xor(int value);
double splitc_all_scan_dadd(double value);

/* The value of processor 0. */
#define all_bcast splitc_all_bcast_i
#define all_bcast_i splitc_all_bcast_i
#define all_bcast_d splitc_all_bcast_d
int splitc_all_bcast_i(int value);
double splitc_all_bcast_d(double value);

/* In: v[0] of each; out: v[j] of processor j, at processor 0 for gather, at all for concat. */
#define all_gather splitc_all_gather
#define all_gather_d splitc_all_gather_d
#define all_concat splitc_all_concat
void splitc_all_gather(int* v);
void splitc_all_gather_d(double* v);
void splitc_all_concat(int* v);

#pragma GCC visibility pop

#endif
