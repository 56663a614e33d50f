/* SPDX-License-Identifier: Apache-2.0
 * The threaded abstract machine: what generated C stands on, and tam.hpp with it. Code blocks of
 * inlets and threads run over frames; a program is fine-grained tasks that wait for nothing, and
 * whose order is the order in which their data comes. (Culler et al. 1991, Fine-grain Parallelism
 * with Minimal Hardware Support; Spertus and Dally 1995, Evaluating the Locality Benefits of Active
 * Messages.) Everything here belongs to the main thread.
 *
 * How C is generated for a code block `fib` (tests/tam/fib.c is a program by these rules):
 *
 *   struct fib { struct tam_frame head; struct tam_entry rcv[2];  // 1 + what can be posted at once
 *                uint32_t sum_count;                              // a synchronising thread's count
 *                tam_name parent; tam_word n, left, right; };     // slots
 *   static const TAM_BLOCK(fib, INLETS) fib_block;            // declared first, and defined last
 *                                     // as `static const struct fib_block_type fib_block = {...}`
 *
 * A thread is a function that returns the top of the local continuation vector; `return` is stop:
 *
 *   static tam_lcv fib_sum(struct tam_frame* frame, tam_lcv lcv) {
 *     struct fib* f = (struct fib*)frame;
 *     tam_send1(lcv, f->parent, f->left + f->right);
 *     return TAM_FFREE(f);              // always the last thing that an activation does
 *   }
 *
 * In a thread, TAM_FORK(lcv, t) and TAM_FORK_SYNC(f, lcv, count, t) push a thread, and at its end
 * `return TAM_JUMP(f, lcv, t)` goes on with one. A switch is an `if` around these. The last fork of
 * a synchronising thread runs it: a loop sets the entry count again itself, before anything of the
 * next round can be forked or posted. A call whose result comes to an inlet of this frame is best
 * made by TAM_CALL2 (tam_call.h).
 *
 * An inlet is a body, which is inlined wherever its caller is known, and an entry for all others:
 *
 *   TAM_BODY tam_lcv fib_left(struct fib* f, tam_lcv lcv, int way, tam_word value) {
 *     f->left = value;
 *     TAM_POST_SYNC_LAST(f, lcv, way, sum_count, fib_sum);   // or TAM_POST..., and `return lcv`
 *   }
 *   TAM_INLET1(fib_left, struct fib)                          // makes fib_left_inlet
 *
 * Words are 64 bits; tam_of_double and tam_to_double carry a double in one. The initial entry
 * counts are set by a function (tam_block.prepare), which TAM_FALLOC inlines.
 *
 * The same source is compiled for each scheduler: -DTAM_SCHEDULER=TAM_AM (the default), TAM_MD,
 * TAM_UNENABLED or TAM_HYBRID. All units of a program are compiled for one; tam_main checks it.
 * With -O2 and more, -DTAM_JUMPS=1 makes jumps of TAM_JUMP and of the last post of an inlet. */
#ifndef RAMJET_TAM_H
#define RAMJET_TAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* --- Schedulers --- */

/* AM: an inlet runs at once and posts into its frame, whose threads run together in a quantum. */
#define TAM_AM 1
/* MD: messages wait in one queue; an inlet runs with the threads that it enables. */
#define TAM_MD 2
/* AM, but messages and fetches are served between threads only, local ones too. */
#define TAM_UNENABLED 3
/* AM, but a thread that an inlet posts last runs at once where its frame is idle, if that is not
 * too deep in others'. Generated code posts long threads by TAM_POST. */
#define TAM_HYBRID 4

#ifndef TAM_SCHEDULER
#define TAM_SCHEDULER TAM_AM
#endif
#ifndef TAM_JUMPS
#define TAM_JUMPS 0
#endif

#define TAM_INLINE static inline __attribute__((__always_inline__, __unused__))
#define TAM_BODY TAM_INLINE
#define TAM_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TAM_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define TAM_TEXT_(x) #x
#define TAM_TEXT(x) TAM_TEXT_(x)
/* A place in the source, for messages; #line directives count. */
#define TAM_HERE __FILE__ ":" TAM_TEXT(__LINE__)

/* --- Frames, threads, inlets --- */

typedef uint64_t tam_word;
/* A frame of any rank and one of its inlets: {rank:16 | inlet:12 | bytes from the rank's first
 * frame:36}. With inlet 0 it is the frame's name; adding TAM_INLET_UNIT gives the next inlet's. */
