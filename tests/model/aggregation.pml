/* SPDX-License-Identifier: Apache-2.0
 *
 * Aggregated messages between two ranks that both send: items that gather in a block, the queue of
 * what handlers send where there is no room, credit, and the wait for room.
 * (add_item, send_block, make_room_for_block, send_gathered_for and send_gathered_if_due in
 * aggregation.cpp, enqueue and flush_chain in chain.cpp, room_now in engine.cpp, arm in wait.cpp)
 *
 * A lane is a queue of records here: ring.pml has how it is one. So are sleep and wake one step:
 * sleep.pml has theirs. A record is a block of items of one handler, or another message.
 *
 * Scale: FULL items to a block (up to 8 KiB), LANE records to a lane (some hundreds), credit for
 * CREDIT records at a time (a quarter of the lane). The main programs send 4 and 2 items, and
 * another message anywhere between; HOPS of rank 1's handlers of items send an item or another
 * message back.
 *
 * What must hold:
 *   1. items come once and in their order, and another message between those that were sent before
 *      it and those after it;
 *   2. all comes in the end, and both ranks come to the end of their programs.
 */
/* cc: -O1 */
/* pan: -a -f */
mtype = { added, filled, again };

#define FULL 2
#define LANE 2
#define CREDIT 2
#define HOPS 3
#define QUEUE 6 /* more than can be in it */
#define other (1 - me)

/* From rank 0 to rank 1, and back. How many items, and the number of the first; no items: another
 * message, behind those before that number. */
chan lane[2] = [LANE] of { byte, byte };
byte given[2]; /* records that the receiver has given credit for, and the sender has not taken */

/* The sender's. */
chan queue[2] = [QUEUE] of { byte, byte };
byte outstanding[2]; /* records sent, and not credited */
byte number[2];      /* of the next item */
byte held[2];        /* items in the block: the last ones before `number` */
byte end[2];         /* items that it takes until the next look at the receiver */
byte polled[2];      /* items in it at the last poll */
byte hops[2];
byte others[2]; /* other messages to send, and on their way */
bool over[2];   /* the main program is */

/* The receiver's. */
byte wanted[2]; /* item that is to come */
byte owed[2]; /* records taken that it has not given credit for */

#define has_room(rank) (len(queue[rank]) == 0 && outstanding[rank] < LANE)
#define take_credit()                              \
  outstanding[me] = outstanding[me] - given[me];   \
  given[me] = 0
#define publish()                                  \
  given[other] = given[other] + owed[me];          \
  owed[me] = 0

#ifndef MISTAKE_PASSES_THE_QUEUE
#define block_may_leave has_room(me)
#else
#define block_may_leave (outstanding[me] < LANE)
#endif

inline put_or_queue(may_leave, items, first) {
  if
  :: may_leave -> lane[me]!items, first; outstanding[me]++
  :: else -> assert(len(queue[me]) < QUEUE); queue[me]!items, first
  fi
}

inline send_block() {
  put_or_queue(block_may_leave, held[me], number[me] - held[me]);
  held[me] = 0;
  end[me] = 0
}

/* One turn of add_item. */
inline try_to_add() {
  take_credit();
  if
  :: held[me] < end[me] -> number[me]++; held[me]++; turn = added
  :: else ->
       if
       :: outstanding[me] == 0 && held[me] > 0 && has_room(me) -> send_block(); turn = again
       :: outstanding[me] == 0 && held[me] == 0 && has_room(me) ->
            lane[me]!1, number[me];
            outstanding[me]++;
            number[me]++;
            turn = added
       :: else ->
            if
            :: held[me] == FULL -> turn = filled
            :: else ->
                 if
                 :: held[me] == 0 -> polled[me] = 0
                 :: else
                 fi;
                 if
                 :: end[me] = held[me] + 1
                 :: end[me] = FULL
                 fi;
                 turn = again
            fi
       fi
  fi
}

inline send_gathered() {
#ifndef MISTAKE_OVERTAKES
  if
  :: held[me] > 0 -> send_block()
  :: else
  fi
#else
  skip
#endif
}

/* The items go first. */
inline send_other() {
  send_gathered();
  put_or_queue(has_room(me), 0, number[me])
}

