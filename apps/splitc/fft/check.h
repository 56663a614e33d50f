/* SPDX-License-Identifier: Apache-2.0
 * The points that are transformed, and a serial transform of them that shares nothing with the one
 * that is checked; which is itself checked by the sums that define a transform. */
#ifndef APPS_SPLITC_FFT_CHECK_H
#define APPS_SPLITC_FFT_CHECK_H

#include "../common/program.h"

/* Point i: both parts in [-1, 1). */
void draw_point(long seed, long i, double *re, double *im);

/* The greatest difference between the result, in the blocked layout and in bit-reversed order, and
 * what it should be. For one processor, which reads those of all. */
double greatest_error(long seed, long n, long own, double RE[PROCS]::[own],
                      double IM[PROCS]::[own]);

#endif
