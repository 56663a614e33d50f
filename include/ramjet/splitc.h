/* SPDX-License-Identifier: Apache-2.0
 * The global address space for C (C11 with the GNU extensions of gcc and clang): global and spread
 * pointers, accesses, stores, bulk, atomics, procedures, locks, spread memory. The same
 * representation and the same meaning as global_ptr.hpp, gas.hpp, spread.hpp, procedure.hpp and
 * mutex.hpp, which say more; of completion.hpp only the signals. The library of Split-C by its own
 * names, over these, is in splitc_names.h.
 * (Culler et al. 1993, Parallel Programming in Split-C; Arpaci et al. 1995, section 3.3.)
 *
 * ramjet_init comes first and ramjet_finalize last. Misuse (a rank outside the job, a null or wild
 * address, a length past the segment's end) ends the process with one line that names the call.
 * Threads: any, except that what counts stored bytes is one thread's at a time, and store_sync,
 * all_store_sync, wait_signal and spread memory are the main thread's. Inside a handler: no spread
 * memory, no procedures, and nothing that waits.
 * Memory on another node is served by its owner, with what gas.hpp says of that: a waiter serves
 * others meanwhile, needs an endpoint, and may not be a handler.
 * Deaths, under --on-failure=continue: the memory of a dead rank of another node is lost. An
 * access to it returns 0 where it returns a value, leaves what it reads into undefined, writes
 * nothing, and has the next splitc_sync return RAMJET_PEER_FAILED. C has no exceptions: a program
 * that goes on after a death calls splitc_sync before it uses what it has read.
 *
 * T below is one of: int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double. */
#ifndef RAMJET_SPLITC_H
#define RAMJET_SPLITC_H

#include <ramjet/ramjet.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* --- Pointers --- */

/* {rank:16 | address:48}. Null if the address is 0, whatever the rank. */
typedef struct splitc_global {
  uint64_t bits; /* + n stays on the rank */
} splitc_global;
typedef struct splitc_spread {
  uint64_t bits; /* + 1 is the same address on the next rank; after the last, the next row */
} splitc_spread;

/* What this process knows of the segments; set by ramjet_init, read by the functions below. By the
 * rank part of a pointer: the pointer to the first byte of that rank's segment, and how far from
 * the pointer's bits the byte lies. */
struct splitc_near {
  uint64_t first[1 << 16];
  uint64_t delta[1 << 16];
};
struct splitc_space {
  uint64_t own_bits;
  uint64_t window_base;
  uint64_t segment_bytes;
  uint64_t words_end;
  const struct splitc_near* near_places;
  uint64_t found_count;
  uint64_t ranks;
  int32_t ranks_log;
};
extern struct splitc_space ramjet_address_space;
/* This thread's. A user-level thread may go on in another after it blocked, and on AArch64 the
 * compiler would keep the address across that. */
extern __thread uint64_t ramjet_read_end;
static inline uint64_t* splitc_read_end(void) {
#if defined(__aarch64__)
  char* thread;
  ptrdiff_t offset;
  __asm__ volatile("mrs\t%0, tpidr_el0" : "=r"(thread));
  __asm__("adrp\t%0, :gottprel:ramjet_read_end\n\t"
          "ldr\t%0, [%0, :gottprel_lo12:ramjet_read_end]"
          : "=r"(offset));
  return (uint64_t*)(thread + offset);
#else
  return &ramjet_read_end;
#endif
}

#define SPLITC_ADDRESS_BITS 48
#define SPLITC_ADDRESS_MASK ((UINT64_C(1) << SPLITC_ADDRESS_BITS) - 1)

