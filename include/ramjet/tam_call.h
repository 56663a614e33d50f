/* SPDX-License-Identifier: Apache-2.0
 * Calls in the threaded abstract machine: messages that are answered at an inlet of the frame that
 * runs. The hybrid runs what is called at once, unless that is too deep in others' calls; a result
 * that is there by then goes to its inlet in place, and the caller goes on with what it enables. By
 * the other schedulers a call is a message. Included by tam.h; the main thread's. */
#ifndef RAMJET_TAM_CALL_H
#define RAMJET_TAM_CALL_H

#include <ramjet/tam.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* The frame of the last call that was made where the vector had this top, if that ended at once. It
 * is free, but looks as it did when it ended: its block stands in it, and `posted` is 1, or more if
 * a late message has posted into it since. So frames that come and go with the stack cost no
 * stores, and pass through no memory that the next call waits for. Else tam_no_frame. The pointer
 * to it is this many entries from the top: */
#define TAM_SPARES ((size_t)1 << 21)
extern struct tam_frame tam_no_frame;
TAM_INLINE struct tam_frame** tam_spare(tam_lcv lcv) { return &lcv[TAM_SPARES].frame; }
/* A frame for a call, from there; another one stands there then if that is of another block. */
struct tam_frame* tam_take_spare_slow(tam_lcv lcv, const struct tam_block* block);
TAM_INLINE struct tam_frame* tam_take_spare(tam_lcv lcv, const struct tam_block* block) {
  struct tam_frame* f = *tam_spare(lcv);
  if (TAM_UNLIKELY(f->block != block || f->posted != 1)) f = tam_take_spare_slow(lcv, block);
  if (f->block != block) __builtin_unreachable();
  return f;
}

/* Looks at the network, which many calls have left no time for. */
void tam_serve(void);
TAM_INLINE void tam_count_call(void) {
  if (TAM_UNLIKELY(--tam_here.calls_left == 0)) tam_serve();
}
/* Of a call that has returned `after`, which is not `result`: runs the rest of its quantum, and
 * returns whether that has left the result. */
int tam_after_call(tam_lcv lcv, tam_lcv after, tam_lcv result);

/* In a thread of frame f: a new activation of code block `callee` on this rank, and a message to
 * its inlet `body`. The first of its words is the name of f's inlet `reply`, which has the number
 * `number` and takes one word; the others are the arguments. `then` is TAM_GO_ON; or TAM_RETURN at
 * the end of the thread, where `return lcv` follows. */
#if TAM_SCHEDULER == TAM_HYBRID
#define TAM_GO_ON(f, lcv, reply) (lcv) = reply(f, lcv, TAM_BY_LCV, tam_here.result)
#define TAM_RETURN(f, lcv, reply) \
  return tam_count_call(), reply(f, lcv, TAM_BY_JUMP, tam_here.result)
#define TAM_CALL_(then, callee, f, lcv, reply, number, end, call, otherwise)                   \
  do {                                                                                         \
    const tam_name tam_to_ = tam_name_of(&(f)->head, number);                                  \
    if (TAM_UNLIKELY((uintptr_t)(lcv) >= end)) {                                               \
      otherwise;                                                                               \
      break;                                                                                   \
    }                                                                                          \
    struct callee* const tam_called_ =                                                         \
        callee##_of_new(tam_take_spare(lcv, &callee##_block.block));                           \
    const tam_lcv tam_result_ = tam_result_for(tam_to_);                                       \
    const tam_lcv tam_after_ = call;                                                           \
    if (TAM_LIKELY(tam_after_ == tam_result_) || tam_after_call(lcv, tam_after_, tam_result_)) \
      then(f, lcv, reply);                                                                     \
  } while (0)
#define TAM_CALL1(then, callee, body, f, lcv, reply, number)         \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.calls_end, \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_),        \
            TAM_PASS1(body, TAM_FALLOC(callee), NULL, tam_to_))
#define TAM_CALL2(then, callee, body, f, lcv, reply, number, w1)     \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.calls_end, \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1),    \
            TAM_PASS2(body, TAM_FALLOC(callee), NULL, tam_to_, w1))
#define TAM_CALL3(then, callee, body, f, lcv, reply, number, w1, w2)  \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.calls_end,  \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1, w2), \
            TAM_PASS3(body, TAM_FALLOC(callee), NULL, tam_to_, w1, w2))
#define TAM_CALL4(then, callee, body, f, lcv, reply, number, w1, w2, w3)  \
  TAM_CALL_(then, callee, f, lcv, reply, number, tam_here.calls_end,      \
            body(tam_called_, lcv, TAM_BY_CALL_FOR, tam_to_, w1, w2, w3), \
            TAM_PASS4(body, TAM_FALLOC(callee), NULL, tam_to_, w1, w2, w3))
#else
#define TAM_CALL1(then, callee, body, f, lcv, reply, number) \
  TAM_PASS1(body, TAM_FALLOC(callee), lcv, tam_name_of(&(f)->head, number))
#define TAM_CALL2(then, callee, body, f, lcv, reply, number, w1) \
  TAM_PASS2(body, TAM_FALLOC(callee), lcv, tam_name_of(&(f)->head, number), w1)
#define TAM_CALL3(then, callee, body, f, lcv, reply, number, w1, w2) \
  TAM_PASS3(body, TAM_FALLOC(callee), lcv, tam_name_of(&(f)->head, number), w1, w2)
#define TAM_CALL4(then, callee, body, f, lcv, reply, number, w1, w2, w3) \
  TAM_PASS4(body, TAM_FALLOC(callee), lcv, tam_name_of(&(f)->head, number), w1, w2, w3)
#endif

/* The end of a thread that has made calls whose results enable `thread`: goes on with it, if that
 * is what was enabled last. `bottom` is what lcv was at the thread's begin. */
#define TAM_STOP_FOR(f, bottom, lcv, thread) \
  (tam_take_forked(bottom, lcv, thread) ? TAM_JUMP(f, (lcv) - 1, thread) : (lcv))
TAM_INLINE int tam_take_forked(tam_lcv bottom, tam_lcv lcv, tam_thread thread) {
  if (TAM_SCHEDULER != TAM_HYBRID || lcv[-1].run != thread || lcv == bottom) return 0;
  tam_count_call();
  return 1;
}

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
