/* SPDX-License-Identifier: Apache-2.0
 * User-level threads for C (C11): ult.hpp's threads, conditions and locks. What C++ has and C does
 * not: results and arguments of any type, wait_any, thread-local values, recursive and node-wide
 * locks, latches, channels, task groups, coroutines.
 *
 * Nothing has to be started: the system thread that comes first is worker 0, and its program is
 * thread 1. Unless a function says otherwise it may switch to other threads, and so may not be
 * called in a message handler or in a condition's test. Misuse ends the process with one line.
 * Time-outs are in nanoseconds; RAMJET_ULT_FOREVER: none. Objects (mutexes and so on) are
 * initialised before use, lie anywhere in private memory, and are not copied; they hold no
 * resources that would have to be given back. */
#ifndef RAMJET_ULT_H
#define RAMJET_ULT_H

#include <ramjet/ramjet.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define RAMJET_ULT_FOREVER ((uint64_t)-1)

/* --- Workers --- */

/* System threads that run user-level threads. Zeroes stand for the defaults: one worker, stacks of
 * 64 KiB, 64 tests a pass. */
typedef struct ramjet_ult_options {
  unsigned workers;   /* this system thread included */
  int all_processors; /* not 0: as many workers as there are processors to use */
  int bind;           /* not 0: each stays on a processor of its own */
  size_t stack_bytes; /* of threads that do not choose */
  unsigned tests_per_pass;
  uint64_t shuffle_seed; /* for tests: ready threads run in an order shuffled by it; 0: in turn */
} ramjet_ult_options;

/* Starts the workers; null: the defaults. While no thread is alive but the caller. */
void ramjet_ult_start(const ramjet_ult_options* wanted);
/* Ends the workers but the first. Threads that have not ended are never run again. */
void ramjet_ult_stop(void);
/* How many there are, 0 before the first use. Legal anywhere. */
unsigned ramjet_ult_workers(void);

/* --- Threads --- */

#define RAMJET_ULT_WORDS_MAX 16

/* What a thread runs: the words that it was started with, and a word as its result. */
typedef uint64_t (*ramjet_ult_function)(const uint64_t* words);

/* A thread, held by one owner until ramjet_ult_free or ramjet_ult_detach. */
typedef struct ramjet_ult_thread ramjet_ult_thread;

/* What a thread may be given; zeroes stand for the defaults. */
typedef struct ramjet_ult_attributes {
  const char* name;   /* copied; null: none */
  size_t stack_bytes; /* 0: as the options say */
  int bound;          /* not 0: stays at `worker` */
  unsigned worker;
} ramjet_ult_attributes;

/* Starts function(words), `count` of them, copied, up to RAMJET_ULT_WORDS_MAX. `with` may be null.
 * Legal in handlers. */
ramjet_ult_thread* ramjet_ult_spawn(const ramjet_ult_attributes* with, ramjet_ult_function function,
                                    const uint64_t* words, unsigned count);

#ifndef __cplusplus
/* ramjet_ult_run(function, word, ...): a thread with the usual attributes and these words. */
#define RAMJET_ULT_WORDS(...) ((const uint64_t[]){__VA_ARGS__})
#define ramjet_ult_run(function, ...)                               \
  ramjet_ult_spawn(NULL, (function), RAMJET_ULT_WORDS(__VA_ARGS__), \
                   (unsigned)(sizeof RAMJET_ULT_WORDS(__VA_ARGS__) / sizeof(uint64_t)))
#endif

/* Waits for the thread's end; its result. By any number of threads, while it is not freed. A thread
 * that was cancelled has no result: *cancelled, unless null, is 1 then, else 0. */
uint64_t ramjet_ult_join(ramjet_ult_thread* thread, int* cancelled);
/* Waits for the thread's end and gives the handle back. Null is allowed. */
void ramjet_ult_free(ramjet_ult_thread* thread);
/* Gives the handle back; the thread goes on by itself. */
void ramjet_ult_detach(ramjet_ult_thread* thread);
/* The running thread, which was detached, can be joined again, by this handle. */
ramjet_ult_thread* ramjet_ult_attach(void);
/* Asks the thread to end: it does where it waits, or will wait next, in a condition
 * (ramjet_ult_wait_*), a semaphore, a condition variable, a barrier, ramjet_ult_sleep or
 * ramjet_ult_check_cancelled. It ends in no other wait: for a mutex, a read-write lock, a thread,
 * messages or accesses. Its frames are left by unwinding: C code cleans nothing up. */
void ramjet_ult_cancel(ramjet_ult_thread* thread);

/* The running thread: lets others run; its number, from 1; its worker; its name. The last three
 * are legal anywhere. */
void ramjet_ult_yield(void);
uint32_t ramjet_ult_self(void);
unsigned ramjet_ult_worker(void);
const char* ramjet_ult_name(void);
void ramjet_ult_set_name(const char* name);
/* Moves to a worker and stays there, until unbind. */
void ramjet_ult_bind(unsigned worker);
void ramjet_ult_unbind(void);
void ramjet_ult_sleep(uint64_t nanoseconds);
/* Ends here if somebody has cancelled it. */
void ramjet_ult_check_cancelled(void);

/* --- Conditions: polled by the scheduler as it passes --- */

typedef enum ramjet_ult_relation {
  RAMJET_ULT_EQUAL,
  RAMJET_ULT_UNEQUAL,
  RAMJET_ULT_LESS,
  RAMJET_ULT_NOT_ABOVE,
  RAMJET_ULT_ABOVE,
  RAMJET_ULT_NOT_BELOW
} ramjet_ult_relation;

