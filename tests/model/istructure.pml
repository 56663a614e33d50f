/* SPDX-License-Identifier: Apache-2.0
 *
 * An element of an M-structure, which is one of an I-structure if nobody takes. (src/tam/heap.cpp)
 *
 * Two ranks fetch its word, two take it and put it back greater by one, and one puts the first word:
 * the owner handles their messages in any order, each as a step. The first deferred fetch stands in
 * the element itself, others and takes in a list. What must hold: whoever asks is answered once,
 * each number is taken once, and in the end the element holds the number of takes.
 */
#define FETCHERS 2
#define TAKERS 2
#define CLIENTS 4

mtype = { fetch, take, put };
mtype = { vacant, present, one_reader, readers };

chan requests = [CLIENTS + 1] of { mtype, byte };  /* what, and who asks or the word */
chan answers[CLIENTS] = [1] of { byte };
chan deferred = [CLIENTS] of { byte, bool };       /* who, and whether that is a take */
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
       answers[who]!came;
       if
#ifndef MISTAKE_SERVES_ALL
       :: is_take ->
            if
            :: len(deferred) > 0 -> tag = readers
            :: else -> tag = vacant
            fi;
            break
#endif
       :: else
       fi
  :: else -> tag = present; value = came; break
  od
}

active proctype owner() {
  byte word, who;
  bool is_take;
end_all_served:
  do
  :: d_step { requests?fetch,who -> ask(who, false); who = 0 }
  :: d_step { requests?take,who -> ask(who, true); who = 0 }
  :: d_step {
       requests?put,word ->
       assert(tag != present);
       if
       :: tag == one_reader -> answers[value]!word; tag = present; value = word
       :: else -> serve(word)
       fi;
       word = 0; who = 0; is_take = false
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
  (ended == CLIENTS + 1 && len(requests) == 0 && tag == present);
  assert(value == TAKERS && len(deferred) == 0)
}
