/* SPDX-License-Identifier: Apache-2.0
 * What accesses cost that splitcc has compiled, beside plain C in the same run: loops over one's own
 * elements, reads of one's own through pointers that may go anywhere, reads and puts that go to the
 * last processor. Processor 0 measures; each kind in turn, round by round, and medians count. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/splitc/common/program.h"

enum { ELEMENTS = 4096, PASSES = 16, READS = 16, PUTS = 4096, FAR_WORDS = 65536 };

enum kind {
  PLAIN_SUM,
  SPREAD_SUM,
  GLOBAL_SUM,
  PLAIN_SAXPY,
  SPREAD_SAXPY,
  GLOBAL_SAXPY,
  PLAIN_WALK,
  OWN_WALK,
  PLAIN_GATHER,
  OWN_GATHER,
  LOOP_OF_READS,
  LOOP_OF_PUTS,
  SEGMENT_READ,
  STATIC_READ,
  STACK_READ,
  KINDS
};

static const char *const names[KINDS] = {
  "plain_sum_ns",    "spread_sum_ns",  "global_sum_ns",  "plain_saxpy_ns", "spread_saxpy_ns",
  "global_saxpy_ns", "plain_walk_ns",  "own_walk_ns",    "plain_gather_ns", "own_gather_ns",
  "reads_ns",     "puts_ns",   "segment_read_ns", "static_read_ns", "stack_read_ns",
};

static long rounds = 41, far_words = 16384;
static setting settings[] = {
  {"rounds", "samples of each kind", &rounds, 1, 100000, 0},
  {"far-words", "of a segment, a variable and a stack, read one by one", &far_words, 1, FAR_WORDS,
   0},
  {0},
};

/* --- Loops over one's own elements --- */

__attribute__((noipa)) static int plain_sum(const int *p, int n)
{
  int i, s = 0;
  for (i = 0; i < n; i++) s += p[i];
  return s;
}

__attribute__((noipa)) static int spread_sum(int *spread a, int n)
{
  int i, s = 0;
  for (i = MYPROC; i < n; i += PROCS) s += a[i];
  return s;
}

__attribute__((noipa)) static int global_sum(int *global p, int n)
{
  int i, s = 0;
  for (i = 0; i < n; i++) s += p[i];
  return s;
}

__attribute__((noipa)) static void plain_saxpy(double *y, const double *x, double a, int n)
{
  int i;
  for (i = 0; i < n; i++) y[i] += a * x[i];
}

__attribute__((noipa)) static void spread_saxpy(double *spread y, double *spread x, double a,
                                                   int n)
{
  int i;
  for (i = MYPROC; i < n; i += PROCS) y[i] += a * x[i];
}

__attribute__((noipa)) static void global_saxpy(double *global y, double *global x, double a,
                                                   int n)
{
  int i;
  for (i = 0; i < n; i++) y[i] += a * x[i];
}

/* --- Pointers each of which may go anywhere: nothing can be hoisted --- */

/* A list, in which the next read waits for the last. */
typedef struct element {
  struct element *global next;
  struct element *here;
  int number;
} element;

__attribute__((noipa)) static int plain_walk(const element *e)
{
  int s = 0;
  for (; e; e = e->here) s += e->number;
  return s;
}

__attribute__((noipa)) static int own_walk(element *global e)
{
  int s = 0;
  for (; e; e = e->next) s += e->number;
  return s;
}

/* An array of pointers, of which none waits for another. */
__attribute__((noipa)) static int plain_gather(int **p, int n)
{
  int i, s = 0;
  for (i = 0; i < n; i++) s += *p[i];
  return s;
}

__attribute__((noipa)) static int own_gather(int *global *p, int n)
{
  int i, s = 0;
  for (i = 0; i < n; i++) s += *p[i];
  return s;
}

/* --- Another processor's memory --- */

__attribute__((noipa)) static int loop_of_reads(int *spread a)
{
  int i, s = 0;
  for (i = 0; i < READS; i++) s += a[i * PROCS];
  return s;
}

__attribute__((noipa)) static void loop_of_puts(int *global p)
{
  int i;
  for (i = 0; i < PUTS; i++) p[i] := i;
  sync();
}

/* Read after read: a `while` stays as it is written. */
__attribute__((noipa)) static int far_reads(int *global p, long n)
{
  int s = 0;
  while (n-- > 0) s += p[n];
  return s;
}

/* --- Measuring --- */

typedef struct memory {
  int *ints, **plain_pointers, *global *global_pointers;
  double *x, *y;
  element *list;
  int *spread spread_ints;
  double *spread spread_x, *spread spread_y;
  int *global segment, *global variable, *global stack;
} memory;

static double *samples[KINDS];
static int static_ints[FAR_WORDS];
static volatile int kept; /* no result is dropped */

#define MEASURE(kind, parts, statement)                     \
  do {                                                      \
    double begin = get_seconds();                           \
    int pass;                                               \
    for (pass = 0; pass < PASSES; pass++) statement;        \
    samples[kind][round] = (get_seconds() - begin) * 1e9 / PASSES / (parts); \
  } while (0)

