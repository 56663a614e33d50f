/* SPDX-License-Identifier: Apache-2.0
 *
 * The record ring of one lane: lines of granules, records of every length, pads, replies in
 * place, laps, the credit word, and the rules by which a sender uses its ring again.
 * (layout.hpp, and open_line, post, answer, take_replies, take_credit, take_requests and
 * publish in engine.hpp)
 *
 * A step is one access to shared memory. The release of a header and of the credit word, and
 * the acquires that read them, make their order the order of the program, so that interleaving
 * is all there is to look at. (docs/memory-model.md says why the relaxed stores do not matter.)
 *
 * Scale: GRANULES to a line (4 in truth), LINES to a ring (64 and more), laps modulo 2 (128),
 * credit positions modulo 8 rings (2^32 words) and sent again after 2 rings (2^30 words).
 * Records of every length; a request gets a reply or none; lines are zeroed ahead of their use
 * or not.
 *
 * What must hold:
 *   1. a request is handled once, in order; a reply is seen once, by its own request;
 *   2. nothing is written over before it was handled and, if it was answered, the answer was seen;
 *   3. no argument is taken for a header;
 *   4. credit is never believed that is not there;
 *   5. when nothing moves any more, the sender has stopped by itself and all is handled and seen
 *      (a last pad may stay: nothing comes of it).
 */
#ifndef GRANULES
#define GRANULES 2
#define LINES 2
#define POSITIONS (8 * RING)
#define AGE_MAX (2 * RING) /* age at which credit is sent again */
#endif
#define RING (GRANULES * LINES)
#define OWED_MAX 2 /* a quarter of the ring, in truth */

mtype = { nothing, sent, handled, replied, pad_sent, pad_passed };

#define EMPTY 0
#define REQUEST 1
#define REPLY 2
#define PAD 3
#define ARGUMENT 255 /* may look like any header */
#define header(kind, position, length) (kind | lap(position) << 2 | (length) << 4)
#define kind(h) ((h) & 3)
#define lap_of(h) ((h) >> 2 & 3)
#define length(h) ((h) >> 4)
#define lap(position) ((position) / RING % 2 + 1)
#define plus(position, n) (((position) + (n)) % POSITIONS)
#define from_to(a, b) (((b) + POSITIONS - (a)) % POSITIONS) /* b - a, if a is not after b */
#define is_after(b, a) (from_to(a, b) > 0 && from_to(a, b) <= POSITIONS / 2)
#define cell(position) ring[(position) % RING]
#define fate(position) fates[(position) % RING]
#define forget(position) cell(position) = cell(position) & 12 /* only the lap still matters */

/* Shared memory. */
byte ring[RING];             /* the first word of every granule */
byte freed_head, freed_clean; /* one word, written and read whole */

/* The sender's. */
byte tail, answered;
byte left;    /* granules of the open line */
byte opened;  /* lines after the open one that are zeroed */
bool stopped;

/* The receiver's. credit_at == credit_from + OWED_MAX */
byte head, clean, published, credit_from;
bool owes_credit; /* published != head && clean != head, where positions do not wrap */
bool replying;

/* What has become of the record that begins at each granule; nobody acts on it. */
mtype fates[RING] = nothing;

/* --- The sender ---------------------------------------------------------------------------- */

#define line_end plus(tail, left)
#define may_open(lines) (from_to(answered, line_end) + GRANULES * (lines) <= RING)
#define after_pad plus(answered, length(cell(answered)))
#define pad_is_followed (kind(cell(answered)) == PAD && after_pad != tail)
#define something_to_take                                                     \
  (answered != tail && (kind(cell(answered)) == REPLY ||                      \
                        (pad_is_followed && kind(cell(after_pad)) == REPLY) || \
                        is_after(freed_head, answered)))

/* Zeroes a line; `first` is private to the sender until a record stands there. */
inline zero(first) {
  d_step {
    i = 0;
    do
    :: i < GRANULES ->
         assert(fate(first + i) == nothing);
#ifndef MISTAKE_NO_ZEROING
         if
         :: i > 0 -> cell(first + i) = EMPTY
         :: else
         fi;
#endif
         i++
    :: else -> break
    od;
    i = 0
  }
}

inline open_line() {
  if
  :: left > 0 -> atomic {
       cell(tail) = header(PAD, tail, left);
       fate(tail) = pad_sent;
       tail = line_end;
       left = 0
     }
  :: else
  fi;
  if
  :: opened == 0 -> zero(tail)
  :: else -> opened--
  fi;
  left = GRANULES
}

inline post(n) {
  d_step {
    i = 1;
    do
    :: i < n -> cell(tail + i) = ARGUMENT; i++
    :: else -> break
    od;
    i = 0
  }
  atomic {
    cell(tail) = header(REQUEST, tail, n);
    fate(tail) = sent;
    tail = plus(tail, n);
    left = left - n
  }
}

