/* SPDX-License-Identifier: Apache-2.0
 *
 * The mutex of user-level threads at several workers: an unlock is a plain store until two threads
 * have met at it. The first one that has to wait raises `met` and imposes a barrier on all others.
 * (lock, unlock in include/ramjet/ult/mutex.hpp; the rest in src/ult/mutex.cpp)
 *
 * Stores are modelled as the hardware makes them: every thread puts its plain stores into a buffer
 * of its own, in order; `memory` takes them out whenever it likes; a load sees memory. Locked
 * instructions wait until the own buffer is empty; membarrier waits until every thread's buffer has
 * once been empty.
 *
 * What must hold: never two threads inside, and nobody waits for ever.
 *
 * Scale: THREADS threads at workers of their own, each of which locks up to ROUNDS times.
 */
#define THREADS 3
#ifndef ROUNDS
#define ROUNDS 2
#endif

#define WAITED 1
#define mine(me) ((me + 1) * 2) /* in `word`: the holder, and a bit for those who wait */

byte word;
bit met;
bit guard;
chan queue = [THREADS] of { byte };
bool granted[THREADS];
byte inside;

#define GUARD 255 /* in a buffer, besides values of `word`: the guard is given back */
chan stores[THREADS] = [3] of { byte };

inline apply() {
  if
  :: value == GUARD -> guard = 0
  :: else -> word = value
  fi;
  value = 0
}

proctype memory() {
  byte value;
end_memory:
  do
  :: atomic { stores[0]?value -> apply() }
  :: atomic { stores[1]?value -> apply() }
  :: atomic { stores[2]?value -> apply() }
  od
}

#define fence(me) empty(stores[me])

inline lock_guard() {
  atomic { fence(me) && guard == 0 -> guard = 1 }
}
inline unlock_guard() {
  stores[me]!GUARD
}

/* Under the guard, the mutex held. */
inline hand_on() {
  if
  :: nempty(queue) ->
       queue?next;
       if
       :: nempty(queue) -> stores[me]!(mine(next) + WAITED)
       :: empty(queue) -> stores[me]!mine(next)
       fi;
       unlock_guard();
       atomic { fence(me) -> granted[next] = true; next = 0 }
  :: empty(queue) ->
       stores[me]!0;
       unlock_guard()
  fi
}

inline lock_slow() {
  atomic { fence(me) -> first = !met; met = 1 };
  if
  :: first ->
       first = false;
#ifndef MISTAKE_NO_BARRIER
       fence(0);
       fence(1);
       fence(2);
#endif
  :: else
  fi;
  lock_guard();
  atomic {
    if
    :: word == 0 ->
         got = true;
#ifdef MISTAKE_TAKES_UNMARKED
         word = mine(me)
#else
         word = mine(me) + (len(queue) > 0 -> WAITED : 0)
#endif
    :: word != 0 ->
         word = word | WAITED;
         queue!me
    fi
  };
  unlock_guard();
  if
  :: got
  :: !got -> atomic { granted[me] -> granted[me] = false }
  fi;
  got = false
}

inline lock() {
  atomic {
    fence(me) ->
    if
    :: word == 0 -> word = mine(me); got = true
    :: else
    fi
  };
  if
  :: got -> got = false
  :: else -> lock_slow()
  fi
}

inline unlock_slow() {
  assert(word == mine(me) + WAITED);
  lock_guard();
  hand_on()
}

inline unlock_met() {
  lock_guard();
  atomic {
    if
    :: empty(queue)
    :: nempty(queue) && word == 0 -> word = mine(me) + WAITED; got = true
#ifdef MISTAKE_TELLS_NOBODY
    :: nempty(queue) && word != 0
#else
    :: nempty(queue) && word != 0 -> word = word | WAITED
#endif
    fi
  };
  if
  :: got -> got = false; hand_on()
  :: else -> unlock_guard()
  fi
}

inline unlock() {
  if
  :: word != mine(me) -> unlock_slow()
  :: word == mine(me) ->
       if
       :: met == 0 ->
            stores[me]!0;
#ifndef MISTAKE_NO_LOOK_BACK
            if
            :: met == 0
            :: met == 1 -> unlock_met()
            fi
#endif
       :: met == 1 ->
            atomic {
              fence(me) ->
              if
              :: word == mine(me) -> word = 0; got = true
              :: else
              fi
            };
            if
            :: got -> got = false
            :: else -> unlock_slow()
            fi
       fi
  fi
}

proctype thread(byte me) {
  byte rounds, next;
  bool got, first;
  do
  :: break
  :: rounds < ROUNDS ->
       rounds++;
       lock();
       inside++;
       assert(inside == 1);
       inside--;
       unlock()
  od
}

init {
  atomic { run memory(); run thread(0); run thread(1); run thread(2) }
}
