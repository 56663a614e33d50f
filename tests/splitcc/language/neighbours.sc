/* SPDX-License-Identifier: Apache-2.0
 * Byte, short and bit-field writes never disturb their neighbours: processors write interleaved
 * elements of one line at the same time, again and again, and each watches that its own stay what
 * they are. */
#include "check.h"

#define ROUNDS 300

static signed char bytes[128];
static short halves[64];
static struct { char a[8]; short b[8]; char c[8]; } packed_cells;

struct beside { unsigned a : 12, b : 8; unsigned char c; };
struct wide_one { unsigned char low; unsigned long a : 45; unsigned char c; };
struct __attribute__((packed)) tight { unsigned char low; signed int a : 26; unsigned char c; };
struct inner { struct { unsigned a : 3, b : 14; unsigned char c; }; short last; };
static struct beside beside_cell;
static struct wide_one wide_cell;
static struct tight tight_cell;
static struct inner inner_cell;

/* The owner writes c, the next processor the field in front of it; under -fcheck that is a race if
 * the bytes are not apart. */
#define BESIDE_FIELD(CELL, TAG, FIELD, VALUE)                     \
  do {                                                            \
    struct TAG *global g = toglobal(NEXT, &CELL);                 \
    struct TAG *global own = &CELL;                               \
    barrier();                                                    \
    g->FIELD = VALUE;                                             \
    own->c = MYPROC + 1;                                          \
    barrier();                                                    \
    CHECK(g->FIELD == (VALUE));                                   \
    CHECK(CELL.FIELD == (VALUE) && CELL.c == MYPROC + 1);         \
    barrier();                                                    \
    g->FIELD := (VALUE) / 2;                                      \
    sync();                                                       \
    barrier();                                                    \
    CHECK(CELL.FIELD == (VALUE) / 2 && CELL.c == MYPROC + 1);     \
  } while (0)

static void beside_fields(void) {
  beside_cell.a = 0xabc;
  inner_cell.a = 5;
  inner_cell.last = -1;
  BESIDE_FIELD(beside_cell, beside, b, 0xed);
  BESIDE_FIELD(wide_cell, wide_one, a, 0x123456789abcul);
  BESIDE_FIELD(tight_cell, tight, a, -12345678);
  BESIDE_FIELD(inner_cell, inner, b, 0x2bad);
  CHECK(beside_cell.a == 0xabc && inner_cell.a == 5 && inner_cell.last == -1);
  CHECK(wide_cell.low == 0 && tight_cell.low == 0);
}

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
  beside_fields();
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