/* Passes the record at `answered`, which must have come to this end. */
inline pass(end) {
  assert(fate(answered) == end);
  fate(answered) = nothing;
  n = length(cell(answered));
  cell(answered) = cell(answered) & 12; /* its lap is all that still matters to anybody */
  answered = plus(answered, n);
  n = 0
}

inline pass_by_credit() {
  if
  :: fate(answered) == pad_passed -> pass(pad_passed)
  :: else -> pass(handled)
  fi
}

proctype sender() {
  byte i, n, to;
end_sender:
  do
  :: !stopped && left >= 1 -> post(1)
  :: !stopped && left >= 2 -> post(2)
#if GRANULES > 2
  :: !stopped && left >= GRANULES -> post(GRANULES)
#endif
  :: !stopped && left < GRANULES && may_open(1) -> open_line() /* and may leave it empty */
  :: !stopped && opened + 1 < LINES && may_open(opened + 1) ->
       zero(plus(line_end, GRANULES * opened));
       opened++
  :: atomic { !stopped && (left >= 1 || may_open(1)) -> stopped = true } /* not for want of room */
  :: atomic {
       something_to_take -> /* look at the oldest */
       if
       :: kind(cell(answered)) == REPLY -> pass(replied)
       :: pad_is_followed -> goto look_behind_pad
       :: else -> goto take_credit
       fi
     };
     goto polled;
look_behind_pad:
     atomic {
       if
       :: kind(cell(after_pad)) == REPLY -> pass(pad_passed); pass(replied); goto polled
       :: else -> goto take_credit
       fi
     };
take_credit:
     atomic {
       if
       :: !is_after(freed_head, answered) -> goto polled
#ifdef MISTAKE_CREDIT_SKIPS_ANSWERS
       :: is_after(freed_head, answered) -> to = freed_head
#else
       :: is_after(freed_head, answered) && is_after(freed_clean, answered) -> goto step_over_one
       :: is_after(freed_head, answered) && !is_after(freed_clean, answered) -> to = freed_head
#endif
       fi;
       assert(from_to(answered, to) <= from_to(answered, tail));
       do
       :: answered != to -> pass_by_credit()
       :: else -> break
       od;
       to = 0;
       goto polled
     };
step_over_one:
     atomic {
       if
       :: kind(cell(answered)) == REPLY /* taken on the next turn */
       :: else -> pass_by_credit()
       fi
     };
polled:
     skip
  od
}

/* --- The receiver -------------------------------------------------------------------------- */

#define is_record (cell(head) != ARGUMENT && lap_of(cell(head)) == lap(head))
#ifdef MISTAKE_OLD_CREDIT
#define credit_is_due (from_to(credit_from, head) >= OWED_MAX)
#else
#define credit_is_due \
  (from_to(credit_from, head) >= OWED_MAX || from_to(published, head) >= AGE_MAX)
#endif

inline publish() {
  owes_credit = false;
  published = head;
  credit_from = head;
  freed_head = head;
  freed_clean = clean
}

proctype receiver() {
  byte n;
end_receiver:
  do
  :: cell(head) == ARGUMENT -> assert(false)
  :: atomic { /* a request that gets no reply, or a pad */
       is_record && !credit_is_due && !replying ->
       assert(kind(cell(head)) == REQUEST || kind(cell(head)) == PAD);
       n = length(cell(head));
       if
       :: kind(cell(head)) == REQUEST ->
            assert(fate(head) == sent);
            fate(head) = handled;
            owes_credit = true
       :: else ->
            assert(fate(head) == pad_sent);
            fate(head) = pad_passed;
            if
            :: !owes_credit -> clean = plus(head, n)
            :: else
            fi
       fi;
       head = plus(head, n);
       n = 0
     }
  :: atomic { /* a request that gets a reply: what is owed goes first */
       is_record && !credit_is_due && !replying && kind(cell(head)) == REQUEST ->
       assert(fate(head) == sent);
       replying = true;
#ifndef MISTAKE_REPLY_BEFORE_CREDIT
       if
       :: owes_credit -> publish()
       :: else
       fi
#endif
     }
  :: atomic {
       replying ->
       n = length(cell(head));
       cell(head) = header(REPLY, head, n);
       fate(head) = replied;
       head = plus(head, n);
       clean = head;
       credit_from = head;
       owes_credit = false;
       replying = false;
       n = 0
     }
  :: atomic { !replying && credit_is_due -> publish() }
#ifndef MISTAKE_NO_IDLE_CREDIT
  :: atomic { !replying && owes_credit -> publish() } /* idle, or much payload */
#endif
  od
}

/* Nothing can move any more. */
proctype end() {
  timeout ->
    assert(stopped && head == tail);
    assert(answered == tail || (fate(answered) == pad_passed && after_pad == tail))
}

init {
  atomic { run sender(); run receiver(); run end() }
}
