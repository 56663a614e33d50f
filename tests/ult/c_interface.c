/* SPDX-License-Identifier: Apache-2.0
 * Every function of ramjet_ult.h, from plain C. Exit status 0: all as it should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ramjet/ramjet_ult.h"

#define EXPECT(condition) \
  ((condition)            \
       ? (void)0          \
       : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#define MS 1000000ull

static ramjet_ult_mutex mutex;
static ramjet_ult_semaphore semaphore;
static ramjet_ult_cond cond;
static ramjet_ult_barrier barrier;
static ramjet_ult_rwlock rwlock;
static int shared_count, stage, readers;

static uint64_t sum_all(const uint64_t* words) {
  uint64_t sum = 0;
  for (int i = 0; i < RAMJET_ULT_WORDS_MAX; ++i) sum += words[i];
  return sum;
}

static uint64_t say_who(const uint64_t* words) {
  ramjet_ult_set_name("renamed");
  EXPECT(strcmp(ramjet_ult_name(), "renamed") == 0);
  EXPECT(ramjet_ult_self() != words[0]);
  return ramjet_ult_worker();
}

static void threads(unsigned workers) {
  uint64_t words[RAMJET_ULT_WORDS_MAX];
  for (uint64_t i = 0; i < RAMJET_ULT_WORDS_MAX; ++i) words[i] = i;
  ramjet_ult_thread* all = ramjet_ult_spawn(NULL, sum_all, words, RAMJET_ULT_WORDS_MAX);
  ramjet_ult_thread* few = ramjet_ult_run(sum_all, 1, 2, 3);
  int cancelled = 7;
  EXPECT(ramjet_ult_join(all, &cancelled) == 120 && cancelled == 0);
  EXPECT(ramjet_ult_join(all, NULL) == 120);
  EXPECT(ramjet_ult_join(few, NULL) == 6);
  ramjet_ult_free(all);
  ramjet_ult_free(few);
  ramjet_ult_free(NULL);

  const uint64_t me = ramjet_ult_self();
  const ramjet_ult_attributes bound = {
      .name = "bound", .stack_bytes = 100000, .bound = 1, .worker = workers - 1};
  ramjet_ult_thread* there = ramjet_ult_spawn(&bound, say_who, &me, 1);
  EXPECT(ramjet_ult_join(there, NULL) == workers - 1);
  ramjet_ult_free(there);
}

static uint64_t set_stage(const uint64_t* words) {
  ramjet_ult_sleep(2 * MS);
  __atomic_store_n(&stage, (int)words[0], __ATOMIC_RELEASE);
  return 0;
}

static uint64_t wait_for_units(const uint64_t* words) {
  (void)words;
  ramjet_ult_semaphore_wait(&semaphore);
  return 1;
}

static uint64_t look_whether_cancelled(const uint64_t* words) {
  (void)words;
  for (;;) {
    ramjet_ult_yield();
    ramjet_ult_check_cancelled();
  }
  return 0;
}

static ramjet_ult_thread* attached;

static uint64_t attach_again(const uint64_t* words) {
  attached = ramjet_ult_attach();
  __atomic_store_n(&stage, (int)words[0], __ATOMIC_RELEASE);
  ramjet_ult_sleep(MS);
  return 3;
}

static uint64_t wait_for_signal(const uint64_t* words) {
  (void)words;
  ramjet_ult_mutex_lock(&mutex);
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE);
  ramjet_ult_cond_wait(&cond, &mutex);
  return 1;
}

/* A thread that is cancelled there leaves the mutex to others. */
static void cancelled_with_a_mutex(void) {
  stage = 0;
  ramjet_ult_thread* waiting = ramjet_ult_run(wait_for_signal, 0);
  EXPECT(ramjet_ult_wait_32(&stage, RAMJET_ULT_EQUAL, 1, RAMJET_ULT_FOREVER) == RAMJET_OK);
  ramjet_ult_cancel(waiting);
  int cancelled = 0;
  EXPECT(ramjet_ult_join(waiting, &cancelled) == 0 && cancelled == 1);
  ramjet_ult_free(waiting);
  EXPECT(ramjet_ult_mutex_try(&mutex) == RAMJET_OK);
  ramjet_ult_mutex_unlock(&mutex);
}

