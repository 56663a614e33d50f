/* SPDX-License-Identifier: Apache-2.0
 * User-level threads in C: words as arguments and results, a posted condition, a mutex with a
 * condition variable, a parallel loop. No job is needed. */
#include <stdio.h>

#include "ramjet/ramjet_ult.h"

static volatile int64_t stage;

static ramjet_ult_mutex lock;
static ramjet_ult_cond changed;
static int deposits;

static uint64_t add_up(const uint64_t* words) { return words[0] + words[1] + words[2]; }

static uint64_t wait_for_stage(const uint64_t* words) {
  ramjet_ult_wait_64(&stage, RAMJET_ULT_NOT_BELOW, (int64_t)words[0], RAMJET_ULT_FOREVER);
  return ramjet_ult_self();
}

static uint64_t deposit(const uint64_t* words) {
  for (uint64_t i = 0; i < words[0]; ++i) {
    ramjet_ult_mutex_lock(&lock);
    ++deposits;
    ramjet_ult_cond_signal(&changed);
    ramjet_ult_mutex_unlock(&lock);
    ramjet_ult_yield();
  }
  return 0;
}

static void square(size_t i, void* context) { ((uint64_t*)context)[i] = i * i; }

int main(void) {
  ramjet_ult_thread* sum = ramjet_ult_run(add_up, 20, 21, 1);
  const uint64_t answer = ramjet_ult_join(sum, NULL);
  ramjet_ult_free(sum);

  const ramjet_ult_attributes named = {.name = "waiter", .stack_bytes = 32 * 1024};
  const uint64_t wanted = 3;
  ramjet_ult_thread* waiter = ramjet_ult_spawn(&named, wait_for_stage, &wanted, 1);
  while (stage < 3) {
    ++stage;
    ramjet_ult_yield();
  }
  ramjet_ult_join(waiter, NULL);
  ramjet_ult_free(waiter);

  ramjet_ult_mutex_init(&lock);
  ramjet_ult_cond_init(&changed);
  ramjet_ult_thread* depositors[4];
  for (int i = 0; i < 4; ++i) depositors[i] = ramjet_ult_run(deposit, 100);
  ramjet_ult_mutex_lock(&lock);
  while (deposits < 400) ramjet_ult_cond_wait(&changed, &lock);
  ramjet_ult_mutex_unlock(&lock);
  for (int i = 0; i < 4; ++i) ramjet_ult_free(depositors[i]);

  uint64_t squares[100];
  ramjet_ult_parallel_for(0, 100, 0, square, squares);
  uint64_t total = 0;
  for (int i = 0; i < 100; ++i) total += squares[i];

  printf("answer %llu, stage %lld, deposits %d, squares %llu\n", (unsigned long long)answer,
         (long long)stage, deposits, (unsigned long long)total);
  return answer == 42 && stage == 3 && deposits == 400 && total == 328350 ? 0 : 1;
}