typedef uint64_t tam_name;
#define TAM_OFFSET_BITS 36
#define TAM_INLETS_MAX 4096
#define TAM_INLET_UNIT ((tam_name)1 << TAM_OFFSET_BITS)

struct tam_frame;
struct tam_entry;
/* The top of the local continuation vector: the next entry to be written. Null: the frame that ran
 * is gone. With bit 0 set, which the hybrid's threads return: it is to be freed and leaves a result
 * (tam_result_for). */
typedef struct tam_entry* tam_lcv;
typedef tam_lcv (*tam_thread)(struct tam_frame*, tam_lcv);
/* Inlets take four words, of which each uses its first ones. */
typedef tam_lcv (*tam_inlet)(struct tam_frame*, tam_lcv, tam_word, tam_word, tam_word, tam_word);
struct tam_entry {
  union {
    tam_thread run;
    struct tam_frame* frame; /* of the entries at tam_spare (tam_call.h) */
  };
};

/* The head of every frame. The remote continuation vector follows at once. */
struct tam_frame {
  const struct tam_block* block; /* null: free */
  struct tam_frame* link;        /* in the ready queue, or among the free frames */
  /* Entries of the remote continuation vector; while the frame runs, one more, whose place is
   * unused. Not 0: the frame is in the ready queue, or runs. */
  uint32_t posted;
  uint32_t frame_class; /* tam_class */
};

/* What a report tells of a thread or an inlet. */
struct tam_thread_info {
  const char* name;
  const char* site;       /* "file:line" */
  uint32_t count_offset; /* of its entry count in the frame; 0: not synchronising */
};
struct tam_inlet_info {
  const char* name;
  const char* site;
};

/* A code block. Its inlets' entries follow it: TAM_BLOCK(name, inlets) is the type of both. */
struct tam_block {
  const char* name; /* of its own in the program */
  const char* site;
  uint32_t scheduler; /* TAM_SCHEDULER */
  uint32_t frame_bytes;
  uint32_t inlet_count, thread_count;
  const struct tam_inlet_info* inlets;
  const struct tam_thread_info* threads;
  void (*prepare)(struct tam_frame*); /* sets the initial entry counts; null: there are none */
  tam_thread entry, exit; /* run at both ends of a quantum and push nothing; null: none */
};
#define TAM_BLOCK(name, inlets)                 \
  struct name##_block_type {                    \
    struct tam_block block;                     \
    tam_inlet entries[(inlets) ? (inlets) : 1]; \
  }
TAM_INLINE const tam_inlet* tam_entries(const struct tam_block* block) {
  return (const tam_inlet*)(block + 1);
}

/* --- This rank --- */

/* Frames are of the classes 64, 128, ... 4096 bytes, then powers of two. */
#define TAM_FRAME_UNIT 64
#define TAM_SMALL_CLASSES 64
#define TAM_CLASSES (TAM_SMALL_CLASSES + 12)
TAM_INLINE unsigned tam_class(size_t bytes) {
  return bytes <= TAM_FRAME_UNIT * TAM_SMALL_CLASSES
             ? (unsigned)((bytes - 1) / TAM_FRAME_UNIT)
             : TAM_SMALL_CLASSES - 13 + 64 - (unsigned)__builtin_clzll((uint64_t)bytes - 1);
}

/* The state of the machine in this process; the main thread's. Hot first. */
struct tam_state {
  /* Frames with posted threads, in the order in which they run: those that a quantum posts are
   * next, the first one first, as if it had called them one after the other. */
  struct tam_frame* ready;
  struct tam_frame** next_ready; /* the link that leads to the next one posted */
  char* frames;            /* the first byte of frame memory */
  tam_name own;            /* rank << 48 */
  tam_name name_bias;      /* own - frames: a frame's name less its address */
  tam_word* queue_tail;    /* of messages: where the next one goes, */
  tam_word* queue_limit;   /* if it does not lie past this */
  uintptr_t calls_end;     /* the local continuation vector's top when enough calls are nested */
  uintptr_t share_end;     /* the same, while pool_room is 0; else 0 */
  tam_word result;         /* of the thread that returned a tam_result_for */
  uint32_t calls_left;     /* of those with results before tam_serve */
  uint32_t pool_room;      /* further activations that may wait here for idle ranks */
  uint32_t awaits;         /* elements of near ranks have just been fetched and were not there */
  /* Arrays that are read in place lie in the `near_bytes` from `near_begin` on: this rank's and
   * those of near ranks; this rank's may lie elsewhere if it has none. */
  tam_word near_begin, near_bytes;
  /* Elements of a shared array that this rank keeps, those that it stored into last: their values
   * lie in the `kept_bytes` from `kept_begin` on. */
  tam_word kept_begin, kept_bytes;
  struct tam_frame* free[TAM_CLASSES];
};
extern struct tam_state tam_here;

