/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a program of the threaded abstract machine. (languages/tam/runtime/termination.cpp)
 *
 * A rank with work may send messages, which make work where they are handled: words, calls, and
 * activations given to idle ranks. LIMIT of them in all. A token goes round among ranks without
 * work and adds up what each has sent and handled. What must hold: when rank 0 says that all is
 * over, no rank has work and no message is under way.
 */
#define RANKS 3
#define LIMIT 4

chan messages[RANKS] = [LIMIT] of { bit };
bool works[RANKS];
byte sent[RANKS], handled[RANKS];
byte made;
byte token_at, token_sent, token_handled;
byte before_sent = 255, before_handled;
bool over;

#define may_send(to) (works[me] && made < LIMIT && to != me)
inline send_to(to) {
  made++;
#ifndef MISTAKE_NOT_COUNTED
  sent[me]++;
#else
  if
  :: made > 1 -> sent[me]++
  :: else
  fi;
#endif
  messages[to]!1
}

inline decide() {
  token_sent = token_sent + sent[0];
  token_handled = token_handled + handled[0];
  if
#ifndef MISTAKE_ONE_ROUND
  :: token_sent == token_handled && token_sent == before_sent && token_handled == before_handled ->
#else
  :: token_sent == token_handled ->
#endif
       over = true;
       assert(!works[0] && !works[1] && !works[2]);
       assert(len(messages[0]) == 0 && len(messages[1]) == 0 && len(messages[2]) == 0)
  :: else ->
       before_sent = token_sent;
       before_handled = token_handled;
       token_sent = 0;
       token_handled = 0;
       token_at = 1
  fi
}

proctype rank(byte me) {
end_idle:
  do
  :: atomic { may_send(0) -> send_to(0) }
  :: atomic { may_send(1) -> send_to(1) }
  :: atomic { may_send(2) -> send_to(2) }
  :: works[me] -> works[me] = false
  :: atomic { messages[me]?_ -> handled[me]++; works[me] = true }
  :: atomic {
       token_at == me && !works[me] && !over ->
       if
       :: me == 0 -> decide()
       :: else ->
            token_sent = token_sent + sent[me];
            token_handled = token_handled + handled[me];
            token_at = (me + 1) % RANKS
       fi
     }
  od
}

init {
  atomic {
    works[0] = true;
    run rank(0);
    run rank(1);
    run rank(2)
  }
}
