/* SPDX-License-Identifier: Apache-2.0
 * The library of Split-C, in the language: for programs that splitcc compiles. Its names give way
 * to the program's: a declaration of one by the program, of whatever kind, replaces it; those of
 * the C library (`sync`, `exit`) do not. What stands in asm("...") is the name in the compiler's
 * output; <ramjet/splitc_compiled.h>, <ramjet/splitc.h> and <ramjet/splitc_names.h> say more of
 * the functions themselves.
 * (Culler et al. 1993, Parallel Programming in Split-C; the names as published programs use them.)
 *
 * `collective`: called by all processors alike. */
#ifndef SPLIT_C_SPLIT_C_H
#define SPLIT_C_SPLIT_C_H

#ifndef __SPLITC__
#error "<split-c/split-c.h> is for Split-C: compile with splitcc; C has <ramjet/splitc_names.h>"
#else

/* In checked units these tell where they are called. */
#ifdef __SPLITC_CHECK__
#define SPLITC_ACCESS(name) __asm__("splitc_checked_" name)
#else
#define SPLITC_ACCESS(name) __asm__("splitc_compiled_" name)
#endif

#pragma splitc library begin

/* --- Who and where --- */

extern const int MYPROC __asm__("splitc_myproc()");
extern const int PROCS __asm__("splitc_procs()");
extern const int PROCSLOG __asm__("splitc_log_procs()"); /* negative unless PROCS is a power of 2 */

/* Statement prefixes: one processor only. */
#define on_proc(p)     \
  if (MYPROC != (p)) { \
  } else
#define on_one         \
  if (MYPROC != 0) {   \
  } else

/* My share of 0 .. n - 1, and of the m x n pairs in the order of their rows. */
#define for_my_1d(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)
#define for_my_2d(i, j, m, n)                                                         \
  for (int splitc_my_ = MYPROC;                                                       \
       splitc_my_ < (m) * (n) && ((i) = splitc_my_ / (n), (j) = splitc_my_ % (n), 1); \
       splitc_my_ += PROCS)

/* Wall time from the start, in seconds. */
double get_seconds(void) __asm__("splitc_get_seconds");
/* Ends the whole job with this status. */
void exit(int status) __asm__("splitc_exit_job") __attribute__((__noreturn__));
void splitc_exit(int status) __asm__("splitc_exit_job") __attribute__((__noreturn__));

/* --- Pointers --- */

/* The processor; the address as a local pointer, of the type that is pointed to; and both put
 * together, `T *global` from a `T *`. */
int toproc(void *global p) __asm__("splitc_processor");
void *tolocal(void *global p) __asm__("splitc_local_part");
void *global toglobal(int processor, void *p) __asm__("splitc_pair");

/* --- Waiting --- */

/* All processors have come; others are served meanwhile. Promises nothing of gets, puts, stores. */
void barrier(void) __asm__("splitc_barrier");
/* This processor's gets and puts are complete; and whether they are. */
void sync(void) __asm__("splitc_sync_or_end");
int is_sync(void) __asm__("splitc_is_sync");
/* Serves processors of other nodes that wait for this one, if there are any: for loops that compute
 * while they wait. What only waits does so by itself. */
unsigned splitc_poll(void) __asm__("ramjet_poll");
/* Collective: every store issued anywhere before has landed. Acts as a barrier, and consumes the
 * credit of what it waited for. */
void all_store_sync(void) __asm__("splitc_all_store_sync_or_end");
/* Waits until `bytes` newly stored bytes have landed here, and consumes them. */
void store_sync(int bytes) __asm__("splitc_store_sync_or_end");
/* Drops this processor's unconsumed credit, and nothing else. */
void reset_store_sync(void) __asm__("splitc_reset_store_sync");

/* --- Bulk --- */

/* `bytes` bytes; none if negative. Blocking; complete at sync(); counted there. */
void bulk_read(void *into, const void *global from, int bytes) SPLITC_ACCESS("bulk_read");
void bulk_write(void *global to, const void *from, int bytes) SPLITC_ACCESS("bulk_write");
void bulk_get(void *into, const void *global from, int bytes) SPLITC_ACCESS("bulk_get");
void bulk_put(void *global to, const void *from, int bytes) SPLITC_ACCESS("bulk_put");
void bulk_store(void *global to, const void *from, int bytes) SPLITC_ACCESS("bulk_store");