/* One pass before the clock starts: what is behind the pointer decides, not what was read last. */
#define MEASURE_FAR(kind, pointer)                                     \
  do {                                                                 \
    kept = far_reads(pointer, far_words);                              \
    MEASURE(kind, far_words, kept = far_reads(pointer, far_words));    \
  } while (0)

static void measure_own(memory *m, long round)
{
  int n = ELEMENTS * PROCS;
  MEASURE(PLAIN_SUM, ELEMENTS, kept = plain_sum(m->ints, ELEMENTS));
  MEASURE(SPREAD_SUM, ELEMENTS, kept = spread_sum(m->spread_ints, n));
  MEASURE(GLOBAL_SUM, ELEMENTS, kept = global_sum(toglobal(MYPROC, m->ints), ELEMENTS));
  MEASURE(PLAIN_SAXPY, ELEMENTS, plain_saxpy(m->y, m->x, 1e-9, ELEMENTS));
  MEASURE(SPREAD_SAXPY, ELEMENTS, spread_saxpy(m->spread_y, m->spread_x, 1e-9, n));
  MEASURE(GLOBAL_SAXPY, ELEMENTS,
          global_saxpy(toglobal(MYPROC, m->y), toglobal(MYPROC, m->x), 1e-9, ELEMENTS));
  MEASURE(PLAIN_WALK, ELEMENTS, kept = plain_walk(m->list));
  MEASURE(OWN_WALK, ELEMENTS, kept = own_walk(toglobal(MYPROC, m->list)));
  MEASURE(PLAIN_GATHER, ELEMENTS, kept = plain_gather(m->plain_pointers, ELEMENTS));
  MEASURE(OWN_GATHER, ELEMENTS, kept = own_gather(m->global_pointers, ELEMENTS));
}

static void measure_remote(memory *m, long round)
{
  MEASURE(LOOP_OF_READS, 1, kept = loop_of_reads(m->spread_ints + PROCS - 1));
  MEASURE(LOOP_OF_PUTS, 1, loop_of_puts(m->segment));
  MEASURE_FAR(SEGMENT_READ, m->segment);
  MEASURE_FAR(STATIC_READ, m->variable);
  MEASURE_FAR(STACK_READ, m->stack);
}

/* What one processor reads of another is what that wrote: 1 for each. */
static int check(memory *m)
{
  int i, correct = spread_sum(m->spread_ints, ELEMENTS * PROCS) == ELEMENTS;
  correct &= loop_of_reads(m->spread_ints + PROCS - 1) == READS;
  correct &= own_walk(toglobal(MYPROC, m->list)) == ELEMENTS;
  correct &= own_gather(m->global_pointers, ELEMENTS) == ELEMENTS;
  loop_of_puts(m->segment);
  for (i = 0; i < PUTS; i++) correct &= m->segment[i] == i;
  correct &= far_reads(m->variable, far_words) == far_words;
  correct &= far_reads(m->stack, far_words) == far_words;
  return correct;
}

static void allocate(memory *m, int *stack)
{
  int i;
  m->spread_ints = all_spread_malloc(ELEMENTS * PROCS, sizeof(int));
  m->spread_x = all_spread_malloc(ELEMENTS * PROCS, sizeof(double));
  m->spread_y = all_spread_malloc(ELEMENTS * PROCS, sizeof(double));
  m->ints = (int *)(m->spread_ints + MYPROC);
  m->x = (double *)(m->spread_x + MYPROC);
  m->y = (double *)(m->spread_y + MYPROC);
  m->plain_pointers = malloc(ELEMENTS * sizeof m->plain_pointers[0]);
  m->global_pointers = malloc(ELEMENTS * sizeof m->global_pointers[0]);
  m->list = malloc(ELEMENTS * sizeof m->list[0]);
  for (i = 0; i < ELEMENTS; i++) {
    m->ints[i] = m->x[i] = m->y[i] = 1;
    m->plain_pointers[i] = &m->ints[i];
    m->global_pointers[i] = toglobal(MYPROC, &m->ints[i]);
    m->list[i].number = 1;
    m->list[i].here = i + 1 < ELEMENTS ? &m->list[i + 1] : 0;
    m->list[i].next = m->list[i].here;
  }
  for (i = 0; i < FAR_WORDS; i++) static_ints[i] = stack[i] = 1;
  m->segment = (int *global)(all_spread_malloc(FAR_WORDS * PROCS, sizeof(int)) + PROCS - 1);
  m->variable = toglobal(PROCS - 1, static_ints);
  m->stack = toglobal(PROCS - 1, stack);
}

splitc_main(int argc, char **argv)
{
  memory m;
  int stack[FAR_WORDS], kind, correct = 1;
  long round;
  read_settings(argc, argv, "What compiled accesses cost beside plain C.", settings);
  allocate(&m, stack);
  for (kind = 0; kind < KINDS; kind++) samples[kind] = malloc(rounds * sizeof(double));
  barrier();
  on_one {
    correct = check(&m);
    for (round = 0; round < rounds; round++) {
      measure_own(&m, round);
      measure_remote(&m, round);
    }
    for (kind = 0; kind < KINDS; kind++) report_number(names[kind], median(samples[kind], rounds));
  }
  barrier();
  report_end(correct);
}
