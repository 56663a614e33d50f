/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of all work in a work_queue. (work_rings.hpp, all_finished in work_queue.cpp)
 *
 * Every rank counts what it creates and what it finishes. A holder of an item may push one more, as
 * long as there are LIMIT in all. A rank without work, here a process of its own, reads all counts
 * one after the other while they go on. The accesses are sequentially consistent, so each is a
 * step. What must hold: if it finds that all is done, then all is done.
 */
#define RANKS 3
#define LIMIT 3

byte queued; /* in all queues: any rank may take from any */
byte created[RANKS];
byte finished[RANKS];
bool holds[RANKS];
byte pushed;

inline push() {
  if
  :: pushed < LIMIT ->
#ifndef MISTAKE_COUNTED_LATE
       atomic { pushed++; created[me]++ };
       queued++
#else
       atomic { pushed++; queued++ };
       created[me]++
#endif
  :: true
  fi
}

proctype rank(byte me) {
end_without_work:
  do
  :: holds[me] ->
       push();
       atomic { finished[me]++; holds[me] = false }
  :: atomic { !holds[me] && queued > 0 -> queued--; holds[me] = true }
  od
}

#define ADD_UP(words) \
  i = 0; \
  do \
  :: atomic { i < RANKS -> total = total + words[i]; i++ } \
  :: atomic { i == RANKS -> i = 0; break } \
  od

proctype observer() {
  byte i;
  byte total;
#ifndef MISTAKE_CREATED_FIRST
  ADD_UP(finished);
  total = 100 - total;
  ADD_UP(created);
#else
  ADD_UP(created);
  total = 100 - total;
  ADD_UP(finished);
#endif
  assert(total != 100 || (queued == 0 && !holds[0] && !holds[1] && !holds[2]))
}

init {
  atomic {
    byte r = 0;
    do
    :: r < RANKS ->
         holds[r] = true; /* the main program is an item as others */
         created[r] = 1;
         run rank(r);
         r++
    :: else -> break
    od;
    run observer()
  }
}