TAM_INLINE int tam_rank_of(tam_name name) { return (int)(name >> 48); }
TAM_INLINE unsigned tam_inlet_of(tam_name name) {
  return (unsigned)(name >> TAM_OFFSET_BITS) & (TAM_INLETS_MAX - 1);
}
TAM_INLINE int tam_is_own(tam_name name) { return (name ^ tam_here.own) >> 48 == 0; }
/* The frame, if it is this rank's. */
TAM_INLINE struct tam_frame* tam_frame_of(tam_name own) {
  return (struct tam_frame*)(tam_here.frames + (own & (TAM_INLET_UNIT - 1)));
}
TAM_INLINE tam_name tam_name_of(const struct tam_frame* frame, unsigned inlet) {
  return (tam_name)(uintptr_t)frame + tam_here.name_bias + inlet * TAM_INLET_UNIT;
}

TAM_INLINE tam_word tam_of_double(double value) {
  tam_word word;
  memcpy(&word, &value, sizeof word);
  return word;
}
TAM_INLINE double tam_to_double(tam_word word) {
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* --- Frames --- */

/* Makes free frames of the class and returns the first; where memory is out, ends the process with
 * a line that names the code block. */
struct tam_frame* tam_more_frames(unsigned frame_class, const struct tam_block* block);

TAM_INLINE struct tam_frame* tam_take_frame(const struct tam_block* block, size_t bytes) {
  const unsigned c = tam_class(bytes);
  struct tam_frame* f = tam_here.free[c];
  if (TAM_UNLIKELY(f == NULL)) f = tam_more_frames(c, block);
  tam_here.free[c] = f->link;
  f->block = block;
  f->posted = 0;
  return f;
}
TAM_INLINE void tam_give_frame(struct tam_frame* frame, size_t bytes) {
  const unsigned c = tam_class(bytes);
  frame->block = NULL;
  frame->link = tam_here.free[c];
  tam_here.free[c] = frame;
}

/* A frame for code block `name` (struct name, name_block, name_prepare) on this rank. */
#define TAM_FALLOC(name) name##_of_new(tam_take_frame(&name##_block.block, sizeof(struct name)))
/* Defines what TAM_FALLOC needs, after name_prepare(struct tam_frame*), and before its uses. */
#define TAM_FALLOC_OF(name)                                        \
  TAM_INLINE struct name* name##_of_new(struct tam_frame* frame) { \
    name##_prepare(frame);                                         \
    return (struct name*)frame;                                    \
  }
/* Frees the frame of the thread that runs, which returns what this gives. */
#define TAM_FFREE(f) tam_end_frame(&(f)->head, sizeof *(f))
/* The same, and sends a word: the usual end of a call, cheaper than a send and a free. The hybrid
 * leaves both to the one that has run the thread: at best its caller, in place. */
#define TAM_FFREE_SEND1(f, to, w0) tam_end_frame_send1(&(f)->head, sizeof *(f), to, w0)
TAM_INLINE tam_lcv tam_end_frame(struct tam_frame* frame, size_t bytes) {
  tam_give_frame(frame, bytes);
  return NULL;
}
/* Frees a frame of this rank that neither runs nor has posted threads. */
void tam_ffree(struct tam_frame* frame);

/* --- Fork and post --- */

/* Where a post puts a thread. Constant wherever a body is inlined. */
enum tam_way {
  TAM_BY_RCV, /* into the frame */
  TAM_BY_LCV, /* the frame runs, and the poster is its thread */
  TAM_BY_CALL, /* at once, if the frame is idle; else into it */
  TAM_BY_CALL_APART, /* the same, where most frames are not idle: out of line */
  TAM_BY_CALL_FOR, /* at once, into a frame that counts as running; returns what it returns */
  TAM_BY_JUMP /* straight from the queue */
};

TAM_INLINE tam_lcv tam_push(tam_lcv lcv, tam_thread thread) {
  lcv->run = thread;
  return lcv + 1;
}
/* Ends the process: more threads are posted than the frame has entries. */
__attribute__((__noreturn__, __cold__)) void tam_rcv_full(const struct tam_frame* frame);

