/* SPDX-License-Identifier: Apache-2.0
 *
 * quiesce separates rounds of messages. (quiesce_as and agreement in collectives/quiesce.cpp,
 * hold.cpp; docs/adr/0033)
 *
 * A lane is a queue of messages here: ring.pml shows that it is one. In each round one rank sends a
 * message to its right neighbour, whose handler chains one to each of the two others. Then all ranks
 * call quiesce: they add up what was sent and handled, and if the sums are equal, they agree whether
 * nothing has changed since. The sums can be equal while a message is in flight: a rank that counts
 * before it handles the first message misses it and the two that it sends, one of which another rank
 * may have counted. During the agreement a rank holds: it reads the program's messages from a lane
 * only until the message of the agreement has come by that lane.
 *
 * Scale: three ranks, ROUNDS rounds, LANE messages to a lane (some hundreds), all members send to
 * all (as up to eight members do).
 *
 * What must hold:
 *   1. when quiesce returns, the rank has handled its message of this round, and none of the next;
 *   2. all ranks come to the end of their programs, with every lane empty.
 */
mtype = { app, sum, yes };

#define RANKS 3
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef LANE
#define LANE 2
#endif

chan lane[9] = [LANE] of { mtype, byte, byte };
#define to(other) lane[me * RANKS + (other)]
#define from(other) lane[(other) * RANKS + me]

#define A ((me + 1) % RANKS)
#define B ((me + 2) % RANKS)

/* Whether a program's message may be taken from the lane of a member that has been heard or not. */
#ifdef MISTAKE_NO_HOLD
#define may_take(heard) true
#elif defined(MISTAKE_READS_NOTHING)
#define may_take(heard) !holding
#else
#define may_take(heard) (!holding || !heard)
#endif

inline handle(is_first) {
  handled++; count++;
  if
  :: is_first -> to_a = true; to_b = true; sent = sent + 2 /* they count when they are queued */
  :: else -> skip
  fi
}

/* One collective: sends (x, y) to both others, and adds what they send to all_x and all_y. */
inline exchange(kind, x, y) {
  sent_a = false; sent_b = false; heard_a = false; heard_b = false;
  all_x = x; all_y = y;
  do
  :: atomic { !sent_a && nfull(to(A)) -> to(A)!kind,x,y; sent_a = true }
  :: atomic { !sent_b && nfull(to(B)) -> to(B)!kind,x,y; sent_b = true }
  :: atomic { to_a && nfull(to(A)) -> to(A)!app,0,0; to_a = false }
  :: atomic { to_b && nfull(to(B)) -> to(B)!app,0,0; to_b = false }
  :: atomic { from(A)?[app,p,q] && may_take(heard_a) -> from(A)?app,p,q; handle(p) }
  :: atomic { from(B)?[app,p,q] && may_take(heard_b) -> from(B)?app,p,q; handle(p) }
  :: atomic { !heard_a && from(A)?[kind,p,q] ->
       from(A)?kind,p,q; all_x = all_x + p; all_y = all_y + q; heard_a = true }
  :: atomic { !heard_b && from(B)?[kind,p,q] ->
       from(B)?kind,p,q; all_x = all_x + p; all_y = all_y + q; heard_b = true }
  :: sent_a && sent_b && heard_a && heard_b -> break
  od;
  p = 0; q = 0; sent_a = false; sent_b = false; heard_a = false; heard_b = false
}

proctype rank(byte me) {
  byte sent, handled, count, round, own_sent, own_handled, all_x, all_y, p, q;
  bool holding, agreed, to_a, to_b, sent_a, sent_b, heard_a, heard_b;
  do
  :: round == ROUNDS -> break
  :: else ->
    if /* the lane has room: the round before is over */
    :: atomic { me == round % RANKS -> to(A)!app,1,0; sent++ }
    :: else -> skip
    fi;
    agreed = false;
    do
    :: agreed -> break
    :: else ->
      do /* polls take what has come by then, or not */
      :: atomic { from(A)?[app,p,q] -> from(A)?app,p,q; handle(p) }
      :: atomic { from(B)?[app,p,q] -> from(B)?app,p,q; handle(p) }
      :: break
      od;
      p = 0; q = 0; own_sent = sent; own_handled = handled;
      exchange(sum, own_sent, own_handled);
      if
      :: all_x != all_y -> skip
      :: else ->
        holding = true;
        exchange(yes, (sent == own_sent && handled == own_handled -> 1 : 0), 0);
        holding = false;
        agreed = (all_x == RANKS)
      fi
    od;
    assert(count == 1 && !to_a && !to_b);
    d_step { count = 0; agreed = false; own_sent = 0; own_handled = 0; all_x = 0; all_y = 0 };
    round++
  od;
  assert(empty(from(A)) && empty(from(B)))
}

init {
  atomic { run rank(0); run rank(1); run rank(2) }
}
