/* SPDX-License-Identifier: Apache-2.0
 *
 * How workers of user-level threads reach each other: an item goes into the inbox of a worker that
 * may be running threads, looking for work, or about to sleep. (send, call and attend in
 * src/ult/inbox.cpp; due and yield in worker.hpp; sleep and wake_worker in src/ult/watch.cpp)
 *
 * Stores are modelled as the hardware makes them: every process puts its plain stores into a
 * buffer of its own, in order; `memory` takes them out whenever it likes; a load sees memory. A
 * fence, an exchange and a system call wait until the own buffer is empty. An item goes into the
 * inbox with release order only: not every machine lets later loads wait for that.
 *
 * Nothing here is ever woken by a time-out. What must hold: when nothing moves any more, no item
 * lies in the inbox; neither while the worker sleeps, nor while its threads switch for ever, which
 * look at nothing but its attention.
 *
 * Scale: SENDERS workers that send up to ITEMS items each; each may stop for good at any time. An
 * order to stop is the same as an item here.
 */
#define SENDERS 2
#define ITEMS 2

/* Shared memory. */
byte inbox; /* items in it */
bit attention;
bit asleep;

bool waiting; /* the worker is in the kernel, on the futex `asleep` */

mtype = { push_item, raise_attention, clear_attention, set_asleep, clear_asleep };
chan sender_stores[SENDERS] = [2] of { mtype };
chan worker_stores = [3] of { mtype };

inline perform(store) {
  if
  :: store == push_item -> inbox++
  :: store == raise_attention -> attention = 1
  :: store == clear_attention -> attention = 0
  :: store == set_asleep -> asleep = 1
  :: store == clear_asleep -> asleep = 0
  fi;
  store = 0
}

proctype memory() {
  mtype store;
end_memory:
  do
  :: atomic { sender_stores[0]?store -> perform(store) }
  :: atomic { sender_stores[1]?store -> perform(store) }
  :: atomic { worker_stores?store -> perform(store) }
  od
}

#define fence(buffer) empty(buffer)

/* --- Another worker -------------------------------------------------------------------------- */

proctype sender(byte me) {
  byte sent;
  bit was_asleep;
end_sender:
  do
  :: break /* has nothing more to send, ever */
  :: sent < ITEMS ->
       sent++;
#ifdef MISTAKE_CALLS_FIRST
       sender_stores[me]!raise_attention;
       sender_stores[me]!push_item;
#else
       sender_stores[me]!push_item;
       sender_stores[me]!raise_attention;
#endif
#ifndef MISTAKE_NO_SENDER_FENCE
       fence(sender_stores[me]);
#endif
       if
       :: asleep == 0
       :: asleep == 1 -> /* wake_worker */
            atomic { fence(sender_stores[me]) -> was_asleep = asleep; asleep = 0 };
            if
            :: was_asleep -> atomic { was_asleep = 0; waiting = false } /* FUTEX_WAKE */
            :: else
            fi
       fi
  od
}

/* --- The worker ------------------------------------------------------------------------------ */

inline attend() {
#ifdef MISTAKE_CLEARS_LATE
  inbox = 0;
  atomic { fence(worker_stores) -> attention = 0 }
#else
#ifdef MISTAKE_CLEARS_BY_A_STORE
  worker_stores!clear_attention;
#else
  atomic { fence(worker_stores) -> attention = 0 }; /* an exchange */
#endif
  if
  :: inbox != 0 -> inbox = 0 /* runs them */
  :: inbox == 0
  fi
#endif
}

inline sleep_if_nothing_came() {
  worker_stores!set_asleep;
#ifndef MISTAKE_NO_SLEEPER_FENCE
  fence(worker_stores);
#endif
  if
#ifndef MISTAKE_NO_LAST_LOOK
  :: inbox != 0
#endif
  :: inbox == 0 ->
       fence(worker_stores); /* FUTEX_WAIT */
       atomic { waiting = asleep };
end_asleep:
       !waiting
  fi;
  worker_stores!clear_asleep
}

proctype worker() {
  do
  :: attention == 1 -> attend()
  :: attention == 0 -> sleep_if_nothing_came()
  :: true -> /* threads switch until somebody calls */
end_running:
       attention == 1
  od
}

/* Nothing can move any more. */
proctype end() {
  timeout -> assert(inbox == 0)
}

init {
  atomic { run memory(); run sender(0); run sender(1); run worker(); run end() }
}