TAM_INLINE tam_lcv tam_post(struct tam_frame* frame, struct tam_entry* rcv, size_t capacity,
                            tam_lcv lcv, int way, tam_thread thread) {
  if (way == TAM_BY_LCV || way == TAM_BY_JUMP) return tam_push(lcv, thread);
  const uint32_t n = frame->posted;
  if (TAM_UNLIKELY(n >= capacity)) tam_rcv_full(frame);
  rcv[n].run = thread;
  frame->posted = n + 1;
  if (n == 0) {
    struct tam_frame** const at = tam_here.next_ready;
    frame->link = *at;
    *at = frame;
    tam_here.next_ready = &frame->link;
  }
  return lcv;
}

/* What a thread returns that leaves tam_here.result for the inlet `to`. */
TAM_INLINE tam_lcv tam_result_for(tam_name to) { return (tam_lcv)(uintptr_t)(to | 1); }
TAM_INLINE int tam_is_result(tam_lcv lcv) { return ((uintptr_t)lcv & 1) != 0; }

/* The rest of a quantum that began with a thread which returned `lcv`, above `bottom`. */
void tam_go_on(struct tam_frame* frame, tam_lcv bottom, tam_lcv lcv);
/* How many threads may be called by others' posts, one in the other; each takes some hundred bytes
 * of the stack. */
#define TAM_CALLS_MAX 1000
/* A post that an inlet ends with; lcv is not null. Where it is, outside all threads, tam_post_last
 * calls nothing. */
tam_lcv tam_call_slow(struct tam_frame* frame, tam_lcv lcv, tam_thread thread);
TAM_INLINE tam_lcv tam_post_last(struct tam_frame* frame, struct tam_entry* rcv, size_t capacity,
                                 tam_lcv lcv, int way, tam_thread thread) {
  if (way == TAM_BY_CALL_APART && frame->posted == 0 && lcv != NULL)
    return tam_call_slow(frame, lcv, thread);
  if (way == TAM_BY_CALL_FOR
          ? TAM_UNLIKELY(frame->posted != 1) /* what is posted before it comes first */
          : way != TAM_BY_CALL || frame->posted != 0 ||
                TAM_UNLIKELY((uintptr_t)lcv - 1 >= tam_here.calls_end)) /* null, too */
    return tam_post(frame, rcv, capacity, lcv, way, thread);
  const tam_lcv bottom = lcv + 1; /* so the vector's top counts the calls on the stack */
  if (way == TAM_BY_CALL) frame->posted = 1;
  if (frame->block->entry != NULL) frame->block->entry(frame, bottom);
  const tam_lcv after = thread(frame, bottom);
  if (way == TAM_BY_CALL_FOR) return after;
  if (after != NULL) tam_go_on(frame, bottom, after);
  return lcv;
}

#define TAM_FORK(lcv, thread) ((void)((lcv) = tam_push(lcv, thread)))
#define TAM_FORK_SYNC(f, lcv, count, thread)      \
  do {                                            \
    if (--(f)->count == 0) TAM_FORK(lcv, thread); \
  } while (0)
#if TAM_JUMPS
#define TAM_JUMP(f, lcv, thread) thread(&(f)->head, lcv)
#else
#define TAM_JUMP(f, lcv, thread) tam_push(lcv, thread)
#endif
#define TAM_JUMP_SYNC(f, lcv, count, thread) (--(f)->count == 0 ? TAM_JUMP(f, lcv, thread) : (lcv))

#define TAM_POST(f, lcv, way, thread)                                                          \
  ((void)((lcv) = tam_post(&(f)->head, (f)->rcv, sizeof(f)->rcv / sizeof(f)->rcv[0], lcv, way, \
                           thread)))
#define TAM_POST_SYNC(f, lcv, way, count, thread)         \
  do {                                                    \
    if (--(f)->count == 0) TAM_POST(f, lcv, way, thread); \
  } while (0)
/* A post that an inlet ends with: it returns. */
#define TAM_POST_LAST(f, lcv, way, thread)                                                       \
  return (way) == TAM_BY_JUMP                                                                    \
             ? TAM_JUMP(f, lcv, thread)                                                          \
             : tam_post_last(&(f)->head, (f)->rcv, sizeof(f)->rcv / sizeof(f)->rcv[0], lcv, way, \
                             thread)