/* The rank part. */
static inline int splitc_toproc(splitc_global g) { return (int)(g.bits >> SPLITC_ADDRESS_BITS); }
/* This rank's own byte at the address; the rank part is dropped without a check. */
static inline void* splitc_tolocal(splitc_global g) {
  return (void*)(uintptr_t)(g.bits & SPLITC_ADDRESS_MASK);
}
/* The byte of `rank` that corresponds to this rank's byte `local`. */
splitc_global splitc_toglobal(int rank, const void* local);
/* A local pointer as this rank's; one into another rank's segment as that rank's. */
splitc_global splitc_global_of(const void* local);

/* Where the byte lies among the segments of all ranks: the destination of a long message to its
 * rank (ramjet_request_long, ramjet_reply_long). Not what splitc_tolocal gives. */
void* splitc_segment_address(splitc_global g);

static inline splitc_spread splitc_to_spread(splitc_global g) {
  const splitc_spread s = {g.bits};
  return s;
}
static inline splitc_global splitc_to_global(splitc_spread s) {
  const splitc_global g = {s.bits};
  return g;
}

/* n elements of `bytes` further on, or back; and the elements between two, to - from. */
static inline splitc_global splitc_global_add(splitc_global g, ptrdiff_t n, size_t bytes) {
  const splitc_global r = {g.bits + (uint64_t)n * bytes};
  return r;
}
ptrdiff_t splitc_global_difference(splitc_global to, splitc_global from, size_t bytes);
/* t = rank + n: the rank becomes t mod PROCS, the address moves by floor(t / PROCS) elements. */
splitc_spread splitc_spread_add(splitc_spread s, ptrdiff_t n, size_t bytes);
ptrdiff_t splitc_spread_difference(splitc_spread to, splitc_spread from, size_t bytes);

static inline int splitc_is_null(splitc_global g) { return (g.bits & SPLITC_ADDRESS_MASK) == 0; }
/* Both parts; the same for spread pointers by splitc_to_global. */
static inline int splitc_equal(splitc_global a, splitc_global b) { return a.bits == b.bits; }
/* < 0, 0, > 0: by address; and by address, then rank. */
int splitc_global_compare(splitc_global a, splitc_global b);
int splitc_spread_compare(splitc_spread a, splitc_spread b);

/* --- Accesses --- */

/* splitc_read_T(from): blocking. splitc_write_T(to, value): blocking, complete at the target on
 * return; reads and writes are sequentially consistent among themselves.
 * splitc_get_T(&into, from), splitc_put_T(to, value): complete at splitc_sync().
 * splitc_store_T(to, value): one way, its bytes counted at the target. */

/* The cold paths, and what is on another node: words of `bytes`. */
uint64_t splitc_load_slow(uint64_t bits, size_t bytes, const char* call);
void splitc_get_slow(void* into, uint64_t bits, size_t bytes, const char* call);
void splitc_write_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call);
void splitc_put_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call);
void splitc_store_slow(uint64_t bits, uint64_t value, size_t bytes, const char* call);
void splitc_count_stored(splitc_global to, size_t bytes);

/* Finds a word whose offset in its segment is below `end`, in memory of this node. If it finds
 * none: the cold path. */
static inline int splitc_find(uint64_t bits, uint64_t end, void** here) {
  const uint64_t own = bits - ramjet_address_space.own_bits;
  if (__builtin_expect(own < end, 1)) {
    *here = (void*)(uintptr_t)(ramjet_address_space.window_base + own);
    return 1;
  }
  const uint64_t rank = bits >> SPLITC_ADDRESS_BITS;
  const struct splitc_near* const near_places = ramjet_address_space.near_places;
  if (__builtin_expect(bits - near_places->first[rank] >= end, 0)) return 0;
  *here = (void*)(uintptr_t)(bits + near_places->delta[rank]);
  return 1;
}

