/* SPDX-License-Identifier: Apache-2.0
 * Placement in the threaded abstract machine: activations on other ranks. Which rank is a policy of
 * the call: this one (TAM_FALLOC), one after the other, by a key, or whichever has nothing to do.
 * And threads that go on later than those that they make.
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
/* The same on that rank, not before anything else that is ready there: such activations wait
 * unstarted, and begin in the order in which they came. By TAM_MD as tam_spawn. */
void tam_spawn_in_turn(tam_lcv lcv, int rank, const struct tam_block* block, unsigned count,
                       tam_word w0, tam_word w1, tam_word w2, tam_word w3);
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
/* The same for a call by a thread of frame f that is answered at its inlet `reply` (tam_call.h). */
#if TAM_SCHEDULER == TAM_HYBRID
#define TAM_SHARE_CALL1(then, callee, body, f, lcv, reply, number)   \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.share_end, \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_),        \
            tam_spawn(lcv, TAM_LEAST_LOADED, &callee##_block.block, 1, tam_to_, 0, 0, 0))
#define TAM_SHARE_CALL2(then, callee, body, f, lcv, reply, number, w1) \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.share_end,   \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1),      \
            tam_spawn(lcv, TAM_LEAST_LOADED, &callee##_block.block, 2, tam_to_, w1, 0, 0))
#define TAM_SHARE_CALL3(then, callee, body, f, lcv, reply, number, w1, w2) \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.share_end,       \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1, w2),      \
            tam_spawn(lcv, TAM_LEAST_LOADED, &callee##_block.block, 3, tam_to_, w1, w2, 0))
#define TAM_SHARE_CALL4(then, callee, body, f, lcv, reply, number, w1, w2, w3) \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.share_end,           \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1, w2, w3),      \
            tam_spawn(lcv, TAM_LEAST_LOADED, &callee##_block.block, 4, tam_to_, w1, w2, w3))
#else
#define TAM_SHARE_CALL1(then, callee, body, f, lcv, reply, number) \
  TAM_SHARE1(callee, body, lcv, tam_name_of(&(f)->head, number))
#define TAM_SHARE_CALL2(then, callee, body, f, lcv, reply, number, w1) \
  TAM_SHARE2(callee, body, lcv, tam_name_of(&(f)->head, number), w1)
#define TAM_SHARE_CALL3(then, callee, body, f, lcv, reply, number, w1, w2) \
  TAM_SHARE3(callee, body, lcv, tam_name_of(&(f)->head, number), w1, w2)
#define TAM_SHARE_CALL4(then, callee, body, f, lcv, reply, number, w1, w2, w3) \
  TAM_SHARE4(callee, body, lcv, tam_name_of(&(f)->head, number), w1, w2, w3)
#endif
/* Threads that make activations for idle ranks begin with this. While this rank keeps as many of
 * those as it wants (pool_room is 0), such a thread is put aside, and posted again when half of
 * them have left or nothing else is ready here, the last one first. It goes on at once in jobs of
 * one rank, and by TAM_MD, whose threads stand in no frame. */
#define TAM_WHEN_ROOM(f, lcv, thread)                                                   \
  do {                                                                                  \
    if (TAM_UNLIKELY(tam_here.pool_room == 0) && tam_put_aside(&(f)->head, thread))     \
      return lcv;                                                                       \
  } while (0)
/* Returns 0 if the thread has to go on. */
int tam_put_aside(struct tam_frame* frame, tam_thread thread);

/* Calls the thread, whose result this gives; but if this quantum has posted into other frames, the
 * thread is posted when these have run as far as they can. So a loop whose rounds are activations
 * goes on as if rounds were calls. By TAM_MD the thread goes on at once. */
#define TAM_AFTER_CALLS(frame, lcv, thread)                                                    \
  (TAM_SCHEDULER != TAM_MD && (tam_here.next_ready != &tam_here.ready || tam_here.awaits != 0) \
       ? tam_go_on_after(frame, lcv, thread)                                                   \
       : thread(frame, lcv))
/* Returns lcv. */
tam_lcv tam_go_on_after(struct tam_frame* frame, tam_lcv lcv, tam_thread thread);

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
