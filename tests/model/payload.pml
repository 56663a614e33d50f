/* SPDX-License-Identifier: Apache-2.0
 *
 * Medium requests that get medium replies, both sides at once: the payload rings of requests
 * and of replies, the gap at a ring's end, the gate that lets a request in only when its reply
 * has room, and the news of that room to a side that sleeps. (payload.cpp, post, answer,
 * take_requests)
 *
 * A step is one access to shared memory; docs/memory-model.md says why that is enough, and
 * sleep.pml how a side that is told to wakes.
 *
 * Scale: rings of RING units, requests of 1 or LONGEST units, replies of LONGEST.
 *
 * What must hold:
 *   1. no payload is written over while its handler can still look at it;
 *   2. a reply never waits for room;
 *   3. when nothing moves any more, both sides have stopped by themselves and all is answered.
 */
/* pan: -m4000000 */
#ifndef RING
#define RING 3
#define LONGEST 2
#endif
#define POSITIONS (2 * RING)
#define plus(position, n) (((position) + (n)) % POSITIONS)
#define from_to(a, b) (((b) + POSITIONS - (a)) % POSITIONS)
#define start_of(tail, n) ((tail) % RING + (n) <= RING -> (tail) : plus(tail, RING - (tail) % RING))
#define fits(tail, freed, n) (from_to(freed, start_of(tail, n)) + (n) <= RING)

/* Lane s carries requests from side s and their replies back to it. */
chan requests[2] = [RING] of { byte, byte }; /* offset, size */
chan replies[2] = [RING] of { byte, byte };
byte reply_told[2]; /* how far side s has consumed the replies to it */
bool asleep[2];
bool stopped[2];

/* The sender's, of each lane. */
byte request_tail[2], request_freed[2], reply_consumed[2];
chan marks[2] = [RING] of { byte }; /* where each unanswered request's payload ends */
/* The answerer's, of each lane. */
byte reply_tail[2];

/* Which units of which ring somebody may still look at; nobody acts on it. */
bool used[4 * RING];
#define REQUESTS_OF 0
#define REPLIES_TO 2

inline use(ring, offset, n) {
  i = 0;
  do
  :: i < n ->
       assert(!used[(ring) * RING + offset + i]);
       used[(ring) * RING + offset + i] = true;
       i++
  :: else -> break
  od;
  i = 0
}
inline leave(ring, offset, n) {
  i = 0;
  do
  :: i < n -> used[(ring) * RING + offset + i] = false; i++
  :: else -> break
  od;
  i = 0
}

#define reply_room(lane) fits(reply_tail[lane], reply_told[lane], LONGEST)
#ifdef MISTAKE_NO_GATE
#define may_handle(lane) (len(requests[lane]) > 0)
#else
#define may_handle(lane) (len(requests[lane]) > 0 && reply_room(lane))
#endif
#define may_send(n) fits(request_tail[me], request_freed[me], n)

inline send() {
  start = start_of(request_tail[me], want);
  use(REQUESTS_OF + me, start % RING, want);
  request_tail[me] = plus(start, want);
  marks[me]!request_tail[me];
  requests[me]!start % RING, want;
  asleep[you] = false;
  start = 0;
  want = 0
}

/* As long as may be: the gate has room for no more. */
#define reply_size LONGEST

inline send_reply() {
  replies[you]!start % RING, reply_size;
  asleep[you] = false
}

inline take_reply() {
  atomic {
    replies[me]?offset, n;
    marks[me]?request_freed[me]; /* whatever was answered is free */
    start = (offset + RING - reply_consumed[me] % RING) % RING;
    reply_consumed[me] = plus(reply_consumed[me], start + n);
    start = 0
  };
  atomic { /* the reply's handler has run */
    leave(REPLIES_TO + me, offset, n);
    reply_told[me] = reply_consumed[me];
#ifndef MISTAKE_SILENT_ROOM
    asleep[you] = false;
#endif
    offset = 0;
    n = 0
  }
}

inline handle_request() {
  atomic {
    requests[you]?offset, n;
#ifdef MISTAKE_NO_GATE
    fits(reply_tail[you], reply_told[you], reply_size); /* waits inside a handler */
#endif
    assert(fits(reply_tail[you], reply_told[you], reply_size));
    start = start_of(reply_tail[you], reply_size);
    use(REPLIES_TO + you, start % RING, reply_size);
    reply_tail[you] = plus(start, reply_size);
#ifdef MISTAKE_REPLY_AT_ONCE
    send_reply()
#endif
  };
  atomic { /* the handler has run */
    leave(REQUESTS_OF + you, offset, n);
#ifndef MISTAKE_REPLY_AT_ONCE
    send_reply();
#endif
    start = 0;
    offset = 0;
    n = 0
  }
}

proctype side(byte me, you) {
  byte want, start, offset, n, i;
end_side:
  do
  :: atomic {
       !stopped[me] && want == 0 ->
       if
       :: want = 1
       :: want = LONGEST
       :: stopped[me] = true
       fi
     }
  :: atomic { want != 0 && may_send(want) -> send() }
  :: nempty(replies[me]) -> take_reply()
  :: may_handle(you) -> handle_request()
  :: atomic {
       len(replies[me]) == 0 && !may_handle(you) &&
       (stopped[me] || (want != 0 && !may_send(want))) ->
       asleep[me] = true
     };
end_asleep:
     !asleep[me]
  od
}

/* Nothing can move any more. */
proctype end() {
  timeout ->
    assert(stopped[0] && stopped[1]);
    assert(empty(requests[0]) && empty(requests[1]) && empty(marks[0]) && empty(marks[1]))
}

init {
  atomic { run side(0, 1); run side(1, 0); run end() }
}
