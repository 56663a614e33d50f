/* SPDX-License-Identifier: Apache-2.0
 *
 * Bells, sleep and wake: how a receiver stops looking at a lane, and how it stops looking at
 * all, without a fence in the senders' path. (arm, disarm, sleep, activate, deactivate,
 * answer_bells in src/am/, ring and wake in src/lane/bell.hpp)
 *
 * The asymmetric fence is the point, so stores are modelled as the hardware makes them: every
 * process puts its stores into a buffer of its own, in order; `memory` takes them out whenever
 * it likes; a load sees memory. A locked instruction, a fence and a system call wait until the
 * own buffer is empty. membarrier waits until every process's buffer has once been empty.
 *
 * Nothing here is ever woken by a time-out. What must hold: when nothing moves any more, no
 * record lies in a lane.
 *
 * Scale: SENDERS lanes of ROOM records each; each sender may stop for good at any time.
 */
#define SENDERS 2
#define ROOM 2
#define BELLS 2  /* a bell that counts, counts modulo this (256 in truth, in a ring of 2048) */

/* Shared memory. */
byte records[SENDERS]; /* published and not taken */
bit need_bell[SENDERS]; /* `attended`, turned round */
byte bell[SENDERS];
bool rung_since; /* rings != rings_seen; 32 bits never wrap between two looks */
bit asleep;

bool waiting;           /* the receiver is in the kernel, on the futex `asleep` */
byte unread[SENDERS];   /* records and those still in the sender's buffer: its credit */

mtype = { record, set_bell, clear_asleep };
chan stores[SENDERS] = [3] of { mtype, byte };
#define ASLEEP SENDERS /* in receiver_stores; below it, the need_bell of a lane */
chan receiver_stores = [6] of { byte, bit };

proctype memory() {
  byte s, value, where;
end_memory:
  do
  :: atomic { stores[0]?record(value) -> records[0]++; value = 0 }
  :: atomic { stores[1]?record(value) -> records[1]++; value = 0 }
  :: atomic { stores[0]?set_bell(value) -> bell[0] = value; value = 0 }
  :: atomic { stores[1]?set_bell(value) -> bell[1] = value; value = 0 }
  :: atomic { stores[0]?clear_asleep(value) -> asleep = 0; value = 0 }
  :: atomic { stores[1]?clear_asleep(value) -> asleep = 0; value = 0 }
  :: atomic {
       receiver_stores?where, value ->
       if
       :: where == ASLEEP -> asleep = value
       :: else -> need_bell[where] = value
       fi;
       where = 0;
       value = 0
     }
  od
}

#define fence(buffer) empty(buffer)

proctype sender(byte me) {
  byte value;
end_sender:
  do
  :: break /* has nothing more to say, ever */
  :: atomic { unread[me] < ROOM -> unread[me]++; stores[me]!record(0) };
     if
     :: need_bell[me] == 0
     :: need_bell[me] != 0 ->
#ifdef MISTAKE_BELL_COUNTS
          value = (value + 1) % BELLS;
          stores[me]!set_bell(value);
#else
          stores[me]!set_bell(1);
#endif
          atomic { fence(stores[me]) -> rung_since = true };
          if
          :: asleep == 0
          :: asleep == 1 ->
               stores[me]!clear_asleep(0);
               atomic { fence(stores[me]) -> waiting = false } /* FUTEX_WAKE */
          fi
     fi
  od
}

/* --- The receiver -------------------------------------------------------------------------- */

bool watched[SENDERS];
byte bell_seen[SENDERS];
bool armed;

inline take(s) {
  atomic {
    if
    :: records[s] > 0 ->
         unread[s] = unread[s] - records[s];
         records[s] = 0;
         handled = true
    :: else
    fi
  }
}

/* A lane that comes back while the receiver is about to sleep goes on ringing. */
inline activate(s) {
  if
  :: !watched[s] ->
       watched[s] = true;
#ifdef MISTAKE_SILENT_WHILE_ARMED
       receiver_stores!s, 0
#else
       receiver_stores!s, armed
#endif
  :: else
  fi
}

inline answer_bell(s) {
  atomic {
#ifdef MISTAKE_BELL_COUNTS
    rung = bell[s] != bell_seen[s];
    bell_seen[s] = bell[s]
#else
    rung = bell[s] != 0; /* an exchange */
    bell[s] = 0
#endif
  };
  if
  :: rung -> activate(s); take(s); rung = false
  :: else
  fi
}

inline poll() {
  if
  :: watched[0] -> take(0)
  :: else
  fi;
  if
  :: watched[1] -> take(1)
  :: else
  fi;
  if
  :: atomic { rung_since -> rung_since = false };
       answer_bell(0);
       answer_bell(1)
  :: else
  fi
}

inline barrier() {
  fence(receiver_stores);
#ifndef MISTAKE_NO_BARRIER
  fence(stores[0]);
  fence(stores[1]);
#endif
  skip
}

inline deactivate(s) {
  receiver_stores!s, 1;
  barrier();
  watched[s] = false;
  take(s);
  if
  :: handled -> activate(s); handled = false
  :: else
  fi
}

inline arm() {
  armed = true;
  receiver_stores!ASLEEP, 1;
  if
  :: watched[0] -> receiver_stores!0, 1
  :: else
  fi;
  if
  :: watched[1] -> receiver_stores!1, 1
  :: else
  fi;
  barrier()
}

inline disarm() {
  armed = false;
  receiver_stores!ASLEEP, 0;
  if
  :: watched[0] -> receiver_stores!0, 0
  :: else
  fi;
  if
  :: watched[1] -> receiver_stores!1, 0
  :: else
  fi
}

inline sleep_if_nothing_came() {
#ifndef MISTAKE_NO_LAST_LOOK
  poll();
#endif
  if
  :: handled -> handled = false
  :: else ->
       fence(receiver_stores); /* FUTEX_WAIT */
       atomic { waiting = asleep };
end_asleep:
       !waiting
  fi
}

proctype receiver() {
  bool handled, rung;
#ifdef MISTAKE_LATE_ORDER
  /* The lanes say "do not ring" until the endpoint opens. */
  receiver_stores!0, 1;
  receiver_stores!1, 1;
  rung_since = false;
#endif
  do
  :: poll();
     if
     :: handled -> handled = false
     :: !handled
     :: !handled && watched[0] -> deactivate(0)
     :: !handled && watched[1] -> deactivate(1)
     :: !handled -> arm(); sleep_if_nothing_came(); disarm()
     fi
  od
}

/* Nothing can move any more. */
proctype end() {
  timeout -> assert(records[0] == 0 && records[1] == 0)
}

init {
  atomic {
#ifndef MISTAKE_LATE_ORDER
    need_bell[0] = 1;
    need_bell[1] = 1;
#endif
    run memory(); run sender(0); run sender(1); run receiver(); run end()
  }
}
