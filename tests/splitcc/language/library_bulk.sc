/* SPDX-License-Identifier: Apache-2.0
 * bulk_read, bulk_write, bulk_get, bulk_put, bulk_store: any pointer kinds, any lengths (0 and
 * negative ones too), overlapping as memmove, arguments evaluated once. */
#include "check.h"

#define BYTES 70000

static char source[BYTES + 64], target[BYTES + 64];
int A[16 * PROCS]::;
double B[PROCS]::[32];

static char byte_of(int proc, int i) { return (char)(proc * 31 + i * 7 + i / 251); }

static void lengths(void) {
  static const int lengths[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 31, 63, 64, 65, 255, 1000, 4096,
                                4097, 16384, 65536, BYTES};
  int l, i, n;
  for (i = 0; i < BYTES + 64; i++) source[i] = byte_of(MYPROC, i);
  barrier();
  for (l = 0; l < (int)(sizeof lengths / sizeof *lengths); l++) {
    const int shift = l % 5;
    n = lengths[l];
    memset(target, 'x', sizeof target);
    bulk_read(target + 1, toglobal(NEXT, source + shift), n);
    for (i = 0; i < n; i++) CHECK(target[1 + i] == byte_of(NEXT, i + shift));
    CHECK(target[0] == 'x' && target[n + 1] == 'x');
    memset(target, 'y', sizeof target);
    bulk_get(target + 2, toglobal(NEXT, source + shift), n);
    sync();
    for (i = 0; i < n; i++) CHECK(target[2 + i] == byte_of(NEXT, i + shift));
    CHECK(target[1] == 'y' && target[n + 2] == 'y');
    barrier();
    bulk_write(toglobal(NEXT, target + 3), source, n);
    barrier();
    for (i = 0; i < n; i++) CHECK(target[3 + i] == byte_of(PREVIOUS, i));
    barrier();
    bulk_put(toglobal(NEXT, target + 4), source + 1, n);
    sync();
    barrier();
    for (i = 0; i < n; i++) CHECK(target[4 + i] == byte_of(PREVIOUS, i + 1));
    barrier();
    bulk_store(toglobal(NEXT, target + 5), source + 2, n);
    all_store_sync();
    for (i = 0; i < n; i++) CHECK(target[5 + i] == byte_of(PREVIOUS, i + 2));
    barrier();
  }
}

static void no_bytes(void) {
  int keep = 5, *global g;
  static int cell = 7;
  barrier();
  g = toglobal(NEXT, &cell);
  bulk_read(&keep, g, 0);
  bulk_read(&keep, g, -4);
  bulk_get(&keep, g, -4);
  bulk_put(g, &keep, -1);
  bulk_write(g, &keep, -1000000);
  bulk_store(g, &keep, -4);
  bulk_store(g, &keep, 0);
  sync();
  all_store_sync();
  CHECK_INT(keep, 5);
  CHECK_INT(cell, 7);
  CHECK_INT(*g, 7);
  barrier();
}

/* Pointers of all kinds, spread arrays, blocks, their members. */
static void pointer_kinds(void) {
  int local[16], i, *global g, *spread s;
  double block[32];
  for (i = 0; i < 16; i++) local[i] = mark(MYPROC, i);
  bulk_write(A + MYPROC, local, sizeof local);
  for (i = 0; i < 32; i++) block[i] = MYPROC + i / 32.0;
  bulk_write(B[MYPROC], block, sizeof block);
  barrier();
  for (i = 0; i < 16; i++) CHECK_INT(A[NEXT + i * PROCS], mark(NEXT, i));
  bulk_read(local, A, 16);
  CHECK_INT(local[3], mark(0, 3));
  bulk_read(local, &A[NEXT + 2 * PROCS], 8);
  CHECK_INT(local[1], mark(NEXT, 3));
  bulk_get(block, B + NEXT, sizeof B[0]);
  bulk_get(local, &B[NEXT][4], sizeof(double));
  sync();
  CHECK_DOUBLE(block[31], NEXT + 31 / 32.0);
  CHECK_DOUBLE(*(double *)local, NEXT + 4 / 32.0);
  s = A + NEXT;
  g = (int *global)s;
  bulk_read(local, s, 4);
  bulk_read(local + 1, g + 1, 4);
  CHECK_INT(local[0], mark(NEXT, 0));
  CHECK_INT(local[1], mark(NEXT, 1));
  bulk_read(local, (int *)s, 4);
  CHECK_INT(local[0], mark(MYPROC, 0));
  bulk_write(local, local + 1, 4);
  CHECK_INT(local[0], mark(NEXT, 1));
  barrier();
  bulk_read(A + MYPROC, toglobal(MYPROC, local), 4); /* the target is this processor's */
  CHECK_INT(A[MYPROC], mark(NEXT, 1));
  barrier();
}

static void overlapping(void) {
  int i;
  for (i = 0; i < 1000; i++) source[i] = byte_of(MYPROC, i);
  bulk_write(toglobal(MYPROC, source + 3), source, 900);
  for (i = 0; i < 900; i++) CHECK(source[i + 3] == byte_of(MYPROC, i));
  bulk_read(source, toglobal(MYPROC, source + 3), 900);
  for (i = 0; i < 900; i++) CHECK(source[i] == byte_of(MYPROC, i));
  bulk_get(source + 1, toglobal(MYPROC, source), 900);
  sync();
  for (i = 0; i < 900; i++) CHECK(source[i + 1] == byte_of(MYPROC, i));
  bulk_store(toglobal(MYPROC, source), source + 1, 900);
  all_store_sync();
  for (i = 0; i < 900; i++) CHECK(source[i] == byte_of(MYPROC, i));
  barrier();
}

/* The source of a put and of a store may be reused at once. */
static void reuse(void) {
  char buffer[300];
  int round, i;
  for (round = 0; round < 20; round++) {
    memset(buffer, 'a' + round, sizeof buffer);
    bulk_put(toglobal(NEXT, target + 300 * round), buffer, sizeof buffer);
    memset(buffer, 'A' + round, sizeof buffer);
    bulk_store(toglobal(NEXT, target + 300 * (round + 20)), buffer, sizeof buffer);
    memset(buffer, 0, sizeof buffer);
  }
  sync();
  all_store_sync();
  for (i = 0; i < 6000; i++) {
    CHECK_INT(target[i], 'a' + i / 300);
    CHECK_INT(target[i + 6000], 'A' + i / 300);
  }
  barrier();
}

static void once(void) {
  static int from[10], to[10];
  int i, *p = from, k = 2, n = 4, *global d;
  for (i = 0; i < 10; i++) from[i] = mark(MYPROC, i);
  barrier();
  d = toglobal(NEXT, to);
  bulk_store(d++, (p += k), n++);
  bulk_put(d++, p++, (n--, 4));
  bulk_write(d += 2, ++p, n *= 2);
  sync();
  all_store_sync();
  CHECK_INT(p - from, 4);
  CHECK_INT(n, 8);
  CHECK_GLOBAL(d, pair_at(NEXT, to + 4));
  CHECK_INT(to[0], mark(PREVIOUS, 2));
  CHECK_INT(to[1], mark(PREVIOUS, 2));
  CHECK_INT(to[4], mark(PREVIOUS, 4));
  CHECK_INT(to[5], mark(PREVIOUS, 5));
  CHECK_INT(to[6], 0);
}

splitc_main() {
  lengths();
  no_bytes();
  pointer_kinds();
  overlapping();
  reuse();
  once();
  DONE;
}