#define TAM_POST_SYNC_LAST(f, lcv, way, count, thread)         \
  do {                                                         \
    if (--(f)->count == 0) TAM_POST_LAST(f, lcv, way, thread); \
    return lcv;                                                \
  } while (0)

/* The entries of inlets, for callers that do not know the code block. */
#if TAM_SCHEDULER == TAM_MD
#define TAM_ENTRY_WAY TAM_BY_JUMP
#elif TAM_SCHEDULER == TAM_HYBRID
#define TAM_ENTRY_WAY TAM_BY_CALL_APART
#else
#define TAM_ENTRY_WAY TAM_BY_RCV
#endif
#define TAM_INLET_ENTRY_(body, call)                                                          \
  static tam_lcv body##_inlet(struct tam_frame* frame, tam_lcv lcv, tam_word w0, tam_word w1, \
                              tam_word w2, tam_word w3) {                                     \
    (void)w0, (void)w1, (void)w2, (void)w3;                                                   \
    return call;                                                                              \
  }
#define TAM_INLET0(body, type) TAM_INLET_ENTRY_(body, body((type*)frame, lcv, TAM_ENTRY_WAY))
#define TAM_INLET1(body, type) TAM_INLET_ENTRY_(body, body((type*)frame, lcv, TAM_ENTRY_WAY, w0))
#define TAM_INLET2(body, type) \
  TAM_INLET_ENTRY_(body, body((type*)frame, lcv, TAM_ENTRY_WAY, w0, w1))
#define TAM_INLET3(body, type) \
  TAM_INLET_ENTRY_(body, body((type*)frame, lcv, TAM_ENTRY_WAY, w0, w1, w2))
#define TAM_INLET4(body, type) \
  TAM_INLET_ENTRY_(body, body((type*)frame, lcv, TAM_ENTRY_WAY, w0, w1, w2, w3))

/* --- Messages --- */

/* A message in the queue: its inlet, its frame with the number of words in the low bits, the words.
 * Room for the longest is always left. */
#define TAM_MESSAGE_WORDS_MAX 6
/* Returns a place past which the queue goes on. */
tam_word* tam_more_queue(void);

TAM_INLINE void tam_enqueue(tam_inlet inlet, struct tam_frame* frame, unsigned count, tam_word w0,
                            tam_word w1, tam_word w2, tam_word w3) {
  tam_word* t = tam_here.queue_tail;
  if (TAM_UNLIKELY(t > tam_here.queue_limit)) t = tam_more_queue();
  t[0] = (tam_word)(uintptr_t)inlet;
  t[1] = (tam_word)(uintptr_t)frame | count;
  if (count > 0) t[2] = w0;
  if (count > 1) t[3] = w1;
  if (count > 2) t[4] = w2;
  if (count > 3) t[5] = w3;
  tam_here.queue_tail = t + 2 + count;
}

/* Sends to a frame of another rank. */
void tam_send_far(tam_name to, unsigned count, tam_word w0, tam_word w1, tam_word w2, tam_word w3);

/* Returns lcv. */
TAM_INLINE tam_lcv tam_send(tam_lcv lcv, tam_name to, unsigned count, tam_word w0, tam_word w1,
                            tam_word w2, tam_word w3) {
  const tam_name here = to ^ tam_here.own; /* without a rank, if it is this one */
  if (TAM_UNLIKELY(here >> 48 != 0)) {
    tam_send_far(to, count, w0, w1, w2, w3);
    return lcv;
  }
  struct tam_frame* frame = tam_frame_of(here);
  const tam_inlet inlet = tam_entries(frame->block)[here >> TAM_OFFSET_BITS];
  if (TAM_SCHEDULER == TAM_AM || TAM_SCHEDULER == TAM_HYBRID)
    return inlet(frame, lcv, w0, w1, w2, w3);
  tam_enqueue(inlet, frame, count, w0, w1, w2, w3);
  return lcv;
}
TAM_INLINE tam_lcv tam_end_frame_send1(struct tam_frame* frame, size_t bytes, tam_name to,
                                       tam_word w0) {
  if (TAM_SCHEDULER == TAM_HYBRID) {
    tam_here.result = w0;
    return tam_result_for(to);
  }
  tam_give_frame(frame, bytes);
  return tam_send(NULL, to, 1, w0, 0, 0, 0);
}
/* From a thread, to an inlet of any frame; with lcv null from outside all threads. */
TAM_INLINE void tam_send0(tam_lcv lcv, tam_name to) { tam_send(lcv, to, 0, 0, 0, 0, 0); }
TAM_INLINE void tam_send1(tam_lcv lcv, tam_name to, tam_word w0) {
  tam_send(lcv, to, 1, w0, 0, 0, 0);
}
TAM_INLINE void tam_send2(tam_lcv lcv, tam_name to, tam_word w0, tam_word w1) {
  tam_send(lcv, to, 2, w0, w1, 0, 0);
}
TAM_INLINE void tam_send3(tam_lcv lcv, tam_name to, tam_word w0, tam_word w1, tam_word w2) {
  tam_send(lcv, to, 3, w0, w1, w2, 0);
}
TAM_INLINE void tam_send4(tam_lcv lcv, tam_name to, tam_word w0, tam_word w1, tam_word w2,
                          tam_word w3) {
  tam_send(lcv, to, 4, w0, w1, w2, w3);
}
/* From a thread, to a frame on this rank whose code block is known (not the frame that runs, to
 * which a fork does it): runs the inlet's body in place, or queues it. */
