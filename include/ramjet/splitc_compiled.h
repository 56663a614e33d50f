/* SPDX-License-Identifier: Apache-2.0
 * What the output of splitcc, the Split-C compiler, stands on: global and spread pointers as plain
 * numbers of 64 bits, {processor:16 | address:48}, and what is done with them, inline. It is put in
 * front of each unit of Split-C; people write the language, or C over splitc.h, which says what the
 * functions below mean.
 * (Culler et al. 1993, Parallel Programming in Split-C; Arpaci et al. 1995, section 3.3.)
 *
 * Programs own all names but those that begin with splitc_, SPLITC_ or ramjet_, and declare the C
 * library their own way: so nothing is included here, and what this shares with splitc.h is
 * declared alike, or by another name for the same symbol. Code of a program runs inside the job
 * only. Threads: the main thread, and those of splitc.h where it allows them. */
#ifndef RAMJET_SPLITC_COMPILED_H
#define RAMJET_SPLITC_COMPILED_H

#pragma GCC system_header
#include "ramjet/splitc_addresses.h"
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* --- Words --- */

/* Defined by splitc.cpp, declared as in splitc.h; what is followed, by splitc_compiled.cpp. */
extern splitc_bits splitc_load_slow(splitc_bits from, __SIZE_TYPE__ bytes, const char* call);
extern void splitc_get_slow(void* into, splitc_bits from, __SIZE_TYPE__ bytes, const char* call);
extern void splitc_get_followed_slow(void* into, splitc_bits from, __SIZE_TYPE__ bytes,
                                     const char* call);
extern void splitc_write_slow(splitc_bits to, splitc_bits value, __SIZE_TYPE__ bytes,
                              const char* call);
extern void splitc_put_slow(splitc_bits to, splitc_bits value, __SIZE_TYPE__ bytes,
                            const char* call);
extern void splitc_store_slow(splitc_bits to, splitc_bits value, __SIZE_TYPE__ bytes,
                              const char* call);
extern void splitc_count_bytes(struct splitc_pointer to,
                               __SIZE_TYPE__ bytes) __asm__("splitc_count_stored");

/* Where a word is whose offset in its segment is below `end`: by the offset, if it is one's own; in
 * the memory of this node, one's own included, or null. */
SPLITC_INLINE splitc_bits splitc_own_offset(splitc_bits b) { return b - splitc_numbers.own_bits; }
SPLITC_INLINE void* splitc_own_place(splitc_bits offset) {
  return (void*)(splitc_numbers.window_base + offset);
}
SPLITC_INLINE void* splitc_near_place(splitc_bits b, splitc_bits end) {
  const splitc_bits rank = b >> 48;
  if (!SPLITC_LIKELY(b - splitc_numbers.near_places->first[rank] < end)) return 0;
  void* const here = (void*)(b + splitc_numbers.near_places->delta[rank]);
  if (!here) __builtin_unreachable(); /* saves those who ask a test */
  return here;
}

/* x86 reads and writes words in this order by itself, at any address; only the compiler is held, by
 * asm: gcc folds no address into a volatile access. The thread sanitizer wants atomic accesses, the
 * address sanitizer aligned ones. The pairs are those of splitc.h: gas.value, gas.sequential. */
#define SPLITC_HOLD() __asm__ __volatile__("" ::: "memory")
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SPLITC_ELEMENT __may_alias__, __aligned__(1)
#define SPLITC_LOAD(into, here)   \
  into = *(const element*)(here); \
  SPLITC_HOLD()
#define SPLITC_STORE(here, value) \
  SPLITC_HOLD();                  \
  *(element*)(here) = value;      \
  SPLITC_HOLD()
#else
#define SPLITC_ELEMENT __may_alias__
/* pairs: gas.compiled_value (acquire) */
#define SPLITC_LOAD(into, here)           \
  /* store-load: gas.sequential (both) */ \
  __atomic_load((element*)(here), &into, __ATOMIC_SEQ_CST)
