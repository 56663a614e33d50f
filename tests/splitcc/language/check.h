/* SPDX-License-Identifier: Apache-2.0
 * What the test programs share. What is expected is computed here in plain C, from the definitions
 * in the language's document: nothing in this file uses a global or spread pointer, except to take
 * its 64 bits. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <split-c/split-c.h>

/* What processors wait for with plain reads; -fcheck wants to be told so. */
#ifdef __SPLITC_CHECK__
#define WAITED_FOR volatile
#else
#define WAITED_FOR
#endif

typedef unsigned long check_word;
#define CHECK_MASK 0xffffffffffffUL

#define NEXT ((MYPROC + 1) % PROCS)
#define PREVIOUS ((MYPROC + PROCS - 1) % PROCS)

static void check_fail(const char *file, int line, const char *text) {
  fprintf(stderr, "%s:%d: processor %d of %d: %s\n", file, line, MYPROC, PROCS, text);
  exit(1);
}

static void check_word_is(const char *file, int line, const char *text, check_word got,
                          check_word wanted) {
  char message[512];
  if (got == wanted) return;
  snprintf(message, sizeof message, "%.300s: got %ld = 0x%lx, wanted %ld = 0x%lx", text, (long)got,
           got, (long)wanted, wanted);
  check_fail(file, line, message);
}

static void check_double_is(const char *file, int line, const char *text, double got,
                            double wanted) {
  char message[512];
  if (got == wanted) return;
  snprintf(message, sizeof message, "%.300s: got %.17g, wanted %.17g", text, got, wanted);
  check_fail(file, line, message);
}

#define CHECK(condition) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition))
#define CHECK_INT(got, wanted) \
  check_word_is(__FILE__, __LINE__, #got, (check_word)(long)(got), (check_word)(long)(wanted))
#define CHECK_DOUBLE(got, wanted) check_double_is(__FILE__, __LINE__, #got, (got), (wanted))
/* Of a pointer, any expression: its 64 bits. */
#define CHECK_SPREAD(got, wanted) \
  check_word_is(__FILE__, __LINE__, #got, spread_bits(got), (check_word)(wanted))
#define CHECK_GLOBAL(got, wanted) \
  check_word_is(__FILE__, __LINE__, #got, global_bits(got), (check_word)(wanted))

/* The bits of any pointer object, given its address; and back. */
static check_word bits_at(const void *object) {
  check_word bits;
  memcpy(&bits, object, sizeof bits);
  return bits;
}
static void set_bits(void *object, check_word bits) { memcpy(object, &bits, sizeof bits); }

static check_word spread_bits(const void *spread s) { return bits_at(&s); }
static check_word global_bits(const void *global g) { return bits_at(&g); }

/* --- The model --- */

static check_word pair_of(long proc, check_word address) {
  return (check_word)proc << 48 | (address & CHECK_MASK);
}
static check_word pair_at(long proc, const void *address) {
  return pair_of(proc, (check_word)address);
}
static long proc_of(check_word bits) { return (long)(bits >> 48); }
static check_word address_of(check_word bits) { return bits & CHECK_MASK; }

/* b > 0 */
static long floor_quotient(long a, long b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

static check_word spread_step(check_word bits, long n, long size) {
  const long t = proc_of(bits) + n, rows = floor_quotient(t, PROCS);
  return pair_of(t - rows * PROCS, address_of(bits) + (check_word)(rows * size));
}
static check_word global_step(check_word bits, long n, long size) {
  return pair_of(proc_of(bits), address_of(bits) + (check_word)(n * size));
}
static long spread_distance(check_word to, check_word from, long size) {
  return ((long)address_of(to) - (long)address_of(from)) / size * PROCS + proc_of(to) -
         proc_of(from);
}
static long global_distance(check_word to, check_word from, long size) {
  return ((long)address_of(to) - (long)address_of(from)) / size;
}

/* A value that tells processor and index apart. */
static int mark(int proc, int index) { return proc * 1000003 + index * 101 + 7; }

/* All processors are through: processor 0 says so. */
static void check_done(const char *file) {
  const char *name = strrchr(file, '/');
  barrier();
  if (MYPROC == 0) printf("ok %s\n", name ? name + 1 : file);
}
#define DONE check_done(__FILE__)

#endif