static void ends(void) {
  ramjet_ult_semaphore_init(&semaphore, 0);
  ramjet_ult_thread* waiting = ramjet_ult_run(wait_for_units, 0);
  ramjet_ult_thread* looking = ramjet_ult_run(look_whether_cancelled, 0);
  ramjet_ult_yield();
  ramjet_ult_cancel(waiting);
  ramjet_ult_cancel(looking);
  int cancelled = 0;
  EXPECT(ramjet_ult_join(waiting, &cancelled) == 0 && cancelled == 1);
  EXPECT(ramjet_ult_join(looking, &cancelled) == 0 && cancelled == 1);
  ramjet_ult_free(waiting);
  ramjet_ult_free(looking);

  stage = 0;
  ramjet_ult_detach(ramjet_ult_run(set_stage, 5));
  EXPECT(ramjet_ult_wait_32(&stage, RAMJET_ULT_EQUAL, 5, RAMJET_ULT_FOREVER) == RAMJET_OK);

  /* At this worker, so that it runs when this thread yields, having detached it. */
  const ramjet_ult_attributes here = {.bound = 1, .worker = 0};
  const uint64_t six = 6;
  ramjet_ult_detach(ramjet_ult_spawn(&here, attach_again, &six, 1));
  EXPECT(ramjet_ult_wait_32(&stage, RAMJET_ULT_EQUAL, 6, RAMJET_ULT_FOREVER) == RAMJET_OK);
  EXPECT(ramjet_ult_join(attached, &cancelled) == 0 && cancelled == 0);
  ramjet_ult_free(attached);
}

static int is_nine(void* argument) {
  return __atomic_load_n((const int*)argument, __ATOMIC_ACQUIRE) == 9;
}

static void conditions(void) {
  const int32_t a = 3, b = 4;
  const int64_t c = -3, d = 1ll << 40;
  const uint64_t soon = MS;
  EXPECT(ramjet_ult_wait_32(&a, RAMJET_ULT_EQUAL, 3, 0) == RAMJET_OK);
  EXPECT(ramjet_ult_wait_32(&a, RAMJET_ULT_UNEQUAL, 3, soon) == RAMJET_TIMED_OUT);
  EXPECT(ramjet_ult_wait_32(&a, RAMJET_ULT_LESS, 4, soon) == RAMJET_OK);
  EXPECT(ramjet_ult_wait_32(&a, RAMJET_ULT_NOT_ABOVE, 2, soon) == RAMJET_TIMED_OUT);
  EXPECT(ramjet_ult_wait_64(&c, RAMJET_ULT_ABOVE, -4, soon) == RAMJET_OK);
  EXPECT(ramjet_ult_wait_64(&d, RAMJET_ULT_NOT_BELOW, (1ll << 40) + 1, soon) == RAMJET_TIMED_OUT);
  EXPECT(ramjet_ult_wait_pair_32(&a, RAMJET_ULT_LESS, &b, soon) == RAMJET_OK);
  EXPECT(ramjet_ult_wait_pair_64(&c, RAMJET_ULT_EQUAL, &d, soon) == RAMJET_TIMED_OUT);
  stage = 0;
  ramjet_ult_thread* setter = ramjet_ult_run(set_stage, 9);
  EXPECT(ramjet_ult_wait_test(is_nine, &stage, 5000 * MS) == RAMJET_OK);
  EXPECT(ramjet_ult_wait_test(is_nine, &stage, RAMJET_ULT_FOREVER) == RAMJET_OK);
  ramjet_ult_free(setter);
}

static uint64_t count_up(const uint64_t* words) {
  for (uint64_t i = 0; i < words[0]; ++i) {
    ramjet_ult_mutex_lock(&mutex);
    const int before = shared_count;
    if (i % 16 == 0) ramjet_ult_yield();
    shared_count = before + 1;
    ramjet_ult_cond_signal(&cond);
    ramjet_ult_mutex_unlock(&mutex);
  }
  ramjet_ult_barrier_wait(&barrier);
  return 0;
}

static uint64_t read_or_write(const uint64_t* words) {
  for (int i = 0; i < 50; ++i) {
    if (words[0] == 0) {
      ramjet_ult_rwlock_write(&rwlock);
      EXPECT(readers == 0);
      ramjet_ult_yield();
      EXPECT(readers == 0);
      ramjet_ult_rwlock_end_write(&rwlock);
    } else {
      ramjet_ult_rwlock_read(&rwlock);
      __atomic_add_fetch(&readers, 1, __ATOMIC_RELAXED);
      ramjet_ult_yield();
      __atomic_sub_fetch(&readers, 1, __ATOMIC_RELAXED);
      ramjet_ult_rwlock_end_read(&rwlock);
    }
    ramjet_ult_yield();
  }
  return 0;
}

static uint64_t read_beside(const uint64_t* words) {
  (void)words;
  ramjet_ult_rwlock_read(&rwlock);
  ramjet_ult_rwlock_end_read(&rwlock);
  return 8;
}

static uint64_t try_it(const uint64_t* words) {
  (void)words;
  EXPECT(ramjet_ult_mutex_try(&mutex) == RAMJET_RETRY);
  EXPECT(ramjet_ult_mutex_lock_for(&mutex, MS) == RAMJET_TIMED_OUT);
  return 0;
}

static ramjet_ult_unowned_mutex unowned;
static uint64_t unlock_it(const uint64_t* words) {
  (void)words;
  EXPECT(ramjet_ult_unowned_mutex_try(&unowned) == RAMJET_RETRY);
  EXPECT(ramjet_ult_unowned_mutex_lock_for(&unowned, MS) == RAMJET_TIMED_OUT);
  ramjet_ult_unowned_mutex_unlock(&unowned); /* another thread has locked it */
  return 0;
}

