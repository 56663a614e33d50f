/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void draw_point(long seed, long i, double *re, double *im)
{
  word state = random_key(random_key(0, seed), i);
  *re = random_signed(&state);
  *im = random_signed(&state);
}

typedef double _Complex number;

/* The textbook's: by the even points and the odd ones, stride apart. */
static void serial_transform(const number *from, number *to, long n, long stride)
{
  long k;
  if (n == 1) {
    to[0] = from[0];
    return;
  }
  serial_transform(from, to, n / 2, 2 * stride);
  serial_transform(from + stride, to + n / 2, n / 2, 2 * stride);
  for (k = 0; k < n / 2; k++) {
    number odd = cexp(-2 * M_PI * I * k / n) * to[k + n / 2], even = to[k];
    to[k] = even + odd;
    to[k + n / 2] = even - odd;
  }
}

/* One number of the transform, by its definition; a long sum, so with more digits. */
static number defined_at(const number *points, long n, long k)
{
  long double _Complex sum = 0;
  long i;
  for (i = 0; i < n; i++) sum += points[i] * cexp(-2 * M_PI * I * (double)(i * k % n) / n);
  return sum;
}

static long reversed(long i, long n)
{
  long r = 0;
  for (; n > 1; n /= 2, i /= 2) r = 2 * r + i % 2;
  return r;
}

/* Of two errors; one that is not a number is no small one. */
static double greater(double a, double b) { return a >= b || a != a ? a : b; }

/* Compares a processor's numbers with those that belong there. */
static double error_of_part(const number *expected, long n, long first, long own,
                            double *global from_re, double *global from_im)
{
  double *re = malloc(own * sizeof(double)), *im = malloc(own * sizeof(double)), error = 0;
  long i;
  bulk_get(re, from_re, own * sizeof(double));
  bulk_get(im, from_im, own * sizeof(double));
  sync();
  for (i = 0; i < own; i++)
    error = greater(error, cabs(re[i] + im[i] * I - expected[reversed(first + i, n)]));
  free(re);
  free(im);
  return error;
}

#define SAMPLES 4

double greatest_error(long seed, long n, long own, double RE[PROCS]::[own], double IM[PROCS]::[own])
{
  number *points = malloc(n * sizeof(number)), *expected = malloc(n * sizeof(number));
  double error = 0, re, im;
  long i;
  int p;
  for (i = 0; i < n; i++) {
    draw_point(seed, i, &re, &im);
    points[i] = re + im * I;
  }
  serial_transform(points, expected, n, 1);
  for (i = 0; i < SAMPLES; i++) {
    long k = scrambled(seed + i) % n;
    error = greater(error, cabs(expected[k] - defined_at(points, n, k)));
  }
  for (p = 0; p < PROCS; p++)
    error = greater(error, error_of_part(expected, n, p * own, own, &RE[p][0], &IM[p][0]));
  free(points);
  free(expected);
  return error;
}
