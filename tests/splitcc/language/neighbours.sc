/* SPDX-License-Identifier: Apache-2.0
 * Byte and short writes never disturb their neighbours: processors write interleaved elements of
 * one line at the same time, again and again, and each watches that its own stay what they are. */
#include "check.h"

#define ROUNDS 300

static signed char bytes[128];
static short halves[64];
static struct { char a[8]; short b[8]; char c[8]; } packed_cells;

#define BATTLE(T, ARRAY, COUNT)                                   \
  do {                                                            \
    T *global g = toglobal(0, ARRAY);                             \
    int round, i;                                                 \
    for (round = 0; round < ROUNDS; round++)                      \
      for (i = MYPROC; i < COUNT; i += PROCS) {                   \
        g[i] = (T)(round + i);                                    \
        if (i >= PROCS) CHECK(g[i - PROCS] == (T)(round + i - PROCS)); \
      }                                                           \
    barrier();                                                    \
    for (i = 0; i < COUNT; i++) CHECK(g[i] == (T)(ROUNDS - 1 + i)); \
    barrier();                                                    \
  } while (0)

#define SPLIT(T, ARRAY, COUNT, OP)                                \
  do {                                                            \
    T *global g = toglobal(0, ARRAY);                             \
    int round, i;                                                 \
    for (round = 0; round < 20; round++) {                        \
      for (i = MYPROC; i < COUNT; i += PROCS) g[i] OP(T)(round - i); \
      sync();                                                     \
      all_store_sync();                                           \
      for (i = MYPROC; i < COUNT; i += PROCS) CHECK(g[i] == (T)(round - i)); \
    }                                                             \
    barrier();                                                    \
  } while (0)

splitc_main() {
  int i;
  BATTLE(signed char, bytes, 128);
  BATTLE(short, halves, 64);
  BATTLE(char, packed_cells.a, 8);
  BATTLE(short, packed_cells.b, 8);
  SPLIT(signed char, bytes, 128, :=);
  SPLIT(short, halves, 64, :=);
  SPLIT(signed char, bytes, 128, :-);
  SPLIT(short, halves, 64, :-);
  on_one for (i = 0; i < 8; i++) CHECK(packed_cells.c[i] == 0);
  DONE;
}
