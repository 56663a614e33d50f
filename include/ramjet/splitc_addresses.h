/* SPDX-License-Identifier: Apache-2.0
 * The address space and its pointers, as the output of splitcc sees them (splitc_compiled.h):
 * numbers of 64 bits, {processor:16 | address:48}. What is here reads no memory of other
 * processors. Threads: any. */
#ifndef RAMJET_SPLITC_ADDRESSES_H
#define RAMJET_SPLITC_ADDRESSES_H

#pragma GCC system_header
#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef __UINT64_TYPE__ splitc_bits;

/* One argument, as splitc.h passes its pointers. */
struct splitc_pointer {
  splitc_bits bits;
};

/* --- The address space --- */

struct splitc_near_places {
  splitc_bits first[1 << 16], delta[1 << 16];
};
/* The first members of struct splitc_space; constant inside a job (docs/adr/0008), so that gcc
 * keeps them in registers over the accesses of a loop. By its section it is not taken for one of
 * the program's own variables, which may be far from its code. */
struct splitc_numbers {
  splitc_bits own_bits, window_base, segment_bytes;
  splitc_bits words_end;
  const struct splitc_near_places* near_places;
  splitc_bits found_count, ranks;
  int ranks_log;
};
#if defined(__clang__)
extern struct splitc_numbers splitc_numbers __asm__("ramjet_address_space");
#else
extern const struct splitc_numbers splitc_numbers __asm__("ramjet_address_space")
    __attribute__((__section__(".bss")));
#endif
/* Where reads and writes of words end, or 0: one of them is 0, so a put or store below the second
 * needs no note that reads must let it land. */
extern __thread splitc_bits ramjet_read_end, ramjet_write_end;

#ifdef __OPTIMIZE__
#define SPLITC_INLINE static inline __attribute__((__always_inline__, __artificial__))
#else /* calls: a debugger stops at each statement's line */
#define SPLITC_INLINE static inline
#endif
#define SPLITC_LIKELY(condition) __builtin_expect(!!(condition), 1)

SPLITC_INLINE int splitc_myproc(void) { return (int)(splitc_numbers.own_bits >> 48); }
SPLITC_INLINE int splitc_procs(void) { return (int)splitc_numbers.ranks; }
SPLITC_INLINE int splitc_log_procs(void) { return splitc_numbers.ranks_log; }

/* --- Pointers --- */

/* The address part. */
SPLITC_INLINE splitc_bits splitc_address(splitc_bits b) { return b << 16 >> 16; }
SPLITC_INLINE int splitc_processor(splitc_bits b) { return (int)(b >> 48); }
SPLITC_INLINE int splitc_truth(splitc_bits b) { return b << 16 != 0; }
SPLITC_INLINE void* splitc_local_part(splitc_bits b) { return (void*)(b << 16 >> 16); }
/* A processor that does not fit becomes one that no access accepts. */
SPLITC_INLINE splitc_bits splitc_pair(int processor, const volatile void* local) {
  const splitc_bits part = (unsigned)processor < 0xffff ? (unsigned)processor : 0xffff;
  return part << 48 | splitc_address((splitc_bits)local);
}
SPLITC_INLINE splitc_bits splitc_own_bits(const volatile void* local) {
  return splitc_numbers.own_bits >> 48 << 48 | (splitc_bits)local;
}

/* n elements further on the same processor. */
SPLITC_INLINE splitc_bits splitc_step(splitc_bits b, long n, splitc_bits bytes) {
  return b + (splitc_bits)n * bytes;
}

/* Where block t of the whole row-wise order lies, from processor 0's block 0. */
SPLITC_INLINE splitc_bits splitc_block_offset(long t, splitc_bits bytes) {
  const long ranks = (long)splitc_numbers.ranks;
  long rank = t, rows = 0;
  if (splitc_numbers.ranks_log >= 0) {
    rank = t & (ranks - 1);
    rows = t >> splitc_numbers.ranks_log;
  } else if ((splitc_bits)t >> 32 == 0) { /* a division of 32 bits is the faster one */
    rows = (unsigned)t / (unsigned)ranks;
    rank = t - rows * ranks;
  } else {
    rows = t / ranks - (t % ranks < 0);
    rank = t - rows * ranks;
  }
  return ((splitc_bits)rank << 48) + (splitc_bits)rows * bytes;
}
/* t = processor + n; the processor becomes t mod PROCS, the address moves by floor(t / PROCS). */
SPLITC_INLINE splitc_bits splitc_step_spread(splitc_bits b, long n, splitc_bits bytes) {
  return splitc_address(b) + splitc_block_offset((long)(b >> 48) + n, bytes);
}
/* The same for the name of a spread array, which lies from processor 0 on. */
SPLITC_INLINE splitc_bits splitc_block(splitc_bits array, long n, splitc_bits bytes) {
  return array + splitc_block_offset(n, bytes);
}
/* By one: a walk needs no division. */
SPLITC_INLINE splitc_bits splitc_next_spread(splitc_bits b, splitc_bits bytes) {
  const splitc_bits next = (b >> 48) + 1;
  return next == splitc_numbers.ranks ? splitc_address(b) + bytes : b + ((splitc_bits)1 << 48);
}
SPLITC_INLINE splitc_bits splitc_previous_spread(splitc_bits b, splitc_bits bytes) {
  const splitc_bits last = splitc_numbers.ranks - 1;
  return b >> 48 == 0 ? (last << 48) + (b - bytes) : b - ((splitc_bits)1 << 48);
}

/* For loops over one's own elements, MYPROC, MYPROC + PROCS ...: how many there are below `bound`,
 * and the k-th. */
SPLITC_INLINE long splitc_own_rounds(long bound) {
  const long ranks = (long)splitc_numbers.ranks, left = bound - splitc_myproc();
  if (left <= 0) return 0;
  return splitc_numbers.ranks_log >= 0 ? (left + ranks - 1) >> splitc_numbers.ranks_log
                                       : (left + ranks - 1) / ranks;
}
SPLITC_INLINE long splitc_own_index(long k) {
  return splitc_myproc() + k * (long)splitc_numbers.ranks;
}
/* For loops over plain memory: whether it points into one's own segment. A null pointer does not,
 * so that the loop goes by accesses that say what is wrong. */
SPLITC_INLINE int splitc_is_own(splitc_bits b) {
  return SPLITC_LIKELY(b - splitc_numbers.own_bits < splitc_numbers.words_end);
}
/* The same of the spread pointer that is n elements further, if n is this processor's number. */
SPLITC_INLINE int splitc_is_row(splitc_bits b) {
  return b - splitc_address(splitc_numbers.own_bits) < splitc_numbers.words_end;
}
/* Whether all processors share memory: nothing is gained by fetching ahead. */
SPLITC_INLINE int splitc_all_near(void) {
  return splitc_numbers.found_count == splitc_numbers.ranks;
}

/* Elements from `from` to `to`. */
SPLITC_INLINE long splitc_distance(splitc_bits to, splitc_bits from, long bytes) {
  return ((long)splitc_address(to) - (long)splitc_address(from)) / bytes;
}
SPLITC_INLINE long splitc_distance_spread(splitc_bits to, splitc_bits from, long bytes) {
  return splitc_distance(to, from, bytes) * (long)splitc_numbers.ranks +
         ((long)(to >> 48) - (long)(from >> 48));
}
/* Spread pointers in their order are compared as these numbers: by address, then processor. */
SPLITC_INLINE splitc_bits splitc_order_spread(splitc_bits b) { return b << 16 | b >> 48; }

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