static void unowned_locks(void) {
  ramjet_ult_unowned_mutex_init(&unowned);
  ramjet_ult_unowned_mutex_lock(&unowned);
  ramjet_ult_thread* other = ramjet_ult_run(unlock_it, 0);
  ramjet_ult_unowned_mutex_lock(&unowned);
  EXPECT(ramjet_ult_join(other, NULL) == 0);
  ramjet_ult_free(other);
  ramjet_ult_unowned_mutex_unlock(&unowned);
  EXPECT(ramjet_ult_unowned_mutex_try(&unowned) == RAMJET_OK);
  ramjet_ult_unowned_mutex_unlock(&unowned);
}

static void locks(void) {
  ramjet_ult_mutex_init(&mutex);
  ramjet_ult_cond_init(&cond);
  ramjet_ult_barrier_init(&barrier, 5);
  shared_count = 0;
  ramjet_ult_thread* four[4];
  for (int i = 0; i < 4; ++i) four[i] = ramjet_ult_run(count_up, 200);
  ramjet_ult_mutex_lock(&mutex);
  while (shared_count < 800) ramjet_ult_cond_wait(&cond, &mutex);
  EXPECT(ramjet_ult_cond_wait_for(&cond, &mutex, MS) == RAMJET_TIMED_OUT);
  ramjet_ult_thread* trying = ramjet_ult_run(try_it, 0);
  ramjet_ult_free(trying);
  ramjet_ult_cond_broadcast(&cond);
  ramjet_ult_mutex_unlock(&mutex);
  EXPECT(ramjet_ult_mutex_try(&mutex) == RAMJET_OK);
  ramjet_ult_mutex_unlock(&mutex);
  ramjet_ult_barrier_wait(&barrier);
  for (int i = 0; i < 4; ++i) ramjet_ult_free(four[i]);

  ramjet_ult_semaphore_init(&semaphore, 1);
  EXPECT(ramjet_ult_semaphore_try(&semaphore) == RAMJET_OK);
  EXPECT(ramjet_ult_semaphore_try(&semaphore) == RAMJET_RETRY);
  EXPECT(ramjet_ult_semaphore_wait_for(&semaphore, MS) == RAMJET_TIMED_OUT);
  ramjet_ult_semaphore_post(&semaphore);
  ramjet_ult_semaphore_wait(&semaphore);

  ramjet_ult_rwlock_init(&rwlock);
  for (int i = 0; i < 4; ++i) four[i] = ramjet_ult_run(read_or_write, (uint64_t)i);
  for (int i = 0; i < 4; ++i) ramjet_ult_free(four[i]);
  EXPECT(readers == 0);
  ramjet_ult_rwlock_read(&rwlock);
  ramjet_ult_thread* beside = ramjet_ult_run(read_beside, 0);
  EXPECT(ramjet_ult_join(beside, NULL) == 8); /* two at a time */
  ramjet_ult_free(beside);
  ramjet_ult_rwlock_end_read(&rwlock);
}

static void add_index(size_t i, void* context) { ((uint64_t*)context)[i] += i; }

static void loops(void) {
  uint64_t sums[1000] = {0};
  ramjet_ult_parallel_for(0, 1000, 0, add_index, sums);
  ramjet_ult_parallel_for(500, 1000, 7, add_index, sums);
  for (uint64_t i = 0; i < 1000; ++i) EXPECT(sums[i] == (i < 500 ? i : 2 * i));
}

static void reports(void) {
  int ends_of_pipe[2];
  EXPECT(pipe(ends_of_pipe) == 0);
  ramjet_ult_dump(ends_of_pipe[1]);
  char text[512] = {0};
  EXPECT(read(ends_of_pipe[0], text, sizeof text - 1) > 0);
  EXPECT(strstr(text, "user-level threads") != NULL);
  close(ends_of_pipe[0]);
  close(ends_of_pipe[1]);
}

static void all(unsigned workers) {
  EXPECT(ramjet_ult_workers() == workers);
  threads(workers);
  ends();
  conditions();
  locks();
  unowned_locks();
  cancelled_with_a_mutex();
  loops();
  reports();
  ramjet_ult_bind(0);
  ramjet_ult_unbind();
}

int main(void) {
  EXPECT(ramjet_ult_workers() == 0);
  ramjet_ult_start(NULL);
  all(1);
  const ramjet_ult_options two = {
      .workers = 2, .stack_bytes = 32768, .tests_per_pass = 8, .shuffle_seed = 5};
  ramjet_ult_start(&two);
  all(2);
  ramjet_ult_stop();
  EXPECT(ramjet_ult_workers() == 1);
  puts("all as it should be");
  return 0;
}
