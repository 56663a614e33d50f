/* SPDX-License-Identifier: Apache-2.0
 * Fish that attract each other and drift in a current: an N-body simulation in which every
 * processor reads one fish after the other, from wherever it is, and computes its pull on all of
 * its own before it reads the next. See README.md. */
#include "../common/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long fish = 512, segments = 16, steps = 3, seed = 1, repeats = 3;

static setting settings[] = {
  {"fish", "fish in the sea", &fish, 1, 1 << 24},
  {"segments", "of a fish, each of which pulls by itself", &segments, 1, 1 << 16},
  {"steps", "time steps of a run", &steps, 1, 1 << 24},
  {"seed", "of the first places and masses", &seed, 0, 1L << 52},
  {"repeats", "runs; the median of their times counts", &repeats, 1, 1000},
  {0},
};

#define TIME_STEP 0.001
#define SOFTENING 0.0001 /* nobody pulls with endless force */
#define CURRENT 10.0
#define LENGTH 0.05 /* of a fish, which swims ahead */

/* What others must know of a fish: where its head and its tail are. */
typedef struct body {
  double x, y, tail_x, tail_y, mass;
} body;

/* What they need not know. */

typedef struct school {
  double *x, *y;            /* where they are */
  double *pull_x, *pull_y;  /* of the fish that have been read so far */
  double *speed_x, *speed_y;
  long count;
} school;

/* --- The physics, of one fish --- */

/* The pull of a point of this mass on one at (x, y). */
static inline void add_pull(double x, double y, double by_x, double by_y, double mass,
                            double *pull_x, double *pull_y)
{
  double dx = by_x - x, dy = by_y - y, square = dx * dx + dy * dy + SOFTENING;
  double pull = mass / (square * sqrt(square));
  *pull_x += dx * pull;
  *pull_y += dy * pull;
}

/* The sea turns around its middle. */
static inline void move(double *x, double *y, double *speed_x, double *speed_y, double pull_x,
                        double pull_y)
{
  *speed_x += (pull_x - CURRENT * *y) * TIME_STEP;
  *speed_y += (pull_y + CURRENT * *x) * TIME_STEP;
  *x += *speed_x * TIME_STEP;
  *y += *speed_y * TIME_STEP;
}

static inline void stretch(body *b, double speed_x, double speed_y)
{
  double speed = sqrt(speed_x * speed_x + speed_y * speed_y);
  b->tail_x = b->x - LENGTH * speed_x / speed;
  b->tail_y = b->y - LENGTH * speed_y / speed;
}

/* --- A school: the fish of one processor, or all of them --- */

static school make_school(long count)
{
  school s;
  double *all = malloc(6 * count * sizeof(double));
  s.count = count;
  s.x = all;
  s.y = all + count;
  s.pull_x = all + 2 * count;
  s.pull_y = all + 3 * count;
  s.speed_x = all + 4 * count;
  s.speed_y = all + 5 * count;
  return s;
}

static void free_school(const school *s) { free(s->x); }

/* Fish `number` at first, which is fish i of the school. */
static body place_fish(school *s, long i, long number)
{
  word state = random_key(random_key(0, seed), number);
  body b;
  b.x = s->x[i] = random_signed(&state);
  b.y = s->y[i] = random_signed(&state);
  b.mass = (1 + random_signed(&state)) / fish;
  s->speed_x[i] = 0.1 * random_signed(&state);
  s->speed_y[i] = 0.1 * random_signed(&state);
  s->pull_x[i] = s->pull_y[i] = 0;
  stretch(&b, s->speed_x[i], s->speed_y[i]);
  return b;
}

/* The pull of a fish on those from `first` to before `end`, one of its segments after the other. */
static inline void add_pulls(school *s, long first, long end, const body *of)
{
  double *restrict pull_x = s->pull_x, *restrict pull_y = s->pull_y;
  const double *own_x = s->x, *own_y = s->y;
  long segment, i;
  for (segment = 0; segment < segments; segment++) {
    double share = (double)segment / segments, mass = of->mass / segments;
    double x = of->x + (of->tail_x - of->x) * share, y = of->y + (of->tail_y - of->y) * share;
    for (i = first; i < end; i++) add_pull(own_x[i], own_y[i], x, y, mass, &pull_x[i], &pull_y[i]);
  }
}