#define SPLITC_STORE(here, value) \
  __atomic_store((element*)(here), &value, __ATOMIC_RELEASE) /* pairs: gas.compiled_value */
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SPLITC_COPIES(here, type) 0
#else
#define SPLITC_COPIES(here, type) ((__UINTPTR_TYPE__)(here) % sizeof(type) != 0)
#endif

/* Blocking accesses ask first whether the word is one's own, as most are; the others, which are for
 * those of other processors, do not. The suffix: i, u or f for signed, unsigned and floating; and
 * the bytes. `trying` says when a word is not one's own, `any` does not ask: in loops that neither
 * write nor call anything, where only the cold path changes ramjet_read_end, which is `end`. */
#define SPLITC_DEFINE_READ(suffix, type)                                            \
  SPLITC_INLINE type splitc_read_any_##suffix(splitc_bits from, splitc_bits* end) { \
    typedef type __attribute__((SPLITC_ELEMENT)) element;                           \
    type value;                                                                     \
    void* const here = splitc_near_place(from, *end);                               \
    if (SPLITC_LIKELY(here) && !SPLITC_COPIES(here, type)) {                        \
      SPLITC_LOAD(value, here);                                                     \
      return value;                                                                 \
    }                                                                               \
    const splitc_bits number = splitc_load_slow(from, sizeof value, "a read");      \
    __builtin_memcpy(&value, &number, sizeof value);                                \
    *end = ramjet_read_end;                                                         \
    return value;                                                                   \
  }                                                                                 \
  SPLITC_INLINE type splitc_read_trying_##suffix(splitc_bits from, int* all_own,    \
                                                 splitc_bits* end) {                \
    typedef type __attribute__((SPLITC_ELEMENT)) element;                           \
    type value;                                                                     \
    const splitc_bits own = splitc_own_offset(from);                                \
    if (SPLITC_LIKELY(own < *end) && !SPLITC_COPIES(own, type)) {                   \
      SPLITC_LOAD(value, splitc_own_place(own));                                    \
      return value;                                                                 \
    }                                                                               \
    *all_own = 0;                                                                   \
    return splitc_read_any_##suffix(from, end);                                     \
  }                                                                                 \
  SPLITC_INLINE type splitc_read_##suffix(splitc_bits from) {                       \
    splitc_bits end = ramjet_read_end;                                              \
    int all_own;                                                                    \
    return splitc_read_trying_##suffix(from, &all_own, &end);                       \
  }