#if TAM_SCHEDULER == TAM_AM || TAM_SCHEDULER == TAM_HYBRID
#define TAM_PASS_WAY (TAM_SCHEDULER == TAM_HYBRID ? TAM_BY_CALL : TAM_BY_RCV)
#define TAM_PASS0(body, f, lcv) ((void)body(f, lcv, TAM_PASS_WAY))
#define TAM_PASS1(body, f, lcv, w0) ((void)body(f, lcv, TAM_PASS_WAY, w0))
#define TAM_PASS2(body, f, lcv, w0, w1) ((void)body(f, lcv, TAM_PASS_WAY, w0, w1))
#define TAM_PASS3(body, f, lcv, w0, w1, w2) ((void)body(f, lcv, TAM_PASS_WAY, w0, w1, w2))
#define TAM_PASS4(body, f, lcv, w0, w1, w2, w3) ((void)body(f, lcv, TAM_PASS_WAY, w0, w1, w2, w3))
#else
#define TAM_PASS0(body, f, lcv) ((void)(lcv), tam_enqueue(body##_inlet, &(f)->head, 0, 0, 0, 0, 0))
#define TAM_PASS1(body, f, lcv, w0) \
  ((void)(lcv), tam_enqueue(body##_inlet, &(f)->head, 1, w0, 0, 0, 0))
#define TAM_PASS2(body, f, lcv, w0, w1) \
  ((void)(lcv), tam_enqueue(body##_inlet, &(f)->head, 2, w0, w1, 0, 0))
#define TAM_PASS3(body, f, lcv, w0, w1, w2) \
  ((void)(lcv), tam_enqueue(body##_inlet, &(f)->head, 3, w0, w1, w2, 0))
#define TAM_PASS4(body, f, lcv, w0, w1, w2, w3) \
  ((void)(lcv), tam_enqueue(body##_inlet, &(f)->head, 4, w0, w1, w2, w3))
#endif

/* --- Programs --- */

/* The inlet, outside all code blocks and on rank 0, that takes the result of `words` words, at most
 * four. A program has ended well if a result has been sent. Legal on every rank. */
tam_name tam_root(unsigned words);
/* On rank 0: whether a result has come, and its words; the last one that came counts. */
int tam_has_result(void);
tam_word tam_result(unsigned index);

/* A whole program: joins the job, calls start(argc, argv) on rank 0, which makes the first frames
 * and sends to them, runs until nothing is left to run, and leaves the job. `blocks` are the code
 * blocks of the program, on every rank the same. Returns 0; 1 on all ranks if no result has come,
 * which a report on stderr explains: who waits for what. finish, which may be null, is called on
 * rank 0 in the former case. */
int tam_main(int argc, char** argv, const struct tam_block* const* blocks, unsigned count,
             void (*start)(int argc, char** argv), void (*finish)(void));

/* The parts of tam_main, for programs that are more than TAM; collective in a job, legal outside
 * one. tam_open prepares this process, tam_run runs until nothing is left to run on any rank and
 * returns how many frames there still are on all of them, tam_report writes who waits for what on
 * this rank, or nothing if all that waits is on others, and asks the ranks whose frames wait here
 * what these are: they answer while they look at the network, as in a collective. tam_close gives
 * the memory back. */
void tam_open(const struct tam_block* const* blocks, unsigned count);
size_t tam_run(void);
void tam_report(void);
void tam_close(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#include <ramjet/tam_call.h>
#include <ramjet/tam_heap.h>
#include <ramjet/tam_placement.h>

#endif
