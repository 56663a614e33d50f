/* SPDX-License-Identifier: Apache-2.0
 * s + n: let t = proc + n; the processor becomes t mod PROCS, floored, and the address moves by
 * floor(t / PROCS) elements. Every way to write it, for elements of many sizes. */
#include "check.h"

struct three { char c[3]; };
struct twelve { int i[3]; };
struct odd { char c[77]; };

static char base[64];

#define ALL_WAYS(T)                                                    \
  static void ways_##T(check_word start, int n) {                      \
    T##_t *spread s, *spread r;                                        \
    const check_word up = spread_step(start, n, sizeof(T##_t));        \
    const check_word down = spread_step(start, -(long)n, sizeof(T##_t)); \
    set_bits(&s, start);                                               \
    CHECK_SPREAD(s + n, up);                                           \
    CHECK_SPREAD(n + s, up);                                           \
    CHECK_SPREAD(s - n, down);                                         \
    CHECK_SPREAD(s + -n, down);                                        \
    r = s;                                                             \
    r += n;                                                            \
    CHECK_SPREAD(r, up);                                               \
    r = s;                                                             \
    r -= n;                                                            \
    CHECK_SPREAD(r, down);                                             \
    r = s;                                                             \
    CHECK_SPREAD((r += n), up);                                        \
    CHECK_GLOBAL(&s[n], up);                                           \
    CHECK_GLOBAL(&n[s], up);                                           \
    CHECK_GLOBAL(&*(s + n), up);                                       \
    CHECK_SPREAD(s + n - n, start);                                    \
    CHECK_SPREAD(s - n + n, start);                                    \
    CHECK_SPREAD(s + n + n, spread_step(start, 2L * n, sizeof(T##_t))); \
  }                                                                    \
  static void steps_##T(check_word start) {                            \
    T##_t *spread s, *spread old;                                      \
    set_bits(&s, start);                                               \
    old = s++;                                                         \
    CHECK_SPREAD(old, start);                                          \
    CHECK_SPREAD(s, spread_step(start, 1, sizeof(T##_t)));             \
    old = ++s;                                                         \
    CHECK_SPREAD(old, spread_step(start, 2, sizeof(T##_t)));           \
    old = s--;                                                         \
    CHECK_SPREAD(old, spread_step(start, 2, sizeof(T##_t)));           \
    --s;                                                               \
    CHECK_SPREAD(s, start);                                            \
    CHECK_SPREAD(--s, spread_step(start, -1, sizeof(T##_t)));          \
  }                                                                    \
  static void table_##T(void) {                                        \
    int proc, n;                                                       \
    for (proc = 0; proc < PROCS; proc++) {                             \
      for (n = -3 * PROCS - 1; n <= 3 * PROCS + 1; n++)                \
        ways_##T(pair_at(proc, base), n);                              \
      steps_##T(pair_at(proc, base));                                  \
    }                                                                  \
  }

typedef char byte_t;
typedef short half_t;
typedef int word_t;
typedef double real_t;
typedef struct three three_t;
typedef struct twelve twelve_t;
typedef struct odd odd_t;
typedef int row_t[7];
typedef int *global pointer_t;
ALL_WAYS(byte)
ALL_WAYS(half)
ALL_WAYS(word)
ALL_WAYS(real)
ALL_WAYS(three)
ALL_WAYS(twelve)
ALL_WAYS(odd)
ALL_WAYS(row)
ALL_WAYS(pointer)

/* The offset is of any integer type, with that type's value. */
static void offsets(void) {
  const check_word start = pair_at(PROCS - 1, base);
  int *spread s;
  signed char c = -3;
  unsigned char uc = 250;
  short h = -300;
  unsigned u = 4000000000u;
  long long l = -5000000000LL;
  size_t z = 12345;
  enum { seven = 7 } e = seven;
  _Bool b = 1;
  set_bits(&s, start);
  CHECK_SPREAD(s + c, spread_step(start, -3, 4));
  CHECK_SPREAD(s - c, spread_step(start, 3, 4));
  CHECK_SPREAD(s + uc, spread_step(start, 250, 4));
  CHECK_SPREAD(s + h, spread_step(start, -300, 4));
  CHECK_SPREAD(s + u, spread_step(start, 4000000000L, 4));
  CHECK_SPREAD(s - u, spread_step(start, -4000000000L, 4));
  CHECK_SPREAD(s + l, spread_step(start, -5000000000L, 4));
  CHECK_SPREAD(s - l, spread_step(start, 5000000000L, 4));
  CHECK_SPREAD(s + z, spread_step(start, 12345, 4));
  CHECK_SPREAD(s + e, spread_step(start, 7, 4));
  CHECK_SPREAD(s + b, spread_step(start, 1, 4));
  CHECK_SPREAD(s + 'a', spread_step(start, 97, 4));
  CHECK_SPREAD(s + MYPROC, spread_step(start, MYPROC, 4));
  CHECK_SPREAD(s + MYPROC - PROCS * 3, spread_step(start, MYPROC - PROCS * 3, 4));
  CHECK_SPREAD(s + (c, 2), spread_step(start, 2, 4));
}

/* The operands are evaluated once. */
static int calls;
static int count_calls(int n) {
  calls++;
  return n;
}
static int *spread get_spread(int *spread s) {
  calls++;
  return s;
}
static void once(void) {
  int *spread several[2], *spread *at = several;
  int i = 3;
  set_bits(&several[0], pair_at(0, base));
  set_bits(&several[1], pair_at(0, base));
  CHECK_SPREAD(get_spread(several[0]) + count_calls(5), spread_step(pair_at(0, base), 5, 4));
  CHECK_INT(calls, 2);
  *at++ += i++;
  CHECK_INT(at - several, 1);
  CHECK_INT(i, 4);
  CHECK_SPREAD(several[0], spread_step(pair_at(0, base), 3, 4));
  (*at++)++;
  CHECK_INT(at - several, 2);
  CHECK_SPREAD(several[1], spread_step(pair_at(0, base), 1, 4));
}

splitc_main() {
  table_byte();
  table_half();
  table_word();
  table_real();
  table_three();
  table_twelve();
  table_odd();
  table_row();
  table_pointer();
  offsets();
  once();
  DONE;
}