/* Waits until *variable stands in the relation to a constant; RAMJET_TIMED_OUT if it did not in
 * time. The variable is aligned; in private or in shared memory; a store to it wakes. */
ramjet_status ramjet_ult_wait_32(const volatile int32_t* variable, ramjet_ult_relation relation,
                                 int32_t constant, uint64_t timeout_ns);
ramjet_status ramjet_ult_wait_64(const volatile int64_t* variable, ramjet_ult_relation relation,
                                 int64_t constant, uint64_t timeout_ns);
/* To another variable. */
ramjet_status ramjet_ult_wait_pair_32(const volatile int32_t* a, ramjet_ult_relation relation,
                                      const volatile int32_t* b, uint64_t timeout_ns);
ramjet_status ramjet_ult_wait_pair_64(const volatile int64_t* a, ramjet_ult_relation relation,
                                      const volatile int64_t* b, uint64_t timeout_ns);
/* Until test(argument) is not 0. It runs between threads, on the scheduler's stack. */
ramjet_status ramjet_ult_wait_test(int (*test)(void* argument), void* argument,
                                   uint64_t timeout_ns);

/* --- Locks and signals --- */

typedef struct ramjet_ult_mutex {
  uint64_t storage[5];
} ramjet_ult_mutex;
typedef struct ramjet_ult_unowned_mutex {
  uint64_t storage[5];
} ramjet_ult_unowned_mutex;
typedef struct ramjet_ult_semaphore {
  uint64_t storage[5];
} ramjet_ult_semaphore;
typedef struct ramjet_ult_cond {
  uint64_t storage[3];
} ramjet_ult_cond;
typedef struct ramjet_ult_barrier {
  uint64_t storage[5];
} ramjet_ult_barrier;
typedef struct ramjet_ult_rwlock {
  uint64_t storage[5];
} ramjet_ult_rwlock;

/* Handed on in the order of coming. try: RAMJET_RETRY if it is held. */
void ramjet_ult_mutex_init(ramjet_ult_mutex* m);
void ramjet_ult_mutex_lock(ramjet_ult_mutex* m);
RAMJET_NODISCARD ramjet_status ramjet_ult_mutex_try(ramjet_ult_mutex* m);
RAMJET_NODISCARD ramjet_status ramjet_ult_mutex_lock_for(ramjet_ult_mutex* m, uint64_t timeout_ns);
void ramjet_ult_mutex_unlock(ramjet_ult_mutex* m);

/* The same, but any thread may unlock it; try and unlock are legal in handlers. Dearer than a
 * ramjet_ult_mutex with several workers, and deadlock reports name no holder. */
void ramjet_ult_unowned_mutex_init(ramjet_ult_unowned_mutex* m);
void ramjet_ult_unowned_mutex_lock(ramjet_ult_unowned_mutex* m);
RAMJET_NODISCARD ramjet_status ramjet_ult_unowned_mutex_try(ramjet_ult_unowned_mutex* m);
RAMJET_NODISCARD ramjet_status ramjet_ult_unowned_mutex_lock_for(ramjet_ult_unowned_mutex* m,
                                                                 uint64_t timeout_ns);
/* Ends the process if the mutex is free. */
void ramjet_ult_unowned_mutex_unlock(ramjet_ult_unowned_mutex* m);

/* post is legal in handlers. */
void ramjet_ult_semaphore_init(ramjet_ult_semaphore* s, int64_t units);
void ramjet_ult_semaphore_wait(ramjet_ult_semaphore* s);
RAMJET_NODISCARD ramjet_status ramjet_ult_semaphore_try(ramjet_ult_semaphore* s);
RAMJET_NODISCARD ramjet_status ramjet_ult_semaphore_wait_for(ramjet_ult_semaphore* s,
                                                             uint64_t timeout_ns);
void ramjet_ult_semaphore_post(ramjet_ult_semaphore* s);

/* wait: with the mutex held, before and after. signal and broadcast are legal in handlers. */
void ramjet_ult_cond_init(ramjet_ult_cond* c);
void ramjet_ult_cond_wait(ramjet_ult_cond* c, ramjet_ult_mutex* held);
RAMJET_NODISCARD ramjet_status ramjet_ult_cond_wait_for(ramjet_ult_cond* c, ramjet_ult_mutex* held,
                                                        uint64_t timeout_ns);
void ramjet_ult_cond_signal(ramjet_ult_cond* c);
void ramjet_ult_cond_broadcast(ramjet_ult_cond* c);

/* Lets threads go on once `count` >= 1 of them have come, again and again. */
void ramjet_ult_barrier_init(ramjet_ult_barrier* b, unsigned count);
void ramjet_ult_barrier_wait(ramjet_ult_barrier* b);

/* Many readers or one writer, first come, first served. */
void ramjet_ult_rwlock_init(ramjet_ult_rwlock* l);
void ramjet_ult_rwlock_read(ramjet_ult_rwlock* l);
void ramjet_ult_rwlock_write(ramjet_ult_rwlock* l);
void ramjet_ult_rwlock_end_read(ramjet_ult_rwlock* l);
void ramjet_ult_rwlock_end_write(ramjet_ult_rwlock* l);

/* --- Parallel loops --- */

/* Calls f(i, context) for every i of [from, to) by all workers; `grain` calls stay together, 0: the
 * library chooses. Returns when all have returned. */
void ramjet_ult_parallel_for(size_t from, size_t to, size_t grain,
                             void (*f)(size_t i, void* context), void* context);

/* Writes a line for every thread, with what it waits for. Legal in signal handlers. */
void ramjet_ult_dump(int file);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
