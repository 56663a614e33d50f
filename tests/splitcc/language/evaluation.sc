/* SPDX-License-Identifier: Apache-2.0
 * Reads and writes are sequentially consistent among themselves; a write is complete at the target
 * on return; barriers serve others; library calls are compiler memory barriers. */
#include "check.h"

#define ROUNDS 60

static WAITED_FOR int x, y, flag;
static int data[4];
static int seen[2];

/* Store buffering: of two processors that write one and read the other, one sees the other. */
static void store_buffering(void) {
  int round, r;
  for (round = 1; round <= ROUNDS; round++) {
    barrier();
    if (MYPROC == 0) {
      *toglobal(PROCS - 1, &x) = round;
      r = *toglobal(PROCS / 2, &y);
      *toglobal(0, &seen[0]) = r;
    } else if (MYPROC == 1) {
      *toglobal(PROCS / 2, &y) = round;
      r = *toglobal(PROCS - 1, &x);
      *toglobal(0, &seen[1]) = r;
    }
    barrier();
    on_one if (PROCS > 1) CHECK(seen[0] == round || seen[1] == round);
  }
}

/* Message passing by plain writes and a flag, which the reader polls where the writer has it. */
static void message_passing(void) {
  int round, i;
  int *global their_data = toglobal(NEXT, data), *global my_data = data;
  WAITED_FOR int *global their_flag = toglobal(PREVIOUS, &flag), *global my_flag = &flag;
  for (round = 1; round <= ROUNDS; round++) {
    for (i = 0; i < 4; i++) their_data[i] = round * 10 + i;
    *my_flag = round;
    while (*their_flag < round)
      ;
    for (i = 0; i < 4; i++) CHECK_INT(my_data[i], round * 10 + i);
    barrier();
  }
}

/* A local variable that others write, polled across library calls. */
static int arrived;
static void library_calls_are_barriers(void) {
  int round;
  for (round = 1; round <= 10; round++) {
    barrier();
    *toglobal(NEXT, &arrived) = round;
    barrier();
    CHECK_INT(arrived, round);
    barrier();
    *toglobal(NEXT, &arrived) := -round;
    sync();
    barrier();
    CHECK_INT(arrived, -round);
    barrier();
    *toglobal(NEXT, &arrived) :- round + 1000;
    store_sync(4);
    CHECK_INT(arrived, round + 1000);
  }
}

/* While processors wait in a barrier they serve reads, atomic operations, and stores. */
static int served[PROCS]::, counter;
static void barriers_serve(void) {
  int i, sum = 0;
  served[MYPROC] = mark(MYPROC, 0);
  barrier();
  on_proc(PROCS - 1) {
    for (i = 0; i < 500; i++) {
      sum += served[i % PROCS] - mark(i % PROCS, 0);
      fetch_and_add(toglobal(i % PROCS, &counter), 1);
    }
    CHECK_INT(sum, 0);
  }
  barrier();
  CHECK_INT(all_reduce_to_all_add(counter), 500);
}

/* Own elements are plain memory: what is written one way is read the other. */
static void one_memory(void) {
  int A[PROCS]::[4], *mine = (int *)A[MYPROC], *global g = A[MYPROC], i;
  for (i = 0; i < 4; i++) {
    mine[i] = i;
    CHECK_INT(g[i], i);
    g[i] = i + 10;
    CHECK_INT(mine[i], i + 10);
    A[MYPROC][i]++;
    CHECK_INT(mine[i]++, i + 11);
    CHECK_INT(A[MYPROC][i], i + 12);
  }
}

splitc_main() {
  store_buffering();
  message_passing();
  library_calls_are_barriers();
  barriers_serve();
  one_memory();
  DONE;
}