/* Values need not be aligned to their size, as in packed structures. Such ones are copied, but on
 * x86, which has single accesses to them. Atomic operations on them end the process with a line. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SPLITC_MUST_COPY(here, type) 0
#else
#define SPLITC_MUST_COPY(here, type) ((uintptr_t)(here) % sizeof(type) != 0)
#endif

#define SPLITC_DEFINE_ACCESSES(name, type)                                                  \
  static inline int splitc_load_##name(type* into, uint64_t bits) {                         \
    typedef type __attribute__((may_alias)) element;                                        \
    void* here;                                                                             \
    if (__builtin_expect(                                                                   \
            !splitc_find(bits, *splitc_read_end(), &here) || SPLITC_MUST_COPY(here, type), 0)) \
      return 0;                                                                             \
    /* store-load: gas.sequential (both) */                                                 \
    __atomic_load((element*)here, into, __ATOMIC_SEQ_CST);                                  \
    return 1;                                                                               \
  }                                                                                         \
  /* Stores in place; if it cannot, the value as a number is for the cold path. */          \
  static inline int splitc_store_at_##name(uint64_t bits, type value, uint64_t* number) {   \
    typedef type __attribute__((may_alias)) element;                                        \
    void* here;                                                                             \
    if (__builtin_expect(!splitc_find(bits, ramjet_address_space.words_end, &here) ||       \
                             SPLITC_MUST_COPY(here, type),                                  \
                         0)) {                                                              \
      *number = 0;                                                                          \
      __builtin_memcpy(number, &value, sizeof value);                                       \
      return 0;                                                                             \
    }                                                                                       \
    __atomic_store((element*)here, &value, __ATOMIC_RELEASE); /* pairs: gas.value */        \
    *splitc_read_end() = 0;                                                                 \
    return 1;                                                                               \
  }                                                                                         \
  static inline type splitc_read_##name(splitc_global from) {                               \
    type value;                                                                             \
    if (__builtin_expect(!splitc_load_##name(&value, from.bits), 0)) {                      \
      const uint64_t number = splitc_load_slow(from.bits, sizeof value, "splitc_read");     \
      __builtin_memcpy(&value, &number, sizeof value);                                      \
    }                                                                                       \
    return value;                                                                           \
  }                                                                                         \
  static inline void splitc_write_##name(splitc_global to, type value) {                    \
    uint64_t number;                                                                        \
    if (__builtin_expect(!splitc_store_at_##name(to.bits, value, &number), 0))              \
      splitc_write_slow(to.bits, number, sizeof value, "splitc_write");                     \
  }                                                                                         \
  static inline void splitc_get_##name(type* into, splitc_global from) {                    \
    if (__builtin_expect(!splitc_load_##name(into, from.bits), 0))                          \
      splitc_get_slow(into, from.bits, sizeof *into, "splitc_get");                         \
  }                                                                                         \
  static inline void splitc_put_##name(splitc_global to, type value) {                      \
    uint64_t number;                                                                        \
    if (__builtin_expect(!splitc_store_at_##name(to.bits, value, &number), 0))              \
      splitc_put_slow(to.bits, number, sizeof value, "splitc_put");                         \
  }                                                                                         \
  static inline void splitc_store_##name(splitc_global to, type value) {                    \
    uint64_t number;                                                                        \
    if (__builtin_expect(splitc_store_at_##name(to.bits, value, &number), 1))               \
      splitc_count_stored(to, sizeof value);                                                \
    else                                                                                    \
      splitc_store_slow(to.bits, number, sizeof value, "splitc_store");                     \
  }
SPLITC_DEFINE_ACCESSES(int8, int8_t)
SPLITC_DEFINE_ACCESSES(int16, int16_t)
SPLITC_DEFINE_ACCESSES(int32, int32_t)
SPLITC_DEFINE_ACCESSES(int64, int64_t)
SPLITC_DEFINE_ACCESSES(uint8, uint8_t)
SPLITC_DEFINE_ACCESSES(uint16, uint16_t)
SPLITC_DEFINE_ACCESSES(uint32, uint32_t)
SPLITC_DEFINE_ACCESSES(uint64, uint64_t)
SPLITC_DEFINE_ACCESSES(float, float)
SPLITC_DEFINE_ACCESSES(double, double)
#undef SPLITC_DEFINE_ACCESSES
#undef SPLITC_MUST_COPY

/* Any number of bytes, whole structures too. Source and target may overlap. */
void splitc_bulk_read(void* into, splitc_global from, size_t bytes);
void splitc_bulk_write(splitc_global to, const void* from, size_t bytes);
void splitc_bulk_get(void* into, splitc_global from, size_t bytes);
void splitc_bulk_put(splitc_global to, const void* from, size_t bytes);
void splitc_bulk_store(splitc_global to, const void* from, size_t bytes);

/* A rectangle: `rows` pieces of `row_bytes`, whose starts lie a stride apart on either side. */
typedef struct splitc_rectangle {
  size_t rows, row_bytes, local_stride, far_stride;
} splitc_rectangle;
void splitc_bulk_read_rows(void* into, splitc_global from, splitc_rectangle shape);
void splitc_bulk_write_rows(splitc_global to, const void* from, splitc_rectangle shape);
void splitc_bulk_get_rows(void* into, splitc_global from, splitc_rectangle shape);
void splitc_bulk_put_rows(splitc_global to, const void* from, splitc_rectangle shape);
void splitc_bulk_store_rows(splitc_global to, const void* from, splitc_rectangle shape);

/* Many elements of one array at once, by their indices: those of one rank, or, by a spread pointer,
 * those that go round the ranks. Checked once, overlapping, complete on return; indexed.hpp says
 * more. read: into[k] = table[indices[k]]; write: table[indices[k]] = values[k]; add: atomic, the
 * table aligned to its elements. */
void splitc_read_each(void* into, splitc_global table, const uint64_t* indices, size_t count,
                      size_t element_bytes);
void splitc_write_each(splitc_global table, const uint64_t* indices, size_t count,
                       const void* values, size_t element_bytes);
void splitc_add_each_int32(splitc_global table, const uint64_t* indices, size_t count,
                           const int32_t* values);
void splitc_add_each_int64(splitc_global table, const uint64_t* indices, size_t count,
                           const int64_t* values);
void splitc_spread_read_each(void* into, splitc_spread table, const uint64_t* indices, size_t count,
                             size_t element_bytes);
void splitc_spread_write_each(splitc_spread table, const uint64_t* indices, size_t count,
                              const void* values, size_t element_bytes);
void splitc_spread_add_each_int32(splitc_spread table, const uint64_t* indices, size_t count,
                                  const int32_t* values);
void splitc_spread_add_each_int64(splitc_spread table, const uint64_t* indices, size_t count,
                                  const int64_t* values);

/* --- Completion --- */

/* Waits for this thread's gets, puts, adds and atomic procedures. RAMJET_PEER_FAILED if a rank died
 * that was to run one of these; it polls while one is under way. */
ramjet_status splitc_sync(void);
/* Whether splitc_sync would return at once; polls if not. */
int splitc_is_sync(void);

/* Waits until `bytes` newly stored bytes have landed here, and consumes them. */
ramjet_status splitc_store_sync(size_t bytes);
/* Consumes whatever has landed. */
void splitc_reset_store_sync(void);
/* Collective: every store that any rank issued before has landed; consumes just those here. */
ramjet_status splitc_all_store_sync(void);

/* Puts, then adds `by` to the counter, of 64 bits, and wakes its rank; a reader that sees the sum
 * sees the bytes. splitc_signal is the addition alone. */
void splitc_bulk_put_signal(splitc_global to, const void* from, size_t bytes, splitc_global counter,
                            uint64_t by);
void splitc_signal(splitc_global counter, uint64_t by);
/* Waits until this rank's counter, of 64 bits, is at least `enough`. */
ramjet_status splitc_wait_signal(splitc_global counter, uint64_t enough);

/* --- Atomic operations --- */

/* On aligned integers; all but add return what was there before. compare_swap writes `value` if
 * `expected` was there. add is complete at splitc_sync(). */
int32_t splitc_fetch_add_int32(splitc_global at, int32_t by);
int64_t splitc_fetch_add_int64(splitc_global at, int64_t by);
uint32_t splitc_fetch_and_uint32(splitc_global at, uint32_t mask);
uint64_t splitc_fetch_and_uint64(splitc_global at, uint64_t mask);
uint32_t splitc_fetch_or_uint32(splitc_global at, uint32_t mask);
uint64_t splitc_fetch_or_uint64(splitc_global at, uint64_t mask);
uint32_t splitc_fetch_xor_uint32(splitc_global at, uint32_t mask);
uint64_t splitc_fetch_xor_uint64(splitc_global at, uint64_t mask);
int32_t splitc_exchange_int32(splitc_global at, int32_t value);
int64_t splitc_exchange_int64(splitc_global at, int64_t value);
int32_t splitc_compare_swap_int32(splitc_global at, int32_t expected, int32_t value);
int64_t splitc_compare_swap_int64(splitc_global at, int64_t expected, int64_t value);
void splitc_add_int32(splitc_global to, int32_t by);
void splitc_add_int64(splitc_global to, int64_t by);

/* --- Atomic procedures --- */

/* Runs where its data is, in the main thread of that rank, atomic with respect to handlers and to
 * what that thread computes between polls. `at` is the element; the rules are those of handlers. */
typedef uint64_t (*splitc_function)(void* at, const uint64_t* arguments, unsigned count);
typedef struct splitc_procedure splitc_procedure;

/* Names a function that runs on elements of `element_bytes` bytes. Before ramjet_init, main thread;
 * the name is the same in every rank, and no other procedure's. Never null. */
splitc_procedure* splitc_procedure_named(const char* name, splitc_function f, size_t element_bytes);
/* Runs it at the element's owner with `count` <= RAMJET_ARGUMENTS_MAX words; one way, complete at
 * splitc_sync(). Not in a handler. */
ramjet_status splitc_atomic(const splitc_procedure* f, splitc_global at, const uint64_t* arguments,
                            unsigned count);
/* The same, and waits for its result. */
ramjet_status splitc_atomic_call(const splitc_procedure* f, splitc_global at,
                                 const uint64_t* arguments, unsigned count, uint64_t* result);

/* --- Locks --- */

/* A lock in memory: this many bytes of a segment, aligned to 64; all zero is an open lock. */
#define SPLITC_LOCK_BYTES 192
/* A new lock in this rank's segment, and its end, by the same rank. */
splitc_global splitc_lock_make(void);
void splitc_lock_destroy(splitc_global lock);
/* Waits until this endpoint holds it. RAMJET_PEER_FAILED if a rank died, or if the lock is lost:
 * its memory was a dead rank's of another node. It is not held then. */
ramjet_status splitc_lock(splitc_global lock);
/* Whether this endpoint holds it now; 0 if it is lost. */
int splitc_try_lock(splitc_global lock);
/* Does nothing to a lost one. */
void splitc_unlock(splitc_global lock);

/* --- Spread memory --- */

/* Collective, and a barrier: `blocks` blocks, block 0 on rank 0, the same pointer everywhere; null,
 * everywhere, if there is no room. Not initialised. */
splitc_spread splitc_all_spread_malloc(size_t blocks, size_t block_bytes);
void splitc_all_spread_free(splitc_spread blocks);

/* The symmetric stack: what was allocated in a frame goes with its end. Frames nest. No
 * communication; the process ends if there is no room. */
typedef struct splitc_frame {
  uint64_t mark;
} splitc_frame;
void splitc_frame_begin(splitc_frame* frame);
splitc_spread splitc_frame_allocate(splitc_frame* frame, size_t blocks, size_t block_bytes);
void splitc_frame_end(splitc_frame* frame);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
