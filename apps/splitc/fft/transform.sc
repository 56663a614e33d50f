/* SPDX-License-Identifier: Apache-2.0
 * In the cyclic layout numbers that are PROCS or more apart are on one processor, in the blocked
 * one numbers that are nearer. A transform by decimation in frequency combines numbers n/2 apart
 * first, then n/4, and so on down to 1: log(n / PROCS) stages in the cyclic layout, the remap, and
 * the last log(PROCS) stages in the blocked one. (Culler et al. 1993, LogP: Towards a Realistic
 * Model of Parallel Computation, section 4.1.) The result stands in bit-reversed order. */
#include "transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static long log_points = 16, seed = 1, repeats = 3;

static setting settings[] = {
  {"log-points", "the logarithm of the number of points", &log_points, 0, 30},
  {"seed", "of the points", &seed, 0, 1L << 52},
  {"repeats", "transforms; the median of their times counts", &repeats, 1, 1000},
  {0},
};

/* --- The stages --- */

/* The factors of a stage that combines numbers `half` places apart in an array are those from half
 * to 2 * half - 1 in a table. */
typedef struct factors {
  double *re, *im;
} factors;

/* For arrays of `size` places, of which place k is the number offset + stride * k. */
static factors make_factors(long size, long offset, long stride)
{
  factors f;
  long half, k;
  f.re = malloc((size + 1) * sizeof(double));
  f.im = malloc((size + 1) * sizeof(double));
  for (half = 1; half < size; half *= 2)
    for (k = 0; k < half; k++) {
      double angle = -M_PI * (offset + stride * k) / (stride * half);
      f.re[half + k] = cos(angle);
      f.im[half + k] = sin(angle);
    }
  return f;
}

/* Two rows of `half` numbers, and their factors: none of them overlap. */
static inline void combine(double *restrict re, double *restrict im, double *restrict re2,
                           double *restrict im2, long half, const double *restrict wre,
                           const double *restrict wim)
{
  long k;
  for (k = 0; k < half; k++) {
    double dre = re[k] - re2[k], dim = im[k] - im2[k];
    re[k] += re2[k];
    im[k] += im2[k];
    re2[k] = dre * wre[k] - dim * wim[k];
    im2[k] = dre * wim[k] + dim * wre[k];
  }
}

static inline void butterflies(double *re, double *im, long half, const factors *f)
{
  combine(re, im, re + half, im + half, half, f->re + half, f->im + half);
}

/* What fits into the first cache, with its factors. */
#define SMALL 1024

/* The stages of an array of `size` places, from the one that combines places `half` apart on. A
 * large array is done half by half, so that the later stages of a half find it in the cache. */
static void stages(double *re, double *im, long size, long half, const factors *f)
{
  long middle = size / 2, k;
  if (size > SMALL) {
    if (half == middle) {
      butterflies(re, im, half, f);
      half /= 2;
    }
    stages(re, im, middle, half, f);
    stages(re + middle, im + middle, middle, half, f);
    return;
  }
  for (; half > 0; half /= 2)
    for (k = 0; k < size; k += 2 * half) butterflies(re + k, im + k, half, f);
}

/* --- The transform --- */

typedef struct times {
  double *phase_1, *remap, *phase_2;
} times;

typedef struct plan {
  long n, own; /* points, and points of a processor */
  factors cyclic, blocked;
} plan;

static void free_factors(const factors *f)
{
  free(f->re);
  free(f->im);
}

static plan make_plan(long n)
{
  plan p;
  p.n = n;
  p.own = n / PROCS;
  p.cyclic = make_factors(p.own, MYPROC, PROCS);
  p.blocked = make_factors(PROCS, 0, 1);
  return p;
}

/* X[i] is the i-th number, and afterwards the one in place i of the blocked result. Phases begin
 * and end together, so that each has its time; -1: nobody wants to know. */
static void transform(const plan *p, long own, double re[own], double im[own],
                      double RE[PROCS]::[own], double IM[PROCS]::[own], times t, long round)
{
  double *block_re = (double *)(RE + MYPROC), *block_im = (double *)(IM + MYPROC), phase[3], begin;
  begin = time_begin();
  stages(re, im, own, own / 2, &p->cyclic);
  phase[0] = time_end(begin);
  begin = time_begin();
  remap(own, re, im, RE, IM);
  phase[1] = time_end(begin);
  begin = time_begin();
  stages(block_re, block_im, own, PROCS / 2, &p->blocked);
  phase[2] = time_end(begin);
  if (round < 0) return;
  t.phase_1[round] = phase[0];
  t.remap[round] = phase[1];
  t.phase_2[round] = phase[2];
}

static double run(long n, times t)
{
  plan p = make_plan(n);
  long own = p.own, k, round;
  double X[n]::, Y[n]::; /* the points, real and imaginary, in the cyclic layout */
  double RE[PROCS]::[own], IM[PROCS]::[own];
  double *re = (double *)(X + MYPROC), *im = (double *)(Y + MYPROC), error;
  for (round = -1; round < repeats; round++) {
    for (k = 0; k < own; k++) draw_point(seed, MYPROC + PROCS * k, &re[k], &im[k]);
    transform(&p, own, re, im, RE, IM, t, round);
  }
  error = 0;
  on_one error = greatest_error(seed, n, own, RE, IM);
  free_factors(&p.cyclic);
  free_factors(&p.blocked);
  return all_bcast_d(error);
}

static double *room_for_times(void) { return calloc(repeats, sizeof(double)); }

splitc_main(int argc, char **argv)
{
  times t;
  long n;
  double error, limit, phase_1, moving, phase_2;
  read_settings(argc, argv, fft_about, settings);
  n = 1L << log_points;
  if (PROCSLOG < 0) refuse("%d processors: their number must be a power of two", PROCS);
  if (n < (long)PROCS * PROCS)
    refuse("--log-points %ld: %d processors need at least %d", log_points, PROCS, 2 * PROCSLOG);
  t.phase_1 = room_for_times();
  t.remap = room_for_times();
  t.phase_2 = room_for_times();
  error = run(n, t);
  limit = 1e-15 * (log_points + 1) * sqrt((double)n);
  phase_1 = median(t.phase_1, repeats);
  moving = median(t.remap, repeats);
  phase_2 = median(t.phase_2, repeats);
  report_number("points", n);
  report_number("seconds", phase_1 + moving + phase_2);
  report_number("phase_1_seconds", phase_1);
  report_number("remap_seconds", moving);
  report_number("phase_2_seconds", phase_2);
  report_number("greatest_error", error);
  report_number("error_limit", limit);
  free(t.phase_1);
  free(t.remap);
  free(t.phase_2);
  report_end(error <= limit);
}
