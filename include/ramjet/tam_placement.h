/* SPDX-License-Identifier: Apache-2.0
 * Placement in the threaded abstract machine: activations on other ranks. Which rank is a policy of
 * the call: this one (TAM_FALLOC), one after the other, by a key, or whichever has nothing to do.
 * Included by tam.h; the main thread's. */
#ifndef RAMJET_TAM_PLACEMENT_H
#define RAMJET_TAM_PLACEMENT_H

#include <ramjet/tam.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Makes a frame on that rank and runs inlet 0 of it with the words: a call by one message. The rank
 * TAM_LEAST_LOADED: on whichever has nothing else to run. While no rank is idle that is this one;
 * a few activations wait here unstarted, and a rank that becomes idle gets those that have waited
 * longer, half of them, of a tree of calls the larger ones. */
#define TAM_LEAST_LOADED (-1)
void tam_spawn(tam_lcv lcv, int rank, const struct tam_block* block, unsigned count, tam_word w0,
               tam_word w1, tam_word w2, tam_word w3);
/* tam_spawn on TAM_LEAST_LOADED of code block `name`, whose inlet 0 is `body`: costs a comparison
 * more than a call on this rank, wherever enough activations wait. */
#define TAM_SHARE1(name, body, lcv, w0) \
  TAM_SHARE_(name, lcv, TAM_PASS1(body, TAM_FALLOC(name), lcv, w0), 1, w0, 0, 0, 0)
#define TAM_SHARE2(name, body, lcv, w0, w1) \
  TAM_SHARE_(name, lcv, TAM_PASS2(body, TAM_FALLOC(name), lcv, w0, w1), 2, w0, w1, 0, 0)
#define TAM_SHARE3(name, body, lcv, w0, w1, w2) \
  TAM_SHARE_(name, lcv, TAM_PASS3(body, TAM_FALLOC(name), lcv, w0, w1, w2), 3, w0, w1, w2, 0)
#define TAM_SHARE4(name, body, lcv, w0, w1, w2, w3) \
  TAM_SHARE_(name, lcv, TAM_PASS4(body, TAM_FALLOC(name), lcv, w0, w1, w2, w3), 4, w0, w1, w2, w3)
#define TAM_SHARE_(name, lcv, call, count, w0, w1, w2, w3)                          \
  do {                                                                              \
    if (TAM_LIKELY(tam_here.pool_room == 0))                                        \
      call;                                                                         \
    else                                                                            \
      tam_spawn(lcv, TAM_LEAST_LOADED, &name##_block.block, count, w0, w1, w2, w3); \
  } while (0)
/* How many activations this rank has given to idle ones since tam_open. */
uint64_t tam_given(void);
/* Makes a frame on that rank, and sends its name to the inlet `reply`. */
void tam_falloc_at(tam_lcv lcv, int rank, const struct tam_block* block, tam_name reply);
/* Ranks to make frames on: one after the other, or by a key, the same for it on all ranks. */
int tam_next_rank(void);
int tam_rank_of_key(tam_word key);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
