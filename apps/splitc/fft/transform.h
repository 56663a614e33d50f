/* SPDX-License-Identifier: Apache-2.0
 * The fast Fourier transform of n complex numbers, n a power of two: what fft and fftb have in
 * common. They differ in how the remap between the two phases moves the numbers.
 *
 * Real and imaginary parts stand in arrays of their own. */
#ifndef APPS_SPLITC_FFT_TRANSFORM_H
#define APPS_SPLITC_FFT_TRANSFORM_H

#include "../common/program.h"

extern const char fft_about[];

/* From the cyclic layout, where number i is re[i / PROCS] of processor i mod PROCS, to the blocked
 * one, where it is RE[i / own][i % own]; own = n / PROCS numbers a processor. Collective, and
 * complete on return; all meet before the next one. */
void remap(long own, const double *re, const double *im, double RE[PROCS]::[own],
           double IM[PROCS]::[own]);

#endif
