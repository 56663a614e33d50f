/* SPDX-License-Identifier: Apache-2.0
 * Fish that attract each other and drift in a current: an N-body simulation in which every
 * processor reads one fish after the other, from wherever it is, and computes its pull on all of
 * its own before it reads the next. See README.md. */
#include "../common/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long fish = 1024, steps = 5, seed = 1, repeats = 3;

static setting settings[] = {
  {"fish", "fish in the sea", &fish, 1, 1 << 24},
  {"steps", "time steps of a run", &steps, 1, 1 << 24},
  {"seed", "of the first places and masses", &seed, 0, 1L << 52},
  {"repeats", "runs; the median of their times counts", &repeats, 1, 1000},
  {0},
};

#define TIME_STEP 0.001
#define SOFTENING 0.0001 /* nobody pulls with endless force */
#define CURRENT 10.0

/* What others must know of a fish, and what they need not. */
typedef struct point {
  double x, y, mass;
} point;

typedef struct school {
  double *x, *y;            /* where they are */
  double *pull_x, *pull_y;  /* of the fish that have been read so far */
  double *speed_x, *speed_y;
  long count;
} school;

/* --- The physics, of one fish --- */

static inline void add_pull(double x, double y, const point *by, double *pull_x, double *pull_y)
{
  double dx = by->x - x, dy = by->y - y, square = dx * dx + dy * dy + SOFTENING;
  double pull = by->mass / (square * sqrt(square));
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

static point first_point(long number)
{
  word state = random_key(random_key(0, seed), number);
  point p;
  p.x = random_signed(&state);
  p.y = random_signed(&state);
  p.mass = (1 + random_signed(&state)) / fish;
  return p;
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

static void place_fish(school *s, long i, point p)
{
  s->x[i] = p.x;
  s->y[i] = p.y;
  s->speed_x[i] = s->speed_y[i] = s->pull_x[i] = s->pull_y[i] = 0;
}

static void move_fish(school *s, long i)
{
  move(&s->x[i], &s->y[i], &s->speed_x[i], &s->speed_y[i], s->pull_x[i], s->pull_y[i]);
  s->pull_x[i] = s->pull_y[i] = 0;
}

/* --- The algorithm. Fish i is on processor i mod PROCS. --- */

typedef struct waits {
  double seconds;
  long reads; /* of fish on other processors */
} waits;

/* The fish after this processor's first one is the first to be read, so that not all ask the same
 * processor at once. */
static inline long first_read(int processor) { return (processor + 1) % fish; }

static void read_and_compute(school *own, point P[fish]::, waits *w)
{
  double *restrict pull_x = own->pull_x, *restrict pull_y = own->pull_y;
  long j = first_read(MYPROC), k, i;
  for (k = 0; k < fish; k++) {
    double begin = get_seconds();
    point p = P[j];
    if (j % PROCS != MYPROC) {
      w->seconds += get_seconds() - begin;
      w->reads++;
    }
    for (i = 0; i < own->count; i++) add_pull(own->x[i], own->y[i], &p, &pull_x[i], &pull_y[i]);
    if (++j == fish) j = 0;
  }
}

static void simulate(school *own, point P[fish]::, waits *w)
{
  point *shown = (point *)(P + MYPROC);
  long step, i;
  for (step = 0; step < steps; step++) {
    read_and_compute(own, P, w);
    barrier(); /* all have read where the fish were */
    for (i = 0; i < own->count; i++) {
      move_fish(own, i);
      shown[i].x = own->x[i];
      shown[i].y = own->y[i];
    }
    barrier();
  }
}

/* --- The check: the same fish in the same order by one processor, to the last bit --- */

static school simulate_serially(void)
{
  school s = make_school(fish);
  point *points = malloc(fish * sizeof(point));
  long step, i, j, k;
  for (i = 0; i < fish; i++) place_fish(&s, i, points[i] = first_point(i));
  for (step = 0; step < steps; step++) {
    for (i = 0; i < fish; i++)
      for (k = 0, j = first_read(i % PROCS); k < fish; k++, j = j + 1 == fish ? 0 : j + 1)
        add_pull(s.x[i], s.y[i], &points[j], &s.pull_x[i], &s.pull_y[i]);
    for (i = 0; i < fish; i++) {
      move_fish(&s, i);
      points[i].x = s.x[i];
      points[i].y = s.y[i];
    }
  }
  free(points);
  return s;
}

static int is_right(const school *expected, point P[fish]::)
{
  long i;
  for (i = 0; i < fish; i++) {
    point p = P[i];
    if (p.x != expected->x[i] || p.y != expected->y[i]) return 0;
  }
  return 1;
}

/* --- The program --- */

static int run(double *seconds, waits *w)
{
  point P[fish]::;
  school own = make_school(MYPROC < fish ? (fish - MYPROC + PROCS - 1) / PROCS : 0), expected;
  point *shown = (point *)(P + MYPROC);
  int right = 1;
  long round, i;
  on_one expected = simulate_serially();
  for (round = 0; round < repeats; round++) {
    double begin;
    for (i = 0; i < own.count; i++) {
      shown[i] = first_point(MYPROC + i * PROCS);
      place_fish(&own, i, shown[i]);
    }
    begin = time_begin();
    simulate(&own, P, w);
    seconds[round] = time_end(begin);
    on_one right &= is_right(&expected, P);
    barrier();
  }
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
  report_number("steps", steps);
  report_number("seconds", median(seconds, repeats));
  report_number("remote_reads", reads);
  report_number("read_wait_us", reads ? waited / reads * 1e6 : 0);
  report_end(right);
}