static void move_fish(school *s, long i, body *shown)
{
  move(&s->x[i], &s->y[i], &s->speed_x[i], &s->speed_y[i], s->pull_x[i], s->pull_y[i]);
  s->pull_x[i] = s->pull_y[i] = 0;
  shown->x = s->x[i];
  shown->y = s->y[i];
  stretch(shown, s->speed_x[i], s->speed_y[i]);
}

/* --- The algorithm. Fish i is on processor i mod PROCS. --- */

typedef struct waits {
  double seconds;
  long reads; /* of fish on other processors */
} waits;

/* The fish after this processor's first one is the first to be read, so that not all ask the same
 * processor at once. */
static inline long first_read(int processor) { return (processor + 1) % fish; }

static void read_and_compute(school *own, body B[fish]::, waits *w)
{
  long j = first_read(MYPROC), k;
  for (k = 0; k < fish; k++) {
    double begin = get_seconds();
    body b = B[j];
    if (j % PROCS != MYPROC) {
      w->seconds += get_seconds() - begin;
      w->reads++;
    }
    add_pulls(own, 0, own->count, &b);
    if (++j == fish) j = 0;
  }
}

static void simulate(school *own, body B[fish]::, waits *w)
{
  body *shown = (body *)(B + MYPROC);
  long step, i;
  for (step = 0; step < steps; step++) {
    read_and_compute(own, B, w);
    barrier(); /* all have read where the fish were */
    for (i = 0; i < own->count; i++) move_fish(own, i, &shown[i]);
    barrier();
  }
}

/* --- The check: the same fish in the same order by one processor, to the last bit --- */

static school simulate_serially(void)
{
  school s = make_school(fish);
  body *shown = malloc(fish * sizeof(body));
  long step, i, j, k;
  for (i = 0; i < fish; i++) shown[i] = place_fish(&s, i, i);
  for (step = 0; step < steps; step++) {
    for (i = 0; i < fish; i++)
      for (k = 0, j = first_read(i % PROCS); k < fish; k++, j = j + 1 == fish ? 0 : j + 1)
        add_pulls(&s, i, i + 1, &shown[j]);
    for (i = 0; i < fish; i++) move_fish(&s, i, &shown[i]);
  }
  free(shown);
  return s;
}

static int is_right(const school *expected, body B[fish]::)
{
  long i;
  for (i = 0; i < fish; i++) {
    body b = B[i];
    if (b.x != expected->x[i] || b.y != expected->y[i]) return 0;
  }
  return 1;
}

/* --- The program --- */

static int run(double *seconds, waits *w)
{
  body B[fish]::, *shown = (body *)(B + MYPROC);
  school own = make_school(MYPROC < fish ? (fish - MYPROC + PROCS - 1) / PROCS : 0), expected;
  int right = 1;
  long round, i;
  on_one expected = simulate_serially();
  for (round = 0; round < repeats; round++) {
    double begin;
    for (i = 0; i < own.count; i++) shown[i] = place_fish(&own, i, MYPROC + i * PROCS);
    begin = time_begin();
    simulate(&own, B, w);
    seconds[round] = time_end(begin);
    on_one right &= is_right(&expected, B);
    barrier();
  }
  on_one free_school(&expected);
  free_school(&own);
  return right;
}

splitc_main(int argc, char **argv)
{
  double *seconds, waited, reads;
  waits w = {0, 0};
  int right;
  read_settings(argc, argv, "N-body simulation of fish in a current: read, compute, read, compute.",
                settings);
  seconds = malloc(repeats * sizeof(double));
  right = run(seconds, &w);
  waited = all_reduce_to_all_dadd(w.seconds);
  reads = all_reduce_to_all_dadd(w.reads);
  report_number("fish", fish);
  report_number("segments", segments);
  report_number("steps", steps);
  report_number("seconds", median(seconds, repeats));
  report_number("remote_reads", reads);
  report_number("read_wait_us", reads ? waited / reads * 1e6 : 0);
  free(seconds);
  report_end(right);
}