/* --- Spread memory --- */

/* Collective, a barrier inside: `count` blocks of `bytes`, block 0 on processor 0, one base for
 * all; null, everywhere, if there is no room. */
void *spread all_spread_malloc(int count, int bytes) SPLITC_ACCESS("spread_malloc");
void all_spread_free(void *spread blocks) SPLITC_ACCESS("spread_free");

/* --- Collectives --- */

/* The values of all processors combined: at processor 0 (the others get their own back), or at
 * all; scans: those up to and with this processor's. */
int all_reduce_to_one_add(int value) __asm__("splitc_all_reduce_to_one_add");
int all_reduce_to_all_add(int value) __asm__("splitc_all_reduce_to_all_add");
int all_reduce_to_all_max(int value) __asm__("splitc_all_reduce_to_all_max");
int all_reduce_to_all_min(int value) __asm__("splitc_all_reduce_to_all_min");
int all_reduce_to_all_or(int value) __asm__("splitc_all_reduce_to_all_or");
int all_reduce_to_all_and(int value) __asm__("splitc_all_reduce_to_all_and");
int all_reduce_to_all_xor(int value) __asm__("splitc_all_reduce_to_all_xor");
double all_reduce_to_all_dadd(double value) __asm__("splitc_all_reduce_to_all_dadd");
double all_reduce_to_all_dmax(double value) __asm__("splitc_all_reduce_to_all_dmax");
double all_reduce_to_all_dmin(double value) __asm__("splitc_all_reduce_to_all_dmin");
int all_scan_add(int value) __asm__("splitc_all_scan_add");
int all_scan_max(int value) __asm__("splitc_all_scan_max");
int all_scan_min(int value) __asm__("splitc_all_scan_min");
int all_scan_or(int value) __asm__("splitc_all_scan_or");
int all_scan_and(int value) __asm__("splitc_all_scan_and");
int all_scan_xor(int value) __asm__("splitc_all_scan_xor");
double all_scan_dadd(double value) __asm__("splitc_all_scan_dadd");

/* The value of processor 0. */
int all_bcast(int value) __asm__("splitc_all_bcast_i");
int all_bcast_i(int value) __asm__("splitc_all_bcast_i");
double all_bcast_d(double value) __asm__("splitc_all_bcast_d");

/* In: v[0] of each; out: v[j] of processor j, at processor 0, or for concat at all. */
void all_gather(int *v) __asm__("splitc_all_gather");
void all_gather_d(double *v) __asm__("splitc_all_gather_d");
void all_concat(int *v) __asm__("splitc_all_concat");

/* --- Atomic operations --- */

/* On an int; all return what was there before. cmp_and_swap writes if `expected` was there. */
int fetch_and_add(int *global at, int by) __asm__("splitc_compiled_fetch_and_add");
int exchange(int *global at, int value) __asm__("splitc_compiled_exchange");
int test_and_set(int *global at) __asm__("splitc_compiled_test_and_set");
int cmp_and_swap(int *global at, int expected, int value) __asm__("splitc_compiled_cmp_and_swap");

/* atomic(f, g, ...): runs f(tolocal(g), ...) at the processor of g, atomic with respect to other
 * such functions and to what that processor computes between its waits and library calls. f may not
 * wait. At most 6 further arguments, numbers and pointers. If f returns nothing, complete at
 * sync(); else the call waits for the value. */
void atomic(void (*f)(), void *global at, ...) __asm__("splitc_run_atomic");

/* A lock in this processor's memory; its end, by the same processor. lock() waits for it. */
void *global lock_make(void) __asm__("splitc_compiled_lock_make");
void lock_destroy(void *global l) __asm__("splitc_compiled_lock_destroy");
void lock(void *global l) __asm__("splitc_compiled_lock");
int try_lock(void *global l) __asm__("splitc_compiled_try_lock");
void unlock(void *global l) __asm__("splitc_compiled_unlock");

#pragma splitc library end
#undef SPLITC_ACCESS

#endif /* __SPLITC__ */
#endif
