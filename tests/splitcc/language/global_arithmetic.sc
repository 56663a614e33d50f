/* SPDX-License-Identifier: Apache-2.0
 * g + n stays on its processor; differences and orders of global and spread pointers. */
#include "check.h"

struct seven { char c[7]; };
static double cells[40];

static void steps(void) {
  int proc, n;
  for (proc = 0; proc < PROCS; proc++)
    for (n = -9; n <= 9; n++) {
      const check_word start = pair_at(proc, cells + 20);
      double *global g = toglobal(proc, cells + 20), *global h = g;
      struct seven *global b = (struct seven *global)g;
      CHECK_GLOBAL(g + n, global_step(start, n, 8));
      CHECK_GLOBAL(n + g, global_step(start, n, 8));
      CHECK_GLOBAL(g - n, global_step(start, -n, 8));
      CHECK_GLOBAL(b + n, global_step(start, n, 7));
      CHECK_GLOBAL(&g[n], global_step(start, n, 8));
      CHECK_GLOBAL(&b[n].c[3], global_step(start, 7 * n + 3, 1));
      h += n;
      CHECK_GLOBAL(h, global_step(start, n, 8));
      h -= 2 * n;
      CHECK_GLOBAL(h, global_step(start, -n, 8));
      h = g;
      CHECK_GLOBAL(h++, start);
      CHECK_GLOBAL(++h, global_step(start, 2, 8));
      CHECK_GLOBAL(h--, global_step(start, 2, 8));
      CHECK_GLOBAL(--h, start);
      CHECK_GLOBAL(g + 3u - 5u, global_step(start, -2, 8));
    }
}

/* ((addr - addr) / size) * PROCS + (proc - proc), respectively (addr - addr) / size. */
static void differences(void) {
  int a, b;
  double *spread s, *spread t;
  double *global g, *global h;
  int (*spread rows)[4], (*spread other)[4];
  for (a = -2 * PROCS; a <= 2 * PROCS; a++)
    for (b = -2 * PROCS; b <= 2 * PROCS; b++) {
      set_bits(&s, spread_step(pair_at(0, cells + 20), a, 8));
      set_bits(&t, spread_step(pair_at(0, cells + 20), b, 8));
      CHECK_INT(s - t, a - b);
      CHECK_INT(s - t, spread_distance(bits_at(&s), bits_at(&t), 8));
      set_bits(&rows, spread_step(pair_at(0, cells + 20), a, 16));
      set_bits(&other, spread_step(pair_at(0, cells + 20), b, 16));
      CHECK_INT(rows - other, a - b);
      g = toglobal(a & 1 ? 0 : PROCS - 1, cells + 20 + a % 7);
      h = toglobal(b & 1 ? 0 : PROCS - 1, cells + 20 + b % 5);
      CHECK_INT(g - h, a % 7 - b % 5);
    }
  CHECK_INT(sizeof(s - t), sizeof(long));
  CHECK_INT(sizeof(g - h), sizeof(long));
}

static int sign_of(long x) { return x < 0 ? -1 : x > 0; }

#define ORDER(a, b, sign)            \
  CHECK_INT((a) < (b), (sign) < 0);  \
  CHECK_INT((a) <= (b), (sign) <= 0); \
  CHECK_INT((a) > (b), (sign) > 0);  \
  CHECK_INT((a) >= (b), (sign) >= 0)

static void compare(check_word x, check_word y) {
  double *global g, *global h;
  double *spread s, *spread t;
  const int by_address = sign_of((long)address_of(x) - (long)address_of(y));
  const int by_processor = sign_of(proc_of(x) - proc_of(y));
  set_bits(&g, x);
  set_bits(&s, x);
  set_bits(&h, y);
  set_bits(&t, y);
  CHECK_INT(g == h, x == y);
  CHECK_INT(g != h, x != y);
  CHECK_INT(s == t, x == y);
  CHECK_INT(s != t, x != y);
  ORDER(g, h, by_address);
  ORDER(s, t, by_address ? by_address : by_processor);
}

static void orders(void) {
  int p, q, i, j;
  for (p = 0; p < PROCS; p++)
    for (q = 0; q < PROCS; q++)
      for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) compare(pair_at(p, cells + i), pair_at(q, cells + j));
}

/* A loop by pointers, as programs write it. */
static void loops(void) {
  double *global g, *global end;
  int count = 0;
  for (g = toglobal(NEXT, cells), end = g + 40; g < end; g++) count++;
  CHECK_INT(count, 40);
  for (; g > toglobal(NEXT, cells); --g) count--;
  CHECK_INT(count, 0);
  do count++;
  while (g++ != end);
  CHECK_INT(count, 41);
}

splitc_main() {
  steps();
  differences();
  orders();
  loops();
  DONE;
}
