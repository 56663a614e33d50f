/* SPDX-License-Identifier: Apache-2.0
 * The mistake: requests and replies share a ring. Both sides fill theirs with requests, and neither
 * has room for the replies that would empty them; a gate does not help. */
#define RING 2

chan requests[2] = [RING] of { bit };
chan replies[2] = [RING] of { bit };
byte used[2]; /* of the ring of side s: its requests, and its replies to the other */

proctype side(byte me, you) {
  do
  :: atomic { used[me] < RING -> used[me]++; requests[me]!0 }
  :: atomic {
       nempty(requests[you]) && used[me] < RING ->
       requests[you]?_;
       used[me]++;
       replies[you]!0
     }
  :: atomic { replies[me]?_ -> used[me]--; used[you]-- }
  od
}

init {
  atomic { run side(0, 1); run side(1, 0) }
}
