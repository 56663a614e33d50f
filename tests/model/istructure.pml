/* SPDX-License-Identifier: Apache-2.0
 *
 * An element of an M-structure, which is one of an I-structure if nobody takes. (languages/tam/runtime/elements.cpp)
 *
 * Two ranks fetch its word, two take it and put it back greater by one, and one puts the first word:
 * the owner handles their messages in any order, each as a step. What a put sends to those who
 * waited goes one by one, and messages are handled in between: a thread's sends do that. The first
 * deferred fetch stands in the element itself, others and takes in a list. What must hold: whoever
 * asks is answered once, each number is taken once, and in the end the element holds the number of
 * takes.
 */
#define FETCHERS 2
#define TAKERS 2
#define CLIENTS 4

mtype = { fetch, take, put };
mtype = { vacant, present, one_reader, readers };

chan requests = [CLIENTS + 1] of { mtype, byte };  /* what, and who asks or the word */
chan answers[CLIENTS] = [1] of { byte };
chan deferred = [CLIENTS] of { byte, bool };       /* who, and whether that is a take */
chan leaving = [CLIENTS] of { byte, byte };        /* answers of a put, not sent yet: who, word */
mtype tag = vacant;
byte value;  /* the word; with one_reader: who asks */
bool taken[TAKERS];
byte ended;

inline defer(client, takes) {
  if
  :: tag == vacant && !takes -> tag = one_reader; value = client
  :: else ->
       if
#ifndef MISTAKE_FORGETS_THE_FIRST
       :: tag == one_reader -> deferred!value,false
#endif
       :: else
       fi;
       deferred!client,takes;
       tag = readers
  fi
}

inline ask(client, takes) {
  if
  :: tag == present ->
       answers[client]!value;
       if
       :: takes -> tag = vacant
       :: else
       fi
  :: else -> defer(client, takes)
  fi
}

inline serve(came) {
  do
  :: len(deferred) > 0 ->
       deferred?who,is_take;
       leaving!who,came;
       if
#ifndef MISTAKE_SERVES_ALL
       :: is_take ->
            if
            :: len(deferred) > 0 -> after = readers
            :: else -> after = vacant
            fi;
#ifdef MISTAKE_ENDS_LATE
            tag = present;
            value = came;
#else
            tag = after;
#endif
            break
#endif
       :: else
       fi
  :: else -> tag = present; value = came; after = present; break
  od
}

active proctype owner() {
  byte word, who;
  bool is_take;
  mtype after;  /* what a put leaves */
end_all_served:
  do
  :: d_step { requests?fetch,who -> ask(who, false); who = 0 }
  :: d_step { requests?take,who -> ask(who, true); who = 0 }
  :: d_step {
       requests?put,word ->
       assert(tag != present);
       if
       :: tag == one_reader -> leaving!value,word; tag = present; value = word; after = present
       :: else -> serve(word)
       fi;
       word = 0; who = 0; is_take = false
     }
  :: d_step {
       leaving?who,word ->
       answers[who]!word;
#ifdef MISTAKE_ENDS_LATE
       if
       :: len(leaving) == 0 -> tag = after
       :: else
       fi;
#endif
       word = 0; who = 0
     }
  od
}

active [FETCHERS] proctype fetcher() {
  byte me, word;
  me = _pid - 1;
  requests!fetch,me;
  answers[me]?word;
  ended++
}

active [TAKERS] proctype taker() {
  byte me, word;
  me = _pid - 1;
  requests!take,me;
  answers[me]?word;
  assert(!taken[word]);
  taken[word] = true;
  requests!put,word + 1;
  ended++
}

active proctype starter() {
  requests!put,0;
  ended++;
  (ended == CLIENTS + 1 && len(requests) == 0 && len(leaving) == 0 && tag == present);
  assert(value == TAKERS && len(deferred) == 0)
}