#define SPLITC_DEFINE_WRITE(suffix, type)                                               \
  SPLITC_INLINE splitc_bits splitc_word_##suffix(type value) {                          \
    splitc_bits number = 0;                                                             \
    __builtin_memcpy(&number, &value, sizeof value);                                    \
    return number;                                                                      \
  }                                                                                     \
  SPLITC_INLINE int splitc_placed_##suffix(void* here, type value) {                    \
    typedef type __attribute__((SPLITC_ELEMENT)) element;                               \
    if (!SPLITC_LIKELY(here) || SPLITC_COPIES(here, type)) return 0;                    \
    SPLITC_STORE(here, value);                                                          \
    return 1;                                                                           \
  }                                                                                     \
  SPLITC_INLINE void splitc_write_##suffix(splitc_bits to, type value) {                \
    typedef type __attribute__((SPLITC_ELEMENT)) element;                               \
    const splitc_bits end = splitc_numbers.words_end, own = splitc_own_offset(to);      \
    if (SPLITC_LIKELY(own < end) && !SPLITC_COPIES(own, type)) {                        \
      SPLITC_STORE(splitc_own_place(own), value);                                       \
      ramjet_read_end = 0;                                                              \
    } else if (splitc_placed_##suffix(splitc_near_place(to, end), value)) {             \
      ramjet_read_end = 0;                                                              \
    } else {                                                                            \
      splitc_write_slow(to, splitc_word_##suffix(value), sizeof value, "a write");      \
    }                                                                                   \
  }                                                                                     \
  SPLITC_INLINE void splitc_put_##suffix(splitc_bits to, type value) {                  \
    void* const here = splitc_near_place(to, ramjet_write_end);                         \
    if (!SPLITC_LIKELY(splitc_placed_##suffix(here, value)))                            \
      splitc_put_slow(to, splitc_word_##suffix(value), sizeof value, "a put (:=)");     \
  }                                                                                     \
  SPLITC_INLINE void splitc_store_##suffix(splitc_bits to, type value) {                \
    void* const here = splitc_near_place(to, ramjet_write_end);                         \
    const struct splitc_pointer there = {to};                                           \
    if (SPLITC_LIKELY(splitc_placed_##suffix(here, value)))                             \
      splitc_count_bytes(there, sizeof value);                                          \
    else                                                                                \
      splitc_store_slow(to, splitc_word_##suffix(value), sizeof value, "a store (:-)"); \
  }
/* By size alone: the destination takes what comes. A get that is followed by another one, or by
 * sync(), may leave with that. */
#define SPLITC_DEFINE_GET(type, bytes) SPLITC_DEFINE_GET_OF(type, bytes, get)
#define SPLITC_DEFINE_GET_FOLLOWED(type, bytes) SPLITC_DEFINE_GET_OF(type, bytes, get_followed)
#define SPLITC_DEFINE_GET_OF(type, bytes, get)                              \
  SPLITC_INLINE void splitc_##get##_##bytes(void* into, splitc_bits from) { \
    typedef type __attribute__((SPLITC_ELEMENT)) element;                   \
    type value;                                                             \
    void* const here = splitc_near_place(from, ramjet_read_end);            \
    if (SPLITC_LIKELY(here) && !SPLITC_COPIES(here, type)) {                \
      SPLITC_LOAD(value, here);                                             \
      __builtin_memcpy(into, &value, sizeof value);                         \
    } else {                                                                \
      splitc_##get##_slow(into, from, sizeof value, "a get (:=)");          \
    }                                                                       \
  }
SPLITC_DEFINE_READ(i1, signed char)
SPLITC_DEFINE_READ(i2, short)
SPLITC_DEFINE_READ(i4, int)
SPLITC_DEFINE_READ(i8, long)
SPLITC_DEFINE_READ(u1, unsigned char)
SPLITC_DEFINE_READ(u2, unsigned short)
SPLITC_DEFINE_READ(u4, unsigned)
SPLITC_DEFINE_READ(u8, splitc_bits)
SPLITC_DEFINE_READ(f4, float)
SPLITC_DEFINE_READ(f8, double)
SPLITC_DEFINE_WRITE(u1, unsigned char)
SPLITC_DEFINE_WRITE(u2, unsigned short)
SPLITC_DEFINE_WRITE(u4, unsigned)
SPLITC_DEFINE_WRITE(u8, splitc_bits)
SPLITC_DEFINE_WRITE(i1, signed char)
SPLITC_DEFINE_WRITE(i2, short)
SPLITC_DEFINE_WRITE(i4, int)
SPLITC_DEFINE_WRITE(i8, long)
SPLITC_DEFINE_WRITE(f4, float)
SPLITC_DEFINE_WRITE(f8, double)
SPLITC_DEFINE_GET(unsigned char, 1)
SPLITC_DEFINE_GET(unsigned short, 2)
SPLITC_DEFINE_GET(unsigned, 4)
SPLITC_DEFINE_GET(splitc_bits, 8)
SPLITC_DEFINE_GET_FOLLOWED(unsigned char, 1)
SPLITC_DEFINE_GET_FOLLOWED(unsigned short, 2)
SPLITC_DEFINE_GET_FOLLOWED(unsigned, 4)
SPLITC_DEFINE_GET_FOLLOWED(splitc_bits, 8)
#undef SPLITC_DEFINE_READ
#undef SPLITC_DEFINE_WRITE
#undef SPLITC_DEFINE_GET
#undef SPLITC_DEFINE_GET_FOLLOWED
#undef SPLITC_DEFINE_GET_OF
#undef SPLITC_ELEMENT
#undef SPLITC_LOAD
#undef SPLITC_STORE
#undef SPLITC_COPIES

/* --- Bit-fields --- */

/* `width` bits from bit `shift` on of an aligned unit of 1, 2, 4 or 8 bytes. */
SPLITC_INLINE splitc_bits splitc_read_unit(splitc_bits at, int bytes) {
  return bytes == 1   ? splitc_read_u1(at)
         : bytes == 2 ? splitc_read_u2(at)
         : bytes == 4 ? splitc_read_u4(at)
                      : splitc_read_u8(at);
}
SPLITC_INLINE splitc_bits splitc_read_field(splitc_bits at, int bytes, int shift, int width) {
  return splitc_read_unit(at, bytes) << (64 - shift - width) >> (64 - width);
}
SPLITC_INLINE long splitc_read_signed_field(splitc_bits at, int bytes, int shift, int width) {
  return (long)(splitc_read_unit(at, bytes) << (64 - shift - width)) >> (64 - width);
}
/* A read, then a write: not atomic with respect to the fields beside it. */
SPLITC_INLINE void splitc_write_field(splitc_bits at, int bytes, int shift, int width,
                                      splitc_bits value) {
  const splitc_bits mask = ~(splitc_bits)0 >> (64 - width) << shift;
  const splitc_bits unit = (splitc_read_unit(at, bytes) & ~mask) | (value << shift & mask);
  if (bytes == 1)
    splitc_write_u1(at, (unsigned char)unit);
  else if (bytes == 2)
    splitc_write_u2(at, (unsigned short)unit);
  else if (bytes == 4)
    splitc_write_u4(at, (unsigned)unit);
  else
    splitc_write_u8(at, unit);
}

/* --- Structures and bulk --- */

extern void splitc_read_far(void* into, struct splitc_pointer from,
                            __SIZE_TYPE__ bytes) __asm__("splitc_bulk_read");
extern void splitc_write_far(struct splitc_pointer to, const void* from,
                             __SIZE_TYPE__ bytes) __asm__("splitc_bulk_write");
extern void splitc_get_far(void* into, struct splitc_pointer from,
                           __SIZE_TYPE__ bytes) __asm__("splitc_bulk_get");
extern void splitc_put_far(struct splitc_pointer to, const void* from,
                           __SIZE_TYPE__ bytes) __asm__("splitc_bulk_put");
extern void splitc_store_far(struct splitc_pointer to, const void* from,
                             __SIZE_TYPE__ bytes) __asm__("splitc_bulk_store");

/* One structure: in place if it is one's own. */
SPLITC_INLINE void splitc_read_bytes(void* into, splitc_bits from, splitc_bits bytes) {
  const splitc_bits own = from - splitc_numbers.own_bits;
  const struct splitc_pointer there = {from};
  if (SPLITC_LIKELY(own < ramjet_read_end) && own + bytes <= splitc_numbers.segment_bytes) {
    __builtin_memcpy(into, (const void*)(splitc_numbers.window_base + own), bytes);
    SPLITC_HOLD();
  } else {
    splitc_read_far(into, there, bytes);
  }
}
SPLITC_INLINE void splitc_write_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  const struct splitc_pointer there = {to};
  splitc_write_far(there, from, bytes);
}
SPLITC_INLINE void splitc_get_bytes(void* into, splitc_bits from, splitc_bits bytes) {
  const struct splitc_pointer there = {from};
  splitc_get_far(into, there, bytes);
}
SPLITC_INLINE void splitc_put_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  const struct splitc_pointer there = {to};
  splitc_put_far(there, from, bytes);
}
SPLITC_INLINE void splitc_store_bytes(splitc_bits to, const void* from, splitc_bits bytes) {
  const struct splitc_pointer there = {to};
  splitc_store_far(there, from, bytes);
}

/* The library's: a length below 0 copies nothing. */
SPLITC_INLINE splitc_bits splitc_at_least_0(long bytes) {
  return bytes < 0 ? 0 : (splitc_bits)bytes;
}
static inline void splitc_compiled_bulk_read(void* into, splitc_bits from, long bytes) {
  const struct splitc_pointer there = {from};
  splitc_read_far(into, there, splitc_at_least_0(bytes));
}
static inline void splitc_compiled_bulk_write(splitc_bits to, const void* from, long bytes) {
  splitc_write_bytes(to, from, splitc_at_least_0(bytes));
}
static inline void splitc_compiled_bulk_get(void* into, splitc_bits from, long bytes) {
  splitc_get_bytes(into, from, splitc_at_least_0(bytes));
}
static inline void splitc_compiled_bulk_put(splitc_bits to, const void* from, long bytes) {
  splitc_put_bytes(to, from, splitc_at_least_0(bytes));
}
static inline void splitc_compiled_bulk_store(splitc_bits to, const void* from, long bytes) {
  splitc_store_bytes(to, from, splitc_at_least_0(bytes));
}

/* --- Loops that wait --- */

/* At each turn of a loop that waits for memory: what others ask of this processor, and the word
 * that is waited for, may come by messages. */
extern void splitc_poll_in_wait(void);
SPLITC_INLINE void splitc_turn(unsigned* turns) {
  if (++*turns % 32 == 0) splitc_poll_in_wait();
}

/* --- Spread memory --- */

extern struct splitc_pointer splitc_spread_malloc(
    __PTRDIFF_TYPE__ count, __PTRDIFF_TYPE__ bytes) __asm__("splitc_all_spread_malloc_checked");
extern void splitc_spread_free(struct splitc_pointer blocks) __asm__("splitc_all_spread_free");
static inline splitc_bits splitc_compiled_spread_malloc(int count, int bytes) {
  return splitc_spread_malloc(count, bytes).bits;
}
static inline void splitc_compiled_spread_free(splitc_bits blocks) {
  const struct splitc_pointer p = {blocks};
  splitc_spread_free(p);
}

/* An automatic spread array: it goes at every way out of its block, by the attribute cleanup. */
struct splitc_automatic {
  splitc_bits mark;
};
extern void splitc_automatic_begin(struct splitc_automatic* frame) __asm__("splitc_frame_begin");
extern struct splitc_pointer splitc_automatic_take(
    struct splitc_automatic* frame, __SIZE_TYPE__ blocks,
    __SIZE_TYPE__ block_bytes) __asm__("splitc_frame_allocate");
extern void splitc_automatic_end(struct splitc_automatic* frame) __asm__("splitc_frame_end");
static inline splitc_bits splitc_automatic_array(struct splitc_automatic* frame, long blocks,
                                                 splitc_bits block_bytes) {
  splitc_automatic_begin(frame);
  return splitc_automatic_take(frame, splitc_at_least_0(blocks), block_bytes).bits;
}

/* File-scope spread arrays. A unit hands in what runs before splitc_main, inside the job, on every
 * processor alike; it places the arrays whose bounds it knows. Several units may name one array. */
struct splitc_start {
  void (*run)(void);
  struct splitc_start* next;
};
extern void splitc_at_start(struct splitc_start* start);
extern void splitc_place_spread_array(splitc_bits* array, splitc_bits blocks,
                                      splitc_bits block_bytes, const char* name);

/* --- The library by its names in the output --- */

extern void splitc_exit_job(int status) __attribute__((__noreturn__));
extern double splitc_get_seconds(void);
extern void splitc_barrier(void);
extern void splitc_sync_or_end(void);
extern int splitc_is_sync(void);
extern void splitc_flush(void) __asm__("ramjet_flush");
extern void splitc_all_store_sync_or_end(void);
extern void splitc_store_sync_or_end(int bytes);
extern void splitc_reset_store_sync(void);

extern int splitc_all_reduce_to_one_add(int value);
extern int splitc_all_reduce_to_all_add(int value);
extern int splitc_all_reduce_to_all_max(int value);
extern int splitc_all_reduce_to_all_min(int value);
extern int splitc_all_reduce_to_all_or(int value);
extern int splitc_all_reduce_to_all_and(int value);
extern int splitc_all_reduce_to_all_xor(int value);
extern double splitc_all_reduce_to_all_dadd(double value);
extern double splitc_all_reduce_to_all_dmax(double value);
extern double splitc_all_reduce_to_all_dmin(double value);
extern int splitc_all_scan_add(int value);
extern int splitc_all_scan_max(int value);
extern int splitc_all_scan_min(int value);
extern int splitc_all_scan_or(int value);
extern int splitc_all_scan_and(int value);
extern int splitc_all_scan_xor(int value);
extern double splitc_all_scan_dadd(double value);
extern int splitc_all_bcast_i(int value);
extern double splitc_all_bcast_d(double value);
extern void splitc_all_gather(int* v);
extern void splitc_all_gather_d(double* v);
extern void splitc_all_concat(int* v);

extern int splitc_fetch_add_word(struct splitc_pointer at,
                                 int by) __asm__("splitc_fetch_add_int32");
extern int splitc_exchange_word(struct splitc_pointer at,
                                int value) __asm__("splitc_exchange_int32");
extern int splitc_compare_swap_word(struct splitc_pointer at, int expected,
                                    int value) __asm__("splitc_compare_swap_int32");
static inline int splitc_compiled_fetch_and_add(splitc_bits at, int by) {
  const struct splitc_pointer p = {at};
  return splitc_fetch_add_word(p, by);
}
static inline int splitc_compiled_exchange(splitc_bits at, int value) {
  const struct splitc_pointer p = {at};
  return splitc_exchange_word(p, value);
}
static inline int splitc_compiled_test_and_set(splitc_bits at) {
  return splitc_compiled_exchange(at, 1);
}
static inline int splitc_compiled_cmp_and_swap(splitc_bits at, int expected, int value) {
  const struct splitc_pointer p = {at};
  return splitc_compare_swap_word(p, expected, value);
}

extern struct splitc_pointer splitc_new_lock(void) __asm__("splitc_lock_make");
extern void splitc_end_lock(struct splitc_pointer lock) __asm__("splitc_lock_destroy");
extern int splitc_hold_lock(struct splitc_pointer lock) __asm__("splitc_lock");
extern int splitc_try_to_hold(struct splitc_pointer lock) __asm__("splitc_try_lock");
extern void splitc_release_lock(struct splitc_pointer lock) __asm__("splitc_unlock");
static inline splitc_bits splitc_compiled_lock_make(void) { return splitc_new_lock().bits; }
static inline void splitc_compiled_lock_destroy(splitc_bits lock) {
  const struct splitc_pointer p = {lock};
  splitc_end_lock(p);
}
static inline void splitc_compiled_lock(splitc_bits lock) {
  const struct splitc_pointer p = {lock};
  splitc_hold_lock(p);
}
static inline int splitc_compiled_try_lock(splitc_bits lock) {
  const struct splitc_pointer p = {lock};
  return splitc_try_to_hold(p);
}
static inline void splitc_compiled_unlock(splitc_bits lock) {
  const struct splitc_pointer p = {lock};
  splitc_release_lock(p);
}

/* What atomic(f, g, ...) becomes: `thunk` takes f and its arguments out of the words, at the
 * processor of `at`, where it is the same address. The result, if it waits for one; else complete
 * at sync(). */
extern splitc_bits splitc_run_atomic(splitc_bits (*thunk)(void* at, const splitc_bits* words),
                                     splitc_bits at, const splitc_bits* words, unsigned count,
                                     int waits);
SPLITC_INLINE splitc_bits splitc_word_of(double value) {
  splitc_bits word;
  __builtin_memcpy(&word, &value, sizeof word);
  return word;
}
SPLITC_INLINE double splitc_double_of(splitc_bits word) {
  double value;
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

#undef SPLITC_HOLD
#undef SPLITC_INLINE
#undef SPLITC_LIKELY

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
