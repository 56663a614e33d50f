/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank dies while another is about to sleep. (report_failure in board.cpp, sleep in wait.cpp)
 *
 * Both put their stores into a buffer first, as in sleep.pml; failures is counted by a locked
 * instruction, and the system calls empty the buffer. Nothing is woken by a time-out. What must
 * hold: the sleeper learns of every death.
 */
#define DEATHS 2

byte failures;
bit asleep;
bool waiting; /* the rank is in the kernel, on the futex `asleep` */
byte noted;

chan rank_stores = [2] of { bit };
chan launcher_stores = [2] of { bit };

proctype memory() {
end_memory:
  do
  :: rank_stores?asleep
  :: launcher_stores?asleep
  od
}

proctype launcher() {
  do
  :: failures == DEATHS -> break
  :: failures < DEATHS ->
       atomic { empty(launcher_stores) -> failures++ };
#ifndef MISTAKE_WAKE_ALONE
       launcher_stores!0;
#endif
       atomic { empty(launcher_stores) -> waiting = false } /* FUTEX_WAKE */
  od
}

proctype rank() {
  do
  :: noted = failures;
     rank_stores!1;
     empty(rank_stores); /* the fence of arm() */
     if
     :: failures != noted
     :: else ->
          empty(rank_stores);
          atomic { waiting = asleep }; /* FUTEX_WAIT */
end_asleep:
          !waiting
     fi;
     rank_stores!0
  od
}

proctype end() {
  timeout -> assert(noted == DEATHS)
}

init {
  atomic { run memory(); run launcher(); run rank(); run end() }
}