/* What it sends may not wait. */
inline handler() {
  if
  :: hops[me] > 0 ->
       hops[me]--;
       do
       :: try_to_add();
          if
          :: turn == added -> break
          :: turn == filled -> send_block()
          :: else
          fi
       od
  :: hops[me] > 0 -> hops[me]--; others[me]++; send_other()
  :: hops[me] > 0 -> hops[me] = 0 /* the last of them sends nothing */
  :: hops[me] == 0
  fi
}

inline take_requests() {
  do
  :: len(lane[other]) > 0 ->
       lane[other]?items, first;
       if
       :: items > 0 -> assert(first == wanted[me]); wanted[me] = wanted[me] + items
       :: else -> assert(first == wanted[me]); others[other]--
       fi;
       handled = true;
       owed[me]++;
       if
       :: owed[me] >= CREDIT -> publish()
       :: else
       fi;
       if
       :: items > 0 -> handler()
       :: else
       fi
  :: else -> break
  od;
  items = 0;
  first = 0
}

inline flush_chain() {
  do
  :: len(queue[me]) > 0 && outstanding[me] < LANE ->
       queue[me]?items, first;
       lane[me]!items, first;
       outstanding[me]++;
       handled = true
  :: else -> break
  od;
  items = 0;
  first = 0
}

inline send_gathered_if_due() {
  if
  :: held[me] > 0 && (outstanding[me] == 0 || polled[me] == held[me]) && has_room(me) ->
       send_block();
       handled = true
  :: else -> polled[me] = held[me]
  fi
}

/* One step: all that it does with what the other rank sees is to take records and credit, and to
 * leave such. */
inline poll() {
  atomic {
    handled = false;
    take_credit();
#ifndef MISTAKE_WAITS_DEAF
    take_requests();
#else
    if
    :: !wants_room -> take_requests()
    :: else
    fi;
#endif
    flush_chain();
    send_gathered_if_due()
  }
}

#ifndef MISTAKE_SLEEPS_ON_ITEMS
#define HOLDS (held[me] > 0 || len(queue[me]) > 0)
#else
#define HOLDS len(queue[me]) > 0
#endif

inline poll_or_sleep(is_there) {
  poll();
  if
  :: handled
  :: !handled && HOLDS -> atomic { publish() } /* after some polls in vain */
  :: !handled && !HOLDS && !(is_there) ->
       atomic { publish() };
       (len(lane[other]) > 0 || (wants_room && given[me] > 0))
  :: is_there
  fi
}

inline wait_for_room(is_there) {
  wants_room = true;
  do
  :: atomic { take_credit() };
     if
     :: is_there -> break
     :: else -> poll_or_sleep(is_there)
     fi
  od;
  wants_room = false
}

inline request_item() {
  do
  :: atomic { try_to_add() };
     if
     :: atomic { turn == added -> break }
     :: turn == filled ->
          wait_for_room(held[me] < end[me] || held[me] == 0 || has_room(me));
          atomic {
            if
            :: held[me] == end[me] && held[me] > 0 -> send_block()
            :: else
            fi
          };
          poll()
     :: turn == again
     fi
  od
}

inline request_other() {
  do
  :: atomic {
       send_gathered();
       if
       :: has_room(me) -> send_other(); turn = added
       :: else -> turn = filled
       fi
     };
     if
     :: atomic { turn == added -> break }
     :: turn == filled -> wait_for_room(has_room(me))
     fi
  od
}

proctype rank(byte me) {
  byte items, first, left = (me == 0 -> 4 : 2);
  bool handled, wants_room, has_other = true;
  mtype turn;
  do
  :: left > 0 -> request_item(); left--
  :: has_other -> has_other = false; request_other()
  :: left == 0 && !has_other -> break
  od;
  over[me] = true;
  do
  :: poll_or_sleep(false)
  od
}

#define all_comes \
  (over[0] && over[1] && wanted[0] == number[1] && wanted[1] == number[0] && \
   others[0] == 0 && others[1] == 0)
ltl ends { <> all_comes }

init {
  atomic {
    hops[1] = HOPS;
    others[0] = 1;
    others[1] = 1;
    run rank(0);
    run rank(1)
  }
}
