/* SPDX-License-Identifier: Apache-2.0
 * The heap of the threaded abstract machine: arrays whose elements are empty or present. Elements
 * of I-structures are stored once, and a fetch of an empty one is deferred until then; those of
 * M-structures are taken, which leaves them empty, and put again. An element is the one or the
 * other: what is taken is not fetched, since near ranks fetch without asking its owner. Included by
 * tam.h; the main thread's. An index outside, or a store or put where something is, ends the
 * process with one line that names element, array, rank and both places in the source; arrays that
 * a shared object far from the first code block has made are made "at a shared object". */
#ifndef RAMJET_TAM_HEAP_H
#define RAMJET_TAM_HEAP_H

#include <ramjet/tam.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* An array of any rank: {rank:16 | whether ranks share it:1 | address there:47}, or one that is
 * spread over the ranks:
 * {TAM_SPREAD:16 | rank that made it:16 | number there:32}. */
typedef uint64_t tam_array;
#define TAM_SPREAD 0xffff /* no rank: TAM's jobs have at most 65535 of them */

/* What an array begins with; then come its values, then a tag for each. A cell of a list, which has
 * two elements, is 32 bytes. */
struct tam_array_head {
  uint32_t length;
  int32_t origin; /* where it was made, and what of: the run-time's */
};
#define TAM_LENGTH_MAX 0xffffffff /* of an array, or of a rank's part of one that is spread */
enum tam_tag {
  TAM_EMPTY = 0,
  TAM_PRESENT = 1,
  TAM_ONE_READER = 2, /* the value is the inlet that a deferred fetch replies to */
  TAM_READERS = 3 /* the value is the address of a list of deferred fetches and takes */
};

/* In front of a site: the array has one dimension, or two, and its first elements are its bounds,
 * lower and upper. Messages name its elements by indices, then. */
#define TAM_BOUNDS1 "\001"
#define TAM_BOUNDS2 "\002"
/* The same of an M-structure, also of one whose first elements are no bounds: messages say that a
 * put found a full element. */
#define TAM_M_BOUNDS0 "\003"
#define TAM_M_BOUNDS1 "\004"
#define TAM_M_BOUNDS2 "\005"
/* A new array, all of it empty, on this rank. Cost: tens of ns, and the first touch of its memory:
 * 8 bytes and 9 for each element, in multiples of 16. At most TAM_LENGTH_MAX elements. The name's
 * four lowest bits are 0. */
tam_array tam_ialloc(tam_word length, const char* site);
/* A new array, all of it empty, spread over all ranks in blocks of `block` elements (0: one block
 * for each rank): element i lies on rank i / block % ranks. Its name goes to the inlet `reply` once
 * all ranks have their parts. Fetches, stores, takes and puts are those of other arrays; a program
 * finds the rank of an element by tam_rank_of_element, to work where the data is. */
void tam_ialloc_spread(tam_lcv lcv, tam_word length, tam_word block, tam_name reply,
                       const char* site);
/* The rank on which the element lies, of any array whose name this rank has got. */
int tam_rank_of_element(tam_array a, tam_word index, const char* site);
/* A region of this rank: the storage of all arrays made in it is given back together, when the
 * program knows that nobody will fetch from them any more, and used for others. Any rank may end
 * it; the process ends if an element is still waited for. A use of such an array's name before its
 * storage is used again ends the process with a line that says so. Cost of an array: tens of ns,
 * and a byte cleared for each element. */
typedef uint64_t tam_region;
tam_region tam_region_begin(void);
tam_array tam_ialloc_in(tam_region region, tam_word length, const char* site);
void tam_region_end(tam_lcv lcv, tam_region region, const char* site);
/* A new array, all of it empty, that the ranks of this node work on together. It lies here as a
 * whole, but its elements are kept by all of these ranks: behind the first `ahead`, which are this
 * rank's, come rows of `row` elements, which the ranks keep in turn. The rank that keeps an element
 * stores it without a message, and any rank of the node fetches one that is present without a
 * message, too. Its elements are not taken: that ends the process. In a job of one rank it is
 * tam_ialloc. Cost: as tam_ialloc. */
tam_array tam_ialloc_shared(tam_word length, tam_word ahead, tam_word row, tam_word first_row,
                            const char* site);
/* The rank that keeps the row, by its number, or would keep it if the array went on so far; of
 * other arrays and of rows before the first one, this one. Where a program works on a row in order
 * to store it. Cost: a few ns. */
int tam_rank_of_row(tam_array a, int64_t row);
/* Elements of an array on this rank that no other rank keeps. */
TAM_INLINE int tam_is_own_array(tam_array a) { return (a ^ tam_here.own) >> 47 == 0; }
TAM_INLINE struct tam_array_head* tam_array_of(tam_array own) {
  return (struct tam_array_head*)(uintptr_t)(own << 17 >> 17);
}
TAM_INLINE tam_word* tam_values(struct tam_array_head* head) { return (tam_word*)(head + 1); }
TAM_INLINE unsigned char* tam_tags(struct tam_array_head* head) {
  return (unsigned char*)(tam_values(head) + head->length);
}
/* The out-of-line halves: any rank, any state of the element. What is fetched goes to `reply`. */
void tam_ifetch_slow(tam_lcv lcv, tam_array a, tam_word index, tam_name reply, const char* site);
void tam_istore_slow(tam_lcv lcv, tam_array a, tam_word index, tam_word value, const char* site);
void tam_mtake_slow(tam_lcv lcv, tam_array a, tam_word index, tam_name reply, const char* site);
void tam_mput_slow(tam_lcv lcv, tam_array a, tam_word index, tam_word value, const char* site);
void tam_length_slow(tam_lcv lcv, tam_array a, tam_name reply, const char* site);

/* Whether the array lies in memory that ranks of this node share, or in a rank that is the only one
 * (tam_state.near_begin). The name of a spread array is less than any address there. */
TAM_INLINE int tam_is_near_array(tam_array a) {
  return (tam_word)(uintptr_t)tam_array_of(a) - tam_here.near_begin < tam_here.near_bytes;
}
TAM_INLINE int tam_ipresent_in(struct tam_array_head* head, tam_word index, tam_word* value) {
  if (TAM_UNLIKELY(index >= head->length)) return 0;
  /* pairs: tam.element */
  const unsigned char tag = __atomic_load_n(tam_tags(head) + index, __ATOMIC_ACQUIRE);
  *value = tam_values(head)[index];
  return tag == TAM_PRESENT;
}
/* Whether the element is there and can be read here; then *value is its word. One comparison tells
 * the same of this rank's arrays and of near ones. */
TAM_INLINE int tam_ipresent(tam_array a, tam_word index, tam_word* value) {
  if (TAM_SCHEDULER == TAM_UNENABLED) return 0;
  if (TAM_UNLIKELY(!tam_is_near_array(a)) && !tam_is_own_array(a)) return 0;
  return tam_ipresent_in(tam_array_of(a), index, value);
}
/* The same of an array of this rank, and takes it. */
TAM_INLINE int tam_mpresent(tam_array a, tam_word index, tam_word* value) {
  if (TAM_SCHEDULER == TAM_UNENABLED || !tam_is_own_array(a)) return 0;
  if (!tam_ipresent_in(tam_array_of(a), index, value)) return 0;
  tam_tags(tam_array_of(a))[index] = TAM_EMPTY;
  return 1;
}
TAM_INLINE int tam_fill_empty(tam_array a, tam_word index, tam_word value) {
  struct tam_array_head* head = tam_array_of(a);
  const tam_word at = (tam_word)(uintptr_t)(tam_values(head) + index);
  if (!tam_is_own_array(a) &&
      (!tam_is_near_array(a) || at - tam_here.kept_begin >= tam_here.kept_bytes))
    return 0;
  if (TAM_UNLIKELY(index >= head->length) || tam_tags(head)[index] != TAM_EMPTY) return 0;
  tam_values(head)[index] = value;
  /* pairs: tam.element */
  __atomic_store_n(tam_tags(head) + index, (unsigned char)TAM_PRESENT, __ATOMIC_RELEASE);
  return 1;
}

/* Fetches for the frame f of the thread that runs: the word goes to its inlet `body`, number
 * `inlet`, now if it is present here. */
#define TAM_IFETCH(body, inlet, f, lcv, array, index) \
  TAM_FETCH_(tam_ipresent, tam_ifetch_slow, body, inlet, f, lcv, array, index)
/* Takes, in the same way. */
#define TAM_MTAKE(body, inlet, f, lcv, array, index) \
  TAM_FETCH_(tam_mpresent, tam_mtake_slow, body, inlet, f, lcv, array, index)
/* The number of the array's elements, in the same way. */
#define TAM_LENGTH(body, inlet, f, lcv, array)                                \
  do {                                                                        \
    const tam_array tam_a_ = (array);                                         \
    if (tam_is_own_array(tam_a_))                                             \
      (lcv) = body(f, lcv, TAM_BY_LCV, tam_array_of(tam_a_)->length);         \
    else                                                                      \
      tam_length_slow(lcv, tam_a_, tam_name_of(&(f)->head, inlet), TAM_HERE); \
  } while (0)
#define TAM_FETCH_(present, slow, body, inlet, f, lcv, array, index)       \
  do {                                                                     \
    const tam_array tam_a_ = (array);                                      \
    const tam_word tam_i_ = (index);                                       \
    tam_word tam_w_;                                                       \
    if (present(tam_a_, tam_i_, &tam_w_))                                  \
      (lcv) = body(f, lcv, TAM_BY_LCV, tam_w_);                            \
    else                                                                   \
      slow(lcv, tam_a_, tam_i_, tam_name_of(&(f)->head, inlet), TAM_HERE); \
  } while (0)

TAM_INLINE void tam_istore(tam_lcv lcv, tam_array a, tam_word index, tam_word value,
                           const char* site) {
  if (TAM_UNLIKELY(!tam_fill_empty(a, index, value))) tam_istore_slow(lcv, a, index, value, site);
}
TAM_INLINE void tam_mput(tam_lcv lcv, tam_array a, tam_word index, tam_word value,
                         const char* site) {
  if (TAM_UNLIKELY(!tam_fill_empty(a, index, value))) tam_mput_slow(lcv, a, index, value, site);
}

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
